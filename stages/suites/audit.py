"""What of a suite can be told without looking: ``python -m stages.suites.audit SUITE FOLDER [--captions FOLDER] [--balanced OUT]``.

Asks every scorer that never sees an image about the sets of a suite as published; no model and no picture is needed. Prints for
each subset how many sets it has, chance, and what each scorer reaches (R@1 in per cent, with its 95 % interval, clustered by image
and case), the adversary ``trained`` and cross-validated among them. The last line is JSON:
``{subset: {n, chance, best, scorer, trained}}``.

SUITE is a name that ``evaluate.suites`` can have. ``--captions`` names a file with a caption a line, or a folder of training
captions as parse_train writes them (a folder a training set, each with graphs.parquet): then the scorers that are estimated from
captions are asked as well.
``--balanced`` writes the largest part of the suite that none of the scorers solves above chance and 3 points, in the suite's own
format, and prints what they reach there.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from stages.blind import ngram, scorers
from stages.blind.meaning import Meaning
from stages.blind.scorers import BagOfWords, BlindScorer
from stages.blind.trained import trained
from stages.contract.errors import InputError, run
from stages.contract.files import complete
from stages.retrieval.cases import clusters
from stages.retrieval.intervals import of_mean
from stages.retrieval.ranks import Ranks, rank
from stages.retrieval.sets import Layout, RetrievalSet
from stages.suites.balanced import balanced
from stages.suites.catalogue import SUITES
from stages.suites.files import Images, write_part
from stages.suites.set_likeness import likenesses

MOST = 200_000
"""Captions of each training set that scorers are estimated from, at most."""


def subsets(sets: Iterable[RetrievalSet]) -> dict[str, list[RetrievalSet]]:
    """The sets of a suite by their names, in order; of a suite with several parts, by part and name."""
    by_set: dict[tuple[str, str], list[RetrievalSet]] = {}
    for s in (s for s in sets if s.negatives or s.others):
        by_set.setdefault((s.suite, s.name), []).append(s)
    parts = len({suite for suite, _ in by_set}) > 1
    return {f"{suite}.{name}" if parts else name: own for (suite, name), own in sorted(by_set.items())}


def captions_at(path: Path) -> list[str]:
    """The captions of a file that has one a line, or of a folder as parse_train writes it (at most :data:`MOST` a training set).

    Raises:
        InputError: there are none.
    """
    remedy = "name a file with a caption a line, or a folder as parse_train writes it"
    if path.is_file():
        try:
            return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(path, f"cannot be read as text ({error})", remedy) from None
    folders = sorted(graphs.parent for graphs in path.glob("*/graphs.parquet"))
    if not folders:
        raise InputError(path, "has no training captions", remedy)
    return ngram.training_captions(folders, scorers.JUDGING, MOST)


def judges(captions: Sequence[str], bag: BagOfWords | None = None) -> dict[str, BlindScorer]:
    """The scorers of captions; those that are estimated from ``captions`` are asked only where there are some."""
    every = scorers.scorers(captions, bag)
    return every if captions else {name: every[name] for name in ("shorter", "longer", "affirmed", "negated")}


def audit(sets: Sequence[RetrievalSet], judges: Mapping[str, BlindScorer], meaning: Meaning | None = None) -> dict[str, Ranks]:
    """The ranks of a subset's truths by every scorer: ``judges``, likeness within a set, and ``trained`` on these very sets."""
    layout = Layout.of(sets)
    scores = {name: judge(layout.texts)[layout.text] for name, judge in judges.items()}
    scores |= likenesses(layout.texts, layout.text, layout.size, meaning(layout.texts) if meaning else None)
    # Numbered as they come and not as a suite numbers its pictures: a part that is read again is learnt in the same folds.
    _, first, together = np.unique(clusters(sets), return_index=True, return_inverse=True)
    scores["trained"] = trained(layout.texts, layout.text, layout.size, first[together], scores)
    return {name: rank(of, layout.size) for name, of in scores.items()}


def asking(captions: Sequence[str]) -> partial[dict[str, Ranks]]:
    """:func:`audit` by all that can be estimated from ``captions``, if there are any."""
    bag = BagOfWords(captions)
    return partial(audit, judges=judges(captions, bag), meaning=Meaning(bag) if captions else None)


def summary(ranks: Mapping[str, Ranks]) -> dict[str, float | int | str]:
    """A subset's line of JSON: the best scorer is that which is best without having been trained on the suite."""
    reached = {name: 100 * float(of.recall(1).mean()) for name, of in ranks.items()}
    own = reached.pop("trained")
    best = max(reached, key=lambda name: reached[name])
    chance = 100 * float(ranks["trained"].chance(1).mean())
    figures = {"chance": chance, "best": reached[best], "trained": own}
    return {"n": len(ranks["trained"]), "scorer": best, **{name: round(value, 1) for name, value in figures.items()}}


def show(name: str, sets: Sequence[RetrievalSet], ranks: Mapping[str, Ranks]) -> None:
    """Print a subset's scorers, the best first."""
    print(f"{name}: {len(sets):,} sets, chance {100 * ranks['trained'].chance(1).mean():.1f} %")
    together = clusters(sets)
    for scorer, of in sorted(ranks.items(), key=lambda pair: -pair[1].recall(1).mean()):
        right = of_mean(of.recall(1), together)
        print(f"  {scorer:<16}{100 * right.value:6.1f} ({100 * right.low:.1f} to {100 * right.high:.1f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=sorted(SUITES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--captions", type=Path, help="file of captions, or folder of them as parse_train writes it")
    parser.add_argument("--balanced", type=Path, metavar="OUT", help="folder to write what cannot be told without looking to")
    asked = parser.parse_args()
    if asked.balanced and asked.balanced.resolve().is_relative_to(asked.folder.resolve()):
        wrong = "lies in the folder that is audited: the part would take the whole's place, or be asked beside it"
        raise InputError(asked.balanced, wrong, "name another folder for it")
    ask = asking(captions_at(asked.captions) if asked.captions else [])
    of_suite = subsets(SUITES[asked.suite](asked.folder, Images()))
    if asked.balanced:
        whole, of_suite = of_suite, balanced(of_suite, ask)
        sources = {s.source for sets in of_suite.values() for s in sets if s.source}
        if not sources:
            wrong = f"has no entries ({sum(map(len, whole.values())):,} sets) of which a part can be cleared of what is told blind"
            raise InputError(asked.folder, wrong, "leave --balanced out, which says how much is told")
        # Whole or not at all: a file that another audit left would be asked, too.
        with complete(asked.balanced, folder=True) as out:
            write_part(asked.folder, out, sources)
        print(f"{asked.balanced}: {len(sources):,} entries of {asked.folder}; kept", end=" ")
        print(", ".join(f"{len(of_suite.get(name, ())):,} of {len(sets):,} {name}" for name, sets in whole.items()))
    ranks_of = {name: ask(sets) for name, sets in of_suite.items()}
    for name, ranks in ranks_of.items():
        show(name, of_suite[name], ranks)
    print(json.dumps({name: summary(ranks) for name, ranks in ranks_of.items()}, sort_keys=True))


if __name__ == "__main__":
    run(main)
