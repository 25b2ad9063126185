"""Tiny checkpoints of multimodal language models, saved by ``save_pretrained`` and loaded as real ones are."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers as t
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

SPECIAL = ["<pad>", "<bos>", "<eos>", "<turn>", "<end>", "<image>", "<video>", "<boi>", "<eoi>", "<soft>", "<fake>", "<global-img>"]
SPECIAL += ["<|python_tag|>", *(f"<row_{row}_col_{column}>" for row in (1, 2) for column in (1, 2))]
LINES = ["a red dog on the blue mat", "Does this figure show a cat?", "Yes", "yes", "No", "no", "Describe it.", "Please answer"] * 3
MAX_POSITIONS = 512
"""Number of positions of every language model here."""
TEXT = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
TEXT |= {"max_position_embeddings": MAX_POSITIONS, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
VISION = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4}
TEMPLATE = (
    "{{ START }}{% for message in messages %}<turn>{{ message['role'] }}\n{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}PICTURE{% else %}{{ part['text'] }}{% endif %}{% endfor %}<end>\n{% endfor %}"
    "{% if add_generation_prompt %}<turn>assistant\n{% endif %}"
)


def tokenizer(kind: str = "bytes", **special: str) -> t.PreTrainedTokenizerFast:
    """Return a tokenizer of byte pairs, as in Qwen and Llama 3, or of letters with ▁ for a space, as in Gemma and Llama 2.

    Args:
        kind: ``bytes``, ``letters`` (no ▁ before a text's first word) or ``words`` (▁ there too, so that "Yes" is " Yes").
    """
    made = Tokenizer(models.BPE(byte_fallback=kind != "bytes", unk_token=None if kind == "bytes" else "<pad>"))
    alphabet = [chr(i) for i in range(33, 127)] + ["▁", "\n"]
    if kind == "bytes":
        made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
    elif kind == "letters":
        made.normalizer = normalizers.Replace(" ", "▁")
    else:
        made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    trainer = trainers.BpeTrainer(vocab_size=460, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(LINES, trainer)
    ends = {"pad_token": "<pad>", "bos_token": "<bos>", "eos_token": "<eos>"}
    fast = t.PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=MAX_POSITIONS, extra_special_tokens=special, **ends)
    fast.add_special_tokens({"additional_special_tokens": SPECIAL[3:]}, replace_extra_special_tokens=False)
    return fast


def number(token: str) -> int:
    """Return the id of a special token, which all tokenizers here share."""
    return SPECIAL.index(token)


def _words(made: t.PreTrainedTokenizerFast) -> dict[str, Any]:
    return {**TEXT, "vocab_size": len(made) + 4}


def _template(picture: str, start: str = "") -> str:
    return TEMPLATE.replace("PICTURE", picture).replace("{{ START }}", start)


def _qwen(config: Any, model: Any, processor: Any, **more: Any) -> tuple[Any, Any]:
    made = tokenizer(image_token="<image>", video_token="<video>")  # noqa: S106
    rope = {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 1e4}
    ids = {"image_token_id": number("<image>"), "video_token_id": number("<video>")}
    ids |= {"vision_start_token_id": number("<boi>"), "vision_end_token_id": number("<eoi>")}
    text = {**_words(made), "rope_parameters": rope, "head_dim": 8}
    vision = {
        "depth": 2,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_heads": 4,
        "out_hidden_size": 32,
        "spatial_merge_size": 2,
    }
    pixels = {"size": {"shortest_edge": 784, "longest_edge": 20_000}, "min_pixels": 784, "max_pixels": 20_000}
    patch = more.pop("patch", 14)
    images = t.Qwen2VLImageProcessor(**pixels, patch_size=patch)
    videos = (t.Qwen3VLVideoProcessor if "deepstack" in str(more) else t.Qwen2VLVideoProcessor)(patch_size=patch)
    how = config(text_config=text, vision_config={**vision, "patch_size": patch, **more}, **ids)
    return model(how), processor(images, made, videos, chat_template=_template("<boi><image><eoi>"))


def _qwen25() -> tuple[Any, Any]:
    more = {"window_size": 56, "fullatt_block_indexes": [1]}
    return _qwen(t.Qwen2_5_VLConfig, t.Qwen2_5_VLForConditionalGeneration, t.Qwen2_5_VLProcessor, **more)


def _qwen3() -> tuple[Any, Any]:
    more = {"deepstack_visual_indexes": [0], "num_position_embeddings": 64, "patch": 16}
    return _qwen(t.Qwen3VLConfig, t.Qwen3VLForConditionalGeneration, t.Qwen3VLProcessor, **more)


def _gemma3() -> tuple[Any, Any]:
    made = tokenizer("letters", image_token="<soft>", boi_token="<boi>", eoi_token="<eoi>")  # noqa: S106
    text = {**_words(made), "head_dim": 8, "sliding_window": 16, "layer_types": ["sliding_attention", "full_attention"]}
    vision = {**VISION, "image_size": 32, "patch_size": 8}
    ids = {"image_token_index": number("<soft>"), "boi_token_index": number("<boi>"), "eoi_token_index": number("<eoi>")}
    config = t.Gemma3Config(text_config=text, vision_config=vision, mm_tokens_per_image=4, **ids)
    images = t.Gemma3ImageProcessor(size={"height": 32, "width": 32})
    processor = t.Gemma3Processor(images, made, chat_template=_template("<boi>", "{{ bos_token }}"), image_seq_length=4)
    return t.Gemma3ForConditionalGeneration(config), processor


def _paligemma() -> tuple[Any, Any]:
    made = tokenizer("letters", image_token="<image>")  # noqa: S106
    images = t.SiglipImageProcessor(size={"height": 32, "width": 32})
    images.image_seq_length = 16
    processor = t.PaliGemmaProcessor(images, made)
    text = {**_words(made), "head_dim": 8, "model_type": "gemma"}
    vision = {**VISION, "image_size": 32, "patch_size": 8, "projection_dim": 32, "model_type": "siglip_vision_model"}
    config = t.PaliGemmaConfig(text_config=text, vision_config=vision, image_token_index=number("<image>"), projection_dim=32)
    return t.PaliGemmaForConditionalGeneration(config), processor


def _llava() -> tuple[Any, Any]:
    made = tokenizer("words", image_token="<image>")  # noqa: S106
    text = t.LlamaConfig(**_words(made)).to_dict()
    vision = t.CLIPVisionConfig(**VISION, image_size=32, patch_size=8, projection_dim=32).to_dict()
    config = t.LlavaConfig(vision_config=vision, text_config=text, image_token_index=number("<image>"))
    images = t.CLIPImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    more = {"patch_size": 8, "vision_feature_select_strategy": "default", "num_additional_image_tokens": 1}
    processor = t.LlavaProcessor(images, made, chat_template=_template("<image>\n", "{{ bos_token }}"), **more)
    return t.LlavaForConditionalGeneration(config), processor


def _smolvlm() -> tuple[Any, Any]:
    made = tokenizer(image_token="<image>", fake_image_token="<fake>", end_of_utterance_token="<end>")  # noqa: S106
    vision = {**VISION, "image_size": 32, "patch_size": 8}
    text = t.LlamaConfig(**_words(made)).to_dict()
    config = t.SmolVLMConfig(vision_config=vision, text_config=text, image_token_id=number("<image>"), scale_factor=2)
    images = t.SmolVLMImageProcessor(size={"longest_edge": 64}, max_image_size={"longest_edge": 32})
    videos = t.SmolVLMVideoProcessor(size={"longest_edge": 64}, max_image_size={"longest_edge": 32})
    processor = t.SmolVLMProcessor(images, made, videos, image_seq_len=4, chat_template=_template("<image>"))
    return t.SmolVLMForConditionalGeneration(config), processor


def _internvl() -> tuple[Any, Any]:
    special = {"start_image_token": "<boi>", "end_image_token": "<eoi>", "context_image_token": "<image>", "video_token": "<video>"}
    made = tokenizer(**special)
    vision = {**VISION, "image_size": [32, 32], "patch_size": [8, 8]}
    text = t.Qwen2Config(**_words(made)).to_dict()
    ids = {"image_token_id": number("<image>"), "downsample_ratio": 0.5, "image_seq_length": 4}
    config = t.InternVLConfig(vision_config=vision, text_config=text, **ids)
    size = {"height": 32, "width": 32}
    images = t.GotOcr2ImageProcessor(size=size, crop_to_patches=True, min_patches=1, max_patches=4)
    videos = t.InternVLVideoProcessor(size=size)
    processor = t.InternVLProcessor(images, made, videos, image_seq_length=4, chat_template=_template("<image>\n"))
    return t.InternVLForConditionalGeneration(config), processor


def _mllama() -> tuple[Any, Any]:
    made = tokenizer(image_token="<image>")  # noqa: S106
    made.add_special_tokens({"additional_special_tokens": SPECIAL[3:]})
    vision = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_global_layers": 1, "attention_heads": 4}
    vision |= {"image_size": 32, "patch_size": 8, "intermediate_layers_indices": [0], "vision_output_dim": 64}
    words = _words(made)
    text = {**words, "vocab_size": words["vocab_size"], "num_hidden_layers": 3, "cross_attention_layers": [1]}
    config = t.MllamaConfig(vision_config=vision, text_config=text, image_token_index=number("<image>"))
    images = t.MllamaImageProcessor(size={"height": 32, "width": 32}, max_image_tiles=4)
    return t.MllamaForConditionalGeneration(config), t.MllamaProcessor(
        images, made, chat_template=_template("<image>", "{{ bos_token }}")
    )


CHAT: dict[str, Callable[[], tuple[Any, Any]]] = {
    "qwen2_5_vl": _qwen25,
    "qwen3_vl": _qwen3,
    "gemma3": _gemma3,
    "paligemma": _paligemma,
    "llava": _llava,
    "smolvlm": _smolvlm,
    "internvl": _internvl,
    "mllama": _mllama,
}


def save(name: str, folder: Path, seed: int = 0) -> Path:
    """Write a checkpoint of a family with random weights, and its processor."""
    torch.manual_seed(seed)
    model, processor = CHAT[name]()
    # The initial weights are so small that all captions score nearly alike, and Mllama's gates are closed.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.2) if parameter.ndim > 1 else parameter.add_(0.2 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
