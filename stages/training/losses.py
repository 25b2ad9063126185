"""The losses: contrastive with or without hard negatives, and distillation from an old agent to a new one."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F


class Names(NamedTuple):
    """Identities of a batch's images, and which of its texts are true of them.

    Attributes:
        images: (m,), the number of each image.
        true: (m, m + h), bool: which texts, first the m images' own and then the hard negatives, are captions of an image,
            whether it drew them or not, or are none at all.
    """

    images: Tensor
    true: Tensor


def contrastive(images: Tensor, texts: Tensor, scale: Tensor, names: Names) -> Tensor:
    """Return half the cross-entropy of each image over all texts plus half that of each image's text over all images.

    Of plain pairs this is CLIP's loss. With N pairs, N neighbours and a hard negative of each it is NegCLIP's (Yuksekgonul et al.,
    ICLR 2023, section 4): of the 2N × 4N similarities all rows count, but only columns of true captions. A true caption
    is not used as a negative: the same text on another image, or another text of the same image, drawn by that or another image.

    Args:
        images: (m, width), of length 1.
        texts: (m + h, width), of length 1.
        scale: the factor of similarities.
    """
    m = len(images)
    logits = (scale * images @ texts.T).float().masked_fill(true_elsewhere(names), -torch.inf)
    target = torch.arange(m, device=logits.device)
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits[:, :m].T, target)) / 2


def true_elsewhere(names: Names) -> Tensor:
    """Return which texts cannot be an image's negatives, (m, m + h): true or empty ones, but not the image's own text."""
    return names.true & ~torch.eye(*names.true.shape, dtype=torch.bool, device=names.true.device)


def distillation(new: Tensor, old: Tensor) -> Tensor:
    """Return the distance of the new agent's features (n, width) from the old one's: 1 less their cosine, on average."""
    return (1 - (new * old).sum(-1)).mean()
