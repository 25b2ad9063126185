"""Tiny checkpoints of transformers' families, saved by ``save_pretrained`` and loaded by ``from_pretrained``, as real ones are."""

from pathlib import Path

import torch
import transformers as t
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WORDS = ["a", "dog", "cat", "on", "red", "blue", "mat", "the", "not", "zebra", "grazing", "hill"]
SIZES = {"hidden_size": 32, "intermediate_size": 37, "num_hidden_layers": 2, "num_attention_heads": 4}
TEXT = {"vocab_size": 32, **SIZES, "max_position_embeddings": 40}
VISION = {**SIZES, "image_size": 32, "patch_size": 16}


def tokenizer(most: int = 40) -> t.PreTrainedTokenizerFast:
    """Return a lower-case tokenizer of words between [CLS] and [SEP]; [SEP] has the greatest id, which CLIP takes for the end."""
    words = ["[PAD]", "[UNK]", "[CLS]", *WORDS]
    vocabulary = {word: i for i, word in enumerate(words)} | {"[SEP]": TEXT["vocab_size"] - 1}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106
    made.normalizer, made.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    ends = [("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    made.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    special = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return t.PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=most, **special)


def _clip() -> tuple[torch.nn.Module, object]:
    text = t.CLIPTextConfig(**TEXT, eos_token_id=TEXT["vocab_size"] - 1, pad_token_id=0, bos_token_id=2)
    config = t.CLIPConfig(text_config=text.to_dict(), vision_config=VISION, projection_dim=16)
    return t.CLIPModel(config), t.CLIPImageProcessor


def text_tower() -> tuple[torch.nn.Module, object]:
    """Return a text tower alone, as open_clip takes it in."""
    return t.BertModel(t.BertConfig(**TEXT)), None


def _siglip() -> tuple[torch.nn.Module, object]:
    config = t.SiglipConfig(text_config={**TEXT, "projection_size": 32}, vision_config=VISION)
    return t.SiglipModel(config), t.SiglipImageProcessor


def _flava() -> tuple[torch.nn.Module, object]:
    config = t.FlavaConfig(text_config=TEXT, image_config=VISION, multimodal_config={**VISION}, hidden_size=32, projection_dim=16)
    return t.FlavaModel(config), t.CLIPImageProcessor


def flava_with_heads() -> tuple[torch.nn.Module, object]:
    """Return FLAVA as it is published: with the heads of its pretraining."""
    book = {"num_groups": 4, "hidden_size": 4, "num_blocks_per_group": 1, "vocab_size": 32}
    config = t.FlavaConfig(**_flava()[0].config.to_dict() | {"image_codebook_config": book})
    return t.FlavaForPreTraining(config), t.CLIPImageProcessor


def _align() -> tuple[torch.nn.Module, object]:
    vision = {"image_size": 32, "width_coefficient": 0.1, "depth_coefficient": 0.1, "hidden_dim": 32, "depth_divisor": 8}
    config = t.AlignConfig(text_config=TEXT, vision_config=vision, projection_dim=32)
    return t.AlignModel(config), t.EfficientNetImageProcessor


def _chinese_clip() -> tuple[torch.nn.Module, object]:
    config = t.ChineseCLIPConfig(text_config=TEXT, vision_config=VISION, projection_dim=16)
    return t.ChineseCLIPModel(config), t.ChineseCLIPImageProcessor


def _blip_config() -> t.BlipConfig:
    text = {**TEXT, "encoder_hidden_size": 32, "bos_token_id": 2, "sep_token_id": TEXT["vocab_size"] - 1, "pad_token_id": 0}
    return t.BlipConfig(text_config=text, vision_config=VISION, projection_dim=16, image_text_hidden_size=16)


def _blip_matching() -> tuple[torch.nn.Module, object]:
    return t.BlipForImageTextRetrieval(_blip_config()), t.BlipImageProcessor


def _blip_writing() -> tuple[torch.nn.Module, object]:
    return t.BlipForConditionalGeneration(_blip_config()), t.BlipImageProcessor


def _siglip2() -> tuple[torch.nn.Module, object]:
    vision = {key: value for key, value in VISION.items() if key != "image_size"} | {"num_patches": 16}
    config = t.Siglip2Config(text_config={**TEXT, "projection_size": 32}, vision_config=vision)
    return t.Siglip2Model(config), t.Siglip2ImageProcessor


def _clip_vision() -> tuple[torch.nn.Module, object]:
    return t.CLIPVisionModel(t.CLIPVisionConfig(**VISION)), t.CLIPImageProcessor


def _git() -> tuple[torch.nn.Module, object]:
    config = t.GitConfig(**TEXT, vision_config=VISION, bos_token_id=2, eos_token_id=TEXT["vocab_size"] - 1, pad_token_id=0)
    return t.GitForCausalLM(config), t.CLIPImageProcessor


def _blip2() -> tuple[torch.nn.Module, object]:
    words = {"vocab_size": 40, "hidden_size": 32, "word_embed_proj_dim": 32, "ffn_dim": 37, "max_position_embeddings": 60}
    text = t.OPTConfig(**words, num_hidden_layers=2, num_attention_heads=4).to_dict()
    between = {**TEXT, "encoder_hidden_size": 32}
    config = t.Blip2Config(vision_config=VISION, qformer_config=between, text_config=text, num_query_tokens=4, image_token_index=39)
    return t.Blip2ForConditionalGeneration(config), t.BlipImageProcessor


def _llava() -> tuple[torch.nn.Module, object]:
    text = t.LlamaConfig(**{**TEXT, "vocab_size": 40}).to_dict()
    config = t.LlavaConfig(vision_config=t.CLIPVisionConfig(**VISION).to_dict(), text_config=text, image_token_index=39)
    return t.LlavaForConditionalGeneration(config), t.CLIPImageProcessor


DUAL = {"clip": _clip, "siglip": _siglip, "flava": _flava, "align": _align, "chinese_clip": _chinese_clip}
WRITING = {"blip": _blip_writing, "git": _git}
NO_DUAL = {"any_size": _siglip2, "vision_alone": _clip_vision, "writer": _llava}
"""SigLIP 2 for pictures of any size needs to be given the size; the others have no features of captions."""
MATCHING = {"blip": _blip_matching}
BLIND = {"blip2": _blip2, "llava": _llava}
"""Models whose text must mark the crop's place, which no caption does."""


def save(make, folder: Path, seed: int = 0) -> Path:
    """Write a checkpoint with random weights, its tokenizer and its image processor."""
    torch.manual_seed(seed)
    model, processor = make()
    # The initial weights are so small that all captions score nearly alike.
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.normal_(std=0.3)
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    size = {"height": 32, "width": 32}
    shortest = {"shortest_edge": 32} if processor is t.CLIPImageProcessor else size
    processor(size=shortest, crop_size=size).save_pretrained(folder)
    return folder


def save_judge(model: torch.nn.Module, folder: Path) -> str:
    """Write a text-only model with random weights, and its tokenizer, which has a mask token."""
    torch.manual_seed(0)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    model.save_pretrained(folder)
    made = tokenizer()
    made.add_special_tokens({"mask_token": "[MASK]"})
    made.save_pretrained(folder)
    return str(folder)


def masked(folder: Path) -> str:
    """Write a masked language model."""
    return save_judge(t.BertForMaskedLM(t.BertConfig(**TEXT | {"vocab_size": 40}, pad_token_id=0)), folder)


def classifier(folder: Path, labels: list[str]) -> str:
    """Write a classifier of texts, or of pairs of texts."""
    config = t.BertConfig(**TEXT, num_labels=len(labels), id2label=dict(enumerate(labels)), pad_token_id=0)
    return save_judge(t.BertForSequenceClassification(config), folder)
