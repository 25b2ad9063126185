"""95 % intervals of means over queries in clusters, and of their differences and slopes.

An estimate is a weighted sum of the queries' results; in a difference the weights of one side are negative.

- Its standard error is that of the sums of its residuals over the clusters (Liang and Zeger, 1986). A mean's residuals are too
  small because it fits its own clusters: each is scaled to its size if the cluster had no part in the mean (CR2 of Bell and
  McCaffrey, 2002).
- The interval takes Student's t with Satterthwaite's degrees of freedom, (Σ v)² / Σ v² − 1 with v the sum of a cluster's squared
  weights: how many clusters there are in effect, less one, if queries vary alike. With few clusters, or where few of them have most
  queries, the normal quantile is too small.
- Where all queries of a side have the same result, their spread cannot be estimated, but may exist: of G
  clusters, up to the fraction z² / (G + z²) may still differ (Wilson, 1927). G is Kish's (Σ w)² / Σ w² of the clusters'
  weights. The sides' uncertainties are added by squares, as Newcombe (1998, method 10) does for the intervals of two fractions.
- The interval of one fraction, such as the model's R@1 without ties, is Wilson's (1927), for the effective number of independent
  queries and with Student's t. A mean with shared ties, such as a text-only scorer's, has the interval above.

``python -m tests.benchmarks.intervals`` measures their coverage.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

Z95 = 1.959964
SHARE = (0.0, 1.0)
"""The range of a query's result, from wrong to right."""
CHANGE = (-1.0, 1.0)
"""The range of the difference of two scorers on a query."""
ROUNDING = 1e-9


class Interval(NamedTuple):
    """An estimate with its standard error, the error's degrees of freedom, and the 95 % interval.

    All but the estimate are ``nan`` where a side has only one cluster. ``freedom`` is infinite where no spread was estimated."""

    value: float
    error: float
    freedom: float
    low: float
    high: float


def student(freedom: float, level: float = 0.05) -> float:
    """Return Student's t quantile for that many degrees of freedom, in either direction, with that tail probability.

    >>> round(student(4), 3), round(student(float("inf")), 3)
    (2.776, 1.96)
    """
    return float(stdtrit(freedom, 1 - level / 2))


def of_mean(values: np.ndarray, clusters: np.ndarray, span: tuple[float, float] = SHARE) -> Interval:
    """Return the interval of the mean of ``values``; for right and wrong ones Wilson's, as others are too narrow."""
    found = of_means(values, np.zeros(len(values), np.int64), np.ones(1), clusters, span)
    if span != SHARE or not found.error > 0 or not np.isin(values, SHARE).all():
        return found
    low, high = wilson(found.value, independent(found, len(values), clusters), student(found.freedom))
    return found._replace(low=low, high=high)


PRIOR_CORRELATION, PRIOR_EVENTS = 0.2, 5
"""The prior correlation of queries of one image, and its weight in events (queries with the rarer result): the correlation of a few
events can be anything between 0 and 1."""


def independent(found: Interval, n: int, clusters: np.ndarray) -> float:
    """Return the effective number of independent queries for a fraction of these ``n``.

    The design effect is 1 + ρ (m - 1), with m the mean size of a query's own cluster (Kish, 1965), and ρ the correlation within
    clusters by the standard error, shrunk to :data:`PRIOR_CORRELATION`.
    """
    size = n / effective(np.ones(n), np.unique(clusters, return_inverse=True)[1])
    if size <= 1:
        return float(n)
    events = n * min(found.value, 1 - found.value)
    seen = (found.error**2 * n / (found.value * (1 - found.value)) - 1) / (size - 1)
    weight = events / (events + PRIOR_EVENTS)
    return n / (1 + max(weight * seen + (1 - weight) * PRIOR_CORRELATION, 0.0) * (size - 1))


def wilson(share: float, n: float, z: float) -> tuple[float, float]:
    """Return Wilson's interval of a ``share`` of ``n`` (1927), cut to 0 and 1.

    >>> [round(end, 3) for end in wilson(0.5, 100, 1.96)], [round(end, 3) for end in wilson(0.0, 100, 1.96)]
    ([0.404, 0.596], [0.0, 0.037])
    """
    centre, spread = share + z**2 / (2 * n), z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return max(0.0, float((centre - spread) / (1 + z**2 / n))), min(1.0, float((centre + spread) / (1 + z**2 / n)))


def of_means(
    values: np.ndarray, cells: np.ndarray, weights: np.ndarray, clusters: np.ndarray, span: tuple[float, float] = SHARE
) -> Interval:
    """Return the interval of the weighted sum of the means of ``cells``.

    Args:
        values: the result of each query; shape (n,).
        cells: the cell of each query.
        weights: of the cells; those with the same sign form a side.
        clusters: queries of one may be correlated in any way.
        span: the range of a value.
    """
    each = weights[cells] / np.bincount(cells, minlength=len(weights))[cells]
    mean, own_fraction = _means(values, cells, clusters)
    side_mean, own_of_side = _means(values, (each < 0).astype(np.int64), clusters)
    # A cluster that fills its cell does not differ from the cell's mean, but is not certain either: its side's spread is used.
    mean, own_fraction = np.where(own_fraction < 1, mean, side_mean), np.where(own_fraction < 1, own_fraction, own_of_side)
    residuals = (values - mean) / np.sqrt(np.where(own_fraction < 1, 1 - own_fraction, np.nan))
    return weighted(each, values, residuals, clusters, span)


def _means(values: np.ndarray, groups: np.ndarray, clusters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each query the mean of its group, and the fraction of the group's queries in its own cluster."""
    size, total = np.bincount(groups), np.bincount(groups, weights=values)
    number = np.unique(clusters, return_inverse=True)[1]
    _, block, count = np.unique(groups * len(values) + number, return_inverse=True, return_counts=True)
    return total[groups] / size[groups], count[block] / size[groups]


def weighted(
    weights: np.ndarray, values: np.ndarray, residuals: np.ndarray, clusters: np.ndarray, span: tuple[float, float] = SHARE
) -> Interval:
    """Return the interval of the sum of ``weights`` times ``values``.

    Args:
        residuals: the values less their predicted means, scaled as if the cluster had no part in the prediction.
    """
    value, number = float(weights @ values), np.unique(clusters, return_inverse=True)[1]
    least, most = span
    below = above = 0.0
    varied = weights.copy()
    for side, down, up in ((weights > 0, values - least, most - values), (weights < 0, most - values, values - least)):
        if side.any() and np.abs(residuals[side]).max() < ROUNDING:
            varied[side] = 0
            side_weights = np.abs(weights[side])
            # The fraction of clusters that may still differ where so many had the same result.
            reach = Z95**2 / (effective(side_weights, number[side]) + Z95**2)
            below, above = below + (reach * (side_weights @ down[side])) ** 2, above + (reach * (side_weights @ up[side])) ** 2
    error = float(np.linalg.norm(np.bincount(number, weights=varied * residuals)))
    freedom = max(effective(np.square(varied), number) - 1, 1.0) if varied.any() else np.inf
    if np.isnan(error):
        return Interval(value, *[np.nan] * 4)
    half, worst = student(freedom) * error, np.where(weights > 0, least, most)
    low = max(value - float(np.hypot(half, np.sqrt(below))), float(weights @ worst))
    high = min(value + float(np.hypot(half, np.sqrt(above))), float(weights @ (least + most - worst)))
    return Interval(value, error, freedom, low, high)


def of_weighted(values: np.ndarray, weight: np.ndarray, clusters: np.ndarray) -> Interval:
    """Return the interval of the weighted mean of ``values``; some weight must be above 0."""
    each = weight / weight.sum()
    cluster = np.unique(clusters, return_inverse=True)[1]
    cluster_weight = np.bincount(cluster, each)[cluster]
    residuals = (values - each @ values) / np.sqrt(np.where(cluster_weight < 1, 1 - cluster_weight, np.nan))
    return weighted(each, values, residuals, clusters)


def effective(weights: np.ndarray, clusters: np.ndarray) -> float:
    """Return how many clusters of equal weight have the same information as those with the queries' ``weights`` (Kish, 1965).

    >>> effective(np.ones(6), np.array([0, 0, 1, 1, 2, 2])), effective(np.ones(6), np.array([0, 0, 0, 0, 0, 1]))
    (3.0, 1.3846153846153846)
    """
    return float(weights.sum() ** 2 / np.square(np.bincount(clusters, weights=weights)).sum())


def wilson_share(yes: np.ndarray, images: np.ndarray) -> dict[str, Any]:
    """Return the fraction of ``yes`` as ``share`` with its 95 % interval ``low``, ``high`` and ``n``.

    For fractions so near to one that another interval would exceed it; values of one image may be correlated.

    The interval is Wilson's, for the number of independent values that would have the standard error clustered by image, and
    with Student's t in place of the normal quantile (Korn and Graubard, 1998; Dean and Pagano, 2015).
    """
    n = len(yes)
    if not n:
        return {"share": None, "low": None, "high": None, "n": 0}
    p = float(np.mean(yes))
    interval = of_mean(np.asarray(yes, dtype=float), images)
    if interval.error > 0:
        n_independent, t = n / max(1.0, interval.error**2 * n / (p * (1 - p))), student(interval.freedom)
    else:
        n_independent, t = effective(np.ones(n), np.unique(images, return_inverse=True)[1]), Z95
    low, high = wilson(p, n_independent, t)
    return {"share": round(p, 5), "low": round(low, 5), "high": round(high, 5), "n": n}
