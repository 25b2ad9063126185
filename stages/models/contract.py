"""The interface of every model of any family: score crops against captions; dual encoders also encode the two separately."""

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image

from stages.contract.errors import CrepeError, InputError

Tokens = tuple[int, ...]
CONFUSED = 0.01
"""Maximum fraction of distinct captions with equal tokens, for a tokenizer to count as intact."""
ODD = 5
"""Every tokenizer confuses some captions. Up to this many are ignored, because a small batch, such as the last of a run, may have
few captions in all."""


class Model(ABC):
    """A model that sees the image.

    ``prepare`` turns a crop into the model's input (resized, normalised); it is called in worker threads, once a crop, and
    keeps no state.
    """

    name = "the model"
    """Its name in the parameters, for messages."""
    identity: str
    """A name for everything that the scores depend on (:func:`stages.models.digests.identity`)."""
    context: int
    """Maximum number of tokens of a caption."""

    @abstractmethod
    def prepare(self, image: Image.Image) -> Any:
        """Return one crop, in RGB, ready for the model."""

    @abstractmethod
    def score(self, images: Sequence[Any], texts: Sequence[str]) -> np.ndarray:
        """Return how well ``texts[i]`` fits the prepared ``images[i]``: float32 of shape (n,), higher is better."""

    @abstractmethod
    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of the whole captions, of any length, by the model's tokenizer."""

    def truncated(self, texts: Sequence[str]) -> np.ndarray:
        """Return which captions exceed the model's maximum length: booleans of shape (n,).

        Raises:
            CrepeError: as :func:`check_tokens`.
        """
        tokens = self.tokens(texts)
        check_tokens(texts, tokens)
        return np.array([len(ids) for ids in tokens]) > self.context


class WithPrior(Model):
    """A model that can also score captions without an image."""

    @abstractmethod
    def prior(self, texts: Sequence[str]) -> np.ndarray:
        """Return the scores of captions without an image, with the same prompt: float32 of shape (n,)."""


class DualEncoder(Model):
    """A model whose score is the cosine of a crop's and a caption's features."""

    width: int
    """Length of a feature vector."""

    @abstractmethod
    def encode_image(self, images: Sequence[Any]) -> np.ndarray:
        """Return features of prepared crops: float32 of shape (n, width), each of length 1."""

    @abstractmethod
    def encode_text(self, texts: Sequence[str]) -> np.ndarray:
        """Return features of captions: float32 of shape (n, width), each of length 1."""

    def score(self, images: Sequence[Any], texts: Sequence[str]) -> np.ndarray:
        return cosine(self.encode_image(images), self.encode_text(texts))


def check_tokens(texts: Sequence[str], tokens: Sequence[Tokens]) -> None:
    """Check that a tokenizer distinguishes captions, which one without its files does not.

    Captions count as distinct if their letters and digits are, ignoring accents and capitals.

    Raises:
        CrepeError: more than :data:`CONFUSED` of the distinct ``texts``, and more than :data:`ODD`, have the tokens of another.
    """
    by_letters = {letters: ids for text, ids in zip(texts, tokens, strict=True) if (letters := _letters(text))}
    if len(by_letters) - len(set(by_letters.values())) <= max(ODD, CONFUSED * len(by_letters)):
        return
    first: dict[Tokens, str] = {}
    one, other = next((first[ids], text) for text, ids in by_letters.items() if first.setdefault(ids, text) != text)
    raise CrepeError(
        f"the model's tokenizer makes the same tokens for different captions, such as {one!r} and {other!r}. "
        "Remedy: put the checkpoint's own tokenizer files (tokenizer.json, or vocab and merges) next to its weights."
    )


def _letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).casefold()
    return " ".join("".join(sign if sign.isalnum() else " " for sign in plain if not unicodedata.combining(sign)).split())


def check_image_counts(model: Model, checkpoint: str, remedy: str) -> None:
    """Check that a model scores a caption, and differently on a grey and on a white crop.

    Raises:
        InputError: it does not.
    """
    grey, white = (model.prepare(Image.new("RGB", (64, 64), (value,) * 3)) for value in (128, 255))
    try:
        one, other = model.score([grey, white], ["a dog on a mat"] * 2)
    except (ValueError, TypeError, AttributeError, RuntimeError) as error:
        raise InputError(checkpoint, f"cannot score a caption ({error})"[:300], remedy) from None
    if one == other:
        wrong = "scores a caption the same on a white and a grey crop: it ignores the image"
        raise InputError(checkpoint, wrong, f"fetch it again with all of its files, or {remedy}")


def finite(values: np.ndarray, things: Sequence[object], name: str) -> np.ndarray:
    """Return ``values``, of shape (things, …), if all are finite: others have no order, and would look like a result.

    Raises:
        CrepeError: some are not; with the ``name`` of what computed them, and the first thing.
    """
    good = np.isfinite(values).reshape(len(values), -1).all(axis=1)
    if not good.all():
        thing = things[int(np.argmin(good))]
        remedy = "check its weights, or take evaluate.precision: fp32"
        raise CrepeError(f"{name}: what it gives to {thing} is not a finite number. Remedy: {remedy}.")
    return values


def cosine(images: np.ndarray, texts: np.ndarray) -> np.ndarray:
    """Return the row by row product of unit vectors.

    Summed in float64, so that equal features give equal scores in any position: ties are not broken by rounding.
    """
    cosines = np.empty(len(images), dtype=np.float32)
    # In chunks that fit into the processor's cache.
    for start in range(0, len(images), 256):
        piece = slice(start, start + 256)
        cosines[piece] = np.einsum("ij,ij->i", images[piece].astype(np.float64), texts[piece].astype(np.float64))
    return cosines
