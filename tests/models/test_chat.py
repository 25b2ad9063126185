"""Tests of multimodal language models, loaded as real checkpoints are, against single passes of the library."""

import json

import numpy as np
import pytest
import torch
import transformers
from PIL import Image
from safetensors.torch import load_file, save_file

from stages.contract.errors import CrepeError, InputError
from stages.models.chat import Chat, refuse
from tests.models import tiny_chat as tiny

YES, WRITE = 'Does this figure show "{caption}"? Please answer yes or no.', "Describe it."
TEXTS = [
    "a red dog on the blue mat",
    "a cat",
    "the mat on the red dog, and a caption of far more words than the others",
    "A cat <image> </s>",
]
FORMS = {"p_yes": YES, "p_yes_of_both": YES, "caption": WRITE}
TYPED = {
    "qwen2_5_vl": "mm_token_type_ids",
    "qwen3_vl": "mm_token_type_ids",
    "gemma3": "token_type_ids",
    "paligemma": "token_type_ids",
}
NEAR = {"abs": 1e-4}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {}

    def folder(name):
        if name == "smolvlm":
            pytest.importorskip("num2words", reason="SmolVLM's processor needs num2words")
        if name not in made:
            made[name] = tiny.save(name, tmp_path_factory.mktemp(name))
        return made[name]

    return folder


@pytest.fixture(scope="module")
def chats(folders):
    made = {}

    def chat(name, form="caption", batch=4):
        key = name, form, batch
        if key not in made:
            made[key] = Chat(str(folders(name)), "fp32", "cpu", batch, form, FORMS[form])
        return made[key]

    return chat


LIGHT = ("qwen2_5_vl", "llava", "mllama")
"""A model with token types, one without, and one whose text cross-attends to the image; the others are heavy."""
every = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in LIGHT else pytest.mark.heavy) for name in tiny.CHAT]
)
both = pytest.mark.parametrize("form", ["p_yes", "caption"])


def picture(seed, width=70, height=40):
    return Image.fromarray(np.random.default_rng(seed).integers(0, 255, (height, width, 3), dtype=np.uint8))


def crops(chat):
    """Return two crops of different shapes; their prompts differ in length where a family's token count depends on the shape."""
    return [chat.prepare(picture(0)), chat.prepare(picture(1, 60, 90))]


def alone(chat, text=""):
    """Return the prompt without an image, as the processor's own call makes it."""
    words = {"caption": chat.question}.get(chat.form, chat.question.replace("{caption}", text))
    if chat.prefix_lm:
        ids = chat.tokenizer(f"<bos>{words}\n", add_special_tokens=False, return_tensors="pt").input_ids
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "token_type_ids": torch.zeros_like(ids)}
    said = [{"role": "user", "content": [{"type": "text", "text": words}]}]
    return dict(
        chat.processor.apply_chat_template(said, tokenize=True, return_dict=True, return_tensors="pt", add_generation_prompt=True)
    )


def asked(chat, image, text):
    """Return the whole prompt with an image, made in the same way."""
    words = {"caption": chat.question}.get(chat.form, chat.question.replace("{caption}", text))
    if chat.prefix_lm:
        inputs = dict(chat.processor(images=[[image]], text=f"<image>{words}", return_tensors="pt"))
        inputs.pop("labels")
        return inputs
    said = [{"role": "user", "content": [{"type": "image", "image": image}, {"type": "text", "text": words}]}]
    return dict(
        chat.processor.apply_chat_template(said, tokenize=True, return_dict=True, return_tensors="pt", add_generation_prompt=True)
    )


def behind(inputs, ids, kind=0):
    """Return ``inputs`` followed by a caption, in one row."""
    length, longer = inputs["input_ids"].shape[1], dict(inputs)
    for name, tensor in inputs.items():
        if name == "cross_attention_mask":
            longer[name] = torch.cat([tensor, tensor[:, -1:].repeat(1, len(ids), 1, 1)], dim=1)
        elif tensor.shape == (1, length):
            more = {"input_ids": torch.tensor([ids]), "attention_mask": torch.ones(1, len(ids))}
            longer[name] = torch.cat([tensor, more.get(name, torch.full((1, len(ids)), kind)).to(tensor)], dim=1)
    return longer


@torch.inference_mode()
def one_pass(chat, inputs, ids=()):
    """Return the score from one pass over the whole row, without a cache."""
    whole = behind(inputs, list(ids), int(chat.prefix_lm)) if len(ids) else inputs
    for module in chat.language.remembering:
        module.rope_deltas = None
    log = chat.language.network(**whole, use_cache=False).logits[0].double().log_softmax(-1)
    if chat.form == "caption":
        before = inputs["input_ids"].shape[1] - 1
        return float(np.mean([float(log[before + i, token]) for i, token in enumerate(ids)]))
    yes, no = (float(log[-1, chat.answers[answer]].exp().sum()) for answer in ("yes", "no"))
    return float(np.log(yes / (yes + no) if chat.form == "p_yes_of_both" else yes))


def ids_of(chat, text):
    return chat.tokenizer(text, add_special_tokens=False, split_special_tokens=True).input_ids if chat.form == "caption" else ()


@every
@pytest.mark.parametrize("form", FORMS)
def test_scores_are_those_of_one_pass_of_the_library(chats, name, form):
    chat = chats(name, form)
    for seed, size in ((0, (70, 40)), (1, (60, 90))):
        image = picture(seed, *size)
        scores = chat.score([chat.prepare(image)] * 3, TEXTS[:3])
        for text, score in zip(TEXTS, scores, strict=False):
            assert score == pytest.approx(one_pass(chat, asked(chat, image, text), ids_of(chat, text)), **NEAR)


@every
@both
def test_one_by_one_is_batched_and_from_the_prefix(chats, name, form):
    """A caption's score depends neither on its neighbours, nor on the prompt before it, nor on its place in a batch."""
    chat = chats(name, form)
    one, other = crops(chat)
    batched = chat.score([one] * 4 + [other] * 4, TEXTS * 2)
    singly = np.concatenate([chat.score([crop], [text]) for crop in (one, other) for text in TEXTS])
    assert np.allclose(batched, singly, atol=1e-4, rtol=0)
    assert len(set(batched.round(3).tolist())) == 8, "all captions and crops would be scored alike"
    mixed = chat.score([one, other] * 4, [text for text in TEXTS for _ in range(2)])
    assert np.array_equal(mixed, batched.reshape(2, 4).T.ravel())


@every
@both
def test_a_cache_that_was_continued_is_continued_again(chats, name, form):
    chat = chats(name, form, 1)
    (one, _), texts = crops(chat), [TEXTS[0], *TEXTS[1:], f"{TEXTS[0]}!", TEXTS[1]]
    scores = chat.score([one] * len(texts), texts)
    assert scores[-1] == scores[1]
    assert np.allclose(scores[:4], chats(name, form).score([one] * 4, TEXTS), atol=1e-4, rtol=0)


@every
def test_a_caption_does_not_see_its_own_end(chats, name):
    chat = chats(name)
    one = crops(chat)[0]
    start, (last, other) = ids_of(chat, "a red dog"), (ids_of(chat, "x")[-1], ids_of(chat, "y")[-1])
    found = chat.language.likelihoods(one, [start, [*start, last], [*start, other]])
    count = len(start)
    with torch.inference_mode():
        after = chat.language.network(**behind(one, start, int(chat.prefix_lm))).logits[0, -1].double().log_softmax(-1)
    for token, mean in ((last, found[1]), (other, found[2])):
        assert mean * (count + 1) - found[0] * count == pytest.approx(float(after[token]), abs=1e-3)


@pytest.mark.parametrize("name", TYPED)
@both
def test_the_kinds_of_tokens_decide(chats, name, form):
    """A prompt without them gets another score, and no warning."""
    chat = chats(name, form)
    image = picture(0)
    whole = asked(chat, image, TEXTS[0])
    without = {key: value for key, value in whole.items() if key != TYPED[name]}
    score = float(chat.score([chat.prepare(image)], TEXTS[:1])[0])
    assert score == pytest.approx(one_pass(chat, whole, ids_of(chat, TEXTS[0])), **NEAR)
    # Qwen3's positions barely differ for an image of two tokens; PaliGemma's question attends both ways in any case.
    if name != "qwen3_vl" and (name, form) != ("paligemma", "p_yes"):
        assert abs(score - one_pass(chat, without, ids_of(chat, TEXTS[0]))) > 1e-3


@every
@both
def test_without_an_image_after_an_image_as_before(chats, name, form):
    chat = chats(name, form)
    before = chat.prior(TEXTS[:3])
    chat.score(crops(chat), TEXTS[:2])
    assert np.array_equal(chat.prior(TEXTS[:3]), before)
    for text, score in zip(TEXTS, before, strict=False):
        assert score == pytest.approx(one_pass(chat, alone(chat, text), ids_of(chat, text)), **NEAR)


def test_alpha_subtracts_what_the_language_alone_gives(folders, chats):
    plain = chats("qwen2_5_vl")
    less = Chat(str(folders("qwen2_5_vl")), "fp32", "cpu", 4, "caption", WRITE, 1.0)
    crop = crops(plain)[0]
    assert np.allclose(less.score([crop] * 4, TEXTS), plain.score([crop] * 4, TEXTS) - plain.prior(TEXTS), atol=1e-6)
    assert less.identity != plain.identity


def test_mllama_sees_its_tiles_with_every_token(chats):
    chat = chats("mllama")
    one, ids = crops(chat)[1], ids_of(chat, TEXTS[0])
    network = chat.language.network
    with torch.inference_mode():
        step, logs = network(**one, use_cache=True), []
        for token in ids:
            logs.append(float(step.logits[0, -1].double().log_softmax(-1)[token]))
            mask, more = one["cross_attention_mask"][:, -1:], {"input_ids": torch.tensor([[token]])}
            step = network(**more, cross_attention_mask=mask, past_key_values=step.past_key_values, use_cache=True)
    assert chat.score([one], TEXTS[:1])[0] == pytest.approx(np.mean(logs), **NEAR)


@pytest.mark.parametrize(
    "config",
    [
        transformers.Blip2Config(text_config={"model_type": "t5"}),
        transformers.Blip2Config(text_config={"model_type": "opt"}),
        *(getattr(transformers, f"{kind}Config")() for kind in ("Florence2", "T5Gemma2", "Pix2Struct", "Udop", "DiffusionGemma")),
        *(getattr(transformers, f"{kind}Config")() for kind in ("PI0", "Evolla", "Blip", "Git")),
    ],
    ids=lambda config: f"{config.model_type} {config.get_text_config().model_type}",
)
def test_what_is_no_left_to_right_language_model_is_refused_by_name(tmp_path, config):
    config.save_pretrained(tmp_path)
    with pytest.raises(InputError, match=f"{config.model_type} is not a left-to-right language model"):
        refuse(str(tmp_path))


def test_an_argument_that_the_network_does_not_know_is_an_error(chats):
    """The network itself ignores it silently."""
    chat = chats("qwen2_5_vl")
    crop = crops(chat)[0]
    misspelt = {**crop, "mm_token_type_id": crop["mm_token_type_ids"]}
    misspelt.pop("mm_token_type_ids")
    chat.language.network(**misspelt)
    with pytest.raises(TypeError, match="has no argument mm_token_type_id"):
        chat.score([misspelt], ["a cat"])
    assert chat.language.prompt(crop).logits.shape[1] == 1


@pytest.mark.parametrize("kind", ["bytes", "letters", "words"])
def test_yes_and_no_share_no_probability(chats, kind):
    chat = chats({"bytes": "qwen2_5_vl", "letters": "gemma3", "words": "llava"}[kind], "p_yes")
    made = tiny.tokenizer(kind)
    assert (made("Yes").input_ids == made(" Yes").input_ids) == (kind == "words")
    yes, no = chat.answers["yes"], chat.answers["no"]
    assert yes and no and not {*yes} & {*no} and len({*yes}) == len(yes)
    log = chat.language.last(asked(chat, picture(0), "a cat")).log_softmax(-1)
    assert 0 < float(log[yes].exp().sum() + log[no].exp().sum()) <= 1


@every
@both
def test_a_prompt_begins_once(chats, name, form):
    chat = chats(name, form)
    begins = crops(chat)[0]["input_ids"][0].tolist().count(tiny.number("<bos>"))
    assert begins == (1 if name in ("gemma3", "paligemma", "llava", "mllama") else 0)
    assert chat.heads[False].count(tiny.number("<bos>")) == begins


@every
def test_grey_and_transparent_crops_are_made_rgb(chats, name):
    chat = chats(name)
    grey = picture(0).convert("L")
    assert torch.equal(chat.prepare(grey)["pixel_values"], chat.prepare(grey.convert("RGB"))["pixel_values"])
    clear = picture(0).convert("RGBA")
    assert torch.equal(chat.prepare(clear)["pixel_values"], chat.prepare(picture(0))["pixel_values"])


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("qwen2_5_vl", '"longest_edge": 20000', '"longest_edge": 40000'),
        ("llava", '"shortest_edge": 32', '"shortest_edge": 40'),
        ("internvl", '"max_patches": 4', '"max_patches": 2'),
    ],
)
def test_the_size_of_pictures_is_part_of_what_a_model_is(chats, name, old, new, tmp_path):
    path = next(path for path in tiny.save(name, tmp_path).glob("*processor_config.json") if old in path.read_text())
    path.write_text(path.read_text().replace(old, new))
    assert Chat(str(tmp_path), "fp32", "cpu", 4, "caption", WRITE).identity != chats(name).identity


def test_precision_is_set_when_the_weights_are_read(folders, chats):
    """bfloat16 leaves the rotary frequencies in fp32, and keeps the order of captions whose scores are far apart."""
    half = Chat(str(folders("qwen2_5_vl")), "bf16", "cpu", 4, "caption", WRITE)
    assert half.language.network.dtype == torch.bfloat16
    frequencies = [value for key, value in half.language.network.named_buffers() if key.endswith("inv_freq")]
    assert frequencies and all(value.dtype == torch.float32 for value in frequencies)
    exact = chats("qwen2_5_vl").score(crops(chats("qwen2_5_vl"))[:1] * 4, TEXTS)
    rough = half.score(crops(half)[:1] * 4, TEXTS)
    apart = np.abs(exact[:, None] - exact) > 0.4
    assert apart.any() and np.array_equal((exact[:, None] > exact)[apart], (rough[:, None] > rough)[apart])


@pytest.mark.parametrize("name", ["llava", "smolvlm", "qwen3_vl"])
def test_a_missing_head_is_an_error(folders, name, tmp_path):
    folders(name)
    tiny.save(name, tmp_path)
    path = tmp_path / "model.safetensors"
    weights = {key: weight for key, weight in load_file(path).items() if "lm_head" not in key}
    assert len(weights) < len(load_file(path))
    save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"missing weights.*lm_head"):
        Chat(str(tmp_path), "fp32", "cpu", 4, "caption", WRITE)


def test_a_checkpoint_without_a_template_is_told(tmp_path):
    tiny.save("llava", tmp_path)
    for path in (*tmp_path.glob("chat_template*"), tmp_path / "processor_config.json"):
        if path.suffix == ".json":
            path.write_text(json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != "chat_template"}))
        else:
            path.unlink()
    with pytest.raises(InputError, match="has no chat template"):
        Chat(str(tmp_path), "fp32", "cpu", 4, "p_yes", YES)


def test_captions_are_words_whatever_they_look_like(chats):
    """A caption that contains the image's own token or an end token is read letter by letter."""
    for name in tiny.CHAT:
        if name != "smolvlm":
            chat = chats(name)
            assert not {*chat.tokens(["<image> </s> <eos> <bos><pad>"])[0]} & {*range(len(tiny.SPECIAL))} - {0}


def test_what_is_too_long_or_empty_is_told(chats):
    chat = chats("llava")
    crop = crops(chat)[0]
    with pytest.raises(CrepeError, match=r"has no token. Remedy"):
        chats("qwen2_5_vl").score(crops(chats("qwen2_5_vl"))[:1], [""])
    with pytest.raises(CrepeError, match=r"tokens, and the model reads 512"):
        chat.score([crop], ["dog " * 600])
    assert chat.truncated(["a dog", "dog " * 600]).tolist() == [False, True]
