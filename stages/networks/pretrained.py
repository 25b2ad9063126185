"""Pretrained networks, for all that use them: where they run, and that nothing which comes with them does.

Torch is imported by those who ask, for most stages do without it.
"""

from collections.abc import Iterator
from contextlib import contextmanager


def choose_device(device: str) -> str:
    """``auto`` is a GPU where there is one."""
    if device != "auto":
        return device
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


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
