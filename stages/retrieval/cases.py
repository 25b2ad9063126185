"""Cases of several images and captions: which caption belongs to which image, asked row by row and scored together.

A case of N images and M captions is N retrieval sets, one an image, that name the same case; each has the image's true caption
first and the other captions of the case as negatives. A case of one image with several true captions (SugarCrepe++) is one set
for each true caption. So all that is known of retrieval sets (ranks, blind scorers, the report) holds for cases, too, and what
a suite counts over whole cases is counted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from stages.retrieval.figures import mean_error, percent
from stages.retrieval.sets import Query, RetrievalSet
from stages.visual_genome.crops import Crop


def two_by_two(
    suite: str, name: str, case: str, crops: Sequence[Crop], captions: Sequence[str], source: tuple[str, str] | None = None
) -> list[RetrievalSet]:
    """Two images with a caption each, as Winoground, Cola and ColorSwap have them; ``source`` as retrieval sets have it."""
    queries = [Query(f"{case}-{i}", crops[i], case=case) for i in (0, 1)]
    return [RetrievalSet(suite, name, queries[i], captions[i], (captions[1 - i],), ("",), source) for i in (0, 1)]


def clusters(sets: Sequence[RetrievalSet]) -> np.ndarray:
    """What of each set hangs together, as numbers of shape (sets,): its image, or the first of all images of cases in common.

    Who learns from one image of a case which caption is true knows that it is the other one's negative.
    """
    images, image = np.unique([s.query.crop.image_id for s in sets], return_inverse=True)
    cases = {case: i for i, case in enumerate(dict.fromkeys(s.query.case for s in sets if s.query.case), start=len(images))}
    ends = [cases.get(s.query.case or "", i) for s, i in zip(sets, image.tolist(), strict=True)]
    size = len(images) + len(cases)
    graph = sparse.coo_array((np.ones(len(ends)), (image, ends)), shape=(size, size))
    _, part = csgraph.connected_components(graph, directed=False)
    _, first = np.unique(part[: len(images)], return_index=True)
    return images[first[np.searchsorted(np.unique(part), part[image])]]


def figures(sets: Sequence[RetrievalSet], scores: Sequence[np.ndarray]) -> dict[str, Any]:
    """What is counted over whole cases, in per cent with ``_se`` (clustered by the cases' first image); ``n`` cases.

    ``text``: every image prefers its caption. Of cases with two images or more also ``image``: every caption prefers its image, and
    ``group``: both. A tie is wrong, as the suites' own scripts have it; ``text_chance`` and so on are for scores drawn at random.

    Args:
        scores: of each set, the truth's first.
    """
    places: dict[str, list[int]] = {}
    for i, s in enumerate(sets):
        if s.query.case is not None:
            places.setdefault(s.query.case, []).append(i)
    cases = list(places.values())
    images = np.array([sets[of[0]].query.crop.image_id for of in cases])
    text = np.array([all(scores[i][0] > scores[i][1:].max() for i in of) for of in cases], dtype=float)
    found: dict[str, Any] = {"n": len(cases), **_share("text", text, images)}
    sizes = {len({sets[i].query.crop for i in of}) for of in cases}
    if sizes != {2}:
        return found
    image = np.array([_images_right([sets[i] for i in of], [scores[i] for i in of]) for of in cases], dtype=float)
    return {
        **found,
        **_share("image", image, images),
        **_share("group", text * image, images),
        **{"text_chance": 25.0, "image_chance": 25.0, "group_chance": 16.667},
    }


def _images_right(sets: Sequence[RetrievalSet], scores: Sequence[np.ndarray]) -> bool:
    """Whether the caption of each image scores higher with it than with every other image of the case."""
    of = [dict(zip(s.texts, scores[i].tolist(), strict=True)) for i, s in enumerate(sets)]
    return all(of[i][s.truth] > of[j].get(s.truth, -np.inf) for i, s in enumerate(sets) for j in range(len(sets)) if i != j)


def _share(name: str, right: np.ndarray, images: np.ndarray) -> dict[str, Any]:
    return {name: percent(right.mean()), f"{name}_se": percent(mean_error(right, images))}
