"""The residual blocks of open_clip's towers, taken apart so that only the needed parts are computed."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from open_clip.transformer import ResidualAttentionBlock, VisionTransformer
from torch import Tensor, nn
from torch.nn import functional as F


def linear(weight: Tensor, bias: Tensor) -> Callable[[Tensor], Tensor]:
    """Return a linear layer by the faster library for the processor: oneDNN where it has AVX-512, and MKL elsewhere.

    torch multiplies matrices by MKL, which uses only half of the vector width of AMD's processors with AVX-512; oneDNN, which torch
    includes for convolutions and exposes in private functions only, uses all of it and is twice as fast there. On an Intel Xeon it
    saves 11 % of the processor time of encoding images with ViT-B-32 and 1 % for captions; on processors without AVX-512 it needs
    15 % more. The results differ in the rounding of a sum.
    """
    weight, bias = weight.detach(), bias.detach()
    here = weight.device.type == "cpu" and weight.dtype == torch.float32
    if here and torch.backends.mkldnn.is_available() and "AVX512" in torch.backends.cpu.get_cpu_capability():
        laid_out = torch.ops.mkldnn._reorder_linear_weight(weight, None)
        return partial(torch.ops.mkldnn._linear_pointwise, W=laid_out, B=bias, attr="none", scalars=[], algorithm="")
    return partial(F.linear, weight=weight, bias=bias)


class Block(nn.Module):
    """A block with accessible parts; called as a whole, it equals the block that it is made of."""

    def __init__(self, block: ResidualAttentionBlock):
        super().__init__()
        attention, mlp = block.attn, block.mlp
        self.heads, self.dtype = attention.num_heads, attention.in_proj_weight.dtype
        self.ln_1, self.ls_1, self.ln_2, self.ls_2 = block.ln_1, block.ls_1, block.ln_2, block.ls_2
        self.inwards = linear(attention.in_proj_weight, attention.in_proj_bias)
        self.outwards = linear(attention.out_proj.weight, attention.out_proj.bias)
        self.widen, self.narrow = linear(mlp.c_fc.weight, mlp.c_fc.bias), linear(mlp.c_proj.weight, mlp.c_proj.bias)
        self.activate = mlp.gelu

    def qkv(self, x: Tensor) -> Tensor:
        """Return queries, keys and values: (…, width) → (…, 3 · width)."""
        return self.inwards(self.ln_1(x))

    def split(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Split rows into heads: (n, tokens, 3 · width) → three of (n, heads, tokens, width of a head)."""
        queries, keys, values = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in rows.chunk(3, dim=-1))
        return queries, keys, values

    def attended(self, x: Tensor, found: Tensor) -> Tensor:
        """Return the block's output for ``x`` and the result ``found`` by attention, with heads joined."""
        x = x + self.ls_1(self.outwards(found))
        return x + self.ls_2(self.narrow(self.activate(self.widen(self.ln_2(x)))))

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """Return the block's output: (crops, tokens, width) → the same shape."""
        attention = F.scaled_dot_product_attention(*self.split(self.qkv(x)), attn_mask=attn_mask)
        return self.attended(x, attention.transpose(1, 2).flatten(2))

    def get_weight_dtype(self) -> torch.dtype:
        """Return the dtype of the weights, which open_clip's towers need."""
        return self.dtype


class ClassTokenBlock(Block):
    """The last block of an image tower that is pooled at its first token, computed for only that token."""

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """Return the block's output for the first token: (crops, tokens, width) → (crops, 1, width)."""
        queries, keys, values = self.split(self.qkv(x))
        attention = F.scaled_dot_product_attention(queries[:, :, :1], keys, values, attn_mask=attn_mask)
        return self.attended(x[:, :1], attention.transpose(1, 2).flatten(2))


def plain(blocks: Any) -> bool:
    """Return whether all of a tower's ``blocks`` can be taken apart."""
    return all(type(block) is ResidualAttentionBlock for block in blocks)


def patch_for_speed(visual: Any) -> None:
    """Replace the blocks of a plain image tower by :class:`Block`, and compute only the pooled token in the last one."""
    if type(visual) is not VisionTransformer or not visual.transformer.batch_first or not plain(visual.transformer.resblocks):
        return
    pooled_first = visual.pool_type == "tok" and visual.attn_pool is None and not visual.output_tokens
    *blocks, last = visual.transformer.resblocks
    visual.transformer.resblocks = nn.ModuleList([*map(Block, blocks), (ClassTokenBlock if pooled_first else Block)(last)])
