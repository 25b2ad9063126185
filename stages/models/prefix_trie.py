"""CLIP's text tower over a trie of captions: common prefixes are computed once, and nothing is padded.

The tower is causal: a token's activations depend only on the tokens before it. So the captions of a batch are put into a trie, and
the matrix products, nearly all of the work, run over its nodes. A truth and its negatives share much, and so do all captions with
the same beginning. Only attention, which is cheap at a caption's length, runs over whole captions: each gathers the keys, values
and queries of its own nodes. In the last block only the end of each caption matters, so only that is computed.

The results are the tower's own, up to rounding (1e-7 of a cosine). Batches have one size in nodes, and attention a
width that is a multiple of 16, so that a caption's features do not depend on the other captions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import open_clip
import torch
from torch.nn import functional as F

from stages.models import blocks
from stages.models.blocks import Block
from stages.models.contract import Tokens


@dataclass
class Trie:
    """A batch of captions: ``paths[i, :lengths[i]]`` are the nodes of caption i, ``first`` an entry of ``paths`` for each node."""

    tokens: np.ndarray
    depths: np.ndarray
    paths: np.ndarray
    lengths: np.ndarray
    first: np.ndarray


def packs(model: Any) -> bool:
    """Return whether ``model`` is a CLIP whose text tower can be packed: causal, pooled at the end, with plain blocks."""
    return (
        type(model) is open_clip.CLIP
        and model.attn_mask is not None
        and model.text_pool_type == "argmax"
        and isinstance(model.text_projection, torch.nn.Parameter)
        and blocks.plain(model.transformer.resblocks)
    )


def tries(captions: Sequence[Tokens], nodes: int) -> Iterator[Trie]:
    """Yield tries of at most ``nodes`` nodes and a quarter as many of the sorted ``captions``, in their order.

    A caption longer than ``nodes`` has its own trie.
    """
    start = 0
    while start < len(captions):
        trie = _trie(captions[start : start + most_captions(nodes)], nodes)
        yield trie
        start += len(trie.paths)


def _trie(captions: Sequence[Tokens], nodes: int) -> Trie:
    """Return a trie of the first of ``captions``, at least one, as many as fit into ``nodes`` nodes."""
    tokens: list[int] = []
    paths: list[list[int]] = []
    before: Tokens = ()
    path: list[int] = []
    for caption in captions:
        shared = next((i for i, (a, b) in enumerate(zip(before, caption, strict=False)) if a != b), min(len(before), len(caption)))
        if paths and len(tokens) + len(caption) - shared > nodes:
            break
        path = path[:shared] + list(range(len(tokens), len(tokens) + len(caption) - shared))
        tokens += caption[shared:]
        paths.append(path)
        before = caption
    lengths = np.array([len(path) for path in paths])
    width = -(-int(lengths.max()) // 16) * 16
    table = np.zeros((len(paths), width), dtype=np.int64)
    for row, path in zip(table, paths, strict=True):
        row[: len(path)] = path
    # Nodes are numbered in order of appearance; padding is node 0, which comes first.
    _, first = np.unique(table, return_index=True)
    return Trie(np.array(tokens), first % width, table, lengths, first)


def most_captions(nodes: int) -> int:
    """Return how many captions a trie of ``nodes`` nodes may hold: few enough that padding their rows costs next to nothing."""
    return max(1, nodes // 4)


@torch.inference_mode()
def encode(model: Any, trie: Trie, nodes: int) -> torch.Tensor:
    """Return features of a trie's captions, of shape (captions, width), not normalised. Matrices are padded to ``nodes`` rows."""
    device = model.positional_embedding.device
    dtype = model.transformer.get_cast_dtype()
    fill = max(0, nodes - len(trie.tokens))
    tokens = torch.from_numpy(np.pad(trie.tokens, (0, fill))).to(device)
    depths = torch.from_numpy(np.pad(trie.depths, (0, fill))).to(device)
    first = torch.from_numpy(np.pad(trie.first, (0, fill))).to(device)
    paths, ends = torch.from_numpy(trie.paths).to(device), torch.from_numpy(trie.lengths - 1).to(device)
    x = model.token_embedding(tokens).to(dtype) + model.positional_embedding.to(dtype)[depths]
    *others, last = model.transformer.resblocks
    for block in others:
        x = _block(block, x, paths, first)
    x = _last_block(last, x, paths, ends, most_captions(nodes))
    return (model.ln_final(x) @ model.text_projection)[: len(paths)]


def _block(block: Block, x: torch.Tensor, paths: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    queries, keys, values = block.split(block.qkv(x)[paths])
    attention = F.scaled_dot_product_attention(queries, keys, values, is_causal=True)
    return block.attended(x, attention.transpose(1, 2).flatten(0, 1).flatten(1)[first])


def _last_block(block: Block, x: torch.Tensor, paths: torch.Tensor, ends: torch.Tensor, captions: int) -> torch.Tensor:
    """Return the last block's output at the captions' ends only, padded to ``captions`` rows."""
    queries, keys, values = block.split(block.qkv(x)[paths])
    rows = torch.arange(len(paths), device=x.device)
    mask = torch.arange(paths.shape[1], device=x.device)[None] <= ends[:, None]
    query = queries[rows, :, ends].unsqueeze(2)
    attention = F.scaled_dot_product_attention(query, keys, values, attn_mask=mask[:, None, None])
    fill = (0, 0, 0, captions - len(paths))
    return block.attended(F.pad(x[paths[rows, ends]], fill), F.pad(attention.flatten(1), fill))
