"""Baselines of a model's results: the model itself on the crop of another image, and a bag of words.

Foils differ from the truth by one atom each, so the truth's score is rarely extreme; with shuffled images its R@1 may be below 1/n.
And a set whose negatives have the truth's words cannot be solved without their order.
"""

from bisect import bisect
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from stages.evaluation.sets import Layout, RetrievalSet
from stages.text.tokens import words


def other_crops(sets: Sequence[RetrievalSet], layout: Layout, seed: int) -> np.ndarray:
    """Return the index of a crop of another image for everything each retrieval set ranks, drawn by seed and query id.

    The crop belongs to some set: it is the next one of another image on a ring of all crops, by consistent hashing, so that an
    added or removed query changes few others. If there is only one image, the crop stays its own.
    """
    own_crop = layout.crop[np.cumsum(layout.size) - layout.size]
    ring = sorted((_number(seed, *layout.crops[i]), i) for i in np.unique(own_crop).tolist())
    several = len({layout.crops[i].image_id for _, i in ring}) > 1
    chosen = own_crop.copy()
    for place, s in enumerate(sets):
        at = bisect(ring, (_number(seed, s.query.query_id), -1))
        while several and layout.crops[chosen[place]].image_id == s.query.crop.image_id:
            chosen[place] = ring[at % len(ring)][1]
            at += 1
    return np.repeat(chosen, layout.size)


def _number(*values: object) -> bytes:
    """Return a pseudo-random number that depends only on the ``values``."""
    return blake2b(repr(values).encode(), digest_size=8).digest()


def same_bag(layout: Layout) -> np.ndarray:
    """Return how many negatives of each retrieval set are the same bag of words as the truth, of shape (sets,).

    The truth on another crop does not count: a bag of words distinguishes it by the image.
    """
    numbers: dict[tuple[str, ...], int] = {}
    bags = [numbers.setdefault(tuple(sorted(words(text))), len(numbers)) for text in layout.texts]
    bag = np.array(bags, dtype=np.int64)[layout.text]
    start = np.cumsum(layout.size) - layout.size
    if not len(start):
        return start
    same = (bag == np.repeat(bag[start], layout.size)) & (layout.crop == np.repeat(layout.crop[start], layout.size))
    return np.add.reduceat(same.astype(np.int64), start) - 1
