"""RAW retrieval, both ways, over folds of one size (paper, appendix B.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from stages.retrieval.figures import percent
from stages.retrieval.ranks import Ranks
from stages.retrieval.sets import Pair

ROWS = 1024


def folds(pairs: Iterable[Pair], most: int, seed: int) -> dict[str, list[list[Pair]]]:
    """K folds of N pairs for each group: N the size of the smallest group, K = min(most, group // N).

    Which pairs make a fold hangs on the seed and the pairs' names alone.
    """
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.group, []).append(pair)
    size = min((len(group) for group in groups.values()), default=0)
    drawn = {name: sorted(groups[name], key=lambda pair: _lot(pair.name, seed)) for name in sorted(groups)}
    return {name: [group[i * size : (i + 1) * size] for i in range(min(most, len(group) // size))] for name, group in drawn.items()}


def _lot(name: str, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed}:{name}".encode(), digest_size=16).digest()


def figures(
    groups: Mapping[str, list[list[Pair]]], features: Callable[[Sequence[Pair]], tuple[np.ndarray, np.ndarray]]
) -> dict[str, Any]:
    """R@1 of each group, ``i2t`` from image to text and ``t2i`` back: the mean and the standard deviation over its folds.

    Args:
        features: of the crops and of the captions of some pairs, each of shape (n, width).
    """
    result = {}
    for name, group in groups.items():
        recalls = [both_ways(*features(fold)) for fold in group]
        result[name] = {
            "n": len(group[0]),
            "folds": len(group),
            "chance": percent(1 / len(group[0])),
            **{
                way: {"r1": percent(np.mean(recall)), "r1_sd": percent(np.std(recall))}
                for way, recall in zip(("i2t", "t2i"), zip(*recalls, strict=True), strict=True)
            },
        }
    return result


def both_ways(images: np.ndarray, texts: np.ndarray) -> tuple[float, float]:
    """R@1 from each image to its text among all texts, and from each text to its image; ties as expected.

    Summed in float64 and compared in float32, so that equal captions tie wherever they stand.
    """
    images, texts = images.astype(np.float64), texts.astype(np.float64)
    truth = np.einsum("ij,ij->i", images, texts).astype(np.float32)
    above, same = np.zeros((2, len(truth)), dtype=np.int64), np.zeros((2, len(truth)), dtype=np.int64)
    for start in range(0, len(truth), ROWS):
        rows = np.arange(start, min(start + ROWS, len(truth)))
        scores = (images[rows] @ texts.T).astype(np.float32)
        scores[rows - start, rows] = truth[rows]
        for counts, compare in ((above, np.greater), (same, np.equal)):
            counts[0, rows] = compare(scores, truth[rows, None]).sum(axis=1)
            counts[1] += compare(scores, truth).sum(axis=0)
    size = np.full(len(truth), len(truth))
    i2t, t2i = (float(Ranks(above[way], same[way] - 1, size).recall(1).mean()) for way in (0, 1))
    return i2t, t2i
