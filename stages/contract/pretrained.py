"""Settings of pretrained networks: the device, the precision, and loading without foreign code.

Torch is imported in the functions, because most stages do without it.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import shorten

from stages.contract.errors import CrepeError, InputError


def choose_device(device: str) -> str:
    """Return the device of ``auto``: a GPU if there is one."""
    if device != "auto":
        return device
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def choose_precision(precision: str, device: str) -> str:
    """Return the precision of ``auto``: fp32 on a processor, where it is exact and nearly as fast, and bf16 on a GPU."""
    if precision != "auto":
        return precision
    return "fp32" if device == "cpu" else "bf16"


@contextmanager
def no_remote_code() -> Iterator[None]:
    """Load networks without running their own code, and without a prompt, which ``yes |`` would answer.

    ``trust_remote_code=False`` does this where it can be passed; open_clip loads text towers and tokenizers without it.
    """
    from transformers import dynamic_module_utils as remote

    seconds, remote.TIME_OUT_REMOTE_CODE = remote.TIME_OUT_REMOTE_CODE, 0
    try:
        yield
    finally:
        remote.TIME_OUT_REMOTE_CODE = seconds


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
