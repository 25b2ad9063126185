"""A model by its name in ``params.yaml``, section ``models``."""

from pathlib import Path

import torch

from stages.contract.errors import CrepeError, InputError, ParameterError
from stages.contract.json_files import read_json, text_of
from stages.contract.pretrained import choose_device, choose_precision
from stages.models.contract import DualEncoder, Model, check_tokens
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
