"""Embed captions by distributional similarity: words are similar that occur with similar words.

The truncated singular value decomposition of the positive pointwise mutual information of words in the same captions (Bullinaria
and Levy, 2012); a caption is the sum of its words. Foils are chosen to be near the atom they replace, so a truth may lie in the
middle of its negatives even where it shares no more words with them than they do with each other.
"""

from collections.abc import Sequence

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh

from stages.shortcuts.scorers import BagOfWords
from stages.text.tokens import words

DIMENSIONS = 50
"""Dimensions of a vector (a guess)."""
MIN_CAPTIONS = 5
"""Minimum number of captions with a word, for the word to have a vector (a guess)."""
AT_ONCE = 4096
"""Captions summed at a time."""
DIGITS = 16
"""Binary digits to which vectors are rounded, so that the sums of a cosine are exact in any order, on any processor."""
MEANING = "meaning"
"""The name under which the vectors of captions are stored with the scores of other scorers."""


class Meaning:
    """Vectors of captions, by the words of the training captions that ``bag`` counted."""

    def __init__(self, bag: BagOfWords):
        captions_with = bag.alone[0]
        known = np.flatnonzero(captions_with >= MIN_CAPTIONS)
        # In double precision: the rounding depends on the number of threads, and in single precision it would change ranks.
        together, alone = bag.together[known][:, known].astype(float).tocoo(), captions_with[known]
        times = together.data * bag.total / (alone[together.row] * alone[together.col])
        information = np.where(together.row == together.col, 0.0, np.maximum(np.log(times), 0.0))
        matrix = sparse.csr_array((information, (together.row, together.col)), shape=together.shape)
        self.vectors = np.zeros((len(known), min(DIMENSIONS, len(known))))
        # A word that goes with no other more often than by chance has no direction but a decomposition's rounding errors.
        some = np.flatnonzero(matrix.count_nonzero(axis=1))
        if len(some):
            self.vectors[some] = _unit(_decomposed(matrix)[some])
        names = list(bag.vocabulary)
        self.places = {names[i]: place for place, i in enumerate(known.tolist())}

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Return vectors of length 1, or 0 where no word is known; shape (n, dimensions)."""
        meant = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        for start in range(0, len(texts), AT_ONCE):
            meant[start : start + AT_ONCE] = self._meant(texts[start : start + AT_ONCE])
        return meant

    def _meant(self, texts: Sequence[str]) -> np.ndarray:
        rows = [sorted(self.places[word] for word in words(text) if word in self.places) for text in texts]
        ends, flat = np.cumsum([0, *map(len, rows)]), np.array([place for row in rows for place in row], np.int64)
        counts = sparse.csr_array((np.ones(len(flat)), flat, ends), shape=(len(rows), len(self.vectors)))
        return np.ldexp(np.round(np.ldexp(_unit(counts @ self.vectors), DIGITS)), -DIGITS)


def _decomposed(matrix: sparse.csr_array) -> np.ndarray:
    """Return words' vectors; shape (words, dimensions). The matrix is symmetric, so its eigenvectors are its singular vectors."""
    if matrix.shape[0] <= DIMENSIONS:
        values, vectors = np.linalg.eigh(matrix.toarray())
    else:
        values, vectors = eigsh(matrix, DIMENSIONS, v0=np.ones(matrix.shape[0]))
    return vectors * np.sqrt(np.abs(values))


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
