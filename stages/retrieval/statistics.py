"""Differences and slopes with intervals, so that what is harder is not taken for what is unseen.

A value is what a query came to (its chance of being right, 0 to 1). All intervals allow for queries of one image hanging together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from stages.retrieval.figures import clustered_error, estimate, mean_error, percent


def paired(values: np.ndarray, others: np.ndarray, images: np.ndarray) -> dict[str, Any]:
    """Mean of ``values`` − ``others`` on the same queries."""
    difference = values - others
    return {"n": len(difference), **estimate(float(difference.mean()), mean_error(difference, images))}


def difference(values: np.ndarray, first: np.ndarray, second: np.ndarray, images: np.ndarray) -> dict[str, Any] | None:
    """Mean over the queries of the mask ``first`` − mean over ``second``; ``None`` where one is empty."""
    return matched(values, first, second, [0] * len(values), images)


def matched(
    values: np.ndarray, first: np.ndarray, second: np.ndarray, strata: Sequence[Hashable], images: np.ndarray
) -> dict[str, Any] | None:
    """The same within strata of like queries: a mean over the strata that hold both, weighted by their number of ``second``.

    Returns:
        ``d, se, low, high`` in points, and how many queries of each side were compared: ``n_first``, ``n_second``. ``None`` where
        no stratum holds both. A side of one query has no standard error.
    """
    numbers = {stratum: i for i, stratum in enumerate(dict.fromkeys(strata))}
    stratum = np.array([numbers[s] for s in strata], dtype=np.int64)
    a = np.bincount(stratum[first], minlength=len(numbers))
    b = np.bincount(stratum[second], minlength=len(numbers))
    both = (a > 0) & (b > 0)
    if not both.any():
        return None
    share = np.where(both, b, 0) / b[both].sum()
    means = [
        np.bincount(stratum[side], weights=values[side], minlength=len(numbers)) / np.maximum(count, 1)
        for side, count in ((first, a), (second, b))
    ]
    asked, influence = np.flatnonzero((first | second) & both[stratum]), np.zeros(len(values))
    for sign, side, mean, count in ((1, first, means[0], a), (-1, second, means[1], b)):
        own = asked[side[asked]]
        of = count[stratum[own]]
        # What a stratum's mean takes up of its queries' spread is given back; a query that is its own mean goes by its side's.
        residual = np.where(of > 1, values[own] - mean[stratum[own]], values[own] - values[own].mean())
        influence[own] += sign * share[stratum[own]] * residual * np.sqrt(of / np.maximum(of - 1, 1)) / of
    d = float((share * (means[0] - means[1])).sum())
    n_first, n_second = int(a[both].sum()), int(b[both].sum())
    error = clustered_error(influence[asked], images[asked]) if min(n_first, n_second) > 1 else float("nan")
    return {**estimate(d, error), "n_first": n_first, "n_second": n_second}


def slope(values: np.ndarray, n: np.ndarray, images: np.ndarray) -> dict[str, Any] | None:
    """Least-squares slope of ``values`` over complexity ``n``, in points an atom; ``None`` where there is one complexity only."""
    centred = n - n.mean()
    spread = np.square(centred).sum()
    if spread == 0:
        return None
    d = float((centred * values).sum() / spread)
    residual = values - values.mean() - d * centred
    return {"n": len(values), **estimate(d, clustered_error(centred * residual / spread, images))}


def quantiles(values: np.ndarray, groups: int) -> np.ndarray:
    """Which of ``groups`` groups of about equal size each value falls into; equal values fall into one."""
    inner = np.quantile(values, np.linspace(0, 1, groups + 1)[1:-1]) if len(values) else []
    return np.searchsorted(inner, values, side="left")


def remaining(raw: dict[str, Any] | None, controlled: dict[str, Any] | None) -> float | None:
    """What share of the raw difference is left on like items, in per cent; ``None`` where the raw one is not told from zero."""
    if raw is None or controlled is None or raw["low"] is None or raw["low"] <= 0 <= raw["high"]:
        return None
    return percent(controlled["d"] / raw["d"])


def macro(right: np.ndarray, groups: Sequence[str], images: np.ndarray, least: int) -> dict[str, Any]:
    """The mean over ``groups`` of each group's mean of ``right``, as ARO reports its relations and pairs of attributes:
    common groups do not drown the rare ones.

    Args:
        right: what each query came to, in [0, 1]; shape (n,).
        groups: which group each query is of.
        least: fewest queries of a group that counts (25 in ARO).

    Returns:
        ``r1`` in per cent with ``r1_se``, clustered by image; ``n``, the queries of the groups that count, and ``groups``: how many
        these are. ``left_out`` is how many queries are of smaller groups. ``r1`` is ``None`` where no group counts.
    """
    _, place, size = np.unique(np.asarray(groups), return_inverse=True, return_counts=True)
    counts = size >= least
    which = counts[place]
    figures: dict[str, Any] = {"groups": int(counts.sum()), "n": int(which.sum()), "left_out": int((~which).sum())}
    if not counts.any():
        return figures | {"r1": None, "r1_se": None}
    means = np.bincount(place, weights=right) / size
    influence = ((right - means[place]) / (size[place] * counts.sum()))[which]
    return figures | {"r1": percent(means[counts].mean()), "r1_se": percent(clustered_error(influence, images[which]))}
