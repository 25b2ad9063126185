"""What a codebook's codes stand for: how many are used, by which words, and how well each agrees with one thing that is true."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stages.images.crops import Crop

LEAST_SIDE = 60
"""Pixels of a thing that is to be told."""
PAIRS = 6
"""Pairs of related things that are drawn of an image."""
Labels = dict[str, frozenset[str]]
"""What is true of a crop, by aspect: ``kind``, ``colour`` (or any ``attribute``), ``relation``; an aspect that is not asked of it
is not there.
"""


class Purity(NamedTuple):
    """How well codes agree with one value each.

    Attributes:
        share: (codes,), the part of a code's weight that lies on crops of its value; 0 where it has none.
        value: of each code the value that has most of its weight.
        mean: over the codes, each as often as it is used.
        shuffled: the same where the crops' labels are exchanged at random: what few crops and common values give by themselves.
    """

    share: np.ndarray
    value: list[str]
    mean: float
    shuffled: float


def used(crops: np.ndarray, words: np.ndarray) -> dict[str, float]:
    """How many codes have a weight in any crop, word, and both, and how many ``each`` crop has on average: of (crops, codes) and
    (words, codes)."""
    seen, spoken = (crops > 0).any(0), (words > 0).any(0)
    sums = {"by_crops": seen.sum(), "by_words": spoken.sum(), "by_both": (seen & spoken).sum()}
    return {name: int(n) for name, n in sums.items()} | {"each": round(float((crops > 0).sum(1).mean()), 2)}


def top(weights: np.ndarray, code: int, n: int = 5) -> list[int]:
    """The rows that have most of ``code``, the most first; none that has nothing of it."""
    order = np.argsort(-weights[:, code], kind="stable")[:n]
    return [int(i) for i in order if weights[i, code] > 0]


def foremost(weights: np.ndarray, n: int = 5) -> np.ndarray:
    """(crops, codes): 1 where a crop is among the ``n`` that have most of a code, as people are shown them; else 0."""
    marks = np.zeros_like(weights)
    for code in range(weights.shape[1]):
        marks[top(weights, code, n), code] = 1
    return marks


def purity(weights: np.ndarray, labels: Sequence[frozenset[str]], seed: int = 0) -> Purity:
    """How well each code agrees with one of the values in ``labels``; a crop may have several.

    Args:
        weights: (crops, codes).
        labels: of each crop; one at least.
    """
    values = sorted(frozenset().union(*labels))
    has = np.array([[value in of for value in values] for of in labels], dtype=float)
    share = _shares(weights, has)
    mixed = _shares(weights, np.random.default_rng(seed).permutation(has))
    use = weights.sum(0) / max(weights.sum(), 1e-12)
    best = share.max(1)
    return Purity(best, [values[i] for i in share.argmax(1)], float(use @ best), float(use @ mixed.max(1)))


def _shares(weights: np.ndarray, has: np.ndarray) -> np.ndarray:
    """(codes, values): which part of a code's weight lies on crops that have a value."""
    whole = weights.sum(0)[:, None]
    return np.divide(weights.T @ has, whole, out=np.zeros((weights.shape[1], has.shape[1])), where=whole > 0)


# --- Crops and what is true of them ----


def of_truth(rows: Iterable[Mapping[str, Any]], seed: int = 0) -> dict[Crop, Labels]:
    """Crops of the table ``truth``: each thing with its kind and colour, and pairs of things with all relations between them."""
    labels: dict[Crop, Labels] = {}
    for row in rows:
        small = row["image_width"] * row["image_height"] / 2
        crops = [Crop(row["image_id"], *(thing[side] for side in Crop._fields[1:])) for thing in row["things"]]
        shown = [i for i, crop in enumerate(crops) if min(crop.width, crop.height) >= LEAST_SIDE and _area(crop) < small]
        for i in shown:
            thing = row["things"][i]
            labels[crops[i]] = {aspect: frozenset({thing[aspect]}) for aspect in ("kind", "colour") if thing[aspect]}
        # Which of the two is the subject a crop does not say: it has the relations of both to each other.
        related: dict[tuple[int, ...], set[str]] = {}
        for one in row["relations"]:
            if {one["subject"], one["object"]} <= {*shown}:
                related.setdefault(tuple(sorted((one["subject"], one["object"]))), set()).add(one["relation"])
        both = {pair: _around(*(crops[i] for i in pair)) for pair in related}
        fit = [pair for pair in sorted(related) if _area(both[pair]) < small]
        drawn = random.Random(f"{seed}:{row['image_id']}").sample(fit, min(PAIRS, len(fit)))
        for pair in drawn:
            labels.setdefault(both[pair], {"relation": frozenset(related[pair])})
    return labels


def of_regions(rows: Iterable[Mapping[str, Any]]) -> dict[Crop, Labels]:
    """Crops of the table ``regions``, of any annotated images, with what is said of them."""
    labels: dict[Crop, Labels] = {}
    for row in rows:
        aspects = {"kind": row["objects"], "attribute": [a["attribute"] for a in row["attributes"]]}
        aspects["relation"] = [r["relation"] for r in row["relations"]]
        crop = Crop(*(row[name] for name in Crop._fields))
        labels.setdefault(crop, {aspect: frozenset(names) for aspect, names in aspects.items() if names})
    return labels


def _area(crop: Crop) -> int:
    return crop.width * crop.height


def _around(*crops: Crop) -> Crop:
    x, y = min(crop.x for crop in crops), min(crop.y for crop in crops)
    right, bottom = max(crop.x + crop.width for crop in crops), max(crop.y + crop.height for crop in crops)
    return Crop(crops[0].image_id, x, y, right - x, bottom - y)
