"""Differences, slopes and correlations with intervals, and matching that separates difficulty from novelty.

A value is a query's result (its probability of being right, 0 to 1). All intervals allow for correlated queries of one image
(:mod:`stages.evaluation.intervals`); ``d, se, df, low, high`` are the estimate, its standard error, both in points, the error's
degrees of freedom, and the 95 % interval.
"""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from stages.evaluation.figures import estimate, named, percent
from stages.evaluation.intervals import CHANGE, SHARE, Z95, of_mean, of_means, weighted


def paired(values: np.ndarray, others: np.ndarray, images: np.ndarray) -> dict[str, Any]:
    """Return the mean of ``values`` − ``others`` on the same queries."""
    return {"n": len(values), **estimate(of_mean(values - others, images, CHANGE))}


def difference(
    values: np.ndarray, first: np.ndarray, second: np.ndarray, images: np.ndarray, span: tuple[float, float] = SHARE
) -> dict[str, Any] | None:
    """Return the mean over the queries of the mask ``first`` − mean over ``second``; ``None`` where one is empty."""
    return matched(values, first, second, [0] * len(values), images, span)


def matched(
    values: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    strata: Sequence[Hashable],
    images: np.ndarray,
    span: tuple[float, float] = SHARE,
) -> dict[str, Any] | None:
    """Return the difference within strata of similar queries: a mean over shared strata, weighted by their number of ``second``.

    Args:
        span: the range of a value.

    Returns:
        ``d, se, df, low, high``, and the compared queries of each side: ``n_first``, ``n_second``. ``None`` where no
        stratum has both. A side of one image has no standard error.
    """
    numbers = {stratum: i for i, stratum in enumerate(dict.fromkeys(strata))}
    stratum = np.array([numbers[s] for s in strata], dtype=np.int64)
    a = np.bincount(stratum[first], minlength=len(numbers))
    b = np.bincount(stratum[second], minlength=len(numbers))
    both = (a > 0) & (b > 0)
    if not both.any():
        return None
    share = np.where(both, b, 0) / b[both].sum()
    asked = np.flatnonzero((first | second) & both[stratum])
    cells = 2 * stratum[asked] + second[asked]
    found = of_means(values[asked], cells, np.stack([share, -share], axis=1).ravel(), images[asked], span)
    return {**estimate(found), "n_first": int(a[both].sum()), "n_second": int(b[both].sum())}


def slope(values: np.ndarray, n: np.ndarray, images: np.ndarray, span: tuple[float, float] = SHARE) -> dict[str, Any] | None:
    """Return the least-squares slope of ``values`` over complexity ``n``, in points an atom; ``None`` for a single complexity."""
    centred = n - n.mean()
    spread = np.square(centred).sum()
    if spread == 0:
        return None
    d, clusters = float((centred * values).sum() / spread), len(np.unique(images))
    residual = (values - values.mean() - d * centred) * (np.sqrt(clusters / (clusters - 1)) if clusters > 1 else np.nan)
    return {"n": len(values), **estimate(weighted(centred / spread, values, residual, images, span))}


def quantiles(values: np.ndarray, groups: int) -> np.ndarray:
    """Return the quantile group, of ``groups`` about equal ones, of each value; equal values are in one group."""
    inner = np.quantile(values, np.linspace(0, 1, groups + 1)[1:-1]) if len(values) else []
    return np.searchsorted(inner, values, side="left")


def remaining(raw: dict[str, Any] | None, controlled: dict[str, Any] | None) -> float | None:
    """Return the fraction of the raw difference that is left on similar items, in per cent; ``None`` where the raw one may be 0."""
    if raw is None or controlled is None or raw["low"] is None or raw["low"] <= 0 <= raw["high"]:
        return None
    return percent(controlled["d"] / raw["d"])


def macro(right: np.ndarray, groups: Sequence[str], images: np.ndarray, least: int) -> dict[str, Any]:
    """Return the mean over ``groups`` of each group's mean of ``right``, as ARO reports its relations and pairs of attributes.

    So common groups do not outweigh rare ones.

    Args:
        right: the result of each query, in [0, 1]; shape (n,).
        groups: the group of each query.
        least: minimum number of queries of a group that counts (25 in ARO).

    Returns:
        ``r1`` in per cent with ``r1_se``, ``r1_low`` and ``r1_high``; the numbers ``n`` of queries in groups that count, and
        ``groups`` of these. ``left_out`` is the number of queries in smaller groups. ``r1`` is ``None`` where no group counts.
    """
    _, place, size = np.unique(np.asarray(groups), return_inverse=True, return_counts=True)
    counts = size >= least
    which = counts[place]
    figures: dict[str, Any] = {"groups": int(counts.sum()), "n": int(which.sum()), "left_out": int((~which).sum())}
    if not counts.any():
        return figures | dict.fromkeys(("r1", "r1_se", "r1_low", "r1_high"))
    return figures | named("r1", of_means(right[which], place[which], counts / counts.sum(), images[which]))


def effect_of_seeing(
    first: np.ndarray, second: np.ndarray, seen_first: np.ndarray, seen_second: np.ndarray, images: np.ndarray
) -> dict[str, Any] | None:
    """Return the effect of having seen a query's compounds, from two runs whose training sets have seen different ones.

    Over queries that only the first has seen the runs differ by skill + effect, over those that only the second has seen by skill -
    effect: half the difference of the two is the effect alone. Every query is its own control, so a difference in difficulty of
    unseen compounds cancels out.

    Args:
        first, second: each run's recall at 1 on the same queries.
        seen_first, seen_second: whether the query's compounds were seen in each run's training set.

    Returns:
        ``d, se, df, low, high``, and the queries that only one has seen: ``n_first``, ``n_second``; ``None`` where one has none.
    """
    return difference((first - second) / 2, seen_first & ~seen_second, seen_second & ~seen_first, images, (-0.5, 0.5))


def correlation(x: Sequence[float], y: Sequence[float]) -> dict[str, Any]:
    """Return Pearson's r with Fisher's 95 % interval, its square (as Figures 7 and 8 give it), and the slope of y over x.

    All are ``None`` with fewer than three points or where one side does not vary; the interval also with three.
    """
    figures: dict[str, Any] = {"n": len(x), **dict.fromkeys(("r", "low", "high", "r2", "slope"))}
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(a) < 3 or not a.std() or not b.std():
        return figures
    r = float(np.corrcoef(a, b)[0, 1])
    figures |= {"r": r, "r2": r * r, "slope": float(np.polyfit(a, b, 1)[0])}
    if len(a) > 3 and abs(r) < 1:
        half = Z95 / np.sqrt(len(a) - 3)
        figures |= {"low": float(np.tanh(np.arctanh(r) - half)), "high": float(np.tanh(np.arctanh(r) + half))}
    return figures
