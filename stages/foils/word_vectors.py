"""What texts at large know of nouns: GloVe's vectors (Pennington and others, 2014), for captions are few and each says little.

They tell which words stand near each other in six billion. ``word_vectors.npz``, which ``python -m tests.benchmarks.word_vectors``
makes, has those of nouns that pictures show, without their mean and their two greatest components, which say how frequent a word is
(Mu and Viswanath, 2018), turned to their principal components, the greatest first.
"""

from functools import cache, lru_cache
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("word_vectors.npz")
DIMENSIONS = 98


@lru_cache(1 << 16)
def of(noun: str) -> np.ndarray:
    """The mean of a noun's words, of length 1, shape (:data:`DIMENSIONS`,); 0 where none of them is known.

    >>> bool(of("couch") @ of("sofa") > 0.6 > 0.3 > of("couch") @ of("truck"))
    True
    """
    rows = _rows()
    total = sum((rows[word] for word in noun.split() if word in rows), np.zeros(DIMENSIONS, np.float32))
    return total / max(float(np.linalg.norm(total)), 1e-9)


@cache
def _rows() -> dict[str, np.ndarray]:
    with np.load(FILE) as file:
        vectors = file["vectors"].astype(np.float32)
        return dict(zip(file["words"].tolist(), vectors / np.linalg.norm(vectors, axis=1, keepdims=True), strict=True))
