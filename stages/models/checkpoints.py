"""The precision of networks, and errors of loading their checkpoints."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import shorten

from PIL import Image

from stages.contract.errors import CrepeError, InputError
from stages.contract.pretrained import no_remote_code
from stages.models.contract import Model


def choose_precision(precision: str, device: str) -> str:
    """Return the precision of ``auto``: fp32 on a processor, where it is exact and nearly as fast, and bf16 on a GPU."""
    if precision != "auto":
        return precision
    return "fp32" if device == "cpu" else "bf16"


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the libraries' messages, such as "No pretrained weights loaded" for a model to be trained; faults are raised."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


@contextmanager
def loading(checkpoint: str, part: str) -> Iterator[None]:
    """Load a ``part`` of a checkpoint, such as its tokenizer, without running code from the checkpoint.

    Raises:
        InputError: it cannot be loaded, with any exception of the libraries: some raise plain ones.
    """
    try:
        with no_remote_code(), quiet():
            yield
    except (CrepeError, MemoryError):
        raise
    except Exception as error:
        first = shorten(next(iter(str(error).strip().splitlines()), ""), 200, placeholder=" …")
        remedy = f"fetch it again with all of its files, or save its {part} next to its weights (save_pretrained)"
        raise InputError(checkpoint, f"its {part} cannot be loaded ({type(error).__name__}: {first})", remedy) from None


def check_image_counts(model: Model, checkpoint: str, remedy: str) -> None:
    """Check that a model scores a caption, and differently on a grey and on a white crop."""
    grey, white = (model.prepare(Image.new("RGB", (64, 64), (value,) * 3)) for value in (128, 255))
    try:
        one, other = model.score([grey, white], ["a dog on a mat"] * 2)
    except (ValueError, TypeError, AttributeError, RuntimeError) as error:
        raise InputError(checkpoint, f"cannot score a caption ({error})"[:300], remedy) from None
    if one == other:
        wrong = "scores a caption the same on a white and a grey crop: it ignores the image"
        raise InputError(checkpoint, wrong, f"fetch it again with all of its files, or {remedy}")
