"""Models through open_clip: an architecture with a pretrained tag or a checkpoint file, ``local-dir:`` a folder, or ``hf-hub:`` a
name.
"""

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np
import open_clip
import torch
from open_clip.tokenizer import SimpleTokenizer
from PIL import Image
from torch import Tensor

from stages.contract.errors import InputError, ParameterError
from stages.contract.pretrained import loading, no_remote_code, quiet
from stages.models import blocks, prefix_trie
from stages.models.contract import DualEncoder, Tokens
from stages.models.digests import identity
from stages.models.tensors import by_batch, once, unit


class OpenClip(DualEncoder):
    """A dual encoder of open_clip, with its own tokenizer and preprocessing.

    Args:
        architecture: a built-in name, ``local-dir:FOLDER`` or ``hf-hub:NAME``.
        pretrained: a tag of the architecture or a checkpoint file; none with the two others, which bring their weights.
        batch: crops a batch.
        text_batch_tokens: distinct tokens a batch of captions.
    """

    def __init__(self, architecture: str, pretrained: str | None, precision: str, device: str, batch: int, text_batch_tokens: int):
        self.model, self.transform = load(architecture, pretrained, precision, device)
        self._describe("open_clip", self.model, architecture, precision, device, batch)
        self.text_batch_tokens = text_batch_tokens
        plain = isinstance(self.tokenizer, SimpleTokenizer) and not self.tokenizer.reduction_fn
        self.packs = plain and prefix_trie.packs(self.model)
        blocks.patch_for_speed(self.model.visual)
        if self.packs:
            # From now on only :func:`stages.models.prefix_trie.encode` can use the text tower.
            self.model.transformer.resblocks = torch.nn.ModuleList(map(blocks.Block, self.model.transformer.resblocks))
        try:
            self.width = self.encode_text(["a"]).shape[1]
        except RuntimeError as error:
            if "same dtype" not in str(error):
                raise
            raise ParameterError("evaluate.precision", f"{architecture} cannot compute in {precision}", "set it to fp32") from None

    def _describe(self, family: str, towers: Any, architecture: str, precision: str, device: str, batch: int) -> None:
        """Set the properties of the model as it was loaded, before anything is packed."""
        self.tokenizer = load_tokenizer(architecture)
        self.device, self.batch, self.dtype = device, batch, open_clip.get_input_dtype(precision)
        self.context = self.tokenizer.context_length or towers.context_length
        how = (towers.visual.preprocess_cfg, self.context, precision, device)
        self.identity = identity(family, self.model, self.tokenizer, *how)

    def prepare(self, image: Image.Image) -> Tensor:
        return self.transform(image)

    @torch.inference_mode()
    def encode_image(self, images: Sequence[Tensor]) -> np.ndarray:
        return by_batch(lambda some: unit(self.model.encode_image(some.to(self.device, self.dtype))), images, self.batch)

    def encode_text(self, texts: Sequence[str]) -> np.ndarray:
        return self._encode_packed(texts) if self.packs else self._encode_padded(texts)

    def _encode_packed(self, texts: Sequence[str]) -> np.ndarray:
        tokens = [(*ids[: self.context - 1], ids[-1]) if len(ids) > self.context else ids for ids in self.tokens(texts)]
        # Captions that differ only in what the tokenizer drops are one caption to the model.
        distinct = sorted(set(tokens))
        tries = prefix_trie.tries(distinct, self.text_batch_tokens)
        features = np.concatenate([unit(prefix_trie.encode(self.model, trie, self.text_batch_tokens)) for trie in tries])
        place = {caption: i for i, caption in enumerate(distinct)}
        return features[[place[caption] for caption in tokens]]

    @torch.inference_mode()
    def _encode_padded(self, texts: Sequence[str]) -> np.ndarray:
        """Encode texts at full context length, as in training, for text towers that attend to both sides or pool elsewhere."""
        tokens = self.tokenizer(list(texts))
        distinct, places = once([tuple(ids) for ids in tokens.tolist()])
        return by_batch(lambda some: unit(self.model.encode_text(some.to(self.device))), tokens[distinct], self.batch)[places]

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        if isinstance(self.tokenizer, SimpleTokenizer):
            start, end = self.tokenizer.sot_token_id, self.tokenizer.eot_token_id
            return [(start, *self.tokenizer.encode(text), end) for text in texts]
        return [tuple(ids) for ids in self.tokenizer.tokenizer([self.tokenizer.clean_fn(text) for text in texts]).input_ids]


def load_tokenizer(architecture: str) -> Any:
    """Return the tokenizer of an architecture.

    Raises:
        InputError: its files are missing or broken.
    """
    with loading(architecture, "tokenizer"):
        return open_clip.get_tokenizer(architecture)


PICTURES = ("mean", "std", "interpolation", "resize_mode")


def preprocessing(architecture: str, pretrained: str) -> dict[str, Any]:
    """Return the image preprocessing of a tag's weights; for a file that of all tags of its architecture, if these agree.

    open_clip itself uses OpenAI's preprocessing for every file, even for SigLIP or MobileCLIP.
    """
    of_tag = open_clip.get_pretrained_cfg(architecture, pretrained)
    tags = open_clip.list_pretrained_tags_by_model(architecture)
    every = [of_tag] if of_tag else [open_clip.get_pretrained_cfg(architecture, tag) for tag in tags]
    first, *others = [{key: settings[key] for key in PICTURES if settings.get(key)} for settings in every] or [{}]
    return first if all(other == first for other in others) else {}


def load(
    architecture: str, pretrained: str | None, precision: str, device: str, **changes: Any
) -> tuple[Any, Callable[[Image.Image], Tensor]]:
    """Return the model and its preprocessing; ``changes`` override the architecture's configuration.

    Raises:
        ParameterError: there is no such architecture or tag, or the tag was trained with another activation (QuickGELU).
        InputError: the checkpoint does not fit the architecture, or holds more than weights.
    """
    if ":" not in architecture and architecture not in open_clip.list_models():
        # open_clip accepts ViT-B/32 for ViT-B-32, but finds neither tokenizer nor preprocessing by that name.
        names = "name one, with - where it has /: python -c 'import open_clip; print(open_clip.list_models())'"
        raise ParameterError("models", f"open_clip has no architecture {architecture}", names)
    _check_activation(architecture, pretrained)
    where = pretrained or architecture
    fed = {f"image_{key}": value for key, value in preprocessing(architecture, pretrained).items()} if pretrained else {}
    at_hand = architecture.startswith("local-dir:") or Path(pretrained or "").is_file()
    with no_remote_code(), quiet(), _as_saved() if at_hand else nullcontext():
        try:
            model, transform = open_clip.create_model_from_pretrained(
                architecture, pretrained, precision=precision, device=device, weights_only=True, **fed, **changes
            )
        except pickle.UnpicklingError:
            remedy = "save its state_dict alone, by safetensors or torch.save"
            raise InputError(where, "holds more than weights, and would run code when loaded", remedy) from None
        except FileNotFoundError as error:
            raise InputError(where, str(error), "train the model first (dvc repro), or name a folder that holds one") from None
        except MemoryError:
            raise
        except RecursionError:
            raise InputError(where, "has too deeply nested a configuration", "fetch or train it again") from None
        except RuntimeError as error:
            raise _error_of(architecture, where, str(error)) from None
        except Exception as error:
            if "'ndim'" in str(error) and not changes:  # trained by open_clip's --siglip, with a bias that retrieval does not need
                return load(architecture, pretrained, precision, device, init_logit_bias=0.0)
            # Configurations reach open_clip unchecked, and it may raise any exception on malformed ones.
            first = next(iter(str(error).strip().splitlines()), type(error).__name__)
            raise InputError(where, f"is no checkpoint that can be read ({first[:200]})", "fetch or train it again") from None
    return model.eval(), transform


def _check_activation(architecture: str, tag: str | None) -> None:
    """Check that a tag's weights were trained with the architecture's activation, before they are downloaded.

    Raises:
        ParameterError: with another (QuickGELU).
    """
    trained = (open_clip.get_pretrained_cfg(architecture, tag) or {}) if tag else {}
    built = (open_clip.get_model_config(architecture) or {}) if trained else {}
    if bool(trained.get("quick_gelu")) != bool(built.get("quick_gelu")):
        bare = architecture.removesuffix("-quickgelu")
        other = bare if bare != architecture else f"{architecture}-quickgelu"
        activation = "QuickGELU" if trained.get("quick_gelu") else "GELU"
        wrong = f"{architecture} with {tag}: QuickGELU mismatch, for the weights were trained with {activation}"
        raise ParameterError("models", wrong, f"use the architecture {other}")


@contextmanager
def _as_saved() -> Iterator[None]:
    """Refuse weights for other image or caption sizes: open_clip would silently interpolate their positions."""
    resizing = ("resize_pos_embed", "resize_text_pos_embed")
    before = {name: getattr(open_clip.factory, name) for name in resizing}
    for name in resizing:
        setattr(open_clip.factory, name, lambda *_: None)
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(open_clip.factory, name, function)


_OWN = "load it as local-dir:FOLDER, with its own open_clip_config.json"
UNFIT = {
    '"text_model.': "it is a checkpoint of transformers: name its folder, with family: dual",
    '"input_resolution"': "it is of OpenAI's JIT archive: take input_resolution, context_length and vocab_size out of it",
    "for positional_embedding": f"its captions have another length: {_OWN}",
    "visual.positional_embedding": f"its pictures have another size: {_OWN}",
    "": "name the architecture it was trained with; save the state_dict alone, without a name or a wrapper's prefix around it",
}
"""Remedies for weights that do not fit, by what PyTorch says of them."""


def _error_of(architecture: str, where: str, error: str) -> InputError | ParameterError:
    """Return the right error for a RuntimeError of open_clip, which raises it for many faults."""
    if "state_dict" in error or "size mismatch" in error:
        remedy = next((remedy for sign, remedy in UNFIT.items() if sign in error), UNFIT[""])
        # PyTorch's lines of missing keys, of unexpected keys and of other shapes may name hundreds.
        faults = "; ".join(shorten(line, 100, placeholder=" …") for line in error.splitlines()[1:4])
        return InputError(where, f"does not fit {architecture}: {faults}", remedy)
    if "TorchScript" in error:
        remedy = "of OpenAI's models name the tag openai; of others, save the state_dict alone, by safetensors or torch.save"
        return InputError(where, "is a TorchScript archive, which is code", remedy)
    if "not a known tag or valid file path" in error:
        tags = ", ".join(open_clip.list_pretrained_tags_by_model(architecture)) or "none"
        wrong = f"{where} is neither a file nor a tag of {architecture}"
        return ParameterError("models", wrong, f"name a checkpoint file or a tag of: {tags}")
    return InputError(where, error, "check the name, the checkpoint and, where weights are fetched, the network")
