"""A model that is loaded only when something must be encoded.

A model's identity, the digest of its weights, requires loading it: seconds for ViT-B-32, minutes for the large ones. Where its
weights are local files, the identity is cached by the digests of the files, so that metrics can be recomputed from cached features
alone.
"""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from stages.contract.files import digest_of_file, write_json
from stages.contract.pretrained import choose_device, choose_precision
from stages.models.contract import DualEncoder, Model, WithPrior
from stages.models.digests import key_of, surroundings
from stages.models.load import load, preset_of
from stages.parameters.sections import AnyPreset, Evaluate, Models, OpenClip, Scores


class LazyModel:
    """A model that ``load`` returns, loaded when it is first used, and a :class:`Model` for :func:`isinstance`."""

    def __init__(self, identity: str, arguments: tuple[str, Models, Evaluate], width: int | None = None):
        self.identity, self.arguments, self.name, self.width = identity, arguments, arguments[0], width
        self._loaded: Any = None
        # Threads that prepare crops call it at the same time.
        self._lock = Lock()

    def __getattr__(self, name: str) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = load(*self.arguments)
        return getattr(self._loaded, name)


@WithPrior.register
class LazyChat(LazyModel):
    """A lazily loaded chat model."""


@DualEncoder.register
class LazyDualEncoder(LazyModel):
    """A lazily loaded dual encoder."""


Model.register(LazyModel)


def lazily_loaded(name: str, presets: Models, settings: Evaluate, kept: Path) -> Model:
    """Return the model ``name``, loaded only if its identity is not cached.

    Args:
        kept: folder of cached features, which also has the cached identities.
    """
    arguments = (name, presets, settings)
    files = files_of(preset_of(name, presets))
    if not files:
        return load(*arguments)
    path = kept / "models" / f"{_key(files, presets.root[name], settings).hex()}.json"
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        identity, width = str(known["identity"]), known["width"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        model = load(*arguments)
        write_json(path, {"identity": model.identity, "width": model.width if isinstance(model, DualEncoder) else None})
        return model
    of_pairs = LazyChat if presets.root[name].family == "chat" else LazyModel
    lazy: Any = of_pairs(identity, arguments) if width is None else LazyDualEncoder(identity, arguments, int(width))
    return lazy


def files_of(preset: AnyPreset) -> list[Path]:
    """Return all files of a preset's model; none where some are downloaded, or missing."""
    if isinstance(preset, Scores):
        return []
    if not isinstance(preset, OpenClip):
        return [file for name in preset.weights for file in _files(Path(name))]
    local = preset.architecture.startswith("local-dir:")
    place = preset.architecture.removeprefix("local-dir:") if local else preset.pretrained or "/dev/null"
    config = Path(place) / "open_clip_config.json" if local else _built_in(preset.architecture)
    elsewhere = [Path(other) for other in _elsewhere(config)]
    # A tokenizer or a text tower named on the hub may change there.
    if not all(other.is_dir() for other in elsewhere):
        return []
    return [file for path in (Path(place), *elsewhere) for file in _files(path)]


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.is_file())
    return [path] if path.is_file() else []


def _built_in(architecture: str) -> Path:
    """Return the path of open_clip's description of an architecture, without importing open_clip, which takes seconds."""
    package = find_spec("open_clip")
    return Path(package.origin if package and package.origin else "/dev/null").parent / "model_configs" / f"{architecture}.json"


def _elsewhere(config: Path) -> list[str]:
    """Return the further sources in open_clip's description of a model: hub names or folders of the tokenizer and text tower."""
    try:
        text = json.loads(config.read_text(encoding="utf-8"))
        text = text.get("model_cfg", text)["text_cfg"]
        return [str(text[key]) for key in ("hf_tokenizer_name", "hf_model_name") if text.get(key)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def _key(files: Sequence[Path], preset: AnyPreset, settings: Evaluate) -> bytes:
    device = choose_device(settings.device)
    how = {"device": device, "precision": choose_precision(settings.precision, device)}
    digests = [(file.name, digest_of_file(file)) for file in files]
    return key_of(json.dumps([digests, preset.model_dump(), how, surroundings()], sort_keys=True))
