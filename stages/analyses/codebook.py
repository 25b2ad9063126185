"""Analysis of a trained model's codebook: how many codes are used, what they agree with, their crops and their words."""

import random
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from stages.analyses.codes import Labels, Purity, foremost, of_regions, of_truth, purity, top, used
from stages.contract import tables
from stages.images.crops import Crop, ImageFolder
from stages.models.codebook import CodebookModel
from stages.models.contract import finite

LOOKED_AT = 20_000
"""Maximum number of crops analysed, drawn from all."""
SHOWN = 40
"""Number of codes shown, the most used ones."""
ASPECTS = ("kind", "colour", "attribute", "relation")


def labels_of(truth: Path, regions: Path) -> dict[Crop, Labels]:
    """Return the analysed crops, and their labels: by the sample's truth, or else by their regions' descriptions."""
    labels = of_truth(tables.read("truth", truth)) if truth.is_file() else of_regions(tables.read("regions", regions))
    drawn = random.Random(0).sample(sorted(labels), min(LOOKED_AT, len(labels)))
    return {crop: labels[crop] for crop in drawn}


def looked_at(model: CodebookModel, folder: ImageFolder, crops: Sequence[Crop], workers: int) -> np.ndarray:
    """Return the weights of the codes for each crop: (crops, codes)."""
    codes: dict[Crop, np.ndarray] = {}
    prepared = folder.crops(crops, model.prepare, workers)
    while batch := dict(islice(prepared, model.batch)):
        codes |= zip(batch, finite(model.codes([*batch.values()]), [*batch], model.name), strict=True)
    return np.stack([codes[crop] for crop in crops])


def purities(weights: np.ndarray, labels: Sequence[Labels], of_best: bool = False) -> dict[str, Purity]:
    """Return the purity by aspect, over the crops with a label, or over each code's five best of them."""
    by_aspect = {}
    for aspect in ASPECTS:
        rows = [i for i, labels_here in enumerate(labels) if labels_here.get(aspect)]
        if rows:
            counted = foremost(weights[rows]) if of_best else weights[rows]
            by_aspect[aspect] = purity(counted, [labels[i][aspect] for i in rows])
    return by_aspect


def figures(
    weights: np.ndarray, word_weights: np.ndarray, words: Sequence[str], crops: Sequence[Crop], labels: Sequence[Labels]
) -> dict[str, Any]:
    """Return the codebook's part of ``metrics/analyse.json``, from weights of (crops, codes) and (words, codes)."""
    agree, best = purities(weights, labels), purities(weights, labels, of_best=True)
    share = weights.sum(0) / weights.sum()
    order = [int(code) for code in np.argsort(-share, kind="stable")[:SHOWN] if share[code]]
    return {
        "codes": weights.shape[1],
        "crops": len(crops),
        "used": used(weights, word_weights),
        "purity": {name: {"all": _means(agree[name]), "best": _means(best[name])} for name in agree},
        "top": [
            {
                "code": code,
                "share": round(100 * float(share[code]), 2),
                "words": [words[i] for i in top(word_weights, code)],
                "agrees": {
                    name: [purity_of.value[code], round(float(purity_of.share[code]), 2)]
                    for name, purity_of in agree.items()
                    if purity_of.share[code]
                },
                "crops": [list(crops[i]) for i in top(weights, code)],
            }
            for code in order
        ],
    }


def _means(purity: Purity) -> dict[str, float]:
    return {"mean": round(purity.mean, 3), "shuffled": round(purity.shuffled, 3)}


def look(model: CodebookModel, found: Mapping[Crop, Labels], images: Path, workers: int) -> dict[str, Any]:
    """Return :func:`figures` of a model, with all words of its crops' labels."""
    crops, labels = list(found), list(found.values())
    words = sorted({name for aspects in labels for names in aspects.values() for name in names})
    return figures(looked_at(model, ImageFolder(images), crops, workers), model.word_codes(words), words, crops, labels)
