"""A model by its name in ``params.yaml``, section ``models``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from stages.contract.errors import InputError, ParameterError
from stages.models.contract import Model, choose_device, choose_precision

FAMILIES = ("open_clip", "dual", "matching", "generative")


def load(name: str, presets: Mapping[str, Any], settings: Mapping[str, Any]) -> Model:
    """The model ``name``.

    Args:
        presets: section ``models`` of the parameters.
        settings: section ``evaluate``: ``device``, ``precision``, ``threads``, ``batch``, ``nodes``.

    Raises:
        ParameterError: no such model or family, or a model that cannot be had; the message says why.
        InputError: its weights are missing or do not fit.
    """
    preset = preset_of(name, presets)
    torch.set_num_threads(settings["threads"])
    device = choose_device(settings["device"])
    how = (choose_precision(settings["precision"], device), device, settings["batch"])
    match preset["family"]:
        case "open_clip":
            # Importing either library takes seconds, and only one is needed, or none where everything is kept.
            from stages.models.openclip import OpenClip

            return OpenClip(preset["architecture"], preset.get("pretrained"), *how, settings["text_batch_tokens"])
        case "dual" | "matching" | "generative" as family:
            from stages.models import huggingface

            if family == "generative":
                return huggingface.Generative(preset["checkpoint"], *how, preset.get("alpha", 0.0))
            return (huggingface.Dual if family == "dual" else huggingface.Matching)(preset["checkpoint"], *how)
        case "none":
            raise ParameterError(f"models.{name}", preset["why"], "choose another model")
    raise ParameterError(f"models.{name}.family", f"{preset['family']} is unknown", f"name one of: {', '.join(FAMILIES)}")


def preset_of(name: str, presets: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings of the model ``name``."""
    if name not in presets:
        raise ParameterError(
            "evaluate.model", f"there is no model {name}", f"choose one of {', '.join(presets)}, or add it to models"
        )
    return presets[name]


def training_set_of(name: str, presets: Mapping[str, Any]) -> str | None:
    """The training set of the model ``name``; ``None`` where it is not known.

    ``trained_on`` names it, or a JSON file that does, as the stage ``train`` leaves one beside its weights.
    """
    trained_on = preset_of(name, presets).get("trained_on")
    if trained_on is None or not trained_on.endswith(".json"):
        return trained_on
    try:
        return json.loads(Path(trained_on).read_text(encoding="utf-8"))["training_set"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        remedy = 'write {"training_set": "NAME"} there, or name the training set in params.yaml'
        raise InputError(trained_on, f"does not say what {name} was trained on ({type(error).__name__})", remedy) from None
