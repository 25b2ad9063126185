"""Retrieval of captions and images whose order was lost (Yuksekgonul et al., ICLR 2023, section 3.1, tables 3 and 4).

Several captions belong to one image: from an image any of its captions counts, from a caption its image.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from stages.retrieval.figures import percent
from stages.retrieval.ranks import Ranks

RECALLS = (1, 5)
ROWS = 512
"""Images compared with all captions at a time: 100 MB at 25,000 captions."""


def both_ways(images: np.ndarray, texts: np.ndarray, owner: np.ndarray) -> dict[str, float]:
    """R@1 and R@5 from images to texts (``i2t``) and back (``t2i``), as shares.

    Args:
        images, texts: features of length 1; shapes (images, width) and (texts, width).
        owner: the image of each text; each image has one at least.

    From an image the best placed of its captions counts. Ties with captions of other images have their expected rank, so that a
    model that scores everything alike stands at chance and not at the top.
    """
    best = np.full(len(images), -np.inf, np.float32)
    above, ties = np.zeros(len(images), np.int64), np.zeros(len(images), np.int64)
    text_above, text_ties = np.zeros(len(texts), np.int64), np.zeros(len(texts), np.int64)
    own = np.einsum("ij,ij->i", images[owner].astype(np.float64), texts.astype(np.float64)).astype(np.float32)
    np.maximum.at(best, owner, own)
    for start in range(0, len(images), ROWS):
        rows = np.arange(start, min(start + ROWS, len(images)))
        scores = (images[rows].astype(np.float64) @ texts.T.astype(np.float64)).astype(np.float32)
        mine = owner[None, :] == rows[:, None]
        scores[mine] = own[np.nonzero(mine)[1]]
        above[rows] = ((scores > best[rows, None]) & ~mine).sum(axis=1)
        ties[rows] = ((scores == best[rows, None]) & ~mine).sum(axis=1)
        text_above += ((scores > own[None, :]) & ~mine).sum(axis=0)
        text_ties += ((scores == own[None, :]) & ~mine).sum(axis=0)
    i2t = Ranks(above, ties, np.full(len(images), len(texts)))
    t2i = Ranks(text_above, text_ties, np.full(len(texts), len(images)))
    return {f"{way}_r{k}": float(ranks.recall(k).mean()) for way, ranks in (("i2t", i2t), ("t2i", t2i)) for k in RECALLS}


def over_seeds(found: Mapping[str, Iterable[Mapping[str, float]]]) -> dict[str, dict[str, Any]]:
    """Of each perturbation, whose figures by seed are given, the mean of every recall in per cent, and its standard deviation
    (``_sd``); ``seeds`` is how many there were.
    """
    figures: dict[str, dict[str, Any]] = {}
    for name, runs in found.items():
        every = list(runs)
        figures[name] = {"seeds": len(every)}
        for key in every[0]:
            values = np.array([run[key] for run in every])
            figures[name] |= {key: percent(values.mean()), f"{key}_sd": percent(values.std(ddof=1)) if len(every) > 1 else 0.0}
    return figures
