"""A figure always comes with its interval, its number of queries and chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from stages.evaluation.figures import too_few
from stages.page.display_names import is_complexity

K = TypeVar("K")
EQUAL = 0.01
"""Maximum difference, in points, between the halves of an interval that count as equal after rounding."""


@dataclass(frozen=True)
class Figure:
    """A fraction of queries in per cent, its 95 % interval, and chance."""

    value: float
    bounds: tuple[float, float] | None = None
    n: int | None = None
    chance: float | None = None
    unknown: bool = False
    """Whether an interval exists but is unknown: all queries are of one image."""
    unit: str = "queries"
    """The unit that ``n`` counts."""

    @classmethod
    def of(cls, group: Mapping[str, Any] | None, key: str = "r1", unit: str = "queries") -> Figure | None:
        """Return the figure ``key`` of a group of ``metrics/evaluate.json``; ``None`` where the group has no queries."""
        if not group or group.get(key) is None:
            return None
        low, high = group.get(f"{key}_low"), group.get(f"{key}_high")
        bounds = None if low is None or high is None else (low, high)
        return cls(group[key], bounds, group.get("n"), group.get(f"{key}_chance"), bounds is None and f"{key}_low" in group, unit)

    @classmethod
    def another(cls, group: Mapping[str, Any], key: str) -> Figure | None:
        """Return another scorer's figure on the same queries, which have the same chance; ``None`` where there is none."""
        return cls.of({**group, f"{key}_chance": group["r1_chance"]}, key)

    @classmethod
    def of_pairs(cls, kind: Mapping[str, Any], key: str = "above") -> Figure | None:
        """Return the fraction of pairs whose truth scores above the negative: chance is 50 %. Pairs of one query count as one."""
        return cls.of({**kind, "n": kind.get("queries", kind["n"]), f"{key}_chance": 50.0}, key)

    @classmethod
    def of_share(cls, interval: Mapping[str, Any] | None, unit: str = "negatives") -> Figure | None:
        """Return a fraction of ``metrics/audit.json``, which is between 0 and 1 and has its own interval."""
        if not interval or interval.get("share") is None:
            return None
        low, high = interval.get("low"), interval.get("high")
        bounds = None if low is None or high is None else (100 * low, 100 * high)
        return cls(100 * interval["share"], bounds, interval["n"], unit=unit)

    @property
    def low(self) -> float:
        """Return the lower end of the 95 % interval; the value itself where it is unknown."""
        return self.bounds[0] if self.bounds else self.value

    @property
    def high(self) -> float:
        """Return the upper end."""
        return self.bounds[1] if self.bounds else self.value

    @property
    def of_few(self) -> bool:
        """Return whether the queries, or their images, are too few to pool the figure with others.

        The interval's width does not count: it is widest at 50 %, so figures would be selected by their results.
        """
        return self.unknown or too_few(self.n, None, None)

    @property
    def tells_little(self) -> bool:
        """Return whether the figure is too uncertain for a conclusion: shown in grey, and left out of sentences and curves."""
        return self.of_few or too_few(self.n, self.low, self.high)

    @property
    def above_chance(self) -> bool:
        """Return whether the whole interval lies above chance."""
        return self.chance is not None and self.bounds is not None and not self.tells_little and self.low > self.chance

    @property
    def below_chance(self) -> bool:
        """Return whether the whole interval lies below chance."""
        return self.chance is not None and self.bounds is not None and not self.tells_little and self.high < self.chance

    @property
    def text(self) -> str:
        """Return the value, without its unit."""
        return f"{self.value:.1f}"

    @property
    def interval(self) -> str:
        """Return the 95 % interval as a table shows it; half its width where the halves are equal, empty where unknown."""
        below, above = self.value - self.low, self.high - self.value
        if self.bounds is None:
            return ""
        return f"±{above:.1f}" if abs(above - below) < EQUAL else f"{self.low:.1f}–{self.high:.1f}"

    def __str__(self) -> str:
        """Return the value with its interval, for prose.

        >>> str(Figure(64.2, (62.2, 66.2)))
        '64.2 % (62.2–66.2)'
        """
        return f"{self.text} % ({self.low:.1f}–{self.high:.1f})" if self.bounds else f"{self.text} %"


@dataclass(frozen=True)
class Difference:
    """A difference in points as a cell of the page: grey where it ``tells_little``, like a :class:`Figure`."""

    text: str
    tells_little: bool
    interval = ""
    n = None
    chance = None
    below_chance = False

    @classmethod
    def alone(cls, figure: Figure | None) -> Difference | None:
        """Return a figure's value without n and chance, for where they are shown already."""
        return None if figure is None else cls(figure.text, figure.tells_little)

    @classmethod
    def of(cls, difference: Mapping[str, Any] | None) -> Difference | None:
        """Return the cell of a difference of ``metrics/evaluate.json``; ``None`` where it was not measured."""
        text = in_points(difference)
        return None if text is None else cls(text, not tells(difference))


def tells(difference: Mapping[str, Any] | None) -> bool:
    """Return whether a difference has enough queries on both sides, and a narrow enough interval, to be mentioned."""
    if not difference or difference.get("low") is None:
        return False
    sides = [difference[key] for key in ("n_first", "n_second", "n") if difference.get(key) is not None]
    return not too_few(min(sides, default=None), difference["low"], difference["high"])


def rounded(number: float | None, digits: int = 1) -> str | None:
    """Return a number for a table; ``None`` where there is none."""
    return None if number is None else f"{number:.{digits}f}"


def with_spread(mean: float, deviation: float | None, digits: int = 1) -> str:
    """Return a mean with its standard deviation over several runs or folds; a single one has none.

    >>> with_spread(43, 2.81), with_spread(43, None)
    ('43.0 ± 2.8', '43.0')
    """
    return f"{mean:.{digits}f}" + ("" if deviation is None else f" ± {deviation:.{digits}f}")


def over_draws(figures: Mapping[str, Any] | None) -> str:
    """Return accuracy over several draws of the negatives, as in ARO's table 5."""
    return f"{with_spread(figures['r1'], figures['r1_sd'])} ({figures['n']})" if figures else "–"


def points(difference: Mapping[str, Any]) -> str:
    """Return a difference ``{d, se, low, high}`` in points, for prose.

    >>> points({"d": -5.1, "low": -7.1, "high": -3.1})
    '−5.1 points (−7.1 to −3.1)'
    """
    text = f"{_signed(difference['d'])} points"
    if difference.get("low") is not None:
        text += f" ({_signed(difference['low'])} to {_signed(difference['high'])})"
    return text


def in_points(difference: Mapping[str, Any] | None) -> str | None:
    """Return a difference for a table whose caption names the unit; ``None`` where it was not measured."""
    return points(difference).replace(" points", "") if difference and difference.get("d") is not None else None


def present(figures: Mapping[K, Figure | None]) -> dict[K, Figure]:
    """Return the values that are not ``None``."""
    return {key: figure for key, figure in figures.items() if figure is not None}


def curve(figures: Mapping[str, Any]) -> dict[int, Figure]:
    """Return R@1 by complexity of a retrieval set with these ``figures``, without those that are too uncertain."""
    shown = present({int(group[1:]): Figure.of(group_figures) for group, group_figures in figures.items() if is_complexity(group)})
    return {n: figure for n, figure in shown.items() if not figure.tells_little}


def _signed(value: float) -> str:
    # Adding 0 turns −0 into 0.
    return f"{round(value, 1) + 0.0:+.1f}".replace("-", "−")
