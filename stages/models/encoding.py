"""Encoding in shards of features, which this process, or workers on other machines, write into the folder of cached features.

A worker's task is small (boxes and captions, no pictures) and has all that it needs; the folders of images and of cached features
must be on its machine too. A lost task is run again and makes the same shard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from stages.console.progress import progress_bar
from stages.contract.errors import CrepeError
from stages.contract.workers import Machine, each
from stages.images.crops import Crop, ImageFolder
from stages.models.contract import DualEncoder, Model, finite
from stages.models.features import FeatureStore
from stages.models.load import load_dual
from stages.parameters.sections import Evaluate, Models

# How many to encode between two writes: a few minutes of work at most. Prepared crops of a shard take some 150 MB.
CROPS, TEXTS = 256, 8192


class Missing(NamedTuple):
    """Crops of ``images`` and texts, with their keys, that the folder of cached features lacks; or a shard of them."""

    images: ImageFolder
    folder: Path
    crops: Sequence[tuple[bytes, Crop]]
    texts: Sequence[tuple[bytes, str]]


Encode = Callable[[Missing], None]
"""Writes shards of what is missing."""


@dataclass(frozen=True)
class Recipe:
    """Which model encodes, and how: sections of the parameters as JSON, so that a recipe can be compared and sent."""

    name: str
    presets: str
    settings: str

    @classmethod
    def of(cls, name: str, presets: Models, settings: Evaluate) -> Recipe:
        return cls(name, Models({name: presets.root[name]}).model_dump_json(), settings.model_dump_json())


@lru_cache(maxsize=1)
def model_of(recipe: Recipe) -> DualEncoder:
    """Return the recipe's model, which a worker loads once."""
    return load_dual(recipe.name, Models.model_validate_json(recipe.presets), Evaluate.model_validate_json(recipe.settings))


def encode_piece(piece: Missing, model: DualEncoder) -> int:
    """Make a shard, and return the number of encoded things.

    Raises:
        CrepeError: some features are not finite: their scores would have no order.
    """
    if piece.crops:
        keys = {crop: key for key, crop in piece.crops}
        return encode_crops(model, piece.folder, keys, list(piece.images.crops(keys, model.prepare)))
    text_keys, texts = zip(*piece.texts, strict=True)
    # First check whether they can be read at all: encoding takes minutes.
    truncated = model.truncated(texts)
    features = finite(model.encode_text(texts), [f"caption {text!r}" for text in texts], model.name)
    FeatureStore.write(piece.folder / "texts", text_keys, features, truncated)
    return len(texts)


def encode_crops(model: DualEncoder, folder: Path, keys: Mapping[Crop, bytes], prepared: Sequence[tuple[Crop, Any]]) -> int:
    """Make a shard of prepared crops, and return their number."""
    crops, things = zip(*prepared, strict=True)
    features = finite(model.encode_image(things), list(map(described, crops)), model.name)
    FeatureStore.write(folder / "crops", [keys[crop] for crop in crops], features)
    return len(crops)


def described(crop: Crop) -> str:
    """Return a crop's image and box, for messages."""
    return f"image {crop.image_id}, box {tuple(crop[1:])}"


def pieces(missing: Missing) -> Iterator[Missing]:
    """Yield the shards to make, with similar crops and texts together, and images that workers find from any place."""
    crops, texts = sorted(missing.crops, key=lambda item: item[1]), sorted(missing.texts, key=lambda item: item[1])
    root, names, sizes = missing.images.root.resolve(), missing.images.names, missing.images.sizes
    for start in range(0, len(crops), CROPS):
        some = crops[start : start + CROPS]
        asked = {crop.image_id for _, crop in some}
        images = ImageFolder(root, {i: names[i] for i in asked & names.keys()}, {i: sizes[i] for i in asked & sizes.keys()})
        yield Missing(images, missing.folder.resolve(), some, [])
    for start in range(0, len(texts), TEXTS):
        yield Missing(ImageFolder(root), missing.folder.resolve(), [], texts[start : start + TEXTS])


def encode_here(model: DualEncoder, workers: int, missing: Missing) -> None:
    """Encode in this process; ``workers`` threads read, decode and prepare the next images while the model encodes."""
    keys = {crop: key for key, crop in missing.crops}
    prepared = missing.images.crops(keys, model.prepare, workers)
    with progress_bar("encoding", "item", len(missing.crops) + len(missing.texts)) as bar:
        while some := list(islice(prepared, CROPS)):
            bar.update(encode_crops(model, missing.folder, keys, some))
        for piece in pieces(missing._replace(crops=())):
            bar.update(encode_piece(piece, model))


def encode_elsewhere(recipe: Recipe, model: Model, workers: int, missing: Missing) -> None:
    """Encode on a Ray cluster; a GPU a worker where the model uses one."""
    gpus = 1 if "cuda" in model.identity.rsplit(maxsplit=1)[-1] else 0
    with progress_bar("encoding", "item", len(missing.crops) + len(missing.texts)) as bar:
        for _, done in each(partial(_encode_task, recipe, model.identity), pieces(missing), Machine(workers, "ray"), gpus):
            bar.update(done)


def _encode_task(recipe: Recipe, identity: str, piece: Missing) -> int:
    model = model_of(recipe)
    if model.identity != identity:
        raise CrepeError(
            "a worker has another model or device. Remedy: name device and precision, and put the weights at one path."
        )
    return encode_piece(piece, model)
