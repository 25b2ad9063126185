"""The images and texts of a batch: drawn from the seed and the step alone, so that a killed run continues with the same ones."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stages.parameters.sections import Train


class Material(NamedTuple):
    """The captions of each image, the negatives of a caption, and the images most similar to each (both for NegCLIP)."""

    captions: Sequence[Sequence[str]]
    negatives: Mapping[str, Sequence[str]]
    neighbours: Sequence[Sequence[int]]

    def texts(self) -> list[str]:
        """Return every text that a batch may have, once."""
        captions = dict.fromkeys(caption for of_image in self.captions for caption in of_image)
        return list(captions | dict.fromkeys(text for caption in captions for text in self.negatives.get(caption, ())))


class Batch(NamedTuple):
    """Indices of images; the caption of each, a hard negative of each caption or ``""``, and how far all images are moved.

    ``shift`` is in pixels, down and to the right.
    """

    images: list[int]
    captions: list[str]
    negatives: list[str]
    shift: tuple[int, int]


class Batches:
    """The batches of a training: each image once an epoch. A batch has ``train.batch`` images; in NegCLIP's half of them are
    neighbours of the other half."""

    def __init__(self, material: Material, settings: Train):
        self.material, self.seed, self.shift = material, settings.seed % 2**63, settings.shift
        self.hard = settings.method == "negclip"
        self.size = min(settings.batch // 2 if self.hard else settings.batch, len(material.captions))
        self.an_epoch = len(material.captions) // self.size
        self._order = (-1, np.empty(0, int))

    def at(self, step: int) -> Batch:
        """Return the batch of a step, from 0."""
        rng = np.random.default_rng((self.seed, step))
        images = self._drawn(step)
        if self.hard:
            images += [int(rng.choice(near)) if len(near := self.material.neighbours[i]) else i for i in images]
        captions = [
            image_captions[int(rng.integers(len(image_captions)))] for image_captions in (self.material.captions[i] for i in images)
        ]
        down, right = rng.integers(-self.shift, self.shift + 1, 2).tolist()
        negatives = [self._negative(i, caption, rng) for i, caption in zip(images, captions, strict=True)] if self.hard else []
        return Batch(images, captions, negatives, (down, right))

    def true(self, batch: Batch, numbers: Mapping[str, int]) -> np.ndarray:
        """Return which texts of a batch are captions of which image, bool of shape (m, m + h): the captions, then the negatives.

        Args:
            numbers: of texts; texts that the model reads as one, in other capitals or beyond the cut, have the same number.
        """
        texts = [*batch.captions, *batch.negatives]
        places: dict[int | str, list[int]] = {}
        for place, text in enumerate(texts):
            places.setdefault(numbers.get(text, text), []).append(place)
        true = np.zeros((len(batch.images), len(texts)), dtype=bool)
        for row, image in zip(true, batch.images, strict=True):
            for text in ("", *self.material.captions[image]):
                row[places.get(numbers.get(text, text), [])] = True
        return true

    def _drawn(self, step: int) -> list[int]:
        epoch, place = divmod(step, self.an_epoch)
        if self._order[0] != epoch:
            order = np.random.default_rng((self.seed, epoch, 1)).permutation(len(self.material.captions))
            self._order = (epoch, order)
        return self._order[1][place * self.size :][: self.size].tolist()

    def _negative(self, image: int, caption: str, rng: np.random.Generator) -> str:
        """Return one of the caption's negatives that is not another caption of the image, which would be true."""
        every = [text for text in self.material.negatives.get(caption, ()) if text not in self.material.captions[image]]
        return every[int(rng.integers(len(every)))] if len(every) else ""
