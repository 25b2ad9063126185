"""``python -m tests.benchmarks.votes``: how fast :class:`stages.foils.sense.Sense` tells what captions say of nouns like these.

What all relations of two nouns count for is summed by subjects, once for each object. Beside it stands the plain sum over all rows,
whose power of a likeness is taken anew each time. Both are asked for the same relations of commonest nouns, as the foils of an atom
are. Last line: JSON, seconds and the largest difference of the shares.
"""

import json
from itertools import product
from time import perf_counter

import numpy as np

from stages.foils.sense import FEW, SHARP, Sense
from tests.foils.known import people

RELATIONS, OBJECTS, SUBJECTS = ("on", "next to", "hold", "wear", "ride"), 8, 200


def plain(sense: Sense, relation: str, nouns: tuple[str, str]) -> float:
    """The share of a relation among all that captions say of such nouns, every row counted."""
    said = sense._said["relation"]
    likeness = np.prod([sense._of_noun(noun)[said.nouns[:, place]] for place, noun in enumerate(nouns)], axis=0)
    votes = said.counts * likeness**SHARP
    return (float(votes[said.saying(relation)].sum()) + FEW * said.prior(relation)) / (float(votes.sum()) + FEW)


def main() -> None:
    sense = people()
    said = sense._said["relation"]
    of = [np.bincount(said.nouns[:, place], said.counts, len(sense.vectors.nouns)).argsort()[::-1] for place in (0, 1)]
    subjects, objects = ([sense.vectors.nouns[i] for i in rows[:n]] for rows, n in zip(of, (SUBJECTS, OBJECTS), strict=True))
    asked = [(relation, nouns) for relation in RELATIONS for nouns in product(subjects, objects)]
    for noun in {*subjects, *objects}:
        sense._of_noun(noun)
    seconds, shares = {}, {}
    for name, share in (("kept", lambda *of: sense.said("relation", *of)), ("plain", lambda *of: plain(sense, *of))):
        start = perf_counter()
        shares[name] = np.array([share(*each) for each in asked])
        seconds[name] = round(perf_counter() - start, 2)
    apart = float(np.abs(shares["kept"] - shares["plain"]).max())
    print(json.dumps({"rows": len(said), "asked": len(asked), "seconds": seconds, "largest_difference": round(apart, 7)}))


if __name__ == "__main__":
    main()
