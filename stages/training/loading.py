"""Pictures and tokens for the next steps: decoded by threads during the current step, and cached while memory allows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy
from typing import Any, NamedTuple

import torch
from open_clip.transform import PreprocessCfg, image_transform_v2
from torch import Tensor
from torch.nn import functional as F
from torchvision.transforms import Compose, Normalize

from stages.console.progress import progress
from stages.pairs.pairs import Place, pixels
from stages.training.batches import Batch, Batches
from stages.training.losses import Names
from stages.training.processes import part

BATCH = 4096
"""Number of texts tokenised, and of pictures checked, at a time."""
AHEAD = 2
"""Number of batches loaded in advance."""


class Loaded(NamedTuple):
    """This process's part of a batch, and the names of the whole batch's images and texts.

    Images are (m, 3, side, side), uint8; captions, and negatives where the method has any, are tokens, (m, length).
    """

    step: int
    images: Tensor
    captions: Tensor
    negatives: Tensor | None
    names: Names


class Tokens:
    """Texts as tokens, all tokenised before the training begins, with one number for all texts that the model reads as one.

    Where the text tower attends backwards only (``cut``), they are cut to a batch's longest and renumbered within ``used``,
    so that unused embeddings are left out. The order of numbers is kept: the greatest token is the end.
    """

    def __init__(self, tokenizer: Callable[[list[str]], Tensor], texts: Iterable[str], cut: bool):
        every = list(dict.fromkeys(texts))
        pieces: list[Tensor] = []
        for start in progress(range(0, len(every), BATCH), "tokens", f"{BATCH:,} texts"):
            rows = tokenizer(every[start : start + BATCH])
            ends = rows.argmax(1) + 1 if cut else torch.full((len(rows),), rows.shape[1])
            pieces += [row[:end].int() for row, end in zip(rows, ends.tolist(), strict=True)]
        alike: dict[bytes, int] = {}
        self.numbers = {
            text: alike.setdefault(row.numpy().tobytes(), n) for n, (text, row) in enumerate(zip(every, pieces, strict=True))
        }
        flat = torch.cat(pieces)
        self.used: Tensor | None = None
        again = flat
        if cut:
            self.used, again = torch.unique(flat, return_inverse=True)
        self.rows = again.int().split([len(piece) for piece in pieces])

    def of(self, texts: Sequence[str], every: Sequence[str]) -> Tensor:
        """Return tokens of ``texts``, (n, length), as long as the longest of ``every``, which all processes know."""
        length = max(len(self.rows[self.numbers[text]]) for text in every)
        tokens = torch.zeros(len(texts), length, dtype=torch.long)
        for row, text in zip(tokens, texts, strict=True):
            ids = self.rows[self.numbers[text]]
            row[: len(ids)] = ids
        return tokens


class Pictures:
    """Pictures by their number, with the model's own ``preprocessing``; at most ``keep`` bytes of them stay in memory decoded."""

    def __init__(self, pictures: Sequence[bytes | Place], preprocessing: dict[str, Any], keep: int):
        self.pictures, self.room = pictures, keep
        self.resize, _ = resizing(preprocessing)
        self.kept: dict[bytes | Place, Tensor] = {}

    def of(self, pictures: Sequence[bytes | Place]) -> Pictures:
        """Return some of the pictures, by number, with those in memory reused."""
        some = copy(self)
        some.pictures = pictures
        return some

    def __getitem__(self, number: int) -> Any:
        """Return a picture as uint8, shape (3, side, side); ``None`` if it is unreadable."""
        picture = self.pictures[number]
        if (known := self.kept.get(picture)) is not None:
            return known
        tensor = pixels(picture, self.resize)
        if tensor is not None and self.room >= tensor.numel():
            self.room -= tensor.numel()
            self.kept[picture] = tensor
        return tensor

    def bad(self, workers: int) -> list[int]:
        """Return the numbers of the unreadable pictures. All are decoded for this, and cached as far as memory allows."""
        every = range(len(self.pictures))
        pieces = progress([every[start : start + BATCH] for start in every[::BATCH]], "pictures", f"{BATCH:,} pictures")
        with ThreadPoolExecutor(workers) as pool:
            unreadable = (zip(piece, pool.map(lambda i: self[i] is None, piece), strict=True) for piece in pieces)
            return [i for piece in unreadable for i, bad in piece if bad]


def resizing(preprocessing: dict[str, Any]) -> tuple[Compose, Normalize]:
    """Return a model's preprocessing, from its description, in two parts: for a picture, and for its array."""
    *steps, _, normalise = image_transform_v2(PreprocessCfg(**preprocessing), is_train=False).transforms
    return Compose(steps), normalise


class Loader:
    """The batches from a step on, each loaded during the one before, with the seconds spent waiting for them in ``waited``."""

    def __init__(self, batches: Batches, pictures: Pictures, tokens: Tokens, workers: int):
        self.batches, self.pictures, self.tokens, self.workers = batches, pictures, tokens, workers
        self.waited = 0.0

    def __call__(self, first: int, steps: int) -> Iterator[Loaded]:
        with ThreadPoolExecutor(1) as loading, ThreadPoolExecutor(self.workers) as decoding:
            coming: list[Future[Loaded]] = []
            for step in range(first, steps):
                while len(coming) <= AHEAD and step + len(coming) < steps:
                    coming.append(loading.submit(self._load, step + len(coming), decoding))
                begun = time.perf_counter()
                loaded = coming.pop(0).result()
                self.waited += time.perf_counter() - begun
                yield loaded

    def _load(self, step: int, decoding: ThreadPoolExecutor) -> Loaded:
        batch = self.batches.at(step)
        images = torch.stack(list(decoding.map(self.pictures.__getitem__, part(batch.images))))
        return Loaded(step, shifted(images, batch.shift), *self._texts(batch))

    def _texts(self, batch: Batch) -> tuple[Tensor, Tensor | None, Names]:
        # A caption without a negative is used as its own negative, and masked.
        hard = [text or caption for text, caption in zip(batch.negatives, batch.captions, strict=False)]
        names = Names(torch.tensor(batch.images), torch.from_numpy(self.batches.true(batch, self.tokens.numbers)))
        captions = self.tokens.of(part(batch.captions), batch.captions)
        return captions, self.tokens.of(part(hard), hard) if hard else None, names


def shifted(images: Tensor, shift: tuple[int, int]) -> Tensor:
    """Return images moved by some pixels, with borders filled by the nearest pixel: (n, 3, side, side) → the same shape."""
    most = max(map(abs, shift))
    if not most:
        return images
    side_y, side_x = images.shape[-2:]
    wide = F.pad(images.float(), (most,) * 4, mode="replicate").to(images.dtype)
    y, x = most - shift[0], most - shift[1]
    return wide[..., y : y + side_y, x : x + side_x]
