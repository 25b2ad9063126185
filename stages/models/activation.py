"""Test whether a checkpoint file was trained with another activation than its architecture has.

OpenAI's models, and all that were fine-tuned from them, use QuickGELU; weights do not say so, and load with either activation. A
few crops are scored with both: the one that the weights were trained with finds more of the right captions.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stages.images.crops import Crop, ImageFolder
from stages.models.contract import DualEncoder
from stages.models.load import load
from stages.parameters.sections import Evaluate, Models, OpenClip

QUICK = "-quickgelu"
ASKED = 200
"""Crops that are asked."""
CLEARLY = 3.0
"""How many standard errors the other form must be ahead by (McNemar)."""


def other_form(preset: Any) -> str | None:
    """Return the architecture's other form, for a checkpoint file of one that exists in both."""
    import open_clip

    if not isinstance(preset, OpenClip) or not Path(preset.pretrained or "").is_file():
        return None
    bare = preset.architecture.removesuffix(QUICK)
    other = bare if bare != preset.architecture else f"{bare}{QUICK}"
    return other if other in open_clip.list_models() else None


def compared(
    name: str, presets: Models, settings: Evaluate, captioned: Sequence[tuple[Crop, str]], images: ImageFolder, workers: int
) -> dict[str, Any] | None:
    """Return how many of the captioned crops find their own caption with the preset's activation and with the other one.

    Print a warning where the other is clearly better. ``None`` where the architecture has only one activation.
    """
    preset, other = presets.root[name], other_form(presets.root[name])
    if not isinstance(preset, OpenClip) or other is None or not captioned:
        return None
    forms = [presets, Models({**presets.root, name: preset.model_copy(update={"architecture": other})})]
    some = list({crop: (crop, text) for crop, text in captioned}.values())[:ASKED]
    own_right, other_right = (_right(load(name, form, settings), some, images, workers) for form in forms)
    ahead, behind = int((other_right & ~own_right).sum()), int((own_right & ~other_right).sum())
    clearly = ahead - behind > CLEARLY * (ahead + behind) ** 0.5
    if clearly:
        print(
            f"warning: {name} finds {other_right.sum()} of {len(some)} captions as {other}, and {own_right.sum()} as "
            f"{preset.architecture}: name the architecture {other} in params.yaml, models.{name}",
            file=sys.stderr,
        )
    right_by_form = {preset.architecture: int(own_right.sum()), other: int(other_right.sum())}
    return {"asked": len(some), "right": right_by_form, "other_is_better": bool(clearly)}


def _right(model: Any, captioned: Sequence[tuple[Crop, str]], images: ImageFolder, workers: int) -> np.ndarray:
    """Return which crops find their own caption; none by a model that is no dual encoder."""
    if not isinstance(model, DualEncoder):
        return np.zeros(len(captioned), bool)
    place = {crop: i for i, (crop, _) in enumerate(captioned)}
    prepared = dict(images.crops(place, model.prepare, workers))
    scores = model.encode_image([prepared[crop] for crop, _ in captioned]) @ model.encode_text([text for _, text in captioned]).T
    return np.isfinite(scores).all(axis=1) & (scores.argmax(axis=1) == np.arange(len(captioned)))
