"""A model by its name in ``params.yaml``, section ``models``, loaded at once or only when something must be encoded."""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import torch

from stages.contract.errors import CrepeError, InputError, ParameterError
from stages.contract.files import digest_of_file, write_json
from stages.contract.json_files import read_json, text_of
from stages.contract.pretrained import choose_device, choose_precision
from stages.models.contract import DualEncoder, Model, WithPrior, check_tokens
from stages.models.digests import key_of, surroundings
from stages.parameters.param_schema import nearest
from stages.parameters.sections import AnyPreset, Chat, Embedder, Evaluate, Generative, Models, OpenClip, Scores

PROBE = [
    f"{article} {colour} {thing}" for article in ("one", "two") for colour in ("red", "blue") for thing in ("cup", "dog", "tree")
]
"""Captions that every English tokenizer distinguishes."""


def load(name: str, presets: Models, settings: Evaluate) -> Model:
    """Return the model ``name`` of the section ``models``, as the section ``evaluate`` says how to run it.

    Raises:
        ParameterError: there is no such model.
        InputError: its weights are missing or do not fit.
        CrepeError: its tokenizer's files are missing, so that all captions have the same tokens.
    """
    torch.set_num_threads(settings.threads)
    model = _loaded(preset_of(name, presets), settings)
    model.name = name
    if len(set(tokens := model.tokens(PROBE))) == 1:
        check_tokens(PROBE, tokens)
    return model


def load_dual(name: str, presets: Models, settings: Evaluate) -> DualEncoder:
    """Return the model ``name``, which must be a dual encoder; see :func:`load`."""
    model = load(name, presets, settings)
    if not isinstance(model, DualEncoder):
        raise CrepeError(f"{name} scores only pairs of image and caption. Remedy: name a dual encoder.")
    return model


def _loaded(preset: AnyPreset, settings: Evaluate) -> Model:
    device = choose_device(settings.device)
    how = (choose_precision(settings.precision, device), device, settings.batch)
    # Importing a library takes seconds, and only one is needed, or none where everything is cached.
    match preset:
        case Scores():
            from stages.models import given

            return given.GivenScores(preset.file)
        case OpenClip():
            from stages.models import codebook, openclip

            if folder := codebook.folder_of(preset.architecture):
                return codebook.CodebookModel(folder, *how)
            return openclip.OpenClip(preset.architecture, preset.pretrained, *how, settings.text_batch_tokens)
        case Chat():
            from stages.models import chat

            return chat.Chat(preset.checkpoint, *how, preset.form, preset.question, preset.alpha)
        case Embedder():
            from stages.models import embedder

            return (embedder.Reranker if preset.reranker else embedder.Encoder)(preset.checkpoint, *how)
    from stages.models import huggingface

    if isinstance(preset, Generative):
        return huggingface.Generative(preset.checkpoint, *how, preset.alpha)
    return (huggingface.Dual if preset.family == "dual" else huggingface.Matching)(preset.checkpoint, *how)


def preset_of(name: str, presets: Models) -> AnyPreset:
    """Return the settings of the model ``name``."""
    if name not in presets.root:
        raise ParameterError("models", f"there is no model {name}", nearest(name, presets.root, "add it"))
    return presets.root[name]


def training_set_of(name: str, presets: Models) -> str | None:
    """Return the training set of the model ``name``; ``None`` where it is unknown.

    ``trained_on`` names it, or a JSON file with it, such as the stage ``train`` writes next to the weights.
    """
    trained_on = preset_of(name, presets).trained_on
    if trained_on is None or not trained_on.endswith(".json"):
        return trained_on
    remedy = 'write {"training_set": "NAME"} there, or name the training set in params.yaml'
    try:
        return text_of(read_json(Path(trained_on), remedy)["training_set"])
    except (KeyError, TypeError) as error:
        raise InputError(trained_on, f"does not say what {name} was trained on ({type(error).__name__})", remedy) from None


# --- Loaded only when something must be encoded ----

# A model's identity, the digest of its weights, requires loading it: seconds for ViT-B-32, minutes for the large ones. Where its
# weights are local files, the identity is cached by their digests, so that metrics are recomputed from cached features alone.


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
