"""Contrastive training of a small CLIP on images and their captions, from nothing, in minutes on a CPU (Radford et al., 2021).

The towers are open_clip's own, so that the result loads by ``open_clip.create_model('local-dir:FOLDER')``. The vocabulary is
open_clip's usual one, which lies in its package: no path has to be kept, and the folder can be moved. While it trains, the model
keeps embeddings of no more tokens than the captions use.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import open_clip
import torch
import torch.nn.functional as F
from open_clip.model import CLIP
from PIL import Image
from safetensors.torch import save
from torch import Tensor

from stages.contract.progress import progress
from stages.networks.pretrained import quiet
from stages.parameters.sections import Train

PIXELS = 48
"""Side of the images that the model sees. They are squeezed to a square: a cut to the middle would lose what is left and right."""
CONTEXT = 64
"""Tokens that the model reads, so that captions of twelve atoms are not cut."""
CONFIG: dict[str, Any] = {
    "model_cfg": {
        "embed_dim": 128,
        "vision_cfg": {"image_size": PIXELS, "layers": [1, 1, 1, 1], "width": 16, "head_width": 32},
        "text_cfg": {"context_length": CONTEXT, "vocab_size": 49408, "width": 96, "heads": 3, "layers": 2},
    },
    "preprocess_cfg": {
        "mean": [0.5, 0.5, 0.5],
        "std": [0.25, 0.25, 0.25],
        "interpolation": "bilinear",
        "resize_mode": "squash",
    },
}


class Pairs(NamedTuple):
    """Training images with their captions.

    Attributes:
        images: uint8, shape (n, 3, side, side), the side a little larger than the model's.
        captions: for each image, one or more captions.
        swapped: for each caption of each image, the same with two words exchanged, or None.
    """

    images: Tensor
    captions: list[list[str]]
    swapped: list[list[str | None]] | None = None


def decode(jpegs: Sequence[bytes]) -> Tensor:
    """JPEG images of one size as uint8, shape (n, 3, height, width)."""
    pixels = np.stack([np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB")) for jpeg in jpegs])
    return torch.from_numpy(pixels).permute(0, 3, 1, 2).contiguous()


def train(pairs: Pairs, folder: Path, settings: Train) -> dict[str, float]:
    """Train for ``settings.steps`` steps and write config and weights into ``folder``; the losses at the beginning and the end.

    The same settings, threads included, give the same weights.
    """
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "open_clip_config.json").write_text(json.dumps(CONFIG, indent=2) + "\n", encoding="utf-8")
    with quiet():
        model = open_clip.create_model(f"local-dir:{folder}", load_weights=False)
    with torch.no_grad():
        model.logit_scale.fill_(math.log(settings.logit_scale))
    words = Words(pairs)
    whole = model.token_embedding
    model.token_embedding = torch.nn.Embedding.from_pretrained(whole.weight.detach()[words.used].clone(), freeze=False)
    # Channels last: a third less time for the convolutions on a CPU.
    model.visual.to(memory_format=torch.channels_last)
    losses = _fit(model, pairs, words, settings)
    with torch.no_grad():
        whole.weight[words.used] = model.token_embedding.weight
    model.token_embedding = whole
    weights = {name: tensor.detach().contiguous() for name, tensor in model.state_dict().items()}
    (folder / "open_clip_model.safetensors").write_bytes(save(weights))
    tenth = max(1, len(losses) // 10)
    return {"first_loss": float(np.mean(losses[:tenth])), "last_loss": float(np.mean(losses[-tenth:]))}


class Words:
    """The captions as tokens, numbered anew among those in use; the order is kept, because the tower looks for the greatest."""

    def __init__(self, pairs: Pairs):
        texts = sorted({text for of_image in [*pairs.captions, *(pairs.swapped or ())] for text in of_image if text})
        tokens = open_clip.get_tokenizer("RN50", context_length=CONTEXT)(texts)
        self.used, numbers = torch.unique(tokens, return_inverse=True)
        self.row = {text: row for row, text in enumerate(texts)}
        self.tokens = numbers.reshape(tokens.shape)
        self.length = (tokens != 0).sum(1)

    def batch(self, rows: list[int]) -> Tensor:
        """The tokens of the texts of ``rows``, cut to the longest of them; shape (n, length)."""
        return self.tokens[rows][:, : int(self.length[rows].max())]


def _fit(model: CLIP, pairs: Pairs, words: Words, settings: Train) -> list[float]:
    optimizer = torch.optim.AdamW(_groups(model, settings.weight_decay), lr=settings.learning_rate, betas=(0.9, 0.98), eps=1e-6)
    generator = torch.Generator().manual_seed(settings.seed)
    steps, warm = settings.steps, max(1, settings.steps // 20)
    losses: list[float] = []
    model.train()
    batches = _batches(len(pairs.captions), settings.batch, steps, generator)
    for step, rows in enumerate(progress(batches, "training", "steps", steps)):
        pace = min(1.0, (step + 1) / warm) * (0.5 + 0.5 * math.cos(math.pi * step / steps))
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * pace
        loss = _loss(model, pairs, words, rows, generator)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            model.logit_scale.clamp_(0, math.log(100))
        losses.append(loss.item())
    return losses


def _groups(model: CLIP, decay: float) -> list[dict[str, Any]]:
    """Weight decay for matrices only: not for gains, biases and embeddings."""
    matrices = [p for name, p in model.named_parameters() if p.ndim >= 2 and "embedding" not in name]
    others = [p for name, p in model.named_parameters() if p.ndim < 2 or "embedding" in name]
    return [{"params": matrices, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]


def _batches(n: int, size: int, steps: int, generator: torch.Generator) -> Iterator[Tensor]:
    """``steps`` batches of indices, each image once before any comes again."""
    size, order = min(size, n), torch.empty(0, dtype=torch.long)
    for _ in range(steps):
        if len(order) < size:
            order = torch.randperm(n, generator=generator)
        yield order[:size]
        order = order[size:]


def _loss(model: CLIP, pairs: Pairs, words: Words, rows: Tensor, generator: torch.Generator) -> Tensor:
    """The contrastive loss of a batch; a caption that two of its images share is no negative of either."""
    chosen = [int(torch.randint(len(pairs.captions[i]), (1,), generator=generator)) for i in rows.tolist()]
    texts = [words.row[pairs.captions[i][k]] for i, k in zip(rows.tolist(), chosen, strict=True)]
    hard = [pairs.swapped[i][k] for i, k in zip(rows.tolist(), chosen, strict=True)] if pairs.swapped else []
    tokens = words.batch(texts + [words.row[text] for text in hard if text])
    images = F.normalize(model.encode_image(_shifted(pairs.images[rows], generator)), dim=-1)
    captions = F.normalize(_encode_text(model, tokens), dim=-1)
    n = len(texts)
    logits = model.logit_scale.exp() * images @ captions.T
    same = torch.tensor(texts)
    double = (same[:, None] == same[None]) & ~torch.eye(n, dtype=torch.bool)
    square = logits[:, :n].masked_fill(double, -1e4)
    target = torch.arange(n)
    of_images = F.cross_entropy(torch.cat([square, logits[:, n:]], 1), target)
    return (of_images + F.cross_entropy(square.T, target)) / 2


def _encode_text(model: CLIP, tokens: Tensor) -> Tensor:
    """What ``model.encode_text`` gives, without the empty places at the captions' ends, which it insists on."""
    n, length = tokens.shape
    x = model.token_embedding(tokens) + model.positional_embedding[:length]
    x = model.ln_final(model.transformer(x, attn_mask=model.attn_mask[:length, :length]))
    return x[torch.arange(n), tokens.argmax(1)] @ model.text_projection


def _shifted(images: Tensor, generator: torch.Generator) -> Tensor:
    """A batch cut to the model's size at a random place and normalised; shape (n, 3, PIXELS, PIXELS), float32."""
    spare = images.shape[-1] - PIXELS
    y, x = torch.randint(spare + 1, (2,), generator=generator).tolist()
    mean, std = CONFIG["preprocess_cfg"]["mean"][0], CONFIG["preprocess_cfg"]["std"][0]
    cut = images[:, :, y : y + PIXELS, x : x + PIXELS].contiguous(memory_format=torch.channels_last)
    return (cut.float() / 255 - mean) / std
