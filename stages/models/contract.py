"""What every model can do, whatever its family: score crops against captions; dual encoders also encode the two apart."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from PIL import Image


class Model(ABC):
    """A model that looks at the image.

    ``prepare`` turns a crop into what the model eats (resized, normalised); it is called in worker threads, once a crop, and
    keeps no state.
    """

    identity: str
    """Names the weights and all else that the scores hang on, so that what is kept is never another model's."""

    @abstractmethod
    def prepare(self, image: Image.Image) -> Any:
        """One crop, in RGB, ready for the model."""

    @abstractmethod
    def score(self, images: Sequence[Any], texts: Sequence[str]) -> np.ndarray:
        """How well ``texts[i]`` fits the prepared ``images[i]``: float32 of shape (n,), higher is better."""

    @abstractmethod
    def truncated(self, texts: Sequence[str]) -> np.ndarray:
        """Which captions are longer than the model can read: booleans of shape (n,)."""


class DualEncoder(Model):
    """A model whose score is the cosine of a crop's and a caption's features."""

    width: int
    """Length of a feature vector."""

    @abstractmethod
    def encode_image(self, images: Sequence[Any]) -> np.ndarray:
        """Features of prepared crops: float32 of shape (n, width), each of length 1."""

    @abstractmethod
    def encode_text(self, texts: Sequence[str]) -> np.ndarray:
        """Features of captions: float32 of shape (n, width), each of length 1."""

    def score(self, images: Sequence[Any], texts: Sequence[str]) -> np.ndarray:
        return cosine(self.encode_image(images), self.encode_text(texts))


def cosine(images: np.ndarray, texts: np.ndarray) -> np.ndarray:
    """Row by row product of unit vectors.

    Summed in float64, so that equal features give equal scores wherever they stand: ties are found, and not made by rounding.
    """
    found = np.empty(len(images), dtype=np.float32)
    # In pieces that stay in the processor's cache.
    for start in range(0, len(images), 256):
        piece = slice(start, start + 256)
        found[piece] = np.einsum("ij,ij->i", images[piece].astype(np.float64), texts[piece].astype(np.float64))
    return found


def unit(features: torch.Tensor) -> np.ndarray:
    """Features as float32 of length 1."""
    return torch.nn.functional.normalize(features.float(), dim=-1).cpu().numpy()


def digest_of_weights(model: torch.nn.Module) -> str:
    """SHA-256 over the names and values of all weights."""
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
    return digest.hexdigest()


def in_batches(images: Sequence[torch.Tensor], size: int) -> list[torch.Tensor]:
    """Prepared crops stacked into batches that are all of one size, the last filled up with its first crop.

    Matrix kernels are chosen by the batch's size. With one size a crop's features do not hang on which crops stand beside it, so
    that a run that was interrupted gives the same bits as one that was not.
    """
    batches = [torch.stack(list(images[i : i + size])) for i in range(0, len(images), size)]
    if batches and len(batches[-1]) < size:
        batches[-1] = torch.cat([batches[-1], batches[-1][:1].expand(size - len(batches[-1]), *batches[-1].shape[1:])])
    return batches


def choose_device(device: str) -> str:
    """``auto`` is a GPU where there is one."""
    if device != "auto":
        return device
    return "cuda" if torch.cuda.is_available() else "cpu"


def choose_precision(precision: str, device: str) -> str:
    """``auto`` is fp32 on a processor, where it is exact and nearly as fast, and bf16 on a GPU."""
    if precision != "auto":
        return precision
    return "fp32" if device == "cpu" else "bf16"
