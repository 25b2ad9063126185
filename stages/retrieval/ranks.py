"""Ranks of the truth among its negatives, with the rank to be expected where captions tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RECALLS = (1, 3, 5)


@dataclass(frozen=True)
class Ranks:
    """Of each retrieval set: how many negatives score above the truth, how many the same, and how many captions it has."""

    above: np.ndarray
    ties: np.ndarray
    size: np.ndarray

    def __len__(self) -> int:
        return len(self.size)

    @property
    def expected(self) -> np.ndarray:
        """Rank of the truth, 1 is best: the mean over all orders of the captions that tie with it."""
        return 1 + self.above + self.ties / 2

    def recall(self, k: int) -> np.ndarray:
        """Probability that the truth is among the first ``k``, all orders of what ties being equally likely."""
        return np.clip((k - self.above) / (self.ties + 1), 0, 1)

    def chance(self, k: int) -> np.ndarray:
        """The same for a model that scores all captions alike."""
        return np.minimum(k / self.size, 1)

    @property
    def won(self) -> np.ndarray:
        """The fraction of a set's negatives that score below its truth; a tie is half."""
        return 1 - (self.above + self.ties / 2) / (self.size - 1)

    def take(self, which: np.ndarray) -> Ranks:
        """The sets that ``which`` (a mask or indices) picks out."""
        return Ranks(self.above[which], self.ties[which], self.size[which])


def rank(scores: np.ndarray, size: np.ndarray) -> Ranks:
    """Ranks from the scores of all retrieval sets, one after the other, the truth's first in each; ``size`` says how many each has.

    Raises:
        ValueError: a score is not a number. No order can be made of such scores, and a silent one would look like a result.
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
    """Of each pair of a set's truth, whose score stands first, and a negative whether the truth scores above; a tie is half."""
    return np.concatenate([(of[0] > of[1:]) + (of[0] == of[1:]) / 2 for of in scores])
