"""The identity of a model: everything that its scores depend on, so that cached features are never another model's."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from stages.models.digests import digest_of_code, digest_of_network, digest_of_tokenizer

LIBRARIES = ("torch", "torchvision", "open_clip_torch", "timm", "transformers", "tokenizers", "ftfy", "pillow", "numpy")
"""Libraries that a model's features depend on in addition to its files."""
HERE = Path(__file__).parent
NAMES = ["blocks", "chat", "codebook", "continuation", "contract", "embedder", "fast_linear", "huggingface", "openclip"]
NAMES += ["prefix_trie", "tensors"]
CODE = [*(HERE / f"{name}.py" for name in NAMES), HERE.parent / "images" / "crops.py"]
"""The project's code that turns a crop or a caption into features."""


def identity(family: str, model: Any, tokenizer: Any, preprocessing: Any, context: int, precision: str, device: str) -> str:
    """Return the identity of a model.

    Args:
        model: the network as it was loaded, before anything is packed.
        tokenizer: open_clip's or transformers'.
        preprocessing: settings of image preprocessing.
    """
    parts = (digest_of_network(model), of_tokenizer(tokenizer), repr(preprocessing), str(context), surroundings())
    return f"{family} {hashlib.sha256(repr(parts).encode()).hexdigest()} {precision} {device}"


def of_tokenizer(tokenizer: Any) -> str:
    """Return a digest of a tokenizer, including open_clip's, which wrap transformers' or have their own list of merges."""
    if not hasattr(tokenizer, "clean_fn"):
        return digest_of_tokenizer(tokenizer)
    inner = getattr(tokenizer, "tokenizer", None)
    # In the order of ranks and numbers, because sorting would take as long as loading the whole model.
    rules = [list(tokenizer.bpe_ranks), list(tokenizer.encoder)] if inner is None else digest_of_tokenizer(inner)
    functions = [getattr(getattr(tokenizer, name, None), "__qualname__", None) for name in ("clean_fn", "reduction_fn")]
    settings = [getattr(tokenizer, name, None) for name in ("context_length", "strip_sep_token", "tokenizer_mode")]
    return hashlib.sha256(repr((type(tokenizer).__name__, rules, functions, settings)).encode()).hexdigest()


@cache
def surroundings() -> str:
    """Return a digest of the project's code and of the libraries' versions."""
    return f"{digest_of_code(*CODE)} {[version(library) for library in LIBRARIES]}"
