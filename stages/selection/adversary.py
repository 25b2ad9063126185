"""Learn from the selected sets what distinguishes a truth, as the adversary that evaluates them does (shortcuts/trained.py).

It learns from the sets of some images and scores every candidate set of the others, so the selection sees what would give a truth
away before an evaluator does. It knows the captions' ranks only by the scorers that select.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from scipy import sparse

from stages.selection.calibration import first
from stages.selection.candidate_sets import TIED, CandidateSets, ranked
from stages.shortcuts.trained import FOLDS

RIDGE = 4.0
"""By definition: at 0 the loss of :mod:`stages.shortcuts.trained`'s logistic regression, log(1 + exp(-m)), is (m - 2)² / 8 plus a
constant, so its first Newton step is a regression with this ridge."""
AS_IT_IS = np.array([[0.0, 1.0]])
"""No advantage of the truth, and a slope of 1 in the lead over its negatives, in standard deviations."""


class Adversary:
    """All candidate sets as features: the ranks of captions by every scorer, and the words in which they differ."""

    def __init__(self, queries: Sequence[CandidateSets], starts: np.ndarray):
        self.starts = starts
        self.owner = np.repeat(np.arange(len(queries)), np.diff(starts))
        self.images = np.unique([query.image_id for query in queries], return_inverse=True)[1]
        exact = np.concatenate([query.ranks for query in queries])
        gains = np.concatenate([query.gains for query in queries], axis=1)
        self.ranks_by = [np.concatenate([exact, ranked(np.pad(-gains_by, ((0, 0), (1, 0), (0, 0))))], axis=2) for gains_by in gains]
        counts = [int(query.negatives.max()) + 1 for query in queries]
        counts = [max(n, int(query.changes[0].max(initial=-1)) + 1) for n, query in zip(counts, queries, strict=True)]
        before = np.cumsum([0, *counts])
        self.negatives = np.concatenate([query.negatives + b for query, b in zip(queries, before, strict=False)])
        moved = [query.changes + np.array([[b], [0], [0]]) for query, b in zip(queries, before, strict=False)]
        place, word, more = np.concatenate(moved, axis=1)
        # Words are numbered by their first captions in order, so a sum is the same however queries are permuted.
        word = np.unique(word, return_inverse=True)[1]
        self.words = sparse.csr_array((more.astype(float), (place, word)), shape=(before[-1], int(word.max(initial=0)) + 1))

    def learned(self, taken: np.ndarray, seed: int, by: int) -> Iterator[np.ndarray]:
        """Yield the probability that each set's truth comes first, by an adversary of ranks alone and by one that knows words too.

        Shape: (sets,). Yields nothing where there are fewer than :data:`FOLDS` images to learn from.

        Args:
            taken: the selected sets.
            seed: draws the folds.
            by: which part's learned scorers rank the captions, the half's or a quarter's.
        """
        fold = np.random.default_rng(seed).permutation(int(self.images.max(initial=0)) + 1)[self.images] % FOLDS
        fold_of_set = fold[self.owner]
        if len(np.unique(fold_of_set[taken])) < FOLDS:
            return
        ranks = self._ranked(self.ranks_by[by][taken])
        words = self.words[self.negatives[taken].ravel()]
        of_negative = np.repeat(fold_of_set[taken], self.negatives.shape[1])
        for features in (ranks, sparse.hstack([ranks, words], format="csr")):
            weights = np.array([_ridge(features[of_negative != f]) for f in range(FOLDS)])
            gains = self._gains(weights, fold, self.ranks_by[by])
            spread = np.sqrt(np.mean(np.square(gains[taken]))) or 1.0
            yield first((gains / spread)[:, :, None], AS_IT_IS)[:, 0]

    def _ranked(self, set_ranks: np.ndarray) -> sparse.csr_array:
        """Return which ranks the truth has more often than each negative does; shape (negatives, scorers * captions)."""
        n, captions, scorers = set_ranks.shape
        columns = np.arange(scorers) * captions + set_ranks
        truth = np.repeat(columns[:, :1], captions - 1, axis=1)
        both = np.stack([truth, columns[:, 1:]], axis=-1).reshape(-1)
        rows = np.repeat(np.arange(n * (captions - 1)), 2 * scorers)
        return sparse.csr_array(
            (np.tile([1.0, -1.0], len(both) // 2), (rows, both)), shape=(n * (captions - 1), scorers * captions)
        )

    def _gains(self, weights: np.ndarray, fold: np.ndarray, ranks: np.ndarray) -> np.ndarray:
        """Return by how much each truth is better than each of its negatives; shape (sets, size).

        Args:
            weights: of the features, by fold; shape (folds, features).
        """
        captions, scorers = ranks.shape[1:]
        gains = np.empty(self.negatives.shape)
        words = weights.shape[1] > captions * scorers
        of_words = [self.words @ fold_weights[captions * scorers :] if words else None for fold_weights in weights]
        columns = np.arange(scorers) * captions
        for i, (start, end) in enumerate(pairwise(self.starts.tolist())):
            scores = weights[fold[i]][columns + ranks[start:end]].sum(axis=2)
            gains[start:end] = scores[:, :1] - scores[:, 1:]
            if words:
                gains[start:end] += of_words[fold[i]][self.negatives[start:end]]
        return gains.round(9)


def _ridge(features: sparse.csr_array) -> np.ndarray:
    """Return the weights by which truths beat negatives, from features of shape (negatives, features).

    A ridge regression by conjugate gradients, in place of that adversary's logistic regression: it needs only sums and products,
    which are the same on all processors.
    """
    across = features.T.tocsr()
    residual = across @ np.ones(features.shape[0])
    weights, direction, square = np.zeros_like(residual), residual, (residual**2).sum()
    # A residual of a thousandth of the first.
    enough = TIED * square
    while square > enough:
        curved = across @ (features @ direction) + RIDGE * direction
        step = square / (direction * curved).sum()
        weights = weights + step * direction
        residual = residual - step * curved
        square, before = (residual**2).sum(), square
        direction = residual + square / before * direction
    return weights.round(6)
