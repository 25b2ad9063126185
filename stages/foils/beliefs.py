"""What a judge will see of sets, who has learned from other captions than the scorers that chose them.

What one model finds plausible is less plausible to the next (regression to the mean). So a scorer's differences are worth so
much, ``slope``, and the truth has an advantage, ``start``, that the chooser does not see: a judge puts the truth first with the
probability that the softmax of ``slope`` times the scores, and ``start`` for the truth, gives it.
"""

import random
from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from stages.foils.ways import QUARTERS, STEEPEST, TIED, Options

STARTS, SLOPES = (-10, 10), (0, 100)
"""Where an advantage and a slope are looked for: beyond, the truth surely comes first, or never."""


def fitted(options: Sequence[Options], seed: int) -> np.ndarray:
    """How likely a judge is to put the truth first, given what the chooser saw, as two numbers a scorer; shape (scorers, 2).

    They are fitted to sets drawn by lot: to what one quarter of the captions says, and what the other one then sees.
    Who chooses and who judges know more (:func:`of_halves`).
    """
    rated, seen = _by_quarters(options, seed)
    return np.array([_fit(*both) for both in zip(rated, seen, strict=True)])


def _by_quarters(options: Sequence[Options], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """What the one quarter and the other say of a set of each query, drawn by lot; shape (scorers, queries, 1 + size)."""
    ways = [(option, int(lot(seed, f"{option.query_id}:belief") * len(option.places))) for option in options]
    one, other = (np.stack([option.scores(quarter)[way] for option, way in ways]) for quarter in QUARTERS)
    return np.moveaxis(one, 2, 0), np.moveaxis(other, 2, 0)


def agreement(options: Sequence[Options], seed: int) -> np.ndarray:
    """How far the two quarters agree: the correlation of the scores' differences, by scorer; shape (scorers,)."""
    gains = [(scores[..., 1:] - scores[..., :1]).reshape(len(scores), -1) for scores in _by_quarters(options, seed)]
    gains = [own - own.mean(axis=1, keepdims=True) for own in gains]
    squares = np.sqrt((gains[0] ** 2).sum(axis=1) * (gains[1] ** 2).sum(axis=1))
    return ((gains[0] * gains[1]).sum(axis=1) / np.maximum(squares, TIED)).clip(0, 1).round(3)


def of_halves(believed: np.ndarray, agreed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same, and how far they agree, of a chooser and a judge who know a half of the captions each, twice as many: half as much
    of what they say is chance (Spearman, 1910; Brown, 1910), and the truth's advantage is as large as before.

    Args:
        believed, agreed: of quarters, as :func:`fitted` and :func:`agreement` give them.
    """
    less = 1 + 3 * agreed
    believed = believed * np.stack([np.sqrt(2 / less), np.sqrt(8 / less)], axis=1)
    return believed, 2 * agreed / (1 + agreed)


def _fit(rated: np.ndarray, seen: np.ndarray) -> tuple[float, float]:
    """``start`` and ``slope`` of one scorer from its scores of sets, both of shape (sets, 1 + size)."""
    best = (seen >= seen.max(axis=1, keepdims=True) - TIED).astype(float)
    best /= best.sum(axis=1, keepdims=True)
    scale = float((rated[:, 1:] - rated[:, :1]).std())
    if scale < TIED:
        return 0.0, 0.0

    def loss(both: np.ndarray) -> float:
        scores = both[1] * (rated - rated[:, :1]) / scale
        scores[:, 0] = both[0]
        top = scores.max(axis=1, keepdims=True)
        return float((np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0] - (scores * best).sum(axis=1)).mean())

    start, slope = minimize(loss, (0.0, 1.0), bounds=(STARTS, SLOPES)).x
    # Rounded, as the last bits of an optimiser are a machine's own.
    return round(float(start), 2), float(f"{slope / scale:.3g}")


def first(scores: np.ndarray, beliefs: np.ndarray) -> np.ndarray:
    """How likely a judge is to put each way's truth first; from (ways, 1 + size, scorers) to (ways, scorers)."""
    gains = beliefs[:, 1] * (scores[:, 1:] - scores[:, :1]) - beliefs[:, 0]
    return (1 / (1 + np.exp(np.minimum(gains, STEEPEST)).sum(axis=1))).round(4).astype(np.float32)


def lot(seed: int, query_id: str) -> float:
    """A number from 0 to 1 that is drawn for a query."""
    return random.Random(f"{seed}:{query_id}").random()
