"""NegCLIP's image negatives: features of all images, by a model or by their pixels, and the nearest images of each.

Yuksekgonul et al., ICLR 2023, section 4 and appendix C.2.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from stages.console.progress import progress
from stages.contract.errors import CrepeError
from stages.contract.files import complete
from stages.contract.resume import load_done, mark_done
from stages.contract.workers import Running, each
from stages.models.digests import key_of
from stages.models.encoding import Recipe, model_of
from stages.pairs import pairs
from stages.pairs.pairs import Pairs
from stages.parameters.sections import Evaluate, Models

SIDE = 8
"""Side of an image in pixels, where pixels are the features."""
BATCH = 256
"""Number of images decoded at a time."""
BLOCK = 1024
"""Number of images whose neighbours are searched at a time."""
SIMILARITIES = 1 << 28
"""Maximum number of similarities computed at a time, a gigabyte."""
EXACT = 1_000_000
"""Maximum number of images for which all similarities are computed; for more, faiss searches a graph of neighbours."""
LINKS, VISITED = 32, 64
"""faiss's graph: links of each image, and the minimum number of images that a search visits."""
SPARE = 8
"""Number of extra neighbours to search for, because some are not allowed."""


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


# --- The nearest ----


def nearest(features: np.ndarray, k: int, captions: Sequence[Sequence[str]], digests: Sequence[bytes]) -> Iterator[list[int]]:
    """Return for each image, in order, the ``k`` images with the most similar features; fewer where there are not so many.

    Excluded are the same picture, and images that share a caption with the image: the caption would be true of both.

    Args:
        features: (n, width), of length 1.
        digests: of each image's bytes.
    """
    caption_sets = [set(of_image) for of_image in captions]
    search = _exact(features) if len(features) <= EXACT else _approximate(features)
    for start in progress(range(0, len(features), BLOCK), "neighbours", f"{BLOCK:,} images"):
        rows = range(start, min(start + BLOCK, len(features)))
        wanted, left, neighbours = k + SPARE, list(rows), dict[int, list[int]]()
        while left:
            wanted = min(wanted, len(features))
            for i, near in zip(left, search(left, wanted), strict=True):
                neighbours[i] = [
                    j for j in near.tolist() if j >= 0 and digests[i] != digests[j] and caption_sets[i].isdisjoint(captions[j])
                ][:k]
            left = [i for i in left if len(neighbours[i]) < k] if wanted < len(features) else []
            wanted *= 8
        yield from (neighbours[i] for i in rows)


def _exact(features: np.ndarray):  # type: ignore[no-untyped-def]
    every = torch.from_numpy(np.ascontiguousarray(features, np.float32))

    def search(rows: list[int], k: int) -> Tensor:
        parts = torch.tensor(rows).split(SIMILARITIES // len(every))
        return torch.cat([(every[part] @ every.T).topk(k, dim=1).indices for part in parts])

    return search


def _approximate(features: np.ndarray):  # type: ignore[no-untyped-def]
    import faiss  # imported here, because it is rarely needed

    every = np.ascontiguousarray(features, np.float32)
    index = faiss.IndexHNSWFlat(every.shape[1], LINKS, faiss.METRIC_INNER_PRODUCT)
    index.add(every)

    def search(rows: list[int], k: int) -> np.ndarray:
        index.hnsw.efSearch = max(VISITED, 2 * k)
        return index.search(every[rows], k)[1]

    return search
