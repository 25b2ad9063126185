"""What two runs put first, side by side: queries that both get right, and that the first one misses (paper, Table 17)."""

import random
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from stages.contract.schemas import CLEARED
from stages.page.grid import Grid, plain
from stages.page.names import set_name
from stages.page.runs import Run, common

EXAMPLES = 5
"""Queries of a kind and retrieval set."""


def table(first: Run, second: Run, compared: Sequence[Run]) -> Grid | None:
    """Seen compounds that both runs know and unseen ones that the second alone does, drawn by the queries' ids.

    ``None`` where there are none, or a run's captions are not at hand.
    """
    if first.captions is None or second.captions is None:
        return None
    rows = []
    for name in ("atom", "comp"):
        here, there = common(first, second, first.where(CLEARED, "sys", name))
        right, too = _alone_in_front(first, here), _alone_in_front(second, there)
        missed = first.ranks.above[here] > 0
        for split, kind in (("SC", right & too), ("UC", missed & too)):
            which = np.flatnonzero(kind & (first.split[here] == split))
            drawn = sorted(which, key=lambda i: random.Random(str(first.query[here[i]])).random())[:EXAMPLES]
            sides = ((_shown(first.captions, first, here[i]), _shown(second.captions, second, there[i])) for i in drawn)
            rows += [[split, set_name("sys", name), *one, *other[1:]] for one, other in sides]
    head = plain("Split", "Negatives", "Truth")
    head += [(one.label(compared), column) for one in (first, second) for column in ("first choice", "rank of the truth")]
    caption = (
        f"Examples of cleared sets: seen compounds that both models know, and unseen ones that {first.label(compared)} misses."
    )
    return Grid(caption, head, rows, names=len(head)) if rows else None


def _alone_in_front(one: Run, which: np.ndarray) -> np.ndarray:
    return (one.ranks.above[which] == 0) & (one.ranks.ties[which] == 0)


def _shown(captions: pa.Table, one: Run, i: int) -> tuple[str, str, str]:
    """A set's truth, what the run puts first, and where the truth comes."""
    (row,) = captions.slice(int(i), 1).to_pylist()
    choice = [row["truth"], *row["negatives"]][int(np.argmax(row["scores"]))]
    return row["truth"], choice, f"{one.ranks.expected[i]:g} of {one.ranks.size[i]}"
