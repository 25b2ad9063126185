"""Pairs of names that occur in one image, counted in arrays: dictionaries take ten times the memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import comb
from typing import NamedTuple

import numpy as np

AT_ONCE = 1_000_000
"""Pairs of names that wait to be summed: it bounds memory."""


class Pairs(NamedTuple):
    """Pairs of names; arrays have an entry a pair, in alphabetical order.

    Attributes:
        names: in alphabetical order.
        first, second: the indices of a pair's names, the smaller one first.
        n: the number of images with both.
        one_thing: the number of images in which both seem to be one thing.
    """

    names: Sequence[str]
    first: np.ndarray
    second: np.ndarray
    n: np.ndarray
    one_thing: np.ndarray

    @classmethod
    def of(cls, nested: Mapping[str, Mapping[str, Sequence[int]]]) -> Pairs:
        """Return the pairs of :meth:`nested`."""
        names = sorted({*nested, *(other for row in nested.values() for other in row)})
        number = {name: i for i, name in enumerate(names)}
        rows = sorted((number[one], number[other], *n) for one, row in nested.items() for other, n in row.items())
        return cls(names, *np.array(rows, np.int32).reshape(-1, len(cls._fields) - 1).T)

    def nested(self) -> dict[str, dict[str, list[int]]]:
        """Return ``n`` and ``one_thing`` by the two names in alphabetical order."""
        found: dict[str, dict[str, list[int]]] = {}
        for one, other, *counts in zip(*(each.tolist() for each in self[1:]), strict=True):
            found.setdefault(self.names[one], {})[self.names[other]] = counts
        return found


class PairCounter:
    """Counts the pairs of images, one image after another."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._keys = np.zeros(0, np.int64)
        self._sums = np.zeros((3, 0))
        self._waiting: list[tuple[np.ndarray, np.ndarray]] = []

    def add(self, names: Sequence[Collection[str]], times: Mapping[str, int]) -> None:
        """Count an image's pairs, from the names in each description, and the number of descriptions with each name."""
        every = sorted(times)
        place = {name: i for i, name in enumerate(every)}
        has = np.zeros((len(names), len(every)), np.float32)
        for row, names_here in zip(has, names, strict=True):
            row[[place[name] for name in names_here]] = 1
        first, second = np.triu_indices(len(every), 1)
        n, said = len(names), np.array([times[name] for name in every], np.int64)
        cases, case = np.unique(said[first] * (n + 1) + said[second], return_inverse=True)
        expected = np.array([_expected(n, *divmod(int(each), n + 1)) for each in cases])
        number = np.array([self.numbers.setdefault(name, len(self.numbers)) for name in every], np.int64)
        sums = np.stack([np.ones(len(first)), (has.T @ has)[first, second] == 0, expected[case]])
        self._waiting.append((number[first] << 32 | number[second], sums))
        if sum(len(keys) for keys, _ in self._waiting) > AT_ONCE:
            self._merge()

    def _merge(self) -> None:
        """Add up the waiting pairs, in the order of the images, so that sums are the same however many wait."""
        keys, sums = zip((self._keys, self._sums), *self._waiting, strict=True)
        self._waiting.clear()
        self._keys, place = np.unique(np.concatenate(keys), return_inverse=True)
        self._sums = np.stack([np.bincount(place, np.concatenate(each), len(self._keys)) for each in zip(*sums, strict=True)])

    def common(self) -> Pairs:
        """Return the pairs that several images have: a single one may be chance."""
        self._merge()
        several, names = self._sums[0] > 1, sorted(self.numbers)
        n, apart, due = self._sums[:, several]
        # Some sentence mentions two different things together; where fewer sentences do than by chance, the names mean one thing.
        one_thing = np.rint(apart * np.square(np.maximum(0, 1 - (n - apart) / np.maximum(due, 1e-9))))
        place = np.empty(len(names), np.int64)
        place[[self.numbers[name] for name in names]] = np.arange(len(names))
        first, second = place[self._keys[several] >> 32], place[self._keys[several] & 0xFFFFFFFF]
        order = np.lexsort((second, first))
        return Pairs(names, *(each[order].astype(np.int32) for each in (first, second, n, one_thing)))


def _expected(descriptions: int, one: int, other: int) -> float:
    """Return the probability that two unrelated names, each in so many descriptions, meet in one of them."""
    return 1 - comb(descriptions - one, other) / comb(descriptions, other)
