"""What captions mean, as far as the company of their words tells: words are alike that stand in captions beside like words.

The truncated singular value decomposition of the positive pointwise mutual information of words that captions have in common
(Bullinaria and Levy, 2012); a caption is the sum of its words. Foils are chosen to be near what they replace, and so a truth may
lie in the middle of its negatives though it shares no more words with them than they do with each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds

from stages.blind.scorers import BagOfWords
from stages.wording.tokens import words

DIMENSIONS = 50
LEAST = 5
"""Words count that so many captions have."""
NAME = "meaning"


class Meaning:
    """Vectors of captions, by the words of training ``captions``."""

    def __init__(self, captions: Sequence[str]):
        bag = BagOfWords(captions)
        known = np.flatnonzero(bag.alone >= LEAST)
        together = bag.together[known][:, known].tocoo()
        expected = bag.alone[known[together.row]] * bag.alone[known[together.col]] / bag.captions
        information = np.where(together.row == together.col, 0.0, np.maximum(np.log(together.data / expected), 0.0))
        matrix = sparse.csr_array((information, (together.row, together.col)), shape=together.shape)
        self.vectors = _unit(_decomposed(matrix)) if len(known) else np.zeros((0, 1))
        names = list(bag.vocabulary)
        self.places = {names[i]: place for place, i in enumerate(known.tolist())}

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Of length 1, or 0 where no word is known; shape (n, dimensions)."""
        rows = [sorted(self.places[word] for word in words(text) if word in self.places) for text in texts]
        ends, flat = np.cumsum([0, *map(len, rows)]), np.array([place for row in rows for place in row], np.int64)
        counts = sparse.csr_array((np.ones(len(flat)), flat, ends), shape=(len(rows), len(self.vectors)))
        return _unit(counts @ self.vectors).astype(np.float32)


def _decomposed(matrix: sparse.csr_array) -> np.ndarray:
    """Words' vectors; shape (words, dimensions)."""
    if matrix.shape[0] <= DIMENSIONS:
        left, scale, _ = np.linalg.svd(matrix.toarray())
    else:
        left, scale, _ = svds(matrix, DIMENSIONS, v0=np.ones(matrix.shape[0]))
    return left * np.sqrt(scale)


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
