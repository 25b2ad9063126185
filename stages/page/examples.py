"""The first choices of two runs compared: queries that both get right, and queries that only the second does (paper, Table 17)."""

import random
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from stages.contract.schemas import CLEARED
from stages.page.display_names import set_name
from stages.page.runs import Run, common
from stages.page.table import Table

EXAMPLES = 5
"""Number of queries of each kind and retrieval set."""


def table(first: Run, second: Run, compared: Sequence[Run]) -> Table:
    """Return seen compounds that both runs get right and unseen ones that only the second does, chosen by the queries' ids."""
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
    columns = [(one.label(compared), column) for one in (first, second) for column in ("first choice", "rank of the truth")]
    caption = (
        f"Examples of cleared sets: seen compounds that both models know, and unseen ones that {first.label(compared)} misses."
    )
    return Table(caption, ["Split", "Negatives", "Truth", *columns], rows, names=7)


def _alone_in_front(one: Run, which: np.ndarray) -> np.ndarray:
    return (one.ranks.above[which] == 0) & (one.ranks.ties[which] == 0)


def _shown(captions: pa.Table, one: Run, i: int) -> tuple[str, str, str]:
    """Return a set's truth, the run's first choice, and the rank of the truth."""
    (row,) = captions.slice(int(i), 1).to_pylist()
    choice = [row["truth"], *row["negatives"]][int(np.argmax(row["scores"]))]
    return row["truth"], choice, f"{one.ranks.expected[i]:g} of {one.ranks.size[i]}"
