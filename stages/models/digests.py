"""Content digests as names for cached data, so that nothing stale is ever read, and so the identity of a model."""

import ast
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from stages.contract.files import digest_of_file

PLAIN = (bool, int, float, str, type(None))
PLACES = ("_name_or_path", "name_or_path", "tokenizer_file", "vocab_file", "merges_file", "transformers_version")
"""Settings that say where a network came from and not what it is."""

LIBRARIES = ("torch", "torchvision", "open_clip_torch", "timm", "transformers", "tokenizers", "ftfy", "pillow", "numpy")
"""Libraries that a model's features depend on in addition to its files."""
HERE = Path(__file__).parent
NAMES = ["blocks", "chat", "codebook", "continuation", "contract", "embedder", "huggingface", "openclip", "prefix_trie", "tensors"]
CODE = [*(HERE / f"{name}.py" for name in NAMES), HERE.parent / "images" / "crops.py"]
"""The project's code that turns a crop or a caption into features."""


def key_of(*parts: str | bytes | memoryview) -> bytes:
    """Return a sixteen-byte digest of a content."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()


def digest_of_code(*files: Path) -> str:
    """Return the SHA-256 of what Python files do: comments, docstrings and layout do not count."""
    trees = (_WithoutTexts().visit(ast.parse(file.read_bytes())) for file in files)
    return hashlib.sha256("".join(map(ast.dump, trees)).encode()).hexdigest()


class _WithoutTexts(ast.NodeTransformer):
    def visit_Expr(self, line: ast.Expr) -> ast.Expr | None:
        return None if isinstance(line.value, ast.Constant) and isinstance(line.value.value, str) else line


def digest_of_network(model: Any) -> str:
    """Return the SHA-256 of a ``torch.nn.Module``: the names and values of all weights and buffers, and how it computes.

    The same weights make another network with other heads, another activation, mask or pooling. All of these are in the
    modules' classes and their plain attributes, and in the configuration of transformers' models.
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
    """Return the SHA-256 of a tokenizer: its words, its rules, and the tokens that it adds around a text.

    It is one of transformers, or of open_clip, whose tokenizers wrap these or have their own list of merges.
    """
    rules: Any
    if hasattr(tokenizer, "clean_fn"):
        inner = getattr(tokenizer, "tokenizer", None)
        # In the order of ranks and numbers, because sorting would take as long as loading the whole model.
        rules = [list(tokenizer.bpe_ranks), list(tokenizer.encoder)] if inner is None else digest_of_tokenizer(inner)
        functions = [getattr(getattr(tokenizer, name, None), "__qualname__", None) for name in ("clean_fn", "reduction_fn")]
        settings = [getattr(tokenizer, name, None) for name in ("context_length", "strip_sep_token", "tokenizer_mode")]
        return hashlib.sha256(repr((type(tokenizer).__name__, rules, functions, settings)).encode()).hexdigest()
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
    """Return the plain values among ``values``, nested ones included, as JSON."""
    return json.dumps(_plain(values), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        parts = {str(key): _plain(part) for key, part in value.items() if str(key) not in PLACES and str(key) != "training"}
        return {key: part for key, part in parts.items() if part is not None}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(part) for part in (sorted(value, key=repr) if isinstance(value, set | frozenset) else value)]
    return value if isinstance(value, PLAIN) else getattr(value, "__qualname__", None)


def identity(family: str, model: Any, tokenizer: Any, preprocessing: Any, context: int, precision: str, device: str) -> str:
    """Return the identity of a model: everything that its scores depend on, so that cached features are never another model's.

    Args:
        model: the network as it was loaded, before anything is packed.
        tokenizer: open_clip's or transformers'.
        preprocessing: settings of image preprocessing.
    """
    parts = (digest_of_network(model), digest_of_tokenizer(tokenizer), repr(preprocessing), str(context), surroundings())
    return f"{family} {hashlib.sha256(repr(parts).encode()).hexdigest()} {precision} {device}"


@cache
def surroundings() -> str:
    """Return a digest of the project's code and of the libraries' versions."""
    return f"{digest_of_code(*CODE)} {[version(library) for library in LIBRARIES]}"
