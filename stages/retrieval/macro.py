"""Macro averages: a mean over the groups of queries and not over the queries, so that common groups do not drown the rare ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stages.retrieval.figures import clustered_error, percent


def macro(right: np.ndarray, groups: Sequence[str], images: np.ndarray, least: int) -> dict[str, Any]:
    """The mean over ``groups`` of each group's mean of ``right``, as ARO reports its relations and pairs of attributes.

    Args:
        right: what each query came to, in [0, 1]; shape (n,).
        groups: which group each query is of.
        least: fewest queries of a group that counts (25 in ARO).

    Returns:
        ``r1`` in per cent with ``r1_se``, clustered by image; ``n``, the queries of the groups that count, and ``groups``: how many
        these are. ``left_out`` is how many queries are of smaller groups. ``r1`` is ``None`` where no group counts.
    """
    names, place, size = np.unique(np.asarray(groups), return_inverse=True, return_counts=True)
    counts = size >= least
    which = counts[place] if len(names) else np.zeros(0, dtype=bool)
    figures: dict[str, Any] = {"groups": int(counts.sum()), "n": int(which.sum()), "left_out": int((~which).sum())}
    if not counts.any():
        return figures | {"r1": None, "r1_se": None}
    means = np.bincount(place, weights=right, minlength=len(names)) / np.maximum(size, 1)
    influence = ((right - means[place]) / (size[place] * counts.sum()))[which]
    return figures | {"r1": percent(means[counts].mean()), "r1_se": percent(clustered_error(influence, images[which]))}
