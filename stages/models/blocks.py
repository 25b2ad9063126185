"""The residual blocks of open_clip's towers, taken apart so that no more is computed than is asked for."""

from typing import Any

import torch
from open_clip.transformer import ResidualAttentionBlock, VisionTransformer
from torch import Tensor, nn
from torch.nn import functional as F

from stages.models.fast_linear import linear


class Block(nn.Module):
    """A block that can be asked for its parts; alone it is the block that it is made of."""

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
        """Queries, keys and values: (…, width) → (…, 3 · width)."""
        return self.inwards(self.ln_1(x))

    def split(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(captions or crops, tokens, 3 · width) → three of (captions or crops, heads, tokens, width of a head)."""
        queries, keys, values = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in rows.chunk(3, dim=-1))
        return queries, keys, values

    def attended(self, x: Tensor, found: Tensor) -> Tensor:
        """``x`` with what its tokens ``found`` by attention, heads joined, and with what the block makes of that."""
        x = x + self.ls_1(self.outwards(found))
        return x + self.ls_2(self.narrow(self.activate(self.widen(self.ln_2(x)))))

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """(crops, tokens, width) → the same"""
        attention = F.scaled_dot_product_attention(*self.split(self.qkv(x)), attn_mask=attn_mask)
        return self.attended(x, attention.transpose(1, 2).flatten(2))

    def get_weight_dtype(self) -> torch.dtype:
        """As open_clip's towers ask for it."""
        return self.dtype


class ClassTokenBlock(Block):
    """The last block of an image tower that is pooled at its first token, for which alone it is computed."""

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """(crops, tokens, width) → (crops, 1, width)"""
        queries, keys, values = self.split(self.qkv(x))
        attention = F.scaled_dot_product_attention(queries[:, :, :1], keys, values, attn_mask=attn_mask)
        return self.attended(x[:, :1], attention.transpose(1, 2).flatten(2))


def plain(blocks: Any) -> bool:
    """Whether all of a tower's ``blocks`` can be taken apart."""
    return all(type(block) is ResidualAttentionBlock for block in blocks)


def patch_for_speed(visual: Any) -> None:
    """Let an image tower of plain blocks go by :class:`Block`, and compute no more of the last one than is pooled."""
    if type(visual) is not VisionTransformer or not visual.transformer.batch_first or not plain(visual.transformer.resblocks):
        return
    pooled_first = visual.pool_type == "tok" and visual.attn_pool is None and not visual.output_tokens
    *blocks, last = visual.transformer.resblocks
    visual.transformer.resblocks = nn.ModuleList([*map(Block, blocks), (ClassTokenBlock if pooled_first else Block)(last)])
