"""Models through transformers: dual encoders, cross-encoders, and captioning models, scored by likelihood.

A checkpoint is a hub name or a folder, with its own processor and tokenizer. Weights are read from safetensors, or by torch
with ``weights_only``; missing and unexpected ones are errors.
"""

import inspect
import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from PIL import Image
from torchvision import transforms
from transformers import AutoImageProcessor, AutoModel, AutoModelForImageTextToText, AutoTokenizer, BlipForImageTextRetrieval
from transformers.image_utils import pil_torch_interpolation_mapping as MODES

from stages.contract.errors import InputError
from stages.contract.pretrained import loading, no_remote_code
from stages.models.contract import DualEncoder, Model, Tokens, check_image_counts
from stages.models.digests import identity
from stages.models.tensors import by_batch, by_width, filled, once, unit

MADE = ("position_ids", "masked_bias")
"""Buffers that newer versions of transformers make themselves."""
HEADS = ("codebook", "mlm_head", "mim_head", "mmm_", "itm_head.", "lm_head", "cls.")
"""Parts that pretraining needed and retrieval does not."""
BESIDES = {"missing_keys": MADE, "unexpected_keys": MADE + HEADS, "mismatched_keys": ()}
"""Weights that a checkpoint may lack or have in addition. Any other missing head would be random: BLIP's makes the scores."""
PLAIN = ("BlipImageProcessor", "ChineseCLIPImageProcessor", "CLIPImageProcessor", "SiglipImageProcessor", "ViTImageProcessor")
"""Processors that only resize, crop the centre and normalise."""
DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


def load(cls: Any, checkpoint: str, precision: str, device: str) -> Any:
    """Return a model with all of its weights.

    Raises:
        InputError: there is no such checkpoint, or its weights are not the model's.
    """
    try:
        with no_remote_code():
            how = {"dtype": DTYPES[precision], "output_loading_info": True, "trust_remote_code": False}
            model, keys = cls.from_pretrained(checkpoint, **how)
    except pickle.UnpicklingError:
        remedy = "save it again as safetensors: model.save_pretrained(FOLDER)"
        raise InputError(checkpoint, "holds more than weights, and would run code when loaded", remedy) from None
    except MemoryError:
        raise
    except Exception as error:
        # Configurations can be malformed in any form, and transformers may raise any exception on them.
        first = next(iter(str(error).strip().splitlines()), type(error).__name__)[:300]
        raise InputError(checkpoint, first, "name a folder or a hub name of a checkpoint of this family") from None
    for kind, besides in BESIDES.items():
        wrong = sorted(str(key) for key in keys[kind] if not any(part in str(key) for part in besides))
        if wrong:
            what = f"{kind.removesuffix('_keys')} weights: {', '.join(wrong[:3])}"
            raise InputError(checkpoint, what, "name the family that the checkpoint was saved by")
    return model.eval().to(device)


def plain_preprocessing(processor: Any) -> Callable[[Image.Image], torch.Tensor] | None:
    """Return the preprocessing of a :data:`PLAIN` ``processor`` by open_clip's steps, with the same pixels.

    transformers resizes with another library, and its crop begins a pixel earlier where the margin is odd. ``None`` for other
    kinds.
    """
    settings = processor.to_dict()
    kind = type(processor).__name__.removesuffix("Fast").removesuffix("Pil")
    if (
        kind not in PLAIN
        or not settings.get("do_rescale")
        or round(1 / settings["rescale_factor"]) != 255
        or settings.get("do_pad")
    ):
        return None
    size, crop = settings["size"], settings.get("crop_size") or {}
    steps: list[Any] = []
    if settings.get("do_resize"):
        sides = [size["shortest_edge"]] if size.get("shortest_edge") else [size["height"], size["width"]]
        resample = MODES[Image.Resampling(settings["resample"])]
        steps.append(transforms.Resize(sides[0] if len(sides) == 1 else sides, interpolation=resample))
    if settings.get("do_center_crop"):
        steps.append(transforms.CenterCrop([crop["height"], crop["width"]]))
    steps.append(transforms.ToTensor())
    if settings.get("do_normalize"):
        steps.append(transforms.Normalize(settings["image_mean"], settings["image_std"]))
    return transforms.Compose(steps)


class _Pretrained:
    """The common parts of all families: model, tokenizer, image processor."""

    auto: Any = AutoModel
    model: Any
    settings = ""
    """Further things that a family's scores depend on besides its checkpoint."""

    def __init__(self, checkpoint: str, precision: str, device: str, batch: int):
        self.model = load(self.auto, checkpoint, precision, device)
        with loading(checkpoint, "tokenizer"):
            # Left padding, which batched generation needs and checkpoints may have saved, would shift positions.
            self.tokenizer = AutoTokenizer.from_pretrained(checkpoint, trust_remote_code=False, padding_side="right")
        with loading(checkpoint, "preprocessing"):
            self.processor = AutoImageProcessor.from_pretrained(checkpoint, trust_remote_code=False)
            self.transform = plain_preprocessing(self.processor)
        self._check_words(checkpoint)
        self.device, self.batch, self.dtype = device, batch, DTYPES[precision]
        self.context = self._context()
        settings = sorted((key, str(value)) for key, value in self.processor.to_dict().items())
        preprocessing = (type(self.processor).__name__, settings)
        family = f"transformers {type(self).__name__}{self.settings}"
        self.identity = identity(family, self.model, self.tokenizer, preprocessing, self.context, precision, device)

    def _check_words(self, checkpoint: str) -> None:
        """Check that the model knows the tokenizer's last tokens, which frame each caption; another model's are often unknown."""
        words = getattr(getattr(self.model.config, "text_config", self.model.config), "vocab_size", None)
        last = max([*self.tokenizer(["a"]).input_ids[0], self.tokenizer.pad_token_id or 0])
        if self.tokenizer.pad_token_id is None:
            remedy = "name one (tokenizer.pad_token = ...), and save the tokenizer next to the weights (save_pretrained)"
            raise InputError(checkpoint, "its tokenizer has no token for padding", remedy)
        if words is not None and last >= words:
            wrong = f"its tokenizer gives token {last:,}, and its text tower knows {words:,}"
            raise InputError(checkpoint, wrong, "save the tokenizer that it was trained with next to its weights (save_pretrained)")

    def _context(self) -> int:
        text = getattr(self.model.config, "text_config", self.model.config)
        most = getattr(text, "max_position_embeddings", None) or self.tokenizer.model_max_length
        # RoBERTa's family counts positions from after the padding id.
        offset = getattr(text, "pad_token_id", 0) + 1 if "roberta" in text.model_type else 0
        return min(most - offset, self.tokenizer.model_max_length)

    def prepare(self, image: Image.Image) -> torch.Tensor:
        if self.transform is not None:
            return self.transform(image)
        return self.processor(images=image, return_tensors="pt")["pixel_values"][0]

    def as_read(self, texts: Sequence[str]) -> list[str]:
        """Return captions as the tokenizer expects them: SigLIP's in lower case, as in training, whatever its files say."""
        return [text.lower() if self.model.config.model_type.startswith("siglip") else text for text in texts]

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        return [tuple(ids) for ids in self.tokenizer(self.as_read(texts)).input_ids]

    def tokenized(self, texts: Sequence[str]) -> Iterator[tuple[list[int], dict[str, torch.Tensor]]]:
        """Yield batches of captions of similar length, as indices into ``texts`` and as tokens.

        Each is padded to the next multiple of 16 of its own length, whatever else is in the batch, so its features do not depend
        on its neighbours. SigLIP's towers see the padding, and were trained with the whole context: no mask hides it, though a
        checkpoint's tokenizer make one.
        """
        texts = self.as_read(texts)
        lengths = np.array([len(ids) for ids in self.tokenizer(texts).input_ids])
        widths = np.minimum(-(-lengths // 16) * 16, self.context)
        if sees_padding := self.model.config.model_type.startswith("siglip"):
            widths[:] = self.context
        for width, which in by_width(widths, self.batch):
            some = [texts[i] for i in which] + [texts[which[0]]] * (self.batch - len(which))
            how = {"padding": "max_length", "truncation": True, "max_length": width}
            tokens = self.tokenizer(some, **how, return_attention_mask=not sees_padding, return_tensors="pt")
            yield which, {name: tensor.to(self.device) for name, tensor in tokens.items()}

    def fill(self, images: Sequence[torch.Tensor]) -> torch.Tensor:
        """Return prepared crops as one batch of the full size."""
        return filled(images, self.batch).to(self.device, self.dtype)


class Dual(_Pretrained, DualEncoder):
    """CLIP, SigLIP, ALIGN, Chinese-CLIP and FLAVA: image and text features are encoded separately."""

    def __init__(self, checkpoint: str, precision: str, device: str, batch: int):
        super().__init__(checkpoint, precision, device, batch)
        try:
            self.width = self.encode_text(["a"]).shape[1]
            self._of_crops(self.prepare(Image.new("RGB", (64, 64)))[None])
        except (ValueError, TypeError, AttributeError) as error:
            what = f"has no features of a caption or of a crop alone ({error})"[:300]
            raise InputError(checkpoint, what, "name a dual encoder, such as CLIP, SigLIP, FLAVA or ALIGN") from None

    @torch.inference_mode()
    def _of_crops(self, crops: torch.Tensor) -> np.ndarray:
        return unit(pooled(self.model.get_image_features(pixel_values=crops.to(self.device, self.dtype))))

    def encode_image(self, images: Sequence[torch.Tensor]) -> np.ndarray:
        return by_batch(self._of_crops, images, self.batch)

    @torch.inference_mode()
    def encode_text(self, texts: Sequence[str]) -> np.ndarray:
        known = inspect.signature(self.model.get_text_features).parameters
        rows: dict[int, np.ndarray] = {}
        distinct, places = once([ids[: self.context] for ids in self.tokens(texts)])
        for which, tokens in self.tokenized([texts[i] for i in distinct]):
            features = self.model.get_text_features(**{name: tensor for name, tensor in tokens.items() if name in known})
            rows |= zip(which, unit(pooled(features)), strict=False)
        return np.stack([rows[i] for i in places])


def pooled(features: Any) -> torch.Tensor:
    """Return one vector an item, from a model's output or a field of it; FLAVA has one for each token, the class token first."""
    if not isinstance(features, torch.Tensor):
        features = features.pooler_output
    return features[:, 0] if features.ndim == 3 else features


class Matching(_Pretrained, Model):
    """BLIP's image-text matching: a cross-encoder that sees crop and caption together; the score is the log odds of a match.

    A caption begins with a special token, [ENC], as when the head was trained and evaluated (Li et al., ICML 2022, their code);
    transformers leaves the tokenizer's [CLS] there.
    """

    auto = BlipForImageTextRetrieval

    @torch.inference_mode()
    def score(self, images: Sequence[torch.Tensor], texts: Sequence[str]) -> np.ndarray:
        scores = np.empty(len(texts), dtype=np.float32)
        for which, tokens in self.tokenized(texts):
            pixels = self.fill([images[i] for i in which])
            ids, mask = tokens["input_ids"].clone(), tokens["attention_mask"]
            text = self.model.config.text_config
            if (enc := text.bos_token_id + 1) < text.vocab_size:  # BLIP's tokenizer adds [DEC] and [ENC], in this order
                ids[:, 0] = enc
            match = self.model(pixel_values=pixels, input_ids=ids, attention_mask=mask, use_itm_head=True).itm_score.float()
            scores[which] = (match[:, 1] - match[:, 0]).cpu().numpy()[: len(which)]
        return scores


class Generative(_Pretrained, Model):
    """A captioning model: the score is the mean log likelihood of the caption's tokens given the crop.

    Args:
        alpha: the fraction of the likelihood without the crop (with a grey one instead) that is subtracted. At 1 only the crop's
            contribution remains, without the caption's plausibility as language.
    """

    auto = AutoModelForImageTextToText

    def __init__(self, checkpoint: str, precision: str, device: str, batch: int, alpha: float = 0.0):
        self.alpha, self.settings = alpha, f" {alpha}"
        super().__init__(checkpoint, precision, device, batch)
        self.grey = self.prepare(Image.new("RGB", (64, 64), (128, 128, 128)))
        # BLIP-2 and others need a placeholder for the image, and without one fail or ignore it.
        check_image_counts(self, checkpoint, "name a model that writes a caption for a crop alone, such as BLIP or GIT")

    def score(self, images: Sequence[torch.Tensor], texts: Sequence[str]) -> np.ndarray:
        scores = np.empty(len(texts), dtype=np.float32)
        for which, tokens in self.tokenized(texts):
            likelihood = self._likelihood(self.fill([images[i] for i in which]), tokens)
            if self.alpha:
                likelihood -= self.alpha * self._likelihood(self.fill([self.grey] * len(which)), tokens)
            scores[which] = likelihood[: len(which)]
        return scores

    @torch.inference_mode()
    def _likelihood(self, pixels: torch.Tensor, tokens: dict[str, torch.Tensor]) -> np.ndarray:
        ids, mask = tokens["input_ids"].clone(), tokens["attention_mask"]
        if self.model.config.model_type == "blip":
            # BLIP's decoder begins a caption with a special token of its own, where the tokenizer writes [CLS].
            ids[:, 0] = self.model.config.text_config.bos_token_id
        output = self.model(pixel_values=pixels, input_ids=ids, attention_mask=mask)
        # Some models put the crop's tokens before the caption's, so the caption's logits are the last ones.
        logits = output.logits[:, -ids.shape[1] :].float()
        likelihoods = torch.log_softmax(logits[:, :-1], dim=-1).gather(-1, ids[:, 1:, None])[..., 0]
        counted = mask[:, 1:].float()
        return ((likelihoods * counted).sum(dim=1) / counted.sum(dim=1).clamp(min=1)).cpu().numpy()
