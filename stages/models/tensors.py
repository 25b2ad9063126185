"""What models that run on PyTorch have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch


def unit(features: torch.Tensor) -> np.ndarray:
    """Features as float32 of length 1."""
    return torch.nn.functional.normalize(features.float(), dim=-1).cpu().numpy()


def in_batches(images: Sequence[torch.Tensor], size: int) -> list[torch.Tensor]:
    """Prepared crops stacked into batches that are all of one size, the last filled up with its first crop.

    Matrix kernels are chosen by the batch's size. With one size a crop's features do not hang on which crops stand beside it, so
    that a run that was interrupted gives the same bits as one that was not.
    """
    batches = [torch.stack(list(images[i : i + size])) for i in range(0, len(images), size)]
    if batches and len(batches[-1]) < size:
        batches[-1] = torch.cat([batches[-1], batches[-1][:1].expand(size - len(batches[-1]), *batches[-1].shape[1:])])
    return batches
