"""Whether the comparisons that people act on are cleared of what language alone explains.

CREPE compares groups: seen with unseen compounds, short with long captions. Where scorers that see no image show the same
difference, a model's is no finding. Of the sets of one kind this gives what they reach in every group, their own differences and
slopes, and says in words where these are more than they may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stages.contract import tables
from stages.retrieval.intervals import student
from stages.retrieval.sets import complexity
from stages.retrieval.statistics import difference, slope

ADVERSARY = "trained"
"""The scorer that was trained on the very sets; the others are judged beside it and not against it."""
LEAST = 100
"""Queries of a group that is judged."""
ABOVE, TRAINED_ABOVE = 5.0, 8.0
"""Points above chance that the best scorer, and the one trained on the sets, must stay below in every group."""
GAP, SLOPE = 2.0, 0.5
"""Points that a scorer's SC − UC, and its change with each further atom, may be off 0, even surely."""
BY_CHANCE = 0.05
"""How often, at most, any difference is told of where there is none."""


@dataclass(frozen=True)
class BlindRanks:
    """Sets of one kind as blind scorers ranked them; arrays have an entry a set.

    Attributes:
        right: by scorer, the probability that the truth comes first.
        chance: the same for who knows nothing.
        splits: by training set, SC, UC or UA.
        n: complexities; 0 where sets do not go by them.
    """

    images: np.ndarray
    right: Mapping[str, np.ndarray]
    chance: np.ndarray
    splits: Mapping[str, np.ndarray]
    n: np.ndarray

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]]) -> BlindRanks:
        """From rows of the table ``ranks``."""
        right = {of["scorer"]: np.array([row["shortcuts"][i]["r1"] for row in rows]) for i, of in enumerate(rows[0]["shortcuts"])}
        names = [label["training_set"] for label in rows[0]["splits"]]
        splits = {name: np.array([row["splits"][i]["split"] for row in rows]) for i, name in enumerate(names)}
        chance = np.array([1 / (1 + len(row["negatives"])) for row in rows])
        return cls(np.array([row["image_id"] for row in rows]), right, chance, splits, np.array([row["n"] or 0 for row in rows]))

    @property
    def untrained(self) -> list[str]:
        return sorted(self.right.keys() - {ADVERSARY})

    def groups(self) -> dict[str, dict[str, dict[str, Any]]]:
        """By training set and split, or ``n`` and complexity: the best scorer's R@1 beside chance, in per cent, and ``trained``."""
        masks = {name: {split: splits == split for split in ("SC", "UC", "UA")} for name, splits in self.splits.items()}
        if (self.n > 0).all():
            masks["n"] = {complexity(n): self.n == n for n in np.unique(self.n).tolist()}
        return {of: {name: self._group(here) for name, here in each.items() if here.any()} for of, each in masks.items()}

    def _group(self, here: np.ndarray) -> dict[str, Any]:
        reached = {name: _percent(self.right[name][here]) for name in self.untrained}
        best = max(reached, key=lambda name: reached[name])
        figures = {"n": int(here.sum()), "chance": _percent(self.chance[here]), "best": reached[best], "scorer": best}
        return figures | ({ADVERSARY: _percent(self.right[ADVERSARY][here])} if ADVERSARY in self.right else {})

    def gaps(self) -> dict[str, dict[str, dict[str, Any]]]:
        """By training set and scorer: its own SC − UC in R@1, in points."""
        return {
            name: self._intervals(partial(difference, first=splits == "SC", second=splits == "UC", images=self.images))
            for name, splits in self.splits.items()
        }

    def slopes(self) -> dict[str, dict[str, Any]]:
        """By scorer: how its R@1 changes with each further atom, in points."""
        return self._intervals(partial(slope, n=self.n, images=self.images)) if (self.n > 0).all() else {}

    def _intervals(self, change: Callable[[np.ndarray], Mapping[str, Any] | None]) -> dict[str, dict[str, Any]]:
        """By scorer the interval of its ``change``, where there is one."""
        own = {scorer: change(self.right[scorer]) for scorer in self.untrained}
        return {
            scorer: {key: of[key] for key in ("d", "df", "low", "high")}
            for scorer, of in own.items()
            if of and of["low"] is not None
        }

    def trained(self) -> dict[str, Any] | None:
        """What the trained adversary reaches over all, beside chance."""
        return {"chance": _percent(self.chance), "r1": _percent(self.right[ADVERSARY])} if ADVERSARY in self.right else None


class Difference(NamedTuple):
    """A blind scorer's SC − UC, or its slope: its interval, by how much it may be off 0 even surely, and what to say of it."""

    interval: Mapping[str, Any]
    allowed: float
    sentence: str

    def is_off(self, among: int) -> bool:
        """Is it off 0, at the level that allows for so many being looked at (Bonferroni's)?"""
        d, low, high = (self.interval[key] for key in ("d", "low", "high"))
        freedom = self.interval["df"] or float("inf")
        wider = student(freedom, BY_CHANCE / among) / student(freedom)
        return d - wider * (d - low) > 0 or d + wider * (high - d) < 0


def faults(name: str, groups: Mapping[str, Any]) -> Iterator[str]:
    """Where blind scorers stand out in groups of the sets of one kind, in sentences."""
    for of, each in groups.items():
        for group, blind in each.items():
            where = f"{name}, {group}" + ("" if of == "n" else f" of {of}") + f" ({blind['n']:,} queries)"
            for scorer, key, above in ((blind["scorer"], "best", ABOVE), (ADVERSARY, ADVERSARY, TRAINED_ABOVE)):
                if blind["n"] >= LEAST and blind.get(key, 0) >= blind["chance"] + above:
                    yield f"{where}: {scorer} reaches {blind[key]:.1f} % without looking, where chance is {blind['chance']:.1f} %"


def differences(name: str, gaps: Mapping[str, Any], slopes: Mapping[str, Any]) -> Iterator[Difference]:
    """All differences of blind scorers on the sets of one kind."""
    for of, each in gaps.items():
        for scorer, gap in each.items():
            said = f"{name}, {of}: {scorer} shows SC − UC of {gap['d']:+.1f} points ({gap['low']:.1f} to {gap['high']:.1f})"
            yield Difference(gap, GAP, said)
    for scorer, rise in slopes.items():
        said = f"{name}: {scorer} shows {rise['d']:+.2f} points an atom ({rise['low']:.2f} to {rise['high']:.2f})"
        yield Difference(rise, SLOPE, said)


def more_than_chance(every: Sequence[Difference]) -> list[str]:
    """The differences that are off 0 however many are looked at, in sentences.

    How many are off 0 singly says little: scorers that see the same words hang together, so that chance puts many off 0 at once.
    """
    return [of.sentence for of in every if of.is_off(len(every)) and abs(of.interval["d"]) > of.allowed]


def of_ranks(ranks: Path, sets: Mapping[str, tuple[str, str]], protocol: str | None = None) -> tuple[dict[str, Any], list[str]]:
    """Of a ``protocol`` in the table ``ranks``, ``groups``, ``gaps``, ``slopes`` and ``trained`` by the names of ``sets`` (a suite
    and its set), and what does not hold, in sentences."""
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {place: [] for place in sets.values()}
    for row in tables.read("ranks", ranks, ["protocol", "suite", "set", "image_id", "n", "splits", "negatives", "shortcuts"]):
        if row["protocol"] == protocol and (row["suite"], row["set"]) in rows and row["shortcuts"]:
            rows[row["suite"], row["set"]].append(row)
    by_part: dict[str, Any] = {"groups": {}, "gaps": {}, "slopes": {}, "trained": {}}
    complaints: list[str] = []
    every: list[Difference] = []
    for name, place in sets.items():
        if rows[place]:
            blind = BlindRanks.of(rows[place])
            groups, gaps, slopes = blind.groups(), blind.gaps(), blind.slopes()
            complaints += faults(name, groups)
            every += differences(name, gaps, slopes)
            for key, value in {"groups": groups, "gaps": gaps, "slopes": slopes, "trained": blind.trained()}.items():
                by_part[key] |= {name: value} if value else {}
    return by_part, [*complaints, *more_than_chance(every)]


def lines(groups: Mapping[str, Any]) -> Iterator[str]:
    """The lines that are printed of the groups."""
    yield f"{'set':<10} {'group':<16} {'n':>6} {'chance':>7} {'best':>6}  {'scorer':<15} {'trained':>7}"
    for name, of in groups.items():
        for whose, each in of.items():
            for group, blind in each.items():
                where = group if whose == "n" else f"{whose} {group}"
                figures = f"{blind['n']:>6,} {blind['chance']:>7.1f} {blind['best']:>6.1f}  {blind['scorer']:<15}"
                yield f"{name:<10} {where:<16} {figures} {blind.get('trained', float('nan')):>7.1f}"


def _percent(values: np.ndarray) -> float:
    return round(100 * float(values.mean()), 2)
