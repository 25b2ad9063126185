"""An n-gram language model estimated from training captions: a trigram with interpolated Kneser-Ney smoothing.

It replaces a masked language model where no weights can be downloaded, and as a shortcut scorer it shows how much of a
benchmark can be solved without an image. Counts are sorted arrays of integers, so memory is bounded by the captions
(about 150 MB a million), and a hundred thousand sentences are scored in a few seconds. The same captions in the same
order give the same scores to the last bit.

The captions that choose negatives must not be those that evaluate them: :func:`part` halves a training set by a hash of
each caption.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from hashlib import sha256
from heapq import nsmallest
from itertools import islice
from pathlib import Path

import numpy as np

from stages.contract import tables
from stages.text.tokens import words

ORDER = 3
"""Words of an n-gram: a trigram, by convention (Chen and Goodman, 1999)."""
BITS = np.iinfo(np.int64).bits // ORDER
"""Bits of a word's number: an n-gram is one integer."""
BEGIN, END, UNKNOWN = 0, 1, 2
DISCOUNT = 0.75
"""Absolute discount of each count (Church and Gale, 1991)."""
CHUNK = 100_000

Counts = tuple[np.ndarray, np.ndarray]
"""Sorted keys and how often each occurs."""


def part(caption: str, which: Sequence[int]) -> bool:
    """Return whether a caption is in half ``which[0]`` and, if given, in half ``which[1]`` of that; ``()`` takes all captions.

    Half 0 of a training set chooses negatives, half 1 evaluates them.
    """
    digest = zlib.crc32(caption.encode("utf-8"))
    return all(digest >> bit & 1 == wanted for bit, wanted in enumerate(which))


def training_captions(training_sets: Sequence[Path], which: Sequence[int], most: int) -> list[str]:
    """Return the distinct captions of the ``training_sets`` (folders that parse_train wrote) that are in a :func:`part`.

    Args:
        most: maximum number of captions of each training set, chosen by hash: the table is in alphabetical order, and its first
            captions begin with numbers and "a".
    """
    chosen: list[str] = []
    for folder in training_sets:
        captions = (row["caption"] for row in tables.read("training_graphs", folder / "graphs.parquet", ["caption"]))
        numbered = enumerate(caption for caption in captions if part(caption, which))
        lots = ((sha256(caption.encode("utf-8")).digest()[:8], i, caption) for i, caption in numbered)
        chosen += (caption for _, caption in sorted((i, caption) for _, i, caption in nsmallest(most, lots)))
    return chosen


class NGramModel:
    """A trigram model of captions; :meth:`score` gives natural logarithms."""

    def __init__(self, vocabulary: dict[str, int], trigrams: Counts):
        self.vocabulary = vocabulary
        # How often each word, the last one of a trigram, occurs, by its number; at least 1, so that its logarithm is finite.
        occurs = np.bincount(trigrams[0] & _mask(1), trigrams[1], minlength=len(vocabulary) + UNKNOWN + 1)
        self.frequency = np.maximum(occurs, 1.0)
        self.trigrams = Level(*trigrams)
        # Below trigrams, Kneser-Ney counts the distinct contexts that a word completes, not its occurrences.
        pairs, before = np.unique(trigrams[0] & _mask(2), return_counts=True)
        self.pairs = Level(pairs, before)
        self.singles = np.unique(pairs & _mask(1), return_counts=True)

    @classmethod
    def estimate(cls, captions: Iterable[str]) -> NGramModel:
        chosen = iter(captions)
        vocabulary: dict[str, int] = {}
        trigrams: Counts = (np.empty(0, np.int64), np.empty(0))
        while chunk := list(islice(chosen, CHUNK)):
            numbers = [[_number(word, vocabulary) for word in words(caption)] for caption in chunk]
            keys = _keys(*_flat(numbers))[0]
            trigrams = _totals(np.concatenate([trigrams[0], keys]), np.concatenate([trigrams[1], np.ones(len(keys))]))
        return cls(vocabulary, trigrams)

    def score(self, sentences: Sequence[str]) -> np.ndarray:
        """Return the natural logarithm of each sentence's probability, its end included. Shape: (sentences,)."""
        flat, lengths = _flat([[self.vocabulary.get(word, UNKNOWN) for word in words(sentence)] for sentence in sentences])
        keys, owner = _keys(flat, lengths)
        return np.bincount(owner, np.log(self._probability(keys)), minlength=len(sentences))

    def log_frequency(self, sentences: Sequence[str]) -> np.ndarray:
        """Return the mean natural logarithm of how often a sentence's words occur. Shape: (sentences,)."""
        numbers = [[self.vocabulary.get(word, UNKNOWN) for word in words(sentence)] or [UNKNOWN] for sentence in sentences]
        logs = np.log(self.frequency)
        # Sorted, so that the order of a sum's terms does not break ties.
        return np.array([logs[sorted(n)].mean() for n in numbers])

    def _probability(self, keys: np.ndarray) -> np.ndarray:
        n_words = len(self.vocabulary) + 2
        single = _count(self.singles, keys & _mask(1))
        total = max(self.singles[1].sum(), 1.0)
        lowest = (np.maximum(single - DISCOUNT, 0) + DISCOUNT * len(self.singles[0]) / n_words) / total
        lowest = np.maximum(lowest, 1.0 / (total + n_words))
        return self.trigrams.interpolated(keys, self.pairs.interpolated(keys & _mask(2), lowest))


class Level:
    """Sequences of words as sorted ``keys``, with their ``counts``.

    For each context, the sequence without its last word, it knows the number of occurrences and of distinct next words.
    """

    def __init__(self, keys: np.ndarray, counts: np.ndarray):
        self.counts = keys, counts
        self.contexts, self.followers = _totals(keys >> BITS, counts), _totals(keys >> BITS, np.ones(len(keys)))

    def interpolated(self, keys: np.ndarray, lower: np.ndarray) -> np.ndarray:
        """Return the probabilities of the last words given their contexts, interpolated with ``lower``, of shorter contexts."""
        context, followers = _count(self.contexts, keys >> BITS), _count(self.followers, keys >> BITS)
        seen = context > 0
        safe = np.where(seen, context, 1.0)
        rest = DISCOUNT * followers * lower
        return np.where(seen, (np.maximum(_count(self.counts, keys) - DISCOUNT, 0) + rest) / safe, lower)


def _number(word: str, vocabulary: dict[str, int]) -> int:
    if len(vocabulary) + UNKNOWN + 1 >= 1 << BITS:
        return vocabulary.get(word, UNKNOWN)
    return vocabulary.setdefault(word, len(vocabulary) + UNKNOWN + 1)


def _mask(n: int) -> int:
    return (1 << BITS * n) - 1


def _flat(sentences: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.fromiter((len(sentence) + ORDER for sentence in sentences), np.int64, len(sentences))
    flat = np.fromiter((n for sentence in sentences for n in (BEGIN, BEGIN, *sentence, END)), np.int64, int(lengths.sum()))
    return flat, lengths


def _keys(flat: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the trigrams of all sentences as integers, and the index of each trigram's sentence."""
    owner = np.repeat(np.arange(len(lengths)), lengths)
    if len(flat) < ORDER:
        return np.empty(0, np.int64), owner[:0]
    keys = (flat[:-2] << 2 * BITS) | (flat[1:-1] << BITS) | flat[2:]
    whole = owner[:-2] == owner[2:]
    return keys[whole], owner[2:][whole]


def _totals(keys: np.ndarray, counts: np.ndarray) -> Counts:
    """Return the distinct ``keys``, sorted, with the sums of their ``counts``."""
    distinct, place = np.unique(keys, return_inverse=True)
    return distinct, np.bincount(place, counts, minlength=len(distinct))


def _count(counts: Counts, keys: np.ndarray) -> np.ndarray:
    known, n = counts
    if not len(known):
        return np.zeros(len(keys))
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[place] == keys, n[place], 0.0)
