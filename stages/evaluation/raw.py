"""Retrieval in both directions between images and texts; RAW sets use folds of one size (paper, appendix B.2)."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import comb

from stages.evaluation.figures import FEW, deviation, percent
from stages.evaluation.ranks import Ranks
from stages.evaluation.sets import Pair

RECALLS = (1, 5)
ROWS = 512
"""Images compared with all captions at a time: 100 MB at 25,000 captions."""


def folds(pairs: Iterable[Pair], most: int, seed: int) -> dict[str, list[list[Pair]]]:
    """Return K folds of N pairs for each group: N the size of the smallest group, K = min(most, group // N).

    Groups of fewer than :data:`FEW` pairs have none: one would make the folds of all others as small, and R@1 among three
    captions means nothing. The pairs of a fold depend only on the seed and the pairs' names.
    """
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.group, []).append(pair)
    groups = {name: group for name, group in groups.items() if len(group) >= FEW}
    size = min(map(len, groups.values()), default=0)

    def lot(pair: Pair) -> bytes:
        return hashlib.blake2b(f"{seed}:{pair.name}".encode(), digest_size=16).digest()

    drawn = {name: sorted(groups[name], key=lot) for name in sorted(groups)}
    return {name: [group[i * size : (i + 1) * size] for i in range(min(most, len(group) // size))] for name, group in drawn.items()}


def figures(
    groups: Mapping[str, list[list[Pair]]], features: Callable[[Sequence[Pair]], tuple[np.ndarray, np.ndarray]]
) -> dict[str, Any]:
    """Return R@1 of each group, ``i2t`` from image to text and ``t2i`` back: mean and standard deviation over its folds.

    The deviation is :func:`stages.evaluation.figures.deviation`.

    Args:
        features: of the crops and the captions of some pairs, each of shape (n, width).
    """
    result: dict[str, dict[str, Any]] = {}
    for name, group in groups.items():
        size = len(group[0])
        recalls = [both_ways(*features(fold), np.arange(size)) for fold in group]
        result[name] = {"n": size, "folds": len(group), "chance": percent(1 / size)}
        for way in ("i2t", "t2i"):
            r1 = np.array([recall[f"{way}_r1"] for recall in recalls])
            result[name][way] = {"r1": percent(r1.mean()), "r1_sd": deviation(r1)}
    return result


def both_ways(images: np.ndarray, texts: np.ndarray, owner: np.ndarray) -> dict[str, float]:
    """Return R@1 and R@5 from images to texts (``i2t``) and back (``t2i``), as fractions.

    For an image its best ranked caption counts, for a caption its image. All orders of ties are equally likely. Summed in float64
    and compared in float32, so that equal captions tie at any position.

    Args:
        images, texts: features of length 1; shapes (images, width) and (texts, width).
        owner: the image of each text; each image has at least one.
    """
    images, texts = images.astype(np.float64), texts.astype(np.float64)
    own_scores = np.einsum("ij,ij->i", images[owner], texts).astype(np.float32)
    best = np.full(len(images), -np.inf, np.float32)
    np.maximum.at(best, owner, own_scores)
    above, ties = np.zeros((2, len(images)), np.int64)
    text_above, text_ties = np.zeros((2, len(texts)), np.int64)
    for start in range(0, len(images), ROWS):
        rows = np.arange(start, min(start + ROWS, len(images)))
        scores = (images[rows] @ texts.T).astype(np.float32)
        # Captions of the same image are not negatives of each other.
        scores[owner == rows[:, None]] = -np.inf
        above[rows] = (scores > best[rows, None]).sum(axis=1)
        ties[rows] = (scores == best[rows, None]).sum(axis=1)
        text_above += (scores > own_scores).sum(axis=0)
        text_ties += (scores == own_scores).sum(axis=0)
    placed = np.bincount(owner, weights=own_scores == best[owner])  # how many of an image's captions tie for the best

    def i2t(k: int) -> np.ndarray:
        left = np.clip(k - above, 0, ties + 1)
        return 1 - comb(ties, left) / comb(ties + placed, left)

    t2i = Ranks(text_above, text_ties, np.full(len(texts), len(images)))
    recalls = {f"i2t_r{k}": float(i2t(k).mean()) for k in RECALLS}
    return recalls | {f"t2i_r{k}": float(t2i.recall(k).mean()) for k in RECALLS}
