"""Ranks of the truth among its negatives, with the expected rank where captions tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RECALLS = (1, 3, 5)


@dataclass(frozen=True)
class Ranks:
    """For each retrieval set: the number of negatives above the truth, of those that tie with it, and of captions."""

    above: np.ndarray
    ties: np.ndarray
    size: np.ndarray

    def __len__(self) -> int:
        return len(self.size)

    @property
    def expected(self) -> np.ndarray:
        """Return the rank of the truth, 1 is best: the mean over all orders of the captions that tie with it."""
        return 1 + self.above + self.ties / 2

    def recall(self, k: int) -> np.ndarray:
        """Return the probability that the truth is among the first ``k``, all orders of tied captions being equally likely."""
        return np.clip((k - self.above) / (self.ties + 1), 0, 1)

    def chance(self, k: int) -> np.ndarray:
        """Return the recall of a model that gives all captions the same score."""
        return np.minimum(k / self.size, 1)

    @property
    def won(self) -> np.ndarray:
        """Return the fraction of a set's negatives that score below its truth; a tie is half."""
        return 1 - (self.above + self.ties / 2) / (self.size - 1)

    def take(self, which: np.ndarray) -> Ranks:
        """Return the sets that ``which`` (a mask or indices) selects."""
        return Ranks(self.above[which], self.ties[which], self.size[which])


def rank(scores: np.ndarray, size: np.ndarray) -> Ranks:
    """Return ranks from the scores of all sets, one after the other, the truth first in each; ``size`` has their numbers of scores.

    Raises:
        ValueError: a score is not a number: such scores have no order, and a silent one would look like a result.
    """
    if np.isnan(scores).any():
        raise ValueError(f"{int(np.isnan(scores).sum()):,} scores are not numbers")
    if not len(size):
        return Ranks(size, size, size)
    start = np.cumsum(size) - size
    truth = np.repeat(scores[start], size)
    above = np.add.reduceat((scores > truth).astype(np.int64), start)
    ties = np.add.reduceat((scores == truth).astype(np.int64), start) - 1
    return Ranks(above, ties, size)


def wins(scores: Sequence[np.ndarray]) -> np.ndarray:
    """Return for each pair of a set's truth, whose score comes first, and a negative whether the truth wins; a tie is half."""
    return np.concatenate([(set_scores[0] > set_scores[1:]) + (set_scores[0] == set_scores[1:]) / 2 for set_scores in scores])
