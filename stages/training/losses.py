"""The losses: contrastive with or without hard negatives, and what a new agent learns from the old one."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F


class Names(NamedTuple):
    """What a batch's images are, and which of its texts are true of them.

    Attributes:
        images: (m,), the number of each image.
        true: (m, m + h), bool: which texts, first the m images' own and then the hard negatives, are captions of an image,
            whether it drew them or not, or are none at all.
    """

    images: Tensor
    true: Tensor


def contrastive(images: Tensor, texts: Tensor, scale: Tensor, names: Names) -> Tensor:
    """Cross-entropy of each image over all texts, and of each image's text over all images, half each.

    Of plain pairs this is CLIP's loss. With N pairs, N neighbours and a hard negative of each it is NegCLIP's (Yuksekgonul et al.,
    ICLR 2023, section 4): of the 2N × 4N similarities the rows count whole, and the columns of true captions only. What is true is
    no negative: the same text on another image, and another text of the same image, though it be drawn by another one.

    Args:
        images: (m, width), of length 1.
        texts: (m + h, width), of length 1.
        scale: by which similarities are multiplied.
    """
    m = len(images)
    logits = (scale * images @ texts.T).float().masked_fill(true_elsewhere(names), -torch.inf)
    target = torch.arange(m, device=logits.device)
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits[:, :m].T, target)) / 2


def true_elsewhere(names: Names) -> Tensor:
    """(m, m + h): the texts that are no negative of an image, or none at all; an image's own text is not among them."""
    return names.true & ~torch.eye(*names.true.shape, dtype=torch.bool, device=names.true.device)


def distillation(new: Tensor, old: Tensor) -> Tensor:
    """How far the new agent's features (n, width) are from the old one's of the same things: 1 less their cosine, on average."""
    return (1 - (new * old).sum(-1)).mean()
