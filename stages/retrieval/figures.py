"""Figures of retrieval: a mean never stands without its n, its standard error and chance.

All means are micro averages: every query counts once. Standard errors are clustered by image, because queries of one image stand or
fall together; where a case asks several images, by all of its images. Shares are in per cent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stages.retrieval.ranks import RECALLS, Ranks

Z95 = 1.959964
FEW = 30
"""Below so many queries nothing is concluded."""
WIDE = 30.0
"""Nor where the 95 % interval is wider than so many points."""


def too_few(n: int | None, low: float | None, high: float | None) -> bool:
    """Whether ``n`` queries with the 95 % interval from ``low`` to ``high``, in points, are too little to conclude from."""
    return (n is not None and n < FEW) or (low is not None and high is not None and high - low > WIDE)


def clustered_error(influence: np.ndarray, clusters: np.ndarray) -> float:
    """Standard error of an estimate whose error is the sum of ``influence`` over the queries, clustered.

    Queries of one cluster may hang together in any way; clusters are independent. ``nan`` where there are fewer than two clusters.
    """
    _, inverse = np.unique(clusters, return_inverse=True)
    groups = inverse.max() + 1 if len(inverse) else 0
    if groups < 2:
        return float("nan")
    sums = np.bincount(inverse, weights=influence, minlength=groups)
    return float(np.sqrt(groups / (groups - 1) * np.square(sums).sum()))


def mean_error(values: np.ndarray, clusters: np.ndarray) -> float:
    """Standard error of the mean of ``values``."""
    return clustered_error((values - values.mean()) / len(values), clusters)


def estimate(value: float, error: float) -> dict[str, float | None]:
    """An estimate in per cent with its standard error and its 95 % interval."""
    return {"d": percent(value), "se": percent(error), "low": percent(value - Z95 * error), "high": percent(value + Z95 * error)}


def percent(value: float) -> float | None:
    """In per cent, rounded so that the last bits of a sum change nothing; ``None`` for what is not a number."""
    return None if np.isnan(value) else round(100 * float(value), 3)


def deviation(values: np.ndarray) -> float | None:
    """The sample standard deviation of some runs' or folds' ``values`` (over n − 1), in percentage points; ``None`` where there
    is one."""
    return percent(values.std(ddof=1)) if len(values) > 1 else None


def share(name: str, values: np.ndarray, clusters: np.ndarray) -> dict[str, float | None]:
    """The mean of ``values`` in per cent under its ``name``, with its standard error (``_se``)."""
    return {name: percent(values.mean()), f"{name}_se": percent(mean_error(values, clusters))}


def recalls(ranks: Ranks, clusters: np.ndarray) -> dict[str, Any]:
    """Recall@K and ranks of a group of retrieval sets.

    Keys: ``r1``, ``r3``, ``r5``; ``avg``, the mean of R@1 and R@3 as in the paper's Tables 9 to 11; each with ``_se`` and
    ``_chance``; ``rank_mean``, ``rank_median`` (expected ranks), ``ties`` (share of queries whose truth ties with a negative),
    ``n`` and ``images``: how many of them stand for themselves, those of one case as one.
    """
    figures: dict[str, Any] = {"n": len(ranks), "images": len(np.unique(clusters))}
    if not len(ranks):
        return figures
    of_k = {f"r{k}": (ranks.recall(k), ranks.chance(k)) for k in RECALLS}
    of_k["avg"] = ((ranks.recall(1) + ranks.recall(3)) / 2, (ranks.chance(1) + ranks.chance(3)) / 2)
    for name, (recall, chance) in of_k.items():
        figures |= share(name, recall, clusters)
        figures[f"{name}_chance"] = percent(chance.mean())
    figures["rank_mean"] = round(float(ranks.expected.mean()), 4)
    figures["rank_median"] = float(np.median(ranks.expected))
    figures["ties"] = percent((ranks.ties > 0).mean())
    return figures
