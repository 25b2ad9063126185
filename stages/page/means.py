"""Means over several models with the deviation between them, as in the paper's Figures 5, 6 and 13."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np

from stages.contract.schemas import CLEARED, PROTOCOLS
from stages.page.display_names import SETS, SPLITS
from stages.page.drawings import Drawing, by_complexity, by_group
from stages.page.figure import Figure, present, with_spread
from stages.page.runs import Run, complexities
from stages.page.table import Table

Part = TypeVar("Part", bound=str | int)
"""A split or a complexity."""


def mean(figures: Sequence[Figure | None]) -> Figure | None:
    """Return the mean over runs with enough queries, and the range of one standard deviation; ``None`` for fewer than two."""
    counted = [figure for figure in figures if figure is not None and not figure.of_few]
    if len(counted) < 2:
        return None
    values = np.array([figure.value for figure in counted])
    value, deviation = float(values.mean()), float(values.std(ddof=1))
    return Figure(value, (value - deviation, value + deviation), chance=counted[0].chance)


def means(compared: Sequence[Run], protocol: str, suite: str, parts: Iterable[Part]) -> dict[str, dict[Part, Figure]]:
    """Return R@1 of the sets of a suite by split or complexity, where means exist."""
    of_set = {
        title: present({part: mean([one.figure(protocol, suite, name, part) for one in compared]) for part in parts})
        for name, title in SETS[suite].items()
    }
    return {title: figures for title, figures in of_set.items() if figures}


def tables(compared: Sequence[Run]) -> list[Table]:
    """Return a table for each protocol and suite; without rows where fewer than two runs have figures."""
    spread = f"mean ± standard deviation over {len(compared)} runs, without those of too few queries."
    by_n = complexities(compared)
    return [
        grid
        for protocol in PROTOCOLS
        for grid in (
            _table(f"Systematicity, {protocol}: R@1 (%) by split, {spread}", means(compared, protocol, "sys", SPLITS)),
            _table(f"Productivity, {protocol}: R@1 (%) by complexity, {spread}", means(compared, protocol, "prod", by_n)),
        )
    ]


def _table(caption: str, of_set: Mapping[str, Mapping[Part, Figure]]) -> Table:
    parts = list(dict.fromkeys(chain.from_iterable(of_set.values())))
    rows = []
    for title, mean_of in of_set.items():
        texts = {part: with_spread(figure.value, figure.high - figure.value, 2) for part, figure in mean_of.items()}
        rows.append([title, *map(texts.get, parts)])
    return Table(caption, ["Negatives", *map(str, parts)], rows, names=1)


def drawings(compared: Sequence[Run]) -> list[Drawing]:
    """Return drawings of the means on the cleared sets."""
    spread = f"mean over {len(compared)} runs with enough queries, with one standard deviation and chance."
    drawn = []
    if by_split := means(compared, CLEARED, "sys", SPLITS):
        drawn.append(by_group("mean_by_split", f"Recall@1 by split: {spread}", by_split))
    if by_n := means(compared, CLEARED, "prod", complexities(compared)):
        drawn.append(by_complexity("mean_by_complexity", f"Recall@1 by complexity: {spread}", by_n))
    return drawn
