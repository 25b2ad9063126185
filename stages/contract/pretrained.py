"""Settings of pretrained networks: the device, and loading without foreign code.

Torch is imported in the functions, because most stages do without it.
"""

from collections.abc import Iterator
from contextlib import contextmanager


def choose_device(device: str) -> str:
    """Return the device of ``auto``: a GPU if there is one."""
    if device != "auto":
        return device
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


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
