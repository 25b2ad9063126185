"""The two agents, a vision tower and a text tower, with or without a codebook: how they are made, replaced, and written."""

import json
import math
from pathlib import Path
from typing import Any

import open_clip
import torch
from open_clip.model import CLIP, CLIPVisionCfg
from open_clip.transform import PreprocessCfg, merge_preprocess_dict
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils import parametrizations

from stages.contract.errors import ParameterError
from stages.contract.files import write_json
from stages.contract.pretrained import loading, quiet
from stages.models import codebook, openclip
from stages.models.codebook import CodebookClip, text_states
from stages.models.load import preset_of
from stages.parameters.sections import Models, OpenClip, Train
from stages.training.attention import patch_for_training
from stages.training.generations import Agent
from stages.training.optimizer import Optimizer
from stages.training.processes import first

SMALL = Path(__file__).with_name("small.json")
"""The sample's architecture: a vision transformer with a grid of 6 × 6 patches, and a text tower of two layers."""
GREATEST_SCALE = 100.0


class PlainClip(nn.Module):
    """Both towers without a codebook, with the interface of :class:`CodebookClip`."""

    codebook: None = None

    def __init__(self, clip: Any):
        super().__init__()
        self.clip: Any = clip

    def encode_image(self, images: Tensor) -> Tensor:
        """Return image features of length 1: (n, 3, side, side) → (n, width)."""
        return F.normalize(self.clip.encode_image(images).float(), dim=-1)

    def encode_text(self, tokens: Tensor) -> Tensor:
        """Return text features of length 1 for captions cut to the longest: (n, tokens) → (n, width)."""
        if not cuts(self.clip):
            return F.normalize(self.clip.encode_text(tokens).float(), dim=-1)
        pooled = text_states(self.clip, tokens)[torch.arange(len(tokens)), tokens.argmax(1)]
        return F.normalize((pooled @ self.clip.text_projection).float(), dim=-1)


Agents = PlainClip | CodebookClip


def cuts(clip: Any) -> bool:
    """Return whether padding at a caption's end has no effect in the text tower, which attends backwards only, and can be cut."""
    return isinstance(clip, CLIP) and clip.text_pool_type == "argmax" and clip.attn_mask is not None


# --- Made ----


def configuration(settings: Train, presets: Models) -> dict[str, Any]:
    """Return open_clip's description of the trained model: its towers and its preprocessing.

    Raises:
        ParameterError: there is no such architecture, or the start is not a model of open_clip.
    """
    start = _start(settings, presets)
    name = start.architecture if start else settings.architecture
    if name == "small" or name.startswith("local-dir:"):
        path = SMALL if name == "small" else Path(name.removeprefix("local-dir:")) / "open_clip_config.json"
        return json.loads(path.read_text(encoding="utf-8"))
    towers = open_clip.get_model_config(name)
    if towers is None:
        raise ParameterError("train.architecture", f"open_clip has no architecture {name}", "name one of open_clip's, or small")
    if start is None:
        return {"model_cfg": towers, "preprocess_cfg": {}}
    clip, _ = openclip.load(name, start.pretrained, "fp32", "cpu")
    return {"model_cfg": towers, "preprocess_cfg": {key: clip.visual.preprocess_cfg[key] for key in openclip.PICTURES}}


def _start(settings: Train, presets: Models) -> OpenClip | None:
    if settings.start == "none":
        return None
    preset = preset_of(settings.start, presets)
    if not isinstance(preset, OpenClip):
        raise ParameterError("train.start", f"{settings.start} is not a model of open_clip", "name one, or none")
    return preset


def files_of_start(settings: Train, presets: Models) -> list[Path]:
    """Return the files of the weights that the training starts from; none where they are a tag's, or random."""
    if (start := _start(settings, presets)) is None:
        return []
    place = Path(start.pretrained or start.architecture.removeprefix("local-dir:"))
    return [place] if place.is_file() else sorted(path for path in place.glob("*") if path.is_file())


def make(settings: Train, presets: Models, folder: Path) -> Agents:
    """Return the agents before their first step, from ``train.start`` or random by the seed; the same in every process.

    ``folder`` has open_clip's description of the model.
    """
    clip = drawn(folder, settings.seed)
    book: codebook.Codebook | None = None
    if start := _start(settings, presets):
        clip, _ = openclip.load(start.architecture, start.pretrained, "fp32", "cpu")
        clip.train()  # otherwise batch norms and matrix bounds would not change
        book = _codebook_of(start, settings)
    elif settings.logit_scale:
        with torch.no_grad():
            clip.logit_scale.fill_(math.log(settings.logit_scale))
    return of_towers(clip, settings, book)


def _codebook_of(start: OpenClip, settings: Train) -> codebook.Codebook | None:
    """Return the codebook of the model that the training starts from; ``None`` where it has none.

    Raises:
        ParameterError: the method uses none, or one of another shape.
    """
    if (folder := codebook.folder_of(start.architecture)) is None:
        return None
    book = codebook.read(folder)
    found, asked = book.shape(), settings.codebook.model_dump()
    if not _has_codebook(settings):
        raise ParameterError("train.start", f"{settings.start} has a codebook", "choose a method with a codebook, or set none")
    if differ := [f"{name}: {found[name]}" for name in asked if found[name] != asked[name]]:
        raise ParameterError("train.codebook", f"is not that of {settings.start}", f"set {', '.join(differ)}")
    return book


def _has_codebook(settings: Train) -> bool:
    return settings.method == "codebook" or (settings.method == "iterated" and settings.iterated.codebook)


def of_towers(clip: Any, settings: Train, book: codebook.Codebook | None = None) -> Agents:
    """Return agents of these towers, with this codebook, or a new one where the method needs one.

    Raises:
        ParameterError: these towers have no tokens for a codebook.
    """
    if book is None and _has_codebook(settings):
        if not codebook.fits(clip):
            needed = "a codebook needs a vision transformer and CLIP's own text tower"
            raise ParameterError("train.method", needed, "choose clip")
        asked, widths = settings.codebook, (clip.visual.conv1.out_channels, clip.ln_final.weight.shape[0])
        book = codebook.Codebook(asked.codes, asked.width, *widths, asked.temperature)
    agents: Agents = PlainClip(clip) if book is None else CodebookClip(clip, book)
    patch_for_training(clip)
    if settings.spectral_norm:  # Table 3, "L-regularized": matrices divided by their greatest singular value, from now on
        for module in clip.modules():
            if isinstance(module, nn.Linear):
                parametrizations.spectral_norm(module)
    return agents


def drawn(folder: Path, seed: int) -> Any:
    """Return the towers of the description in ``folder``, with weights drawn from ``seed``.

    Towers of transformers and timm, which open_clip would download, are drawn as well.
    """
    torch.manual_seed(seed % 2**63)
    with quiet():
        return open_clip.create_model(f"local-dir:{folder}", load_weights=False, pretrained_image=False, pretrained_text=False)


# --- Replaced ----


def agent_of(name: str) -> Agent | None:
    """Return the agent of a parameter: its tower and its queries to the codes; codes and scale belong to no agent."""
    if name.startswith(("clip.visual.", "codebook.image_query.")):
        return "vision"
    return None if name in ("clip.logit_scale", "clip.logit_bias", "codebook.codes") else "text"


def narrow(clip: Any, used: Tensor | None) -> None:
    """Keep only the embeddings of the ``used`` tokens, if any are named."""
    if used is not None:
        clip.token_embedding = nn.Embedding.from_pretrained(clip.token_embedding.weight.detach()[used].clone(), freeze=False)


def spawn(
    agents: Agents, agent: Agent, optimizer: Optimizer, folder: Path, settings: Train, generation: int, used: Tensor | None = None
) -> None:
    """Draw a new agent, of ``used`` tokens, from the seed and the generation's number; reset its state in the optimiser."""
    # A different random stream than the first generation's.
    seed = settings.seed + 1_000_003 * generation
    clip = drawn(folder, seed)
    narrow(clip, used)
    # All of its state: matrix bounds and means of norms are not parameters.
    new = {name: tensor for name, tensor in of_towers(clip, settings).state_dict().items() if agent_of(name) == agent}
    agents.load_state_dict(new, strict=False)
    for name, parameter in agents.named_parameters():
        if agent_of(name) == agent:
            optimizer.forget(parameter)


# --- Written ----


def write(agents: Agents, folder: Path, settings: Train, presets: Models, used: Tensor | None = None) -> None:
    """Write the model into ``folder``, which has open_clip's description; ``models`` loads it as ``local-dir:``.

    Tokens that are not ``used`` keep their embeddings from before the training.
    """
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in plain_weights(agents.clip).items()}
    if used is not None:
        whole = make(settings, presets, folder).clip.token_embedding.weight.detach().clone()
        whole[used] = weights["token_embedding.weight"]
        weights["token_embedding.weight"] = whole
    save_file(weights, folder / "open_clip_model.safetensors")
    if isinstance(agents, CodebookClip):
        codebook.save(folder, agents.codebook.cpu())


def plain_weights(clip: nn.Module) -> dict[str, Tensor]:
    """Return the weights of towers by their plain names, with bounded weights as they are applied.

    Pass a copy of towers that train on, because reading a bounded weight is a step of its power iteration. The bounds are not
    removed: a copy shares the classes that a parametrisation makes, so the original would lose them too.
    """
    weights = {}
    for name, tensor in clip.state_dict().items():
        module, bounded, rest = name.partition(".parametrizations.")
        if not bounded:
            weights[name] = tensor
        elif rest.endswith(".original"):
            weights[f"{module}.weight"] = clip.get_submodule(module).weight
    return weights


def preprocessing(folder: Path) -> dict[str, Any]:
    """Return the preprocessing of the description in ``folder``, with open_clip's defaults, and the side of its pictures."""
    described = json.loads((folder / "open_clip_config.json").read_text(encoding="utf-8"))
    side = described["model_cfg"]["vision_cfg"].get("image_size", CLIPVisionCfg.image_size)
    return merge_preprocess_dict(PreprocessCfg(), {**described.get("preprocess_cfg", {}), "size": side})


def describe(folder: Path, settings: Train, presets: Models) -> None:
    """Write open_clip's description of the model into ``folder``, and a tokenizer that open_clip lacks; only one process does."""
    if first():
        start = _start(settings, presets)
        name = start.architecture if start else settings.architecture
        with loading(name, "open_clip_config.json"):
            described = configuration(settings, presets)
            tokenizer = described["model_cfg"]["text_cfg"].get("hf_tokenizer_name")
        write_json(folder / "open_clip_config.json", described)
        if tokenizer:
            openclip.load_tokenizer(name).save_pretrained(folder)
