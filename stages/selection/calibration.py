"""Estimate how likely an evaluator, whose scorers learned from other captions, is to rank a truth first.

What one language model finds plausible is less plausible to the next (regression to the mean). So score differences are multiplied
by a ``slope``, and the truth has an advantage, ``start``, that the selection does not see. The probability that an evaluator ranks
the truth first is the softmax of ``slope`` times the scores, plus ``start`` for the truth.
"""

import numpy as np
from scipy.optimize import minimize

from stages.selection.candidate_sets import TIED


def fitted(gains: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return ``start`` and ``slope`` of each scorer, for a selection and an evaluator that know half of the captions each.

    Also return the same for a quarter of the captions each. Shape: (scorers, 2).

    They are fitted to two quarters, from what one predicts to what the other finds, and then extrapolated to halves, which have
    twice as many captions: half as much of their scores is chance (Spearman, 1910; Brown, 1910), and the advantage stays the same.

    Args:
        gains: of each quarter; shape (sets, size, scorers) each.
    """
    one, other = (np.moveaxis(quarter.astype(float), 2, 0) for quarter in gains)
    # Each quarter in turn plays the selection.
    of_scorers = list(zip(np.concatenate([one, other], axis=1), np.concatenate([other, one], axis=1), strict=True))
    quarters = np.array([_fit(*both) for both in of_scorers]).reshape(-1, 2)
    # With r for the agreement of two quarters, that of two halves is 2 r / (1 + r); what chance is left of a half is, next to that
    # of a quarter, the root of (1 + 3 r) / 2 (1 + r)², which divides both numbers.
    less = np.sqrt(2 / (1 + 3 * np.array([_agreement(*both) for both in of_scorers])))
    return quarters * np.stack([less, 2 * less], axis=1), quarters


def _agreement(one: np.ndarray, other: np.ndarray) -> float:
    """Return the correlation of two quarters' gains within the sets."""
    one, other = (quarter - quarter.mean(axis=1, keepdims=True) for quarter in (one, other))
    both = np.sqrt((one**2).sum() * (other**2).sum())
    return round(float(np.clip((one * other).sum() / max(both, TIED), 0, 1)), 3)


def _fit(rated: np.ndarray, seen: np.ndarray) -> tuple[float, float]:
    """Return ``start`` and ``slope`` of one scorer from its gains, both of shape (sets, size)."""
    scores = [np.pad(-quarter, ((0, 0), (1, 0))) for quarter in (rated, seen)]
    best = (scores[1] >= scores[1].max(axis=1, keepdims=True) - TIED).astype(float)
    best /= best.sum(axis=1, keepdims=True)
    scale = float(rated.std())
    if scale < TIED:
        return 0.0, 0.0

    def loss(both: np.ndarray) -> float:
        likely = both[1] * scores[0] / scale
        likely[:, 0] = both[0]
        top = likely.max(axis=1, keepdims=True)
        return float((np.log(np.exp(likely - top).sum(axis=1)) + top[:, 0] - (likely * best).sum(axis=1)).mean())

    start, slope = minimize(loss, (0.0, 1.0), bounds=((None, None), (0, None))).x
    # Rounded, as the last bits of an optimiser differ between machines.
    return round(float(start), 2), float(f"{slope / scale:.3g}")


def first(gains: np.ndarray, fits: np.ndarray) -> np.ndarray:
    """Return the probability that an evaluator ranks each set's truth first, from (sets, size, scorers) to (sets, scorers)."""
    with np.errstate(over="ignore"):  # what is infinitely likelier than the truth leaves it a probability of 0
        return (1 / (1 + np.exp(-fits[:, 1] * gains - fits[:, 0]).sum(axis=1))).round(4)
