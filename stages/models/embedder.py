"""Models through sentence-transformers: encoders of images and texts into one space, and rerankers of pairs.

Images are passed as opened images, and captions as texts by name: otherwise a caption that is the name of an existing file, or an
image's address, would be taken for the image.
"""

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from logging.handlers import BufferingHandler
from typing import Any

import numpy as np
import torch
from PIL import Image

from stages.contract.errors import CrepeError, InputError
from stages.contract.pretrained import loading
from stages.models.contract import DualEncoder, Model, Tokens
from stages.models.digests import identity
from stages.models.huggingface import DTYPES
from stages.models.tensors import by_width, once, unit

INSTALL = "pip install -r requirements.txt, which includes sentence-transformers"


class _Pretrained:
    """What encoders and rerankers share."""

    cls_name: str
    how: dict[str, Any]
    """Further arguments of the library's class."""
    context: int
    identity: str

    def __init__(self, checkpoint: str, precision: str, device: str, batch: int):
        try:
            import sentence_transformers
        except ImportError:
            raise CrepeError(f"sentence-transformers is not installed. Remedy: {INSTALL}.") from None
        with loading(checkpoint, "weights"), no_random_weights(checkpoint):
            how = {"model_kwargs": {"dtype": DTYPES[precision]}, "trust_remote_code": False, "device": device, **self.how}
            self.model = getattr(sentence_transformers, self.cls_name)(checkpoint, **how).eval()
        self.checkpoint, self.batch = checkpoint, batch
        if not {"text", "image"} <= set(self.model.modalities):
            wrong = f"reads {', '.join(map(str, self.model.modalities))}, and not both text and image"
            raise InputError(checkpoint, wrong, "name an encoder or a reranker of texts and images")
        self.tokenizer = self.model.tokenizer
        self.context = int(self.model.max_seq_length or self.tokenizer.model_max_length)
        settings = [repr(module) for module in self.model.children()]
        parts = (version("sentence-transformers"), settings, self.model.prompts, self.model.default_prompt_name, self._processor())
        family = f"sentence-transformers {self.cls_name}"
        self.identity = identity(family, self.model, self.tokenizer, parts, self.context, precision, device)

    def _processor(self) -> str:
        """Return the settings of image preprocessing."""
        processor = getattr(self.model[0], "processor", None)
        return repr(sorted((key, str(value)) for key, value in processor.to_dict().items())) if processor else ""

    def prepare(self, image: Image.Image) -> Image.Image:
        return image.convert("RGB")

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        return [tuple(ids) for ids in self.tokenizer(list(texts)).input_ids]


class Encoder(_Pretrained, DualEncoder):
    """An encoder of images and texts; captions get the checkpoint's own prompt for texts, if it has one."""

    cls_name, how = "SentenceTransformer", {}

    def __init__(self, checkpoint: str, precision: str, device: str, batch: int):
        super().__init__(checkpoint, precision, device, batch)
        self.width = self.encode_text(["a"]).shape[1]

    def _encode(self, inputs: Sequence[dict[str, Any]]) -> np.ndarray:
        """Return unit vectors of a batch of one size: of shape (n, width)."""
        whole = [*inputs, *[inputs[0]] * (self.batch - len(inputs))]
        found = self.model.encode(
            whole, batch_size=self.batch, normalize_embeddings=True, convert_to_tensor=True, show_progress_bar=False
        )
        return unit(found)[: len(inputs)]

    def encode_image(self, images: Sequence[Image.Image]) -> np.ndarray:
        pieces = (images[i : i + self.batch] for i in range(0, len(images), self.batch))
        return np.concatenate([self._encode([{"image": image} for image in piece]) for piece in pieces])

    def encode_text(self, texts: Sequence[str]) -> np.ndarray:
        """Return features of captions, in batches of one length: without padding they do not depend on each other."""
        tokens = self.tokens(texts)
        distinct, places = once([ids[: self.context] for ids in tokens])
        lengths = np.array([min(len(tokens[i]), self.context) for i in distinct])
        rows: dict[int, np.ndarray] = {}
        for _, which in by_width(lengths, self.batch):
            rows |= zip(which, self._encode([{"text": texts[distinct[i]]} for i in which]), strict=True)
        return np.stack([rows[i] for i in places])


class Reranker(_Pretrained, Model):
    """A cross-encoder: the caption is the query, the crop the document, and the score is the logit.

    Its sigmoid is exactly 1 from 17 upwards, where scores would tie. Pairs are scored one by one, without padding.
    """

    cls_name, how = "CrossEncoder", {"activation_fn": torch.nn.Identity()}

    def score(self, images: Sequence[Image.Image], texts: Sequence[str]) -> np.ndarray:
        scores = np.empty(len(texts), dtype=np.float32)
        for i, (image, text) in enumerate(zip(images, texts, strict=True)):
            try:
                found = self.model.predict([({"text": text}, {"image": image})], batch_size=1, show_progress_bar=False)
            except ValueError as error:
                wrong = f"{self.checkpoint} cannot score the caption {text!r} ({error})"
                raise CrepeError(f"{wrong}. Remedy: leave the caption out.") from None
            if np.size(found) != 1:
                raise InputError(self.checkpoint, f"gives {np.size(found)} scores for a pair", "name a reranker with one label")
            scores[i] = np.ravel(found)[0]
        return scores


@contextmanager
def no_random_weights(checkpoint: str) -> Iterator[None]:
    """Raise an error where transformers only warns: it initialises missing weights at random.

    Raises:
        InputError: weights are missing or of another shape.
    """
    log, listener = logging.getLogger("transformers.modeling_utils"), BufferingHandler(1000)
    before = log.level, log.propagate, logging.root.manager.disable
    log.addHandler(listener)
    log.setLevel(logging.WARNING)
    log.propagate = False
    logging.disable(logging.NOTSET)
    try:
        yield
    finally:
        log.removeHandler(listener)
        log.setLevel(before[0])
        log.propagate = before[1]
        logging.disable(before[2])
    lines = (line for record in listener.buffer for line in re.sub(r"\x1b\[\d+m", "", record.getMessage()).splitlines())
    if said := [" ".join(line.split()) for line in lines if re.search(r"\| *(MISSING|MISMATCH)", line)]:
        raise InputError(checkpoint, f"does not fit its model: {'; '.join(said[:3])}"[:300], "fetch it again with all of its files")
