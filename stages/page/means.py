"""Several models taken together, as the paper's Figures 5, 6 and 13 show them: means over runs, with the deviation between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

from stages.page.drawings import Drawing, by_complexity, by_group
from stages.page.figure import Figure
from stages.page.grid import Grid
from stages.page.names import SETS, SPLITS
from stages.page.runs import Run

K = TypeVar("K")


def mean(figures: Sequence[Figure | None]) -> Figure | None:
    """The mean over runs, with one standard deviation between them to both sides; ``None`` of fewer than two.

    Figures of too few queries are left out.
    """
    telling = [figure for figure in figures if figure is not None and not figure.tells_little]
    if len(telling) < 2:
        return None
    values = np.array([figure.value for figure in telling])
    value, deviation = float(values.mean()), float(values.std(ddof=1))
    return Figure(value, None, None, telling[0].chance, (value - deviation, value + deviation))


def over_splits(compared: Sequence[Run], name: str) -> dict[str, Figure]:
    """R@1 of a set of systematicity by split."""
    return _present((split, mean([Figure.of(one.figures(one.where("sys", name, split))) for one in compared])) for split in SPLITS)


def over_complexities(compared: Sequence[Run], name: str) -> dict[int, Figure]:
    """R@1 of a set of productivity by complexity."""
    numbers = sorted({int(n) for one in compared for n in one.n[one.suite == "prod"]})
    return _present((n, mean([Figure.of(one.figures(one.where("prod", name, n=n))) for one in compared])) for n in numbers)


def _present(figures: Iterator[tuple[K, Figure | None]]) -> dict[K, Figure]:
    return {key: figure for key, figure in figures if figure is not None}


def tables(compared: Sequence[Run]) -> list[Grid]:
    """A table for each suite of which two runs or more have figures."""
    by_split = {title: over_splits(compared, name) for name, title in SETS["sys"].items()}
    by_n = {title: over_complexities(compared, name) for name, title in SETS["prod"].items()}
    return [
        *_table(f"Systematicity: R@1 (%) by split, mean ± standard deviation over {len(compared)} runs.", by_split),
        *_table(f"Productivity: R@1 (%) by complexity, mean ± standard deviation over {len(compared)} runs.", by_n),
    ]


def _table(caption: str, figures: Mapping[str, Mapping[K, Figure]]) -> list[Grid]:
    columns: list[K] = list(dict.fromkeys(key for row in figures.values() for key in row))
    rows = [[title, *(_cell(of_key.get(key)) for key in columns)] for title, of_key in figures.items() if of_key]
    return [Grid(caption, [("", "Negatives"), *(("", str(key)) for key in columns)], rows, names=1)] if rows else []


def _cell(figure: Figure | None) -> str:
    return "–" if figure is None else f"{figure.value:.2f} ± {figure.high - figure.value:.2f}"


def drawings(compared: Sequence[Run]) -> list[Drawing]:
    """The same as drawings."""
    by_split = {title: splits for name, title in SETS["sys"].items() if (splits := over_splits(compared, name))}
    by_n = {title: curve for name, title in SETS["prod"].items() if (curve := over_complexities(compared, name))}
    spread = f"mean over {len(compared)} runs, with one standard deviation between them and chance."
    drawn = []
    if by_split:
        drawn.append(by_group("mean_by_split", f"Recall@1 by split: {spread}", by_split))
    if by_n:
        drawn.append(by_complexity("mean_by_complexity", f"Recall@1 by complexity: {spread}", by_n))
    return drawn
