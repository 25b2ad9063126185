"""A CLIP whose two towers share one codebook: both features are sparse sums of the same learnt codes.

Each token of a tower queries every code (by a learnt inner product), a code's score is its maximum over patches or words, sparsemax
leaves a few codes with a weight, and their weighted sum is the feature (Zheng et al., CVPR 2024, section 3.2, after the finite
discrete tokens of Chen et al., CVPR 2023). The towers are stored in a folder that open_clip can load, the codebook in two files
next to them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import open_clip
import torch
from open_clip.model import CLIP
from open_clip.transformer import VisionTransformer
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional as F

from stages.contract.errors import InputError
from stages.contract.files import write_json
from stages.contract.json_files import read_json
from stages.models import openclip
from stages.models.tensors import by_batch

CONFIG, WEIGHTS = "codebook.json", "codebook.safetensors"


def sparsemax(z: Tensor) -> Tensor:
    """Return the point of the simplex that is nearest to ``z`` (Martins and Astudillo, 2016), along the last dimension.

    (…, n) → (…, n), not negative, with sum 1. The gradient is for a fixed support.
    """
    ordered = z.sort(dim=-1, descending=True).values
    total = ordered.cumsum(-1) - 1
    count = torch.arange(1, z.shape[-1] + 1, device=z.device, dtype=z.dtype)
    support = (count * ordered > total).sum(-1, keepdim=True)
    # Features that are not numbers have no support, and no weights that are numbers.
    return (z - total.gather(-1, (support - 1).clamp(min=0)) / support).clamp(min=0)


class Query(nn.Sequential):
    """A tower token's query to the codes: (…, width) → (…, code width)."""

    def __init__(self, width: int, code_width: int):
        super().__init__(
            nn.LayerNorm(width),
            nn.Linear(width, code_width),
            nn.GELU(),
            nn.LayerNorm(code_width),
            nn.Linear(code_width, code_width),
        )


class Codebook(nn.Module):
    """The codes that both towers share, and the towers' queries.

    Args:
        width: length of a code, which is that of a feature.
        image_width, text_width: widths of the towers' tokens.
        temperature: divides the scores; a smaller one leaves fewer codes with a weight.
    """

    def __init__(self, codes: int, width: int, image_width: int, text_width: int, temperature: float):
        super().__init__()
        self.codes = nn.Parameter(torch.randn(codes, width) / width**0.5)
        self.image_query, self.text_query = Query(image_width, width), Query(text_width, width)
        self.temperature = temperature

    def weights(self, queries: Tensor, present: Tensor | None = None) -> Tensor:
        """Return the weight of each code for each thing: (things, tokens, width) → (things, codes), each with sum 1.

        Args:
            present: (things, tokens), false for padding, which has no query.
        """
        scores = queries @ self.codes.T
        if present is not None:
            scores = scores.masked_fill(~present[..., None], -torch.inf)
        return sparsemax(scores.amax(1).float() / (self.codes.shape[1] ** 0.5 * self.temperature))

    def feature(self, weights: Tensor) -> Tensor:
        """Return features of length 1: (things, codes) → (things, width)."""
        return F.normalize(weights @ self.codes.float(), dim=-1)

    def shape(self) -> dict[str, Any]:
        """Return the arguments that make a codebook of this shape."""
        codes, width = self.codes.shape
        widths = {"image_width": self.image_query[1].in_features, "text_width": self.text_query[1].in_features}
        return {"codes": codes, "width": width, **widths, "temperature": self.temperature}


def text_states(clip: CLIP, tokens: Tensor) -> Tensor:
    """Return a text tower's output words, cut to the longest: (captions, at most context) → (captions, tokens, width)."""
    length = tokens.shape[1]
    # Not the dtype of a linear layer's weight: with a spectral norm, reading the weight is a step of its power iteration.
    dtype = clip.transformer.resblocks[0].attn.in_proj_weight.dtype
    x = clip.token_embedding(tokens).to(dtype) + clip.positional_embedding[:length].to(dtype)
    return clip.ln_final(clip.transformer(x, attn_mask=clip.attn_mask[:length, :length]))


class CodebookClip(nn.Module):
    """Both towers with their codebook."""

    def __init__(self, clip: CLIP, codebook: Codebook):
        super().__init__()
        self.clip: Any = clip
        self.codebook = codebook

    def image_weights(self, images: Tensor) -> Tensor:
        """Return the image's code weights: (crops, 3, side, side) → (crops, codes)."""
        visual = self.clip.visual
        _, patches = visual._pool(visual.transformer(visual._embeds(images)))
        return self.codebook.weights(self.codebook.image_query(patches))

    def text_weights(self, tokens: Tensor) -> Tensor:
        """Return code weights: (captions, tokens), padded after the end token, whose number is greatest → (captions, codes)."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        present = places <= tokens.argmax(1, keepdim=True)
        return self.codebook.weights(self.codebook.text_query(text_states(self.clip, tokens)), present)

    def encode_image(self, images: Tensor) -> Tensor:
        return self.codebook.feature(self.image_weights(images))

    def encode_text(self, tokens: Tensor) -> Tensor:
        return self.codebook.feature(self.text_weights(tokens))


def fits(clip: Any) -> bool:
    """Return whether a codebook fits these towers: a vision transformer of plain pooling, and CLIP's own text tower.

    In that text tower no word sees the padding after it, and a caption ends with the token of the greatest number.
    """
    plain = isinstance(clip, CLIP) and isinstance(clip.visual, VisionTransformer)
    return plain and clip.attn_mask is not None and clip.text_pool_type == "argmax" and clip.visual.attn_pool is None


def save(folder: Path, codebook: Codebook) -> None:
    """Put the codebook into the folder of its towers."""
    write_json(folder / CONFIG, codebook.shape())
    save_file({name: tensor.detach().contiguous() for name, tensor in codebook.state_dict().items()}, folder / WEIGHTS)


def read(folder: Path) -> Codebook:
    """Return the codebook in ``folder``.

    Raises:
        InputError: a file is missing, or the two do not fit together.
    """
    remedy = "train the model again, or copy its whole folder"
    try:
        codebook = Codebook(**read_json(folder / CONFIG, remedy))
        codebook.load_state_dict(load_file(folder / WEIGHTS))
    except (TypeError, ValueError, RuntimeError, SafetensorError, FileNotFoundError) as error:
        raise InputError(
            folder / CONFIG, f"is no codebook with its weights ({' '.join(str(error).split())[:200]})", remedy
        ) from None
    return codebook


def folder_of(architecture: str) -> Path | None:
    """Return the folder of the project's model with a codebook that ``models`` names; ``None`` for any other."""
    folder = Path(architecture.removeprefix("local-dir:"))
    return folder if architecture.startswith("local-dir:") and (folder / CONFIG).is_file() else None


class CodebookModel(openclip.OpenClip):
    """A dual encoder of open_clip's towers, whose features go through a codebook."""

    def __init__(self, folder: Path, precision: str, device: str, batch: int):
        architecture = f"local-dir:{folder}"
        clip, self.transform = openclip.load(architecture, None, precision, device)
        if not fits(clip):
            raise InputError(folder, "its towers have no tokens for its codebook", "train it again, or copy its whole folder")
        self.model = CodebookClip(clip, read(folder).to(device, open_clip.get_input_dtype(precision))).eval()
        self._describe("codebook", clip, architecture, precision, device, batch)
        self.packs, self.width = False, self.model.codebook.codes.shape[1]

    @torch.inference_mode()
    def codes(self, images: Sequence[Tensor]) -> np.ndarray:
        """Return the weight of each code for prepared crops: float32 of shape (n, codes)."""
        return by_batch(lambda some: self.model.image_weights(some.to(self.device, self.dtype)).cpu().numpy(), images, self.batch)

    @torch.inference_mode()
    def word_codes(self, texts: Sequence[str]) -> np.ndarray:
        """Return the weight of each code for captions: float32 of shape (n, codes)."""
        tokens = self.tokenizer(list(texts))
        return by_batch(lambda some: self.model.text_weights(some.to(self.device)).cpu().numpy(), tokens, self.batch)
