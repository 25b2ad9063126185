"""The compounds that captions say, attributes or relations: a row for each distinct one."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from stages.foils.vectors import families
from stages.semantics import attributes, relations

EVERYTHING = ""
"""The family of all rows; it speaks for what no caption says."""
NONE = np.zeros(0, np.int64)
CACHE = 1 << 16


class Compounds:
    """What captions say of one ``kind``.

    Args:
        words: of each row, its attribute or relation.
        nouns: the numbers of what it is said of; shape (rows, 1) or (rows, 2).
        counts: how often captions say it; shape (rows,).
    """

    def __init__(self, kind: str, words: Sequence[str], nouns: np.ndarray, counts: np.ndarray):
        self.words, self.nouns, self.counts = words, nouns, counts
        self._implies = attributes.implies if kind == "attribute" else relations.implies
        places: defaultdict[str, list[int]] = defaultdict(list)
        for row, word in enumerate(words):
            for name in (*families(kind, word), EVERYTHING):
                places[name].append(row)
        self._distinct, self._rows = dict.fromkeys(words), {name: np.array(rows) for name, rows in places.items()}
        self.saying, self.prior = lru_cache(CACHE)(self._saying), lru_cache(CACHE)(self._prior)
        # The rows that have a noun in that place.
        self.beside = lru_cache(CACHE)(lambda noun, place: np.flatnonzero(self.nouns[:, place] == noun))

    def __len__(self) -> int:
        return len(self.counts)

    def rows(self, family: str) -> np.ndarray:
        """The rows of an attribute or a relation itself, or of a family (:func:`stages.foils.vectors.families`)."""
        return self._rows.get(family, NONE)

    def _saying(self, asked: str) -> np.ndarray:
        """The rows that say an attribute or a relation, in this or another word."""
        saying = (self._rows[word] for word in self._distinct if word == asked or self._implies(word, asked))
        return np.sort(np.concatenate([NONE, *saying]))

    def _prior(self, word: str) -> float:
        """The share of an attribute, or a relation, of all that captions say."""
        return float(self.counts[self.saying(word)].sum() + 1) / float(self.counts.sum() + 1)


def both(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Those of a few rows that are among many others; both in order."""
    return rows[others[np.searchsorted(others, rows).clip(max=len(others) - 1)] == rows] if len(others) else NONE
