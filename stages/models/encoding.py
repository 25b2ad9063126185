"""Distributed encoding: each task is a shard of features that a worker writes into the store.

A task is small (boxes and captions, no pictures) and has all that it needs, so that it can be sent to another machine; the
folders of images and of cached features must be there too. A lost task is run again and makes the same shard.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from stages.console.progress import progress_bar
from stages.contract.errors import CrepeError
from stages.contract.workers import Machine, each
from stages.images.crops import Crop, ImageFolder
from stages.models.contract import DualEncoder, Model
from stages.models.features import FeatureStore, named_errors
from stages.models.load import load
from stages.parameters.sections import Evaluate, Models

# How many to encode between two writes: a few minutes of work at most.
CROPS, TEXTS = 256, 8192


@dataclass(frozen=True)
class Recipe:
    """Which model encodes, and how: sections of the parameters as JSON, so that a recipe can be compared and sent."""

    name: str
    presets: str
    settings: str

    @classmethod
    def of(cls, name: str, presets: Models, settings: Evaluate) -> Recipe:
        return cls(name, Models({name: presets.root[name]}).model_dump_json(), settings.model_dump_json())


@dataclass(frozen=True)
class Piece:
    """A shard to make: crops of ``images``, or captions; ``keys`` are their keys in the store at ``kept``."""

    recipe: Recipe
    identity: str
    kept: Path
    keys: list[bytes]
    images: ImageFolder
    crops: list[Crop]
    texts: list[str]


@lru_cache(maxsize=1)
def _model(recipe: Recipe) -> DualEncoder:
    model = load(recipe.name, Models.model_validate_json(recipe.presets), Evaluate.model_validate_json(recipe.settings))
    if not isinstance(model, DualEncoder):
        raise TypeError(f"{recipe.name} is not a dual encoder")
    return model


def encode_piece(piece: Piece) -> int:
    """Make a task's shard, and return the number of encoded things."""
    model = _model(piece.recipe)
    if model.identity != piece.identity:
        raise CrepeError(
            "a worker has another model or device. Remedy: name device and precision, and put the weights at one path."
        )
    if piece.texts:
        with named_errors(model.name, dict(zip(piece.keys, piece.texts, strict=True)).__getitem__):
            truncated = model.truncated(piece.texts)
            FeatureStore.write(piece.kept, piece.keys, model.encode_text(piece.texts), truncated)
        return len(piece.texts)
    keys = dict(zip(piece.crops, piece.keys, strict=True))
    prepared = [(keys[crop], thing) for crop, thing in piece.images.crops(keys, model.prepare)]
    with named_errors(model.name, dict(zip(piece.keys, piece.crops, strict=True)).__getitem__):
        FeatureStore.write(piece.kept, [key for key, _ in prepared], model.encode_image([thing for _, thing in prepared]))
    return len(prepared)


def encode_ahead(
    recipe: Recipe,
    model: Model,
    workers: int,
    images: ImageFolder,
    folder: Path,
    crops: Sequence[tuple[bytes, Crop]],
    texts: Sequence[tuple[bytes, str]],
) -> None:
    """Encode ``crops`` and ``texts`` on a Ray cluster into the folder of cached features; a GPU a worker where the model uses one.

    Partially applied, it is the argument ``ahead`` of :class:`stages.models.scoring.Scorer`.
    """
    todo = list(pieces(recipe, model.identity, folder.resolve(), images, crops, texts))
    gpus = 1 if "cuda" in model.identity.rsplit(maxsplit=1)[-1] else 0
    with progress_bar("encoding", "item", len(crops) + len(texts)) as bar:
        for _, done in each(encode_piece, todo, Machine(workers, "ray"), gpus):
            bar.update(done)


def pieces(
    recipe: Recipe,
    identity: str,
    folder: Path,
    images: ImageFolder,
    crops: Sequence[tuple[bytes, Crop]],
    texts: Sequence[tuple[bytes, str]],
) -> Iterator[Piece]:
    """Yield the tasks of encoding ``crops`` and ``texts``, with similar ones together."""
    crops, texts = sorted(crops, key=lambda item: item[1]), sorted(texts, key=lambda item: item[1])
    root = images.root.resolve()
    for start in range(0, len(crops), CROPS):
        keys, some = zip(*crops[start : start + CROPS], strict=True)
        asked = {crop.image_id for crop in some}
        names = {i: images.names[i] for i in asked & images.names.keys()}
        sizes = {i: images.sizes[i] for i in asked & images.sizes.keys()}
        yield Piece(recipe, identity, folder / "crops", list(keys), ImageFolder(root, names, sizes), list(some), [])
    for start in range(0, len(texts), TEXTS):
        keys, words = zip(*texts[start : start + TEXTS], strict=True)
        yield Piece(recipe, identity, folder / "texts", list(keys), ImageFolder(root), [], list(words))
