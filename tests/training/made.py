"""A tiny training: eight pictures of two colours each, a tiny transformer, and settings for it."""

import io
import json

import numpy as np
from PIL import Image

from stages.parameters.sections import Models, Train
from stages.training import agents
from stages.training.batches import Material
from stages.training.fit import Training
from stages.training.loading import Pictures
from tests.running import section

COLOURS = {"red": (220, 30, 30), "green": (30, 160, 60), "blue": (40, 60, 220), "white": (250, 250, 250)}
PAIRS = [(a, b) for a in COLOURS for b in COLOURS if a != b][:8]
TINY = {
    "embed_dim": 16,
    "vision_cfg": {"image_size": 24, "patch_size": 8, "width": 16, "head_width": 8, "layers": 1, "pool_type": "avg"},
    "text_cfg": {"context_length": 16, "vocab_size": 49408, "width": 16, "heads": 2, "layers": 1},
}
CODEBOOK = {"codes": 12, "width": 16, "temperature": 0.1}
ITERATED = {"warm_up": 2, "distil": 2, "interact": 2, "last": 2, "spawn": "text", "distillation": "teacher"}
ITERATED |= {"codebook": True, "freeze_codebook": True}


def jpeg(left, right, side=24):
    image = np.zeros((side, side, 3), np.uint8)
    image[:, : side // 2], image[:, side // 2 :] = left, right
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "PNG")
    return buffer.getvalue()


def settings(**changes):
    steps = 8 if changes.get("method") == "iterated" else 4  # fewer are no generation
    tiny = {"seed": 0, "threads": 1, "steps": steps, "batch": 4, "shift": 1, "warm_up": 1, "checkpoint": 2, "device": "cpu"}
    tiny |= {"codebook": CODEBOOK, "iterated": ITERATED | changes.pop("iterated", {}), "precision": "fp32"}
    return section(Train, **tiny | changes)


def material():
    captions = [[f"a {a} cup and a {b} plate"] for a, b in PAIRS]
    negatives = {caption: [f"a {b} cup and a {a} plate"] for (caption,), (a, b) in zip(captions[:-1], PAIRS, strict=False)}
    return Material(captions, negatives, [[(i + 1) % 8, (i + 3) % 8] for i in range(8)])


def pictures(training):
    return Pictures([jpeg(COLOURS[a], COLOURS[b]) for a, b in PAIRS], agents.preprocessing(training.folder), 10**6)


def describe(folder):
    """Write a description of the tiny towers into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    sample = json.loads(agents.SMALL.read_text())
    (folder / "open_clip_config.json").write_text(json.dumps(sample | {"model_cfg": TINY}))


def training(folder, **changes):
    """Return a training that has not begun."""
    if not (folder / "open_clip_config.json").is_file():
        describe(folder)
    return Training(settings(**changes), Models({}), folder, material().texts())
