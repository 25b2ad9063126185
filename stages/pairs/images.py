"""Similar images: features of all images, by a model or by their pixels, and the nearest of each."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from stages.console.progress import progress
from stages.contract.errors import CrepeError
from stages.contract.files import complete
from stages.contract.resume import load_done, mark_done
from stages.contract.workers import Running, each
from stages.models.digests import key_of
from stages.models.encoding import Recipe, model_of
from stages.pairs import pairs
from stages.pairs.neighbours import nearest
from stages.pairs.pairs import Pairs
from stages.parameters.sections import Evaluate, Models

SIDE = 8
"""Side of an image in pixels, where pixels are the features."""
BATCH = 256
"""Number of images decoded at a time."""


class Mined(NamedTuple):
    """The neighbours of each readable image, by their keys, and the keys of the unreadable ones."""

    neighbours: dict[str, list[str]]
    unreadable: list[str]


class Batch(NamedTuple):
    """Pictures, the number of the first, the model, and the number of threads: a worker's task."""

    pictures: Sequence[bytes | pairs.Place]
    start: int
    recipe: Recipe | None
    threads: int


def mine(every: Pairs, k: int, model: str, presets: Models, settings: Evaluate, running: Running, work: Path) -> Mined:
    """Return the ``k`` nearest images of each.

    Args:
        model: a name of ``presets``, or ``pixels``.
        running: on this machine, the number of threads that decode images for one model; on a Ray cluster, each worker has a model.
    """
    digests: dict[int, bytes] = {}
    features: list[np.ndarray] = []
    recipe = None if model == "pixels" else Recipe.of(model, presets, settings)
    starts = range(0, len(every.keys), BATCH)
    marks = {start: work / f"images-{start:012d}.json" for start in starts}
    todo = [start for start in starts if load_done(marks[start]) is None]
    remote = running.runner == "ray"
    threads = 1 if remote else running.workers
    batches = (Batch(every.pictures[start : start + BATCH], start, recipe, threads) for start in todo)
    gpus = 1 if remote and recipe and settings.device == "cuda" else 0
    found = each(see, batches, running if remote else 1, gpus)
    for number, (seen, content) in progress(found, "features", f"{BATCH} images", len(todo)):
        mark = marks[todo[number]]
        with complete(mark.with_suffix(".npy")) as partial:
            partial.write_bytes(content)
        mark_done(mark, seen, mark.with_suffix(".npy"))
    for mark in marks.values():
        if done := load_done(mark):
            digests |= {i: bytes.fromhex(digest) for i, digest in done}
            features.append(np.load(mark.with_suffix(".npy")))
    if not features:
        raise CrepeError("no image of train.pairs can be read. Remedy: check its pictures.")
    matrix = np.concatenate(features)
    if model == "pixels":
        matrix -= matrix.mean(0)
        matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-6)
    alike = nearest(matrix, k, [every.captions[i] for i in digests], list(digests.values()))
    keys = [every.keys[i] for i in digests]
    neighbours = {key: [keys[j] for j in near] for key, near in zip(keys, alike, strict=True)}
    return Mined(neighbours, [key for key in every.keys if key not in neighbours])


def see(batch: Batch) -> tuple[list[list[Any]], bytes]:
    """Return the numbers and digests of a task's readable pictures, and their features as a NumPy file."""
    model = model_of(batch.recipe) if batch.recipe else None
    prepare, encode = (model.prepare, model.encode_image) if model else (_pixels, np.stack)
    with ThreadPoolExecutor(batch.threads) as pool:
        read = pool.map(lambda picture: _prepared(picture, prepare), batch.pictures)
        fine = {i: found for i, found in enumerate(read, batch.start) if found is not None}
    out = BytesIO()
    np.save(out, encode([thing for _, thing in fine.values()]).astype(np.float32) if fine else np.empty(0))
    return [[i, digest.hex()] for i, (digest, _) in fine.items()], out.getvalue()


def _prepared(picture: bytes | pairs.Place, prepare: Callable[[Image.Image], Any]) -> tuple[bytes, Any] | None:
    """Return a digest of a picture's bytes, and the picture as the model's input; ``None`` if it is unreadable."""
    found = pairs.opened(picture)
    return None if found is None else (key_of(found[0]), prepare(found[1]))


def _pixels(image: Image.Image) -> np.ndarray:
    return np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BOX)).reshape(-1)
