"""Test whether shortcuts explain the differences that CREPE compares.

CREPE compares groups: seen with unseen compounds, short with long captions. Where scorers that see no image show the same
difference, a model's difference proves nothing. For sets of one kind this computes the scorers' results in every group, their own
differences and slopes, and states which of them chance does not explain. Selection does not use this rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtr

from stages.contract import tables
from stages.contract.schemas import PROTOCOLS
from stages.evaluation.figures import nested
from stages.evaluation.intervals import ROUNDING, of_mean, student
from stages.evaluation.sets import complexity
from stages.evaluation.statistics import difference, slope

ADVERSARY = "trained"
"""The scorer that was trained on the evaluated sets; the best of the other scorers is shown next to it."""
MIN_QUERIES = 20
"""Minimum number of queries of a tested group: with fewer, at a chance of 1 in 6, a t-test does not keep its level."""
LEVEL = 0.05
"""Maximum probability of any false positive in a table without real effects (Holm, 1979)."""
GAP, SLOPE = 2.0, 0.5
"""Tolerance, in points, of a scorer's SC − UC, and of its change with each further atom."""
SPLITS = ("SC", "UC", "UA")
ALL = "all"
"""The group of all queries."""


@dataclass(frozen=True)
class ShortcutRanks:
    """Retrieval sets of one kind with the results of shortcut scorers; arrays have one entry a set.

    Attributes:
        right: by scorer, the probability that the truth comes first.
        chance: the same for a random scorer.
        splits: by training set, SC, UC or UA.
        n: complexities; 0 where sets have none.
        held_out: the scorers of families that selection never used.
    """

    images: np.ndarray
    right: Mapping[str, np.ndarray]
    chance: np.ndarray
    splits: Mapping[str, np.ndarray]
    n: np.ndarray
    held_out: Collection[str] = ()

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], held_out: Collection[str] = ()) -> ShortcutRanks:
        """Return the ranks in rows of the table ``ranks``, all of one kind."""
        right, splits = (
            {one[name]: np.array([row[column][i][value] for row in rows]) for i, one in enumerate(rows[0][column])}
            for column, name, value in (("shortcuts", "scorer", "r1"), ("splits", "training_set", "split"))
        )
        chance = np.array([1 / (1 + len(row["negatives"])) for row in rows])
        images, n = (np.array([row[column] or 0 for row in rows]) for column in ("image_id", "n"))
        return cls(images, right, chance, splits, n, held_out)

    @property
    def untrained(self) -> list[str]:
        return sorted(self.right.keys() - {ADVERSARY})

    @property
    def has_complexity(self) -> bool:
        return bool((self.n > 0).all())

    def masks(self) -> Iterator[tuple[str, str, np.ndarray]]:
        """Yield the groups that have sets, by training set and split, or ``n`` and complexity, with which sets these are."""
        yield from ((name, split, here) for name, of in self.splits.items() for split in SPLITS if (here := of == split).any())
        if self.has_complexity:
            yield from (("n", complexity(n), self.n == n) for n in np.unique(self.n).tolist())

    def groups(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the R@1 by group, in per cent, of the best scorer that selection knows, next to chance, and of the others."""
        return nested(((grouping, group), self._group(here)) for grouping, group, here in self.masks())

    def cells(self, name: str) -> Iterator[Cell]:
        """Yield a cell for each scorer and group, also all, of at least :data:`MIN_QUERIES` queries, for the sets of ``name``."""
        groups = {group if grouping == "n" else f"{group} of {grouping}": here for grouping, group, here in self.masks()}
        for group, here in (groups | {ALL: np.ones(len(self.n), bool)}).items():
            if here.sum() >= MIN_QUERIES:
                for scorer in sorted(self.right):
                    yield Cell.of(name, group, scorer, self.right[scorer][here], self.chance[here], self.images[here])

    def _group(self, here: np.ndarray) -> dict[str, Any]:
        reached = {name: _percent(right[here]) for name, right in sorted(self.right.items())}
        others = {ADVERSARY: reached.pop(ADVERSARY)} if ADVERSARY in reached else {}
        if held_out := [reached.pop(name) for name in sorted(self.held_out) if name in reached]:
            others["held_out"] = max(held_out)
        best = max(reached, key=lambda name: reached[name])
        return {"n": int(here.sum()), "chance": _percent(self.chance[here]), "best": reached[best], "scorer": best, **others}

    def gaps(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return each scorer's own SC − UC in R@1, in points, by training set and scorer."""
        return {
            name: self._intervals(partial(difference, first=splits == "SC", second=splits == "UC", images=self.images))
            for name, splits in self.splits.items()
        }

    def slopes(self) -> dict[str, dict[str, Any]]:
        """Return each scorer's change in R@1 with each further atom, in points."""
        return self._intervals(partial(slope, n=self.n, images=self.images)) if self.has_complexity else {}

    def _intervals(self, change: Callable[[np.ndarray], Mapping[str, Any] | None]) -> dict[str, dict[str, Any]]:
        """Return the interval of ``change`` for each scorer, where it exists."""
        changes = {scorer: change(self.right[scorer]) for scorer in self.untrained}
        return {
            scorer: {key: interval[key] for key in ("d", "df", "low", "high")}
            for scorer, interval in changes.items()
            if interval and interval["low"] is not None
        }

    def trained(self) -> dict[str, Any] | None:
        """Return the trained adversary's R@1 over all sets, next to chance."""
        return {"chance": _percent(self.chance), "r1": _percent(self.right[ADVERSARY])} if ADVERSARY in self.right else None


class Cell(NamedTuple):
    """A scorer in a group of sets: its distance above chance, ``d`` in points, with the 95 % interval ``low`` to
    ``high``, and the probability ``p`` of at least this distance by chance (one-sided)."""

    name: str
    group: str
    scorer: str
    n: int
    d: float
    low: float
    high: float
    p: float

    @classmethod
    def of(cls, name: str, group: str, scorer: str, right: np.ndarray, chance: np.ndarray, images: np.ndarray) -> Cell:
        """Return the cell of queries that a scorer gets ``right`` with some probability, clustered by image."""
        interval = of_mean(right - chance, images, (-float(chance.max()), 1 - float(chance.min())))
        # Where all queries have the same result the error is 0; the interval then has the remaining uncertainty.
        error = (interval.value - interval.low) / student(interval.freedom)
        above = interval.value > ROUNDING and error > 0
        p = float(stdtr(interval.freedom, -interval.value / error)) if above else 1.0
        d, low, high = (round(100 * x, 2) for x in (interval.value, interval.low, interval.high))
        return cls(name, group, scorer, len(right), d, low, high, p)

    def __str__(self) -> str:
        interval = f"{self.d:+.1f} points above chance ({self.low:+.1f} to {self.high:+.1f}, p = {self.p:.1g})"
        return f"{self.name}, {self.group} ({self.n:,} queries): {self.scorer} stands {interval}"


def rejected(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells that are above chance after correction for the number of tests, by Holm's procedure at :data:`LEVEL`."""
    ordered = sorted(cells, key=lambda cell: cell.p)
    holds = next((i for i, cell in enumerate(ordered) if cell.p > LEVEL / (len(ordered) - i)), len(ordered))
    return ordered[:holds]


class Difference(NamedTuple):
    """A shortcut scorer's SC − UC, or its slope: its interval, its tolerance around 0, and its description."""

    interval: Mapping[str, Any]
    allowed: float
    sentence: str

    def is_off(self, among: int) -> bool:
        """Return whether the difference exceeds its tolerance, at a level corrected for the number of tests (Bonferroni)."""
        d, low, high = (self.interval[key] for key in ("d", "low", "high"))
        freedom = self.interval["df"] or float("inf")
        wider = student(freedom, LEVEL / among) / student(freedom)
        return d - wider * (d - low) > 0 or d + wider * (high - d) < 0


def differences(name: str, gaps: Mapping[str, Any], slopes: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield all differences of shortcut scorers on the sets of one kind."""
    for grouping, each in gaps.items():
        for scorer, gap in each.items():
            said = f"{name}, {grouping}: {scorer} shows SC − UC of {gap['d']:+.1f} points ({gap['low']:.1f} to {gap['high']:.1f})"
            yield Difference(gap, GAP, said)
    for scorer, rise in slopes.items():
        said = f"{name}: {scorer} shows {rise['d']:+.2f} points an atom ({rise['low']:.2f} to {rise['high']:.2f})"
        yield Difference(rise, SLOPE, said)


def more_than_chance(every: Sequence[Difference]) -> list[str]:
    """Return descriptions of the differences that exceed their tolerance after correction for the number of tests.

    The number of uncorrected ones says little: scorers that see the same words are correlated, so chance makes many significant at
    once.
    """
    return [one.sentence for one in every if one.is_off(len(every)) and abs(one.interval["d"]) > one.allowed]


def of_rows(sets: Mapping[str, Sequence[Mapping[str, Any]]], held_out: Collection[str] = ()) -> tuple[dict[str, Any], list[str]]:
    """Return the results for rows of the table ``ranks`` of one protocol, and descriptions of the violations.

    Args:
        sets: the rows by the names of their sets.
        held_out: the scorers of families that selection never used.

    Returns:
        ``groups``, ``gaps``, ``slopes``, ``trained`` and ``cells`` by name; and ``tests``: how many cells were ``tested``, how many
        per cent of them have a p ``below_05``, and how many are ``rejected``; the same of the cells ``held_out`` alone, because
        most of the others are those of scorers that selection set to chance.
    """
    by_part: dict[str, Any] = {"groups": {}, "gaps": {}, "slopes": {}, "trained": {}, "cells": {}}
    every: list[Difference] = []
    cells: list[Cell] = []
    for name, rows in sets.items():
        if rows:
            shortcuts = ShortcutRanks.of(rows, held_out)
            found = {key: getattr(shortcuts, key)() for key in ("groups", "gaps", "slopes", "trained")}
            cells += shortcuts.cells(name)
            every += differences(name, found["gaps"], found["slopes"])
            for key, value in found.items():
                by_part[key] |= {name: value} if value else {}
    off = rejected(cells)
    for cell in cells:
        figures = {"n": cell.n, "d": cell.d, "low": cell.low, "high": cell.high, "p": float(f"{cell.p:.3g}")}
        by_part["cells"].setdefault(cell.name, {}).setdefault(cell.group, {})[cell.scorer] = figures
    by_part["tests"] = tests(cells) | {"held_out": tests([cell for cell in cells if cell.scorer in held_out])}
    return by_part, [*map(str, off), *more_than_chance(every)]


def tests(cells: Sequence[Cell]) -> dict[str, Any]:
    """Return how many cells were ``tested``, the per cent with a p ``below_05``, and how many Holm's procedure ``rejected``."""
    below = 100 * np.mean([cell.p < LEVEL for cell in cells]) if cells else 0.0
    return {"tested": len(cells), "below_05": round(float(below), 2), "rejected": len(rejected(cells))}


def best(figures: Mapping[str, Any], sets: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """Return the best text-only scorer of each set in the metrics, by protocol; ``sets`` gives each its suite and kind."""
    return nested(
        ((protocol, name), {"chance": found["all"]["r1_chance"], "best": found["shortcuts"][scorer], "scorer": scorer})
        for protocol in (*PROTOCOLS, None)
        for name, (suite, kind) in sets.items()
        if (found := (figures.get(protocol, {}) if protocol else figures).get(suite, {}).get(kind, {}))
        and (scorer := found.get("shortcuts", {}).get("best"))
    )


def of_ranks(
    ranks: Path, sets: Mapping[str, tuple[str, str]], protocol: str | None = None, held_out: Collection[str] = ()
) -> tuple[dict[str, Any], list[str]]:
    """Return :func:`of_rows` of a ``protocol`` in the table ``ranks``, by the names of ``sets`` (a suite and its set)."""
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {place: [] for place in sets.values()}
    for row in tables.read("ranks", ranks, ["protocol", "suite", "set", "image_id", "n", "splits", "negatives", "shortcuts"]):
        if row["protocol"] == protocol and (row["suite"], row["set"]) in rows and row["shortcuts"]:
            rows[row["suite"], row["set"]].append(row)
    return of_rows({name: rows[place] for name, place in sets.items()}, held_out)


def standing(tests: Mapping[str, Any]) -> str:
    """Return in words that no scorer stands out, where some group was large enough to see it."""
    group = f"group of {MIN_QUERIES} queries or more"
    if not tests["tested"]:
        return f"there is no {group}"
    unused = tests["held_out"]
    alone = f"; of {unused['tested']:,} pairs with a scorer that selection never used, tested alone, {unused['rejected']:,} do"
    every = f"none of {tests['tested']:,} pairs of a text-only scorer and a {group} stands out"
    return every + (alone if unused["tested"] else "")


def lines(groups: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines that are printed of the groups."""
    if not groups:
        yield "no sets with text-only scorers"
        return
    yield f"{'set':<10} {'group':<16} {'n':>6} {'chance':>7} {'best':>6}  {'scorer':<15} {'trained':>7}"
    for name, values in groups.items():
        for whose, each in values.items():
            for group, reached in each.items():
                where = group if whose == "n" else f"{whose} {group}"
                figures = f"{reached['n']:>6,} {reached['chance']:>7.1f} {reached['best']:>6.1f}  {reached['scorer']:<15}"
                yield f"{name:<10} {where:<16} {figures} {reached.get('trained', float('nan')):>7.1f}"


def _percent(values: np.ndarray) -> float:
    return round(100 * float(values.mean()), 2)
