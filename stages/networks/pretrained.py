"""Pretrained networks, whoever asks them: where and how precisely they run, and what names one.

Torch is imported by those who ask, for most stages do without it.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stages.contract.errors import CrepeError, InputError
from stages.networks.digests import digest_of_file

PLAIN = (bool, int, float, str, type(None))
PLACES = ("_name_or_path", "name_or_path", "tokenizer_file", "vocab_file", "merges_file", "transformers_version")
"""What says where a network came from and not what it is."""


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


def digest_of_network(model: Any) -> str:
    """SHA-256 over a ``torch.nn.Module``: the names and values of all weights and buffers, and how it computes.

    The same weights make another network with other heads, another activation, mask or pooling. All of that stands in the
    modules' classes and their plain attributes, and for transformers' in the configuration.
    """
    import torch

    digest = hashlib.sha256()
    for name, tensor in sorted({**dict(model.named_buffers()), **model.state_dict()}.items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
    for name, module in model.named_modules():
        digest.update(f"{name} {type(module).__name__} {_settings(vars(module))}".encode())
    if (config := getattr(model, "config", None)) is not None:
        digest.update(_settings(config.to_dict()).encode())
    return digest.hexdigest()


def digest_of_tokenizer(tokenizer: Any) -> str:
    """SHA-256 over a tokenizer of transformers: its words, its rules, and what it puts around and behind a text."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        rules = backend.to_str()
    else:
        files = [Path(str(getattr(tokenizer, f"{name}_file", None) or "")) for name in ("vocab", "merges", "spm")]
        rules = json.dumps([sorted(tokenizer.get_vocab().items()), [digest_of_file(path) for path in files if path.is_file()]])
    ends = {str(name): str(token) for name, token in tokenizer.special_tokens_map.items()}
    sides = (tokenizer.padding_side, tokenizer.truncation_side, tokenizer.model_max_length)
    parts = (type(tokenizer).__name__, rules, sorted(ends.items()), sides, _settings(tokenizer.init_kwargs))
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _settings(values: Mapping[str, Any]) -> str:
    """The plain ones of ``values``, nested ones included, as JSON."""
    return json.dumps(_plain(values), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        kept = {str(key): _plain(part) for key, part in value.items() if str(key) not in PLACES and str(key) != "training"}
        return {key: part for key, part in kept.items() if part is not None}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(part) for part in (sorted(value, key=repr) if isinstance(value, set | frozenset) else value)]
    return value if isinstance(value, PLAIN) else getattr(value, "__qualname__", None)
