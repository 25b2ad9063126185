"""Captions as bags of words: what a model knows that sees which words there are, and not their order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stages.retrieval.sets import Layout
from stages.wording.tokens import words


def same_bag(layout: Layout) -> np.ndarray:
    """How many negatives of each retrieval set are the same bag of words as the truth, of shape (sets,)."""
    bag = _bags(layout.texts)[layout.text]
    start = np.cumsum(layout.size) - layout.size
    if not len(start):
        return start
    return np.add.reduceat((bag == np.repeat(bag[start], layout.size)).astype(np.int64), start) - 1


def _bags(texts: Sequence[str]) -> np.ndarray:
    """A number for each caption, the same for captions of the same words in whatever order."""
    numbers: dict[tuple[str, ...], int] = {}
    return np.array([numbers.setdefault(tuple(sorted(words(text))), len(numbers)) for text in texts], dtype=np.int64)
