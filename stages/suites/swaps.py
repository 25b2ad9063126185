"""What HN-Swap's negatives ask: whether atoms that the caption names belong together as it says, or what is there at all.

A swap of the caption's own atoms keeps its words; where an atom gives way to something else that the image shows, a word comes in
that the caption does not have, and who notices that it does not belong there needs to bind nothing. R@1 of a set that has both
sorts is mostly of the easier one, so each pair of a truth and a negative goes by its sort.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stages.retrieval.cleared import ADVERSARY
from stages.retrieval.figures import pairs, percent
from stages.retrieval.ranks import wins
from stages.retrieval.sets import RetrievalSet
from stages.retrieval.statistics import paired

OWN_WORDS, EXCHANGED = SORTS = ("own_words", "exchanged")


def sort_of(edit: str) -> str:
    """Which of :data:`SORTS` an edit of HN-Swap is of, by its name; empty where it is not known what was edited."""
    return edit and (EXCHANGED if edit.endswith(f"_{EXCHANGED}") else OWN_WORDS)


def figures(
    sets: Sequence[RetrievalSet], scores: Sequence[np.ndarray], blind: Mapping[str, Sequence[np.ndarray]]
) -> dict[str, dict[str, Any]]:
    """By sort, of its pairs: ``above``, the share whose truth scores above the negative (chance is 50, a tie is half), with its
    standard error; ``n``, and of how many ``queries`` and ``images``; ``negatives``, the sort's share of the sets' negatives; and
    ``blind``, as a set has it: the same share of each blind scorer, which untrained one is ``best`` on these very pairs, the
    model's ``gain`` over it, and ``gain_trained`` over the one trained on the sets.

    Args:
        sets: of HN-Swap.
        scores: of each set, its truth's first.
        blind: the same by blind scorer.
    """
    sorts = np.array([sort_of(edit) for s in sets for edit in s.edits])
    query, image = np.array([(i, s.query.crop.image_id) for i, s in enumerate(sets) for _ in s.edits]).T
    model = wins(scores)
    of_blind = {name: wins(of_sets) for name, of_sets in sorted(blind.items())}
    groups: dict[str, dict[str, Any]] = {}
    for name in SORTS:
        here = sorts == name
        if not here.any():
            continue
        images = image[here]
        groups[name] = pairs(model[here], query[here], images) | {"negatives": percent(here.mean())}
        means = {scorer: float(values[here].mean()) for scorer, values in of_blind.items()}
        if untrained := [scorer for scorer in means if scorer != ADVERSARY]:
            best = max(untrained, key=means.__getitem__)
            gains = {"gain": best, "gain_trained": ADVERSARY} if ADVERSARY in means else {"gain": best}
            groups[name]["blind"] = {scorer: percent(mean) for scorer, mean in means.items()} | {"best": best}
            for gain, scorer in gains.items():
                groups[name]["blind"][gain] = paired(model[here], of_blind[scorer][here], images)
    return groups
