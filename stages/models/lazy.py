"""A model that is loaded when it has something to encode, and not before.

What names a model, the digest of its weights, takes loading it: seconds for ViT-B-32, minutes for the large ones. Where its weights
are files at hand, it is remembered by the digests of the files, so that figures are made anew from kept features alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from PIL import Image

from stages.contract.files import write_json
from stages.contract.param_schema import AnyPreset, Evaluate, Models, OpenClip, Unavailable
from stages.models.contract import DualEncoder, Model, choose_device, choose_precision
from stages.models.features import key_of
from stages.models.load import load, preset_of

LIBRARIES = ("torch", "torchvision", "open_clip_torch", "transformers", "pillow", "numpy")
"""What a model's features hang on beside its files."""


class LazyModel(Model):
    """The model that ``load`` gives, loaded at the first question."""

    def __init__(self, identity: str, arguments: tuple[str, Models, Evaluate]):
        self.identity, self.arguments = identity, arguments
        self._loaded: Any = None
        # Threads that prepare crops ask at once.
        self._lock = Lock()

    @property
    def model(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = load(*self.arguments)
        return self._loaded

    def prepare(self, image: Image.Image) -> Any:
        return self.model.prepare(image)

    def score(self, images: Sequence[Any], texts: Sequence[str]) -> np.ndarray:
        return self.model.score(images, texts)

    def truncated(self, texts: Sequence[str]) -> np.ndarray:
        return self.model.truncated(texts)


class LaterDual(LazyModel, DualEncoder):
    """The same for a dual encoder."""

    def __init__(self, identity: str, arguments: tuple[str, Models, Evaluate], width: int):
        super().__init__(identity, arguments)
        self.width = width

    def encode_image(self, images: Sequence[Any]) -> np.ndarray:
        return self.model.encode_image(images)

    def encode_text(self, texts: Sequence[str]) -> np.ndarray:
        return self.model.encode_text(texts)


def remembered(name: str, presets: Models, settings: Evaluate, kept: Path) -> Model:
    """The model ``name``, loaded only if this very one is not known yet.

    Args:
        presets, settings: as for :func:`stages.models.load.load`, whose errors are raised here too.
        kept: folder of kept features, where what is known of models lies too.
    """
    arguments = (name, presets, settings)
    files = weights(preset_of(name, presets))
    if not files:
        return load(*arguments)
    path = kept / "models" / f"{_key(files, presets.root[name], settings).hex()}.json"
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        identity, width = str(known["identity"]), known["width"]
    except (OSError, ValueError, KeyError, TypeError):
        model = load(*arguments)
        write_json(path, {"identity": model.identity, "width": model.width if isinstance(model, DualEncoder) else None})
        return model
    return LazyModel(identity, arguments) if width is None else LaterDual(identity, arguments, int(width))


def weights(preset: AnyPreset) -> list[Path]:
    """The files that a preset is read from; none where they are fetched, or are not there."""
    if isinstance(preset, Unavailable):
        return []
    place: str | None = preset.pretrained if isinstance(preset, OpenClip) else preset.checkpoint
    if isinstance(preset, OpenClip) and preset.architecture.startswith("local-dir:"):
        place = preset.architecture.removeprefix("local-dir:")
    path = Path(place or "/dev/null")
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.is_file())
    return [path] if path.is_file() else []


def _key(files: Sequence[Path], preset: AnyPreset, settings: Evaluate) -> bytes:
    device = choose_device(settings.device)
    how = {"device": device, "precision": choose_precision(settings.precision, device)}
    digests = []
    for file in files:
        with file.open("rb") as opened:
            digests.append((file.name, hashlib.file_digest(opened, "sha256").hexdigest()))
    return key_of(json.dumps([digests, preset.model_dump(), how, [_version(library) for library in LIBRARIES]], sort_keys=True))


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None
