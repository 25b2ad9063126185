"""Boosted regression trees (Friedman, 2001), as readers' judgments made them (``python -m tests.benchmarks.acceptability``)."""

import gzip
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np


class Trees:
    """Regression trees, their nodes in one list; a leaf leads to itself.

    Args:
        rows: each node's sign, threshold, and the nodes below it at most and above the threshold; and its value, 0 but of leaves.
        roots: the first node of each tree.
        base: what the leaves' values are added to.
        depth: how many steps lead to the deepest leaf.
    """

    def __init__(self, rows: Sequence[Sequence[float]], roots: Sequence[int], base: float, depth: int):
        sign, threshold, left, right, value = zip(*rows, strict=True)
        self._sign, self._threshold, self._value = np.array(sign), np.array(threshold), np.array(value)
        self._below, self._roots, self._base, self._depth = np.array([left, right]), np.array(roots), base, depth

    def predict(self, signs: Sequence[Sequence[float]] | np.ndarray) -> np.ndarray:
        """Shape (rows, signs), rounded to :data:`DIGITS`, to shape (rows,), each from 0 to 1."""
        given = np.array(signs, np.float32)  # as they were learned from
        nodes, rows = np.tile(self._roots, (len(given), 1)), np.arange(len(given))[:, None]
        for _ in range(self._depth):
            nodes = self._below[(given[rows, self._sign[nodes]] > self._threshold[nodes]).astype(int), nodes]
        # Rounded, so that another machine's last digit changes nothing.
        return np.clip(self._base + self._value[nodes].sum(axis=1), 0, 1).round(4)


DIGITS = 3
"""Signs are rounded to so many digits, before trees are learned of them and before they are asked."""


@cache
def load(path: Path) -> Trees:
    """Those of a file."""
    return Trees(**json.loads(gzip.decompress(path.read_bytes())))
