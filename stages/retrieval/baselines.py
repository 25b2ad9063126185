"""Baselines of a model's figures: the model itself on the crop of another image, and a bag of words.

Foils differ from the truth by one atom each, so the truth is rarely the extreme of what a model likes to hear; with images
shuffled it may come out below 1/n. And a set whose negatives have the truth's words cannot be solved without their order.
"""

from bisect import bisect
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from stages.retrieval.sets import Layout, RetrievalSet
from stages.wording.tokens import words


def other_crops(sets: Sequence[RetrievalSet], layout: Layout, seed: int) -> np.ndarray:
    """Return for all that each retrieval set ranks the index of one crop of another image, drawn from the seed and the query's id.

    It is one that some set asks about: the next one of another image on a ring of these, by consistent hashing. So a query that
    comes or goes moves few others' crops. With one image in all there is no other, and the crop stays its own.
    """
    own = layout.crop[np.cumsum(layout.size) - layout.size]
    ring = sorted((_number(seed, *layout.crops[i]), i) for i in np.unique(own).tolist())
    several = len({layout.crops[i].image_id for _, i in ring}) > 1
    chosen = own.copy()
    for place, s in enumerate(sets):
        at = bisect(ring, (_number(seed, s.query.query_id), -1))
        while several and layout.crops[chosen[place]].image_id == s.query.crop.image_id:
            chosen[place] = ring[at % len(ring)][1]
            at += 1
    return np.repeat(chosen, layout.size)


def _number(*of: object) -> bytes:
    """Return a number that looks random, and depends on nothing but ``of``."""
    return blake2b(repr(of).encode(), digest_size=8).digest()


def same_bag(layout: Layout) -> np.ndarray:
    """How many negatives of each retrieval set are the same bag of words as the truth, of shape (sets,).

    The truth with another crop is none: a bag of words knows it by the image.
    """
    numbers: dict[tuple[str, ...], int] = {}
    bags = [numbers.setdefault(tuple(sorted(words(text))), len(numbers)) for text in layout.texts]
    bag = np.array(bags, dtype=np.int64)[layout.text]
    start = np.cumsum(layout.size) - layout.size
    if not len(start):
        return start
    same = (bag == np.repeat(bag[start], layout.size)) & (layout.crop == np.repeat(layout.crop[start], layout.size))
    return np.add.reduceat(same.astype(np.int64), start) - 1
