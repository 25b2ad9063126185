"""Means over several models with the deviation between them, as in the paper's Figures 5, 6 and 13."""

from collections.abc import Sequence
from itertools import chain, product

import numpy as np

from stages.contract.schemas import CLEARED, PROTOCOLS
from stages.page.display_names import SETS, SUITES, atoms, of_set
from stages.page.drawings import Drawing, by_complexity, by_group
from stages.page.figure import Figure, present, with_spread
from stages.page.runs import Run, groups
from stages.page.table import Table


def mean(figures: Sequence[Figure | None]) -> Figure | None:
    """Return the mean over runs with enough queries, and the range of one standard deviation; ``None`` for fewer than two."""
    counted = [figure for figure in figures if figure is not None and not figure.of_few]
    if len(counted) < 2:
        return None
    values = np.array([figure.value for figure in counted])
    value, deviation = float(values.mean()), float(values.std(ddof=1))
    return Figure(value, (value - deviation, value + deviation), chance=counted[0].chance)


def means(compared: Sequence[Run], protocol: str, suite: str) -> dict[str, dict[str, Figure]]:
    """Return R@1 of the sets of a suite by split or complexity, where means exist."""
    found = {}
    for name, title in SETS[suite].items():
        of_runs = [of_set(one.metrics, protocol, suite, name) for one in compared]
        parts = {part: mean([Figure.of(figures.get(part)) for figures in of_runs]) for part in groups(compared, suite)}
        found[title] = present(parts)
    return {title: figures for title, figures in found.items() if figures}


def tables(compared: Sequence[Run]) -> list[Table]:
    """Return a table for each protocol and suite; without rows where fewer than two runs have figures."""
    spread = f"mean ± standard deviation over {len(compared)} runs, without those of too few queries."
    found = []
    for protocol, (suite, by) in product(PROTOCOLS, (("sys", "split"), ("prod", "complexity"))):
        of_title = means(compared, protocol, suite)
        parts = list(dict.fromkeys(chain.from_iterable(of_title.values())))
        rows = []
        for title, mean_of in of_title.items():
            texts = {part: with_spread(figure.value, figure.high - figure.value, 2) for part, figure in mean_of.items()}
            rows.append([title, *map(texts.get, parts)])
        caption = f"{SUITES[suite]}, {protocol}: R@1 (%) by {by}, {spread}"
        found.append(Table(caption, ["Negatives", *map(atoms, parts)], rows, names=1))
    return found


def drawings(compared: Sequence[Run]) -> list[Drawing]:
    """Return drawings of the means on the cleared sets."""
    spread = f"mean over {len(compared)} runs with enough queries, with one standard deviation and chance."
    drawn = []
    if by_split := means(compared, CLEARED, "sys"):
        drawn.append(by_group("mean_by_split", f"Recall@1 by split: {spread}", by_split))
    if by_group_key := means(compared, CLEARED, "prod"):
        by_n = {title: {int(atoms(group)): figure for group, figure in figures.items()} for title, figures in by_group_key.items()}
        drawn.append(by_complexity("mean_by_complexity", f"Recall@1 by complexity: {spread}", by_n))
    return drawn
