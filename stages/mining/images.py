"""What images are alike: features of all of them, by a model or by their pixels, and the nearest of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from stages.console.progress import progress
from stages.contract.errors import CrepeError
from stages.mining.neighbours import nearest
from stages.models.contract import DualEncoder
from stages.models.load import load
from stages.pairs import pairs
from stages.pairs.pairs import Pairs
from stages.parameters.sections import Evaluate, Models

SIDE = 8
"""Pixels a side of an image where no model looks at it."""
PIECE = 256
"""Images decoded at a time."""


class Mined(NamedTuple):
    """The neighbours of each image that can be read, by their keys, and the keys of those that cannot."""

    neighbours: dict[str, list[str]]
    unreadable: list[str]


def mine(every: Pairs, k: int, model: str, presets: Models, settings: Evaluate, workers: int) -> Mined:
    """The ``k`` nearest images of each.

    Args:
        model: a name of ``presets``, or ``pixels``.
        settings: section ``evaluate``, by which the model is loaded.
        workers: threads that decode images.
    """
    prepare, encode = _pixels() if model == "pixels" else _by_model(model, presets, settings)
    digests: list[bytes] = []
    good: list[int] = []
    features: list[np.ndarray] = []
    for numbers in _pieces(len(every.keys)):
        with ThreadPoolExecutor(workers) as pool:
            read = list(pool.map(lambda i: _prepared(every.pictures[i], prepare), numbers))
        fine = [(i, *found) for i, found in zip(numbers, read, strict=True) if found is not None]
        if fine:
            rows, these, things = zip(*fine, strict=True)
            good += rows
            digests += these
            features.append(encode(list(things)).astype(np.float32))
    if not features:
        raise CrepeError("no image of train.pairs can be read. Remedy: look at its pictures.")
    matrix = np.concatenate(features)
    if model == "pixels":
        matrix -= matrix.mean(0)
        matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-6)
    found = nearest(matrix, k, [every.captions[i] for i in good], digests)
    keys = [every.keys[i] for i in good]
    neighbours = {key: [keys[j] for j in near] for key, near in zip(keys, found, strict=True)}
    return Mined(neighbours, [key for key in every.keys if key not in neighbours])


def _pieces(n: int) -> Iterator[range]:
    for start in progress(range(0, n, PIECE), "features", f"{PIECE} images"):
        yield range(start, min(start + PIECE, n))


def _prepared(picture: bytes | pairs.Place, prepare: Callable[[Image.Image], Any]) -> tuple[bytes, Any] | None:
    """A digest of a picture's bytes, and the picture as the model takes it; ``None`` where it cannot be read."""
    try:
        data = pairs.data_of(picture)
    except OSError:
        return None
    image = pairs.image_of(data)
    return None if image is None else (blake2b(data, digest_size=16).digest(), prepare(image))


def _pixels() -> tuple[Callable[[Image.Image], Any], Callable[[list[Any]], np.ndarray]]:
    def prepare(image: Image.Image) -> np.ndarray:
        return np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BOX)).reshape(-1)

    return prepare, np.stack


def _by_model(
    model: str, presets: Models, settings: Evaluate
) -> tuple[Callable[[Image.Image], Any], Callable[[list[Any]], np.ndarray]]:
    loaded = load(model, presets, settings)
    if not isinstance(loaded, DualEncoder):
        raise CrepeError(f"{model} scores only pairs of image and caption. Remedy: name a dual encoder as mine_negatives.features.")
    return loaded.prepare, loaded.encode_image
