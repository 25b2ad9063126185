"""Tiny models that the tests make and save, and load with the same code as real ones."""

import json
from functools import cache
from pathlib import Path

import open_clip
import torch
from open_clip.tokenizer import SimpleTokenizer
from PIL import Image
from safetensors.torch import save_file

CONFIG = {
    "model_cfg": {
        "embed_dim": 16,
        "vision_cfg": {"image_size": 32, "layers": 1, "width": 32, "head_width": 16, "patch_size": 16},
        "text_cfg": {"context_length": 24, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 2},
    },
    "preprocess_cfg": {"mean": [0.5, 0.5, 0.5], "std": [0.25, 0.25, 0.25], "resize_mode": "squash"},
}

_read_words = SimpleTokenizer.__init__


@cache
def _tokenizer(**how: str) -> SimpleTokenizer:
    made = object.__new__(SimpleTokenizer)
    _read_words(made, **how)
    return made


def _read_once(self: SimpleTokenizer, context_length: int | None = 77, **how: str) -> None:
    vars(self).update(vars(_tokenizer(**how)), context_length=context_length)


SimpleTokenizer.__init__ = _read_once
"""All models share its 49,408 words, so a test process reads them only once."""


def tiny_clip(folder: Path, seed: int = 0, **text_cfg: object) -> Path:
    """Write a folder that ``local-dir:`` loads, with random weights of a tiny CLIP, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    config = json.loads(json.dumps(CONFIG))
    config["model_cfg"]["text_cfg"].update(text_cfg)
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    torch.manual_seed(seed)
    model = open_clip.create_model(f"local-dir:{folder}", load_weights=False)
    with torch.no_grad():
        model.positional_embedding.normal_(std=0.5)
    save_file(model.state_dict(), folder / "open_clip_model.safetensors")
    return folder


def noise(seed: int, size: tuple[int, int] = (64, 48)) -> Image.Image:
    """Return a picture of noise, which depends on the seed."""
    generator = torch.Generator().manual_seed(seed)
    pixels = torch.randint(0, 256, (size[1], size[0], 3), generator=generator, dtype=torch.uint8)
    return Image.fromarray(pixels.numpy())


def write_images(folder: Path, image_ids: list[int]) -> Path:
    """Write pictures of noise in Visual Genome's layout."""
    for image_id in image_ids:
        place = folder / ("VG_100K" if image_id % 2 else "VG_100K_2")
        place.mkdir(parents=True, exist_ok=True)
        noise(image_id).save(place / f"{image_id}.jpg", quality=95)
    return folder


class Evil:
    """An object that runs code when it is unpickled."""

    def __reduce__(self):
        return (print, ("this must never be printed",))
