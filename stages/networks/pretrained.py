"""Pretrained networks, whoever asks them: where and how precisely they run, and what names one.

Torch is imported by those who ask, for most stages do without it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from stages.contract.errors import CrepeError, InputError


def choose_device(device: str) -> str:
    """``auto`` is a GPU where there is one."""
    if device != "auto":
        return device
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def choose_precision(precision: str, device: str) -> str:
    """``auto`` is fp32 on a processor, where it is exact and nearly as fast, and bf16 on a GPU."""
    if precision != "auto":
        return precision
    return "fp32" if device == "cpu" else "bf16"


@contextmanager
def quiet() -> Iterator[None]:
    """Without the libraries' own messages, as "No pretrained weights loaded" of a model to be trained: faults are raised."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


@contextmanager
def no_remote_code() -> Iterator[None]:
    """Load networks without running code that comes with them, and without asking anybody: ``yes |`` would answer.

    ``trust_remote_code=False`` says so where it is ours to say; open_clip loads text towers and tokenizers without it.
    """
    from transformers import dynamic_module_utils as remote

    seconds, remote.TIME_OUT_REMOTE_CODE = remote.TIME_OUT_REMOTE_CODE, 0
    try:
        yield
    finally:
        remote.TIME_OUT_REMOTE_CODE = seconds


@contextmanager
def loading(checkpoint: str, part: str) -> Iterator[None]:
    """Load a ``part`` of a checkpoint, such as its tokenizer, by :func:`no_remote_code`.

    Raises:
        InputError: it cannot be loaded, whatever the libraries say: some of them raise plain exceptions.
    """
    try:
        with no_remote_code(), quiet():
            yield
    except (CrepeError, MemoryError):
        raise
    except Exception as error:
        first = next(iter(str(error).strip().splitlines()), "")
        remedy = "fetch the checkpoint again, with all of its files"
        raise InputError(checkpoint, f"its {part} cannot be loaded ({type(error).__name__}: {first[:200]})", remedy) from None
