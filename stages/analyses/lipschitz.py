"""An upper bound of a tower's Lipschitz constant: the product of its layers' bounds (Gouk et al., 2021; Zheng et al., section 4.4).

Distances are the maximum over tokens of the Euclidean one, to which a maximum and an average over tokens add nothing. As in the
paper it is an estimate, because two parts have no bound: attention's weights are taken as fixed, and the divisors of LayerNorm and
of the last normalisation as 1. Use it to compare generations of one architecture, not architectures.
"""

import math
from pathlib import Path
from typing import Any

import torch
from torch import nn

from stages.models import codebook, openclip
from stages.models.codebook import Codebook, CodebookClip, Query
from stages.training.agents import Agents, PlainClip
from stages.training.generations import Agent

GELU = 1.13
"""A bound on the slope of GELU, 1.129, and of QuickGELU, 1.100."""


def agents_in(folder: Path) -> Agents | None:
    """Return the agents that the stage ``train`` wrote to ``folder``; ``None`` for towers that are not plain transformers."""
    clip, _ = openclip.load(f"local-dir:{folder}", None, "fp32", "cpu")
    if not codebook.fits(clip):
        return None
    return CodebookClip(clip, codebook.read(folder)) if (folder / codebook.CONFIG).is_file() else PlainClip(clip)


def bound(agents: Agents, agent: Agent) -> float:
    """Return the log10 of the bound from a patch's pixels, or a word's embedding, to the feature before normalisation."""
    clip: Any = agents.clip
    book = agents.codebook
    if agent == "vision":
        visual = clip.visual
        blocks, projection = visual.transformer.resblocks, visual.proj
        ends = [norm(visual.conv1.weight.flatten(1)), gain(visual.ln_pre), gain(visual.ln_post)]
    else:
        blocks, projection = clip.transformer.resblocks, clip.text_projection
        ends = [gain(clip.ln_final)]
    if book is None:
        head = norm(projection)
    else:
        head = of_query(book.image_query if agent == "vision" else book.text_query) * of_codes(book)
    return sum(math.log10(factor) for factor in (*ends, *map(of_block, blocks), head))


def of_block(block: Any) -> float:
    """Return the bound of a transformer block: the token itself plus what is added to it."""
    attention, perceptron = of_attention(block.attn), norm(block.mlp.c_fc.weight) * GELU * norm(block.mlp.c_proj.weight)
    return (1 + gain(block.ln_1) * attention * gain(block.ls_1)) * (1 + gain(block.ln_2) * perceptron * gain(block.ls_2))


def of_attention(attention: nn.MultiheadAttention) -> float:
    """Return the bound of attention: each head averages values, with its own weights; the last map takes all heads' results."""
    values = attention.in_proj_weight.chunk(3)[2].chunk(attention.num_heads)
    return math.hypot(*map(norm, values)) * norm(attention.out_proj.weight)


def of_query(query: Query) -> float:
    return gain(query[0]) * norm(query[1].weight) * GELU * gain(query[3]) * norm(query[4].weight)


def of_codes(book: Codebook) -> float:
    """Return the bound of the codebook: sparsemax, a projection, adds nothing; each code may take another token."""
    scores = float(torch.linalg.matrix_norm(book.codes.detach())) / (book.codes.shape[1] ** 0.5 * book.temperature)
    return scores * norm(book.codes)


def norm(matrix: Any) -> float:
    """Return the greatest singular value."""
    return float(torch.linalg.matrix_norm(matrix.detach().float(), 2))


def gain(layer: Any) -> float:
    """Return the greatest factor of a layer that scales each number by its own; 1 for no layer."""
    scale = getattr(layer, "weight", getattr(layer, "gamma", None))
    return 1.0 if scale is None else float(scale.detach().abs().max())
