"""What every model can do, whatever its family: score crops against captions; dual encoders also encode the two apart."""

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image

from stages.contract.errors import CrepeError

Tokens = tuple[int, ...]
CONFUSED = 0.01
"""Above this share of captions that are told apart by their words and not by their tokens, a tokenizer is none."""
ODD = 5
"""Every tokenizer confuses some captions. So many say nothing, however few there are with them: the last batch of a run, or what a
resumed one has left, may be small."""


class Model(ABC):
    """A model that looks at the image.

    ``prepare`` turns a crop into what the model eats (resized, normalised); it is called in worker threads, once a crop, and
    keeps no state.
    """

    identity: str
    """Names all that the scores hang on, so that what is kept is never another model's (:mod:`stages.models.identity`)."""
    context: int
    """How many tokens of a caption it reads."""

    @abstractmethod
    def prepare(self, image: Image.Image) -> Any:
        """One crop, in RGB, ready for the model."""

    @abstractmethod
    def score(self, images: Sequence[Any], texts: Sequence[str]) -> np.ndarray:
        """How well ``texts[i]`` fits the prepared ``images[i]``: float32 of shape (n,), higher is better."""

    @abstractmethod
    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The whole captions as the model's tokenizer gives them, of any length."""

    def prior(self, texts: Sequence[str]) -> np.ndarray:
        """How well captions score without an image, of shape (n,), for models that can be asked so."""
        raise NotImplementedError

    def truncated(self, texts: Sequence[str]) -> np.ndarray:
        """Which captions are longer than the model can read: booleans of shape (n,).

        Raises:
            CrepeError: as :func:`check_tokens`.
        """
        tokens = self.tokens(texts)
        check_tokens(texts, tokens)
        return np.array([len(ids) for ids in tokens]) > self.context


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


def check_tokens(texts: Sequence[str], tokens: Sequence[Tokens]) -> None:
    """See that a tokenizer tells captions apart, as an empty one (of a checkpoint without its tokenizer's files) does not.

    Captions count as distinct where their letters and digits are, accents and capitals apart.

    Raises:
        CrepeError: more than :data:`CONFUSED` of the distinct ``texts``, and more than :data:`ODD`, have the tokens of another.
    """
    by_letters = {letters: ids for text, ids in zip(texts, tokens, strict=True) if (letters := _letters(text))}
    if len(by_letters) - len(set(by_letters.values())) <= max(ODD, CONFUSED * len(by_letters)):
        return
    first: dict[Tokens, str] = {}
    one, other = next((first[ids], text) for text, ids in by_letters.items() if first.setdefault(ids, text) != text)
    raise CrepeError(
        f"the model's tokenizer makes the same tokens of captions that differ, such as {one!r} and {other!r}. "
        "Remedy: put the checkpoint's own tokenizer files (tokenizer.json, or vocab and merges) next to its weights."
    )


def _letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).casefold()
    return " ".join("".join(sign if sign.isalnum() else " " for sign in plain if not unicodedata.combining(sign)).split())


def cosine(images: np.ndarray, texts: np.ndarray) -> np.ndarray:
    """Row by row product of unit vectors.

    Summed in float64, so that equal features give equal scores wherever they stand: ties are found, and not made by rounding.
    """
    cosines = np.empty(len(images), dtype=np.float32)
    # In pieces that stay in the processor's cache.
    for start in range(0, len(images), 256):
        piece = slice(start, start + 256)
        cosines[piece] = np.einsum("ij,ij->i", images[piece].astype(np.float64), texts[piece].astype(np.float64))
    return cosines
