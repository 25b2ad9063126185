"""Prepared images cut into rows, columns or patches that change places (ARO, section 3.1)."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import torch
from PIL import Image

from stages.models.contract import DualEncoder, Tokens
from stages.models.digests import digest_of_code

CUTS = {"none": (1, 1), "rows": (4, 1), "columns": (1, 4), "patches": (3, 3)}
"""The number of rows and columns of each perturbation (appendix, table 4)."""


def permuted(image: torch.Tensor, cut: str, seed: int) -> torch.Tensor:
    """Return a prepared image, of shape (channels, height, width), with its parts permuted by the seed and the image.

    A remainder at the right and bottom, where the size is no multiple of the number of parts, stays in place.
    """
    rows, columns = CUTS[cut]
    height, width = image.shape[1] // rows, image.shape[2] // columns
    places = [(r * height, c * width) for r in range(rows) for c in range(columns)]
    content = hashlib.sha256(image.contiguous().numpy().tobytes()).hexdigest()
    order = Random(f"{seed}:{content}:{cut}").sample(places, len(places))
    moved = image.clone()
    for (top, left), (from_top, from_left) in zip(places, order, strict=True):
        part = image[:, from_top : from_top + height, from_left : from_left + width]
        moved[:, top : top + height, left : left + width] = part
    return moved


class PermutedImages(DualEncoder):
    """A dual encoder that sees every image in several versions, each with its parts in another order; texts are unchanged.

    An image is read and prepared once; its features are those of all versions, one after the other.

    Args:
        versions: how an image is cut (a name of :data:`CUTS`), and the seed.
    """

    def __init__(self, model: DualEncoder, versions: Sequence[tuple[str, int]]):
        self.model, self.versions, self.name, self.width = model, versions, model.name, len(versions) * model.width
        cuts = ", ".join(f"{cut} by seed {seed}" for cut, seed in versions)
        self.identity = f"{model.identity}, images cut into {cuts} by {digest_of_code(Path(__file__))}"

    def prepare(self, image: Image.Image) -> torch.Tensor:
        return self.model.prepare(image)

    def encode_image(self, images: Sequence[torch.Tensor]) -> np.ndarray:
        each = ([permuted(image, cut, seed) for image in images] for cut, seed in self.versions)
        return np.concatenate([self.model.encode_image(version) for version in each], axis=1)

    def encode_text(self, texts: Sequence[str]) -> np.ndarray:
        return self.model.encode_text(texts)

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        return self.model.tokens(texts)

    def truncated(self, texts: Sequence[str]) -> np.ndarray:
        return self.model.truncated(texts)
