"""What images are alike: features of all of them, by a model or by their pixels, and the nearest of each."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from stages.console.progress import progress
from stages.contract.errors import CrepeError
from stages.contract.files import complete
from stages.mining.neighbours import nearest
from stages.models.contract import DualEncoder
from stages.models.digests import key_of
from stages.models.load import load
from stages.pairs import pairs
from stages.pairs.pairs import Pairs
from stages.parameters.sections import Evaluate, Models
from stages.resuming.resume import load_done, mark_done

SIDE = 8
"""Pixels a side of an image where no model looks at it."""
PIECE = 256
"""Images decoded at a time."""


class Mined(NamedTuple):
    """The neighbours of each image that can be read, by their keys, and the keys of those that cannot."""

    neighbours: dict[str, list[str]]
    unreadable: list[str]


def mine(every: Pairs, k: int, model: str, presets: Models, settings: Evaluate, workers: int, work: Path) -> Mined:
    """The ``k`` nearest images of each.

    Args:
        model: a name of ``presets``, or ``pixels``.
        settings: section ``evaluate``, by which the model is loaded.
        workers: threads that decode images.
        work: where features that are done lie.
    """
    prepare, encode = (_pixels, np.stack) if model == "pixels" else _by_model(model, presets, settings)
    digests: dict[int, bytes] = {}
    features: list[np.ndarray] = []
    with ThreadPoolExecutor(workers) as pool:
        for start in progress(range(0, len(every.keys), PIECE), "features", f"{PIECE} images"):
            mark = work / f"images-{start:012d}.json"
            if (done := load_done(mark)) is None:
                read = pool.map(lambda picture: _prepared(picture, prepare), every.pictures[start : start + PIECE])
                fine = {i: found for i, found in enumerate(read, start) if found is not None}
                done = [[i, digest.hex()] for i, (digest, _) in fine.items()]
                with complete(mark.with_suffix(".npy")) as partial, partial.open("wb") as file:
                    np.save(file, encode([thing for _, thing in fine.values()]).astype(np.float32) if fine else np.empty(0))
                mark_done(mark, done, mark.with_suffix(".npy"))
            if done:
                digests |= {i: bytes.fromhex(digest) for i, digest in done}
                features.append(np.load(mark.with_suffix(".npy")))
    if not features:
        raise CrepeError("no image of train.pairs can be read. Remedy: look at its pictures.")
    matrix = np.concatenate(features)
    if model == "pixels":
        matrix -= matrix.mean(0)
        matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-6)
    found = nearest(matrix, k, [every.captions[i] for i in digests], list(digests.values()))
    keys = [every.keys[i] for i in digests]
    neighbours = {key: [keys[j] for j in near] for key, near in zip(keys, found, strict=True)}
    return Mined(neighbours, [key for key in every.keys if key not in neighbours])


def _prepared(picture: bytes | pairs.Place, prepare: Callable[[Image.Image], Any]) -> tuple[bytes, Any] | None:
    """A digest of a picture's bytes, and the picture as the model takes it; ``None`` where it cannot be read."""
    found = pairs.opened(picture)
    return None if found is None else (key_of(found[0]), prepare(found[1]))


def _pixels(image: Image.Image) -> np.ndarray:
    return np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BOX)).reshape(-1)


def _by_model(
    model: str, presets: Models, settings: Evaluate
) -> tuple[Callable[[Image.Image], Any], Callable[[list[Any]], np.ndarray]]:
    loaded = load(model, presets, settings)
    if not isinstance(loaded, DualEncoder):
        raise CrepeError(f"{model} scores only pairs of image and caption. Remedy: name a dual encoder as mine_negatives.features.")
    return loaded.prepare, loaded.encode_image
