"""Self-attention of open_clip's towers as training wants it: without the copies and fills of ``nn.MultiheadAttention``.

It transposes its inputs, and selects queries, keys and values one by one, for each of which the backward pass fills a tensor with
zeros. And on a processor torch's fused attention is slow for the few tokens of a small tower, whose scores all fit in memory.
"""

from typing import Any

from open_clip.transformer import ResidualAttentionBlock
from torch import Tensor, nn
from torch.nn import functional as F

MOST_TOKENS = 100
"""Up to so many tokens a processor computes attention by two products of all scores."""


class SelfAttention(nn.MultiheadAttention):
    """The same weights under the same names; queries, keys and values are of one input."""

    def forward(  # type: ignore[override]  # of what it can be asked for, only what the towers ask
        self, x: Tensor, key: Tensor, value: Tensor, need_weights: bool = False, attn_mask: Tensor | None = None
    ) -> tuple[Tensor, None]:
        """Return what the tokens find, (things, tokens, width) → the same, and no weights; the mask is (tokens, tokens)."""
        n, tokens, width = x.shape
        joint = F.linear(x, self.in_proj_weight, self.in_proj_bias)
        parts = joint.view(n, tokens, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4).contiguous()
        # Not one by one: the backward pass of a selection fills all three with zeros.
        queries, keys, values = parts.unbind()
        found = attended(queries, keys, values, attn_mask).transpose(1, 2).reshape(n, tokens, width)
        return self.out_proj(found), None


def attended(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
    """Return the attended values: three of (things, heads, tokens, width of a head) → one"""
    if queries.device.type != "cpu" or queries.shape[2] > MOST_TOKENS:
        return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
    scores = (queries * queries.shape[-1] ** -0.5) @ keys.mT
    return (scores if mask is None else scores + mask).softmax(-1) @ values


def patch_for_training(clip: Any) -> None:
    """Let all plain blocks of the towers attend by :class:`SelfAttention`."""
    for block in clip.modules():
        if type(block) is not ResidualAttentionBlock or hasattr(block, "ln_1_kv"):
            continue
        if block.attn.batch_first and block.attn.bias_k is None and not block.attn.dropout:
            block.attn.__class__ = SelfAttention
