"""The meaning of a codebook's codes: how many are used, by which words, and how well each agrees with one label."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stages.images.crops import Crop

MIN_SIDE = 60
"""Minimum side of a labelled thing, in pixels."""
PAIRS = 6
"""Maximum number of pairs of related things drawn from an image."""
Labels = dict[str, frozenset[str]]
"""A crop's labels by aspect: ``kind``, ``colour`` (or any ``attribute``), ``relation``; an aspect that does not apply
is missing.
"""


class Purity(NamedTuple):
    """How well codes agree with one value each.

    Attributes:
        share: (codes,), the fraction of a code's weight on crops of its value; 0 for unused codes.
        value: for each code the value with most of its weight.
        mean: over the codes, weighted by their use.
        shuffled: the mean for labels exchanged at random: the purity by chance.
    """

    share: np.ndarray
    value: list[str]
    mean: float
    shuffled: float


def used(crops: np.ndarray, words: np.ndarray) -> dict[str, float]:
    """Return the numbers of codes with a weight in any crop, word, and both, and the mean number of codes of ``each`` crop.

    From weights of (crops, codes) and (words, codes).
    """
    seen, spoken = (crops > 0).any(0), (words > 0).any(0)
    sums = {"by_crops": seen.sum(), "by_words": spoken.sum(), "by_both": (seen & spoken).sum()}
    return {name: int(n) for name, n in sums.items()} | {"each": round(float((crops > 0).sum(1).mean()), 2)}


def top(weights: np.ndarray, code: int, n: int = 5) -> list[int]:
    """Return the rows with most of ``code``, in decreasing order, without those that have none."""
    order = np.argsort(-weights[:, code], kind="stable")[:n]
    return [int(i) for i in order if weights[i, code] > 0]


def foremost(weights: np.ndarray, n: int = 5) -> np.ndarray:
    """Return 1 where a crop is among the ``n`` with most of a code, else 0: (crops, codes)."""
    marks = np.zeros_like(weights)
    for code in range(weights.shape[1]):
        marks[top(weights, code, n), code] = 1
    return marks


def purity(weights: np.ndarray, labels: Sequence[frozenset[str]], seed: int = 0) -> Purity:
    """Return how well each code agrees with one of the values in ``labels``; a crop may have several.

    Args:
        weights: (crops, codes).
        labels: the labels of each crop, at least one.
    """
    values = sorted(frozenset().union(*labels))
    has = np.array([[value in crop_values for value in values] for crop_values in labels], dtype=float)
    share = _shares(weights, has)
    mixed = _shares(weights, np.random.default_rng(seed).permutation(has))
    use = weights.sum(0) / max(weights.sum(), 1e-12)
    best = share.max(1)
    return Purity(best, [values[i] for i in share.argmax(1)], float(use @ best), float(use @ mixed.max(1)))


def _shares(weights: np.ndarray, has: np.ndarray) -> np.ndarray:
    """Return the fraction of a code's weight on crops with a value: (codes, values)."""
    whole = weights.sum(0)[:, None]
    return np.divide(weights.T @ has, whole, out=np.zeros((weights.shape[1], has.shape[1])), where=whole > 0)


# --- Crops and what is true of them ----


def of_truth(rows: Iterable[Mapping[str, Any]], seed: int = 0) -> dict[Crop, Labels]:
    """Return crops of the table ``truth``: each thing with its kind and colour, and pairs with all relations between them."""
    labels: dict[Crop, Labels] = {}
    for row in rows:
        small = row["image_width"] * row["image_height"] / 2
        crops = [Crop(row["image_id"], *(thing[side] for side in Crop._fields[1:])) for thing in row["things"]]
        shown = [i for i, crop in enumerate(crops) if min(crop.width, crop.height) >= MIN_SIDE and _area(crop) < small]
        for i in shown:
            thing = row["things"][i]
            labels[crops[i]] = {aspect: frozenset({thing[aspect]}) for aspect in ("kind", "colour") if thing[aspect]}
        # A crop does not show which of the two is the subject: it has the relations of both to each other.
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
    """Return crops of the table ``regions``, of any annotated images, with labels from their descriptions."""
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
