"""Cases of several images and captions (:class:`stages.evaluation.sets.Case`): metrics over whole cases.

A case is split into retrieval sets, so that ranks, text-only scorers and the report apply to it as well. A suite's metrics over
whole cases, such as Winoground's group score, are computed here from the scores of all pairs in its mask.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from stages.evaluation.figures import percent, share
from stages.evaluation.sets import Case, RetrievalSet
from stages.images.crops import Crop

Mask = tuple[tuple[bool, ...], ...]
"""Which caption (column) is true of which image (row)."""


def clusters(sets: Sequence[RetrievalSet]) -> np.ndarray:
    """Return the cluster of each set, as numbers of shape (sets,): its image, or the first of all images of cases in common.

    A scorer that learns from one image of a case which caption is true knows that it is the other image's negative. False images
    that no set of the case asks about (SVO-Probes, Cola's single objects) are not linked: they would chain nearly all cases into
    one cluster.
    """
    of_sets = [s.query.crop.image_id if s.query.cut_from is None else s.query.cut_from for s in sets]
    images, image = np.unique(of_sets, return_inverse=True)
    names = [s.query.case.case_id if s.query.case else "" for s in sets]
    cases = {name: i for i, name in enumerate(dict.fromkeys(name for name in names if name), start=len(images))}
    ends = [cases.get(name, i) for name, i in zip(names, image.tolist(), strict=True)]
    size = len(images) + len(cases)
    graph = sparse.coo_array((np.ones(len(ends)), (image, ends)), shape=(size, size))
    _, part = csgraph.connected_components(graph, directed=False)
    _, first = np.unique(part[: len(images)], return_index=True)
    return images[first[np.searchsorted(np.unique(part), part[image])]]


def figures(sets: Sequence[RetrievalSet], scores: Sequence[np.ndarray]) -> dict[str, Any]:
    """Return the metrics over whole cases, in per cent with ``_se``, clustered as the sets are (:func:`clusters`); ``n`` cases.

    ``text``: every image scores its captions above those that are false of it. ``image``: every caption scores its images above all
    others. ``group``: both. Each is present where the cases test it; a tie counts as wrong, as in the suites' own scripts, and
    ``text_chance`` and so on are for random scores. ``map``, where captions belong to several images: the mean over the
    captions of the average precision of their images.

    Args:
        scores: the scores of each set, the truth's first.
    """
    cases: dict[str, Case] = {}
    cluster_of: dict[str, int] = {}
    scores_of: dict[str, dict[tuple[Crop, str], float]] = {}
    for s, values_of_set, cluster in zip(sets, scores, clusters(sets).tolist(), strict=True):
        if s.query.case is not None:
            cases[s.query.case.case_id], cluster_of[s.query.case.case_id] = s.query.case, cluster
            scores_of.setdefault(s.query.case.case_id, {}).update(
                zip(zip(s.crops, s.texts, strict=True), values_of_set.tolist(), strict=True)
            )
    asked: dict[Mask, list[str]] = {}
    for name, case in cases.items():
        asked.setdefault(tuple(map(tuple, case.mask)), []).append(name)
    values: dict[str, list[np.ndarray]] = {}
    for mask, names in asked.items():
        each = np.array([_matrix(cases[name], scores_of[name]) for name in names])
        cluster = np.array([cluster_of[name] for name in names])
        for key, value in _of_mask(each, np.array(mask)).items():
            values.setdefault(key, []).append(np.stack([np.broadcast_to(value, len(names)), cluster]))
    right = {key: np.concatenate(values_of_set, axis=1) for key, values_of_set in values.items()}
    counted: dict[str, Any] = {"n": len(cases)}
    for key, (value, cluster) in right.items():
        counted |= {key: percent(value.mean())} if key.endswith("_chance") else share(key, value, cluster)
    return counted


def of_suites(sets: Sequence[RetrievalSet], scores: Sequence[np.ndarray]) -> dict[str, dict[str, Any]]:
    """Return the metrics over all cases of each suite that splits cases of one mask into several sets, as Winoground does by tags.

    A suite whose cases have several masks has no such metrics, because they measure different things.
    """
    found = {}
    for suite in sorted({s.suite for s in sets if s.query.case}):
        of_suite = [(s, values) for s, values in zip(sets, scores, strict=True) if s.suite == suite]
        masks = {tuple(map(tuple, s.query.case.mask)) for s, _ in of_suite if s.query.case}
        if len({s.name for s, _ in of_suite}) > 1 and len(masks) == 1:
            found[suite] = figures(*zip(*of_suite, strict=True))
    return found


def _matrix(case: Case, scores: Mapping[tuple[Crop, str], float]) -> list[list[float]]:
    """Return scores as the case's mask; a pair that no set ranks is nan, and compared with no truth."""
    return [[scores.get((image, caption), np.nan) for caption in case.captions] for image in case.images]


def _of_mask(scores: np.ndarray, mask: np.ndarray) -> dict[str, Any]:
    """Return the metrics of cases of one mask, by case; ``scores`` of shape (cases, images, captions)."""
    figures: dict[str, Any] = {}
    for name, each, true in (("text", scores, mask), ("image", scores.transpose(0, 2, 1), mask.T)):
        rows = true.any(axis=1) & ~true.all(axis=1)
        if rows.any():
            figures[name] = _above(each[:, rows], true[rows])
            figures[f"{name}_chance"] = np.prod([1 / math.comb(len(row), int(row.sum())) for row in true[rows]])
    if {"text", "image"} <= figures.keys():
        figures["group"] = figures["text"] & figures["image"]
        if mask.shape == (2, 2):
            figures["group_chance"] = 1 / 6
    if (mask.sum(axis=0) > 1).any():
        from sklearn.metrics import average_precision_score  # here: it takes two seconds, and few suites ask this

        figures["map"] = [
            np.mean([average_precision_score(mask[:, j], case_scores[:, j]) for j in range(mask.shape[1])])
            for case_scores in scores
        ]
    return figures


def _above(scores: np.ndarray, true: np.ndarray) -> np.ndarray:
    """Return whether every row's ``true`` entries all score above its others; shapes (cases, rows, columns), (rows, columns)."""
    least, most = np.where(true, scores, np.inf).min(axis=2), np.where(true, -np.inf, scores).max(axis=2)
    return (least > most).all(axis=1)
