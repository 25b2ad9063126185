"""Perturbed retrieval (Yuksekgonul et al., ICLR 2023, section 3.1): retrieval without the order of words, or of image parts.

A model that loses little when the words of every caption, or the parts of every image, change places did not need their order: so
retrieval over such sets does not test it.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stages.evaluation.figures import deviation, percent
from stages.evaluation.raw import both_ways
from stages.evaluation.sets import Layout
from stages.images.crops import Crop, ImageFolder
from stages.models.contract import DualEncoder
from stages.models.patches import CUTS, PermutedImages
from stages.models.scoring import Scorer

NOTHING = np.zeros(0, dtype=np.int64)


def figures(rows: Iterable[Mapping[str, Any]], model: DualEncoder, images: ImageFolder, kept: Path, workers: int) -> dict[str, Any]:
    """Return R@1 and R@5 in both directions after each perturbation of the captions (``text``) and of the images (``image``).

    Returns:
        ``text.NAME`` and ``image.NAME`` in the form of :func:`over_seeds`; ``images`` and ``captions``, their numbers.
    """
    runs: dict[tuple[str, int], list[tuple[int, str]]] = {}
    for row in rows:
        runs.setdefault((row["perturbation"], row["seed"]), []).append((row["image_id"], row["caption"]))
    plain = runs["none", 0]
    numbers = sorted({image_id for image_id, _ in plain})
    crops = [Crop.whole(number) for number in numbers]
    texts = list(dict.fromkeys(caption for run in runs.values() for _, caption in run))
    scorer = Scorer(model, Layout(crops, texts, NOTHING, NOTHING, NOTHING), images, kept, workers)
    place = {text: i for i, text in enumerate(texts)}

    def asked(seen: np.ndarray, run: list[tuple[int, str]]) -> dict[str, float]:
        read = scorer.text_store.take(scorer.text_rows[[place[caption] for _, caption in run]])
        return both_ways(seen, read, np.searchsorted(numbers, [image_id for image_id, _ in run]))

    whole = scorer.crop_store.take(scorer.crop_rows)
    text: dict[str, list[dict[str, float]]] = {}
    for (name, _), run in sorted(runs.items()):
        text.setdefault(name, []).append(asked(whole, run))
    versions = [(cut, seed) for cut in sorted(CUTS.keys() - {"none"}) for seed in range(max(seed for _, seed in runs) + 1)]
    moved = Scorer(PermutedImages(model, versions), Layout(crops, [], NOTHING, NOTHING, NOTHING), images, kept, workers)
    seen = np.split(moved.crop_store.take(moved.crop_rows), len(versions), axis=1)
    image = {"none": text["none"]}
    for (cut, _), features in zip(versions, seen, strict=True):
        image.setdefault(cut, []).append(asked(features, plain))
    return {"images": len(crops), "captions": len(plain), "text": over_seeds(text), "image": over_seeds(image)}


def over_seeds(found: Mapping[str, Sequence[Mapping[str, float]]]) -> dict[str, dict[str, Any]]:
    """Return for each perturbation the mean of every recall over its ``seeds``, in per cent, and its standard deviation.

    The deviation has the suffix ``_sd`` (:func:`stages.evaluation.figures.deviation`).
    """
    figures: dict[str, dict[str, Any]] = {}
    for name, runs in found.items():
        figures[name] = {"seeds": len(runs)}
        for key in runs[0]:
            values = np.array([run[key] for run in runs])
            figures[name] |= {key: percent(values.mean()), f"{key}_sd": deviation(values)}
    return figures
