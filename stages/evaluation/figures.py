"""Retrieval metrics: every mean comes with its n, its standard error and chance.

All means are micro averages: every query counts once. Standard errors are clustered by image, because the results of one image's
queries are correlated; where the sets of a case use several images, by all of these (:func:`stages.evaluation.cases.clusters`,
:mod:`stages.evaluation.intervals`). Fractions are in per cent.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from stages.evaluation.intervals import Interval, effective, of_mean, of_weighted, student
from stages.evaluation.ranks import RECALLS, Ranks

FEW = 30
"""Minimum number of queries for a conclusion."""
WIDE = 30.0
"""Maximum width of the 95 % interval, in points, for a conclusion."""
MISSED = 0.2
"""Probability of missing a true difference of the detectable size: the usual power is 80 %."""


def too_few(n: int | None, low: float | None, high: float | None) -> bool:
    """Return whether ``n`` queries with the 95 % interval from ``low`` to ``high``, in points, are too few for a conclusion."""
    return (n is not None and n < FEW) or (low is not None and high is not None and high - low > WIDE)


def estimate(interval: Interval) -> dict[str, float | None]:
    """Return an estimate in per cent with its standard error, the degrees of freedom of that, and its 95 % interval."""
    freedom = round(interval.freedom, 1) if np.isfinite(interval.freedom) else None
    return {
        "d": percent(interval.value),
        "se": percent(interval.error),
        "df": freedom,
        "low": percent(interval.low),
        "high": percent(interval.high),
    }


def detects(interval: Interval) -> float | None:
    """Return the smallest true difference, in points, that can be detected with this error (two-sided 5 %, power 80 %).

    That is (t(97.5 %) + t(80 %)) standard errors (Cohen, 1988, chapter 2); ``None`` where the error is not known, or where it is so
    large that no difference can be detected.
    """
    least = interval.error * (student(interval.freedom) + student(interval.freedom, 2 * MISSED))
    return percent(least) if 0 < least <= 1 else None


def percent(value: float) -> float | None:
    """Return a value in per cent, rounded so that the last bits of a sum do not show; no −0, and ``None`` for nan."""
    return None if np.isnan(value) else round(100 * float(value), 3) + 0.0


def deviation(values: np.ndarray) -> float | None:
    """Return the sample standard deviation of ``values`` of runs or folds (over n − 1), in percentage points.

    ``None`` where there is only one.
    """
    return percent(values.std(ddof=1)) if len(values) > 1 else None


def share(name: str, values: np.ndarray, clusters: np.ndarray) -> dict[str, float | None]:
    """Return the mean of ``values`` in per cent under its ``name``, with its standard error and its 95 % interval.

    These are under the suffixes ``_se``, ``_low`` and ``_high``.
    """
    return named(name, of_mean(values, clusters))


def named(name: str, interval: Interval) -> dict[str, float | None]:
    """Return the values of :func:`share` for the interval of a fraction."""
    return {
        name: percent(interval.value),
        f"{name}_se": percent(interval.error),
        f"{name}_low": percent(interval.low),
        f"{name}_high": percent(interval.high),
    }


def pairs(won: np.ndarray, queries: np.ndarray, clusters: np.ndarray) -> dict[str, Any]:
    """Return ``above``, the fraction of pairs of a truth and a negative that the truth ``won``, in the form of :func:`share`.

    Also return the numbers ``n`` of pairs, of ``queries`` and of ``images``.
    """
    return {"n": len(won), "queries": len(np.unique(queries)), "images": len(np.unique(clusters)), **share("above", won, clusters)}


def recalls(ranks: Ranks, clusters: np.ndarray) -> dict[str, Any]:
    """Return recall@K and ranks of a group of retrieval sets.

    Keys: ``r1``, ``r3``, ``r5``; ``avg``, the mean of R@1 and R@3 as in the paper's Tables 9 to 11; each with ``_se``, ``_low``,
    ``_high`` and ``_chance``; ``pairs``, the fraction of a set's negatives that score below its truth (chance is 50 %, a tie is
    half), and ``tied_pairs``, the fraction that tie; ``rank_mean``, ``rank_median`` (expected ranks), ``ties`` (share of queries
    whose truth ties with a negative), ``n`` and ``images``: the number of images, where those of one case count as one.
    """
    figures: dict[str, Any] = {"n": len(ranks), "images": len(np.unique(clusters))}
    if not len(ranks):
        return figures
    of_k = {f"r{k}": (ranks.recall(k), ranks.chance(k)) for k in RECALLS}
    of_k["avg"] = ((ranks.recall(1) + ranks.recall(3)) / 2, (ranks.chance(1) + ranks.chance(3)) / 2)
    for name, (recall, chance) in of_k.items():
        figures |= share(name, recall, clusters)
        figures[f"{name}_chance"] = percent(chance.mean())
    figures |= share("pairs", ranks.won, clusters) | {"tied_pairs": percent((ranks.ties / (ranks.size - 1)).mean())}
    figures["rank_mean"] = round(float(ranks.expected.mean()), 4)
    figures["rank_median"] = float(np.median(ranks.expected))
    figures["ties"] = percent((ranks.ties > 0).mean())
    return figures


def weighted(
    ranks: Ranks, weight: np.ndarray, clusters: np.ndarray, scorers: Mapping[str, np.ndarray], trained: Ranks | None
) -> dict[str, Any]:
    """Return R@1 by the sets' weights, of the model, of the ``best`` of the text-only ``scorers``, and of the ``trained`` one.

    ``n`` sets have a weight above 0; they have the information of ``effective`` sets of equal weight (Kish, 1965).

    Args:
        scorers: each scorer's results on the sets.
    """
    figures: dict[str, Any] = {"n": int(np.count_nonzero(weight)), "effective": round(effective(weight, np.arange(len(weight))), 1)}
    figures |= named("r1", of_weighted(ranks.recall(1), weight, clusters))
    figures["r1_chance"] = percent(np.average(ranks.chance(1), weights=weight))
    reached = {name: of_weighted(right, weight, clusters) for name, right in scorers.items()}
    if reached:
        figures["best"] = max(reached, key=lambda name: round(reached[name].value, 9))
        figures |= named("shortcut_r1", reached[figures["best"]])
    return figures | (named("trained_r1", of_weighted(trained.recall(1), weight, clusters)) if trained else {})


def nested(figures: Iterable[tuple[tuple[str | None, str], Any]]) -> dict[str, Any]:
    """Return metrics by protocol and set, given with both; those of sets without a protocol by set alone."""
    found: dict[str, Any] = {}
    for (protocol, name), value in figures:
        (found.setdefault(protocol, {}) if protocol else found)[name] = value
    return found
