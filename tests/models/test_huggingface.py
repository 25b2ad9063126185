"""Tests of transformers' families, loaded as real checkpoints are."""

import json

import numpy as np
import open_clip
import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from stages.contract.errors import InputError
from stages.models.huggingface import Dual, Generative, Matching, plain_preprocessing
from tests.models import tiny_transformers as tiny
from tests.models.made import Evil, noise

TEXTS = ["a dog", "a red dog on the blue mat", "a cat", " ".join(["a zebra grazing on the hill"] * 4), "the mat"]


@pytest.fixture(scope="module", params=tiny.DUAL)
def dual(request, tmp_path_factory):
    return Dual(str(tiny.save(tiny.DUAL[request.param], tmp_path_factory.mktemp(request.param))), "fp32", "cpu", batch=4)


@pytest.fixture(scope="module", params=tiny.WRITING)
def writing(request, tmp_path_factory):
    return tiny.save(tiny.WRITING[request.param], tmp_path_factory.mktemp(request.param))


def crops(model, count=5):
    return [model.prepare(noise(i)) for i in range(count)]


def test_features_are_unit_vectors_that_tell_crops_and_captions_apart(dual):
    for features in (dual.encode_text(TEXTS), dual.encode_image(crops(dual))):
        assert features.shape == (5, dual.width) and features.dtype == np.float32
        assert np.allclose(np.linalg.norm(features, axis=1), 1, atol=1e-5)
        assert (features @ features.T)[~np.eye(5, dtype=bool)].max() < 0.99999


def test_features_do_not_hang_on_neighbours(dual):
    together = dual.encode_text(TEXTS)
    for i, text in enumerate(TEXTS):
        assert np.array_equal(dual.encode_text([text])[0], together[i])
    assert np.array_equal(dual.encode_image(crops(dual)[4:])[0], dual.encode_image(crops(dual))[4])


@pytest.mark.parametrize("dual", [name for name in tiny.DUAL if name != "flava"], indirect=True)
def test_the_order_of_the_models_own_forward(dual):
    """The model's own logits for all crops and captions rank them as our scores do.

    FLAVA's own forward returns none; its pretraining head projects the first token, as we do.
    """
    with torch.inference_mode():
        tokens = dual.tokenizer(TEXTS, padding="max_length", max_length=dual.context, return_tensors="pt")
        tokens.pop("token_type_ids", None)
        if dual.model.config.model_type == "siglip":  # as in its training and in its published tokenizer
            tokens.pop("attention_mask")
        logits = dual.model(pixel_values=torch.stack(crops(dual)), **tokens).logits_per_image.numpy()
    scores = dual.encode_image(crops(dual)) @ dual.encode_text(TEXTS).T
    assert np.array_equal(np.argsort(logits, axis=1), np.argsort(scores, axis=1))


def test_captions_beyond_the_context_are_told(dual):
    assert dual.truncated(["a dog", "dog " * 38, "dog " * 39]).tolist() == [False, False, True]


def test_blips_matching_is_its_head_s_odds(tmp_path):
    folder = tiny.save(tiny.MATCHING["blip"], tmp_path)
    model = Matching(str(folder), "fp32", "cpu", batch=4)
    scores = model.score(crops(model), TEXTS)
    whole = transformers.BlipForImageTextRetrieval.from_pretrained(folder).eval()
    with torch.inference_mode():
        for crop, text, score in zip(crops(model), TEXTS, scores, strict=True):
            tokens = {k: v for k, v in model.tokenizer(text, return_tensors="pt").items() if k != "token_type_ids"}
            as_written = whole(pixel_values=crop[None], **tokens).itm_score[0]
            tokens["input_ids"][:, 0] = whole.config.text_config.bos_token_id + 1  # [ENC], the id after [DEC]
            odds = whole(pixel_values=crop[None], **tokens).itm_score[0]
            assert score == pytest.approx(float(odds[1] - odds[0]), abs=1e-4)
            assert score != pytest.approx(float(as_written[1] - as_written[0]), abs=1e-4)


@pytest.mark.parametrize("change", [{"padding_side": "left"}, {"pad_token": None}], ids=["padding first", "no padding"])
def test_a_tokenizer_that_was_saved_for_generating(tmp_path, change):
    folder = tiny.save(tiny.DUAL["clip"], tmp_path)
    before = Dual(str(folder), "fp32", "cpu", batch=4).encode_text(TEXTS)
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    if "pad_token" in change:
        with pytest.raises(InputError, match="its tokenizer has no token for padding"):
            Dual(str(folder), "fp32", "cpu", batch=4)
    else:
        assert np.array_equal(Dual(str(folder), "fp32", "cpu", batch=4).encode_text(TEXTS), before)


def test_captions_that_are_read_as_one_have_the_same_bits(dual):
    texts = [text for i in range(7) for text in (f"a dog {'on ' * i}", f"A  DOG {'on ' * i}")]
    features = dual.encode_text(texts)
    assert np.array_equal(features[::2], features[1::2])


def test_likelihood_is_minus_the_models_own_loss(writing):
    model = Generative(str(writing), "fp32", "cpu", batch=4)
    scores = model.score(crops(model), TEXTS)
    with torch.inference_mode():
        for crop, text, score in zip(crops(model), TEXTS, scores, strict=True):
            ids = model.tokenizer(text, return_tensors="pt").input_ids
            logits = model.model(pixel_values=crop[None], input_ids=ids).logits[:, -ids.shape[1] :]
            loss = torch.nn.functional.cross_entropy(logits[0, :-1], ids[0, 1:])
            assert score == pytest.approx(-float(loss), abs=1e-4)


@pytest.mark.parametrize("name", tiny.BLIND)
def test_a_writer_that_does_not_look_at_the_crop_is_refused(name, tmp_path):
    """Its scores would be those of a language model, or all equal once the score without a crop is subtracted."""
    folder = tiny.save(tiny.BLIND[name], tmp_path)
    with pytest.raises(InputError, match=r"ignores the image|cannot score a caption"):
        Generative(str(folder), "fp32", "cpu", batch=4)


def test_siglip_as_it_is_published_reads_captions_without_capitals_and_stops(tmp_path):
    """Its vocabulary is a sentencepiece file, which transformers does not read by itself."""
    pieces = pytest.importorskip("sentencepiece")
    folder = tiny.save(tiny.DUAL["siglip"], tmp_path)
    (folder / "tokenizer.json").unlink()
    said = {"tokenizer_class": "SiglipTokenizer", "model_input_names": ["input_ids"], "model_max_length": 40}
    (folder / "tokenizer_config.json").write_text(json.dumps(said))
    how = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1, "vocab_size": 30, "hard_vocab_limit": False}
    lines = iter(["a red dog on the mat", "a blue cat on the mat"] * 50)
    pieces.SentencePieceTrainer.train(sentence_iterator=lines, model_prefix=str(folder / "spiece"), **how)
    model = Dual(str(folder), "fp32", "cpu", batch=4)
    plain, written, other = model.encode_text(["a red dog", "A Red dog.", "a blue cat"])
    assert np.array_equal(plain, written) and not np.allclose(plain, other, atol=1e-3)


def test_alpha_takes_off_what_is_likely_without_the_crop(writing):
    plain, contrast = (Generative(str(writing), "fp32", "cpu", 4, alpha) for alpha in (0.0, 1.0))
    grey = [plain.grey] * len(TEXTS)
    assert np.allclose(contrast.score(grey, TEXTS), 0, atol=1e-5)
    assert np.allclose(contrast.score(crops(plain), TEXTS), plain.score(crops(plain), TEXTS) - plain.score(grey, TEXTS), atol=1e-5)
    assert plain.identity != contrast.identity


@pytest.mark.parametrize("change", [lambda w: w.pop("visual_projection.weight"), lambda w: w.update(extra=torch.zeros(2))])
def test_missing_and_unexpected_weights_are_errors(tmp_path, change):
    folder = tiny.save(tiny.DUAL["clip"], tmp_path)
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"(missing|unexpected) weights"):
        Dual(str(folder), "fp32", "cpu", batch=4)


@pytest.mark.parametrize(
    ("cls", "make", "head"),
    [(Matching, tiny.MATCHING["blip"], "itm_head."), (Generative, tiny.WRITING["blip"], "cls.predictions.transform.")],
)
def test_a_head_that_scores_and_is_missing_is_an_error(tmp_path, cls, make, head):
    """The head would be initialised at random, and its scores would be random too."""
    folder = tiny.save(make, tmp_path)
    weights = {name: weight for name, weight in load_file(folder / "model.safetensors").items() if head not in name}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=f"missing weights.*{head}"):
        cls(str(folder), "fp32", "cpu", batch=4)


def test_heads_of_pretraining_are_left_aside(tmp_path):
    folder = tiny.save(tiny.flava_with_heads, tmp_path)
    assert Dual(str(folder), "fp32", "cpu", batch=4).width == 16


@pytest.mark.parametrize("make", tiny.NO_DUAL.values(), ids=tiny.NO_DUAL)
def test_what_is_no_dual_encoder_is_told(tmp_path, make):
    with pytest.raises(InputError, match="name a dual encoder"):
        Dual(str(tiny.save(make, tmp_path)), "fp32", "cpu", batch=4)


def test_no_such_checkpoint(tmp_path):
    with pytest.raises(InputError, match="checkpoint of this family"):
        Dual(str(tmp_path / "nowhere"), "fp32", "cpu", batch=4)


def test_another_models_tokenizer_is_told(tmp_path, monkeypatch):
    """It ends each caption with a token that the text tower lacks."""
    folder = tiny.save(tiny.DUAL["clip"], tmp_path)
    monkeypatch.setitem(tiny.TEXT, "vocab_size", 40)
    tiny.tokenizer().save_pretrained(folder)
    with pytest.raises(InputError, match=r"its tokenizer gives token 39, and its text tower knows 32\. Remedy: save the tokenizer"):
        Dual(str(folder), "fp32", "cpu", batch=4)


def test_a_missing_preprocessor_is_named(tmp_path):
    folder = tiny.save(tiny.DUAL["clip"], tmp_path)
    for path in folder.glob("*processor*.json"):
        path.unlink()
    with pytest.raises(InputError, match=r"its preprocessing cannot be loaded .* or save its preprocessing next to its weights"):
        Dual(str(folder), "fp32", "cpu", batch=4)


def test_a_checkpoint_that_would_run_code_is_refused(tmp_path, capsys):
    folder = tiny.save(tiny.DUAL["clip"], tmp_path)
    (folder / "model.safetensors").unlink()
    torch.save({"x": Evil()}, folder / "pytorch_model.bin")
    with pytest.raises(InputError, match="would run code when loaded"):
        Dual(str(folder), "fp32", "cpu", batch=4)
    assert "never" not in capsys.readouterr().out


@pytest.mark.parametrize("keep", [0, 5, 200])
def test_a_checkpoint_that_is_cut_off_is_told(tmp_path, keep):
    path = tiny.save(tiny.DUAL["clip"], tmp_path) / "model.safetensors"
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(InputError, match="name a folder or a hub name"):
        Dual(str(tmp_path), "fp32", "cpu", batch=4)


@pytest.mark.parametrize("size", [(61, 40), (40, 61), (33, 32), (200, 35), (20, 31)])
@pytest.mark.parametrize(
    ("processor", "mode"),
    [("CLIPImageProcessor", "shortest"), ("ChineseCLIPImageProcessor", "shortest"), ("SiglipImageProcessor", "squash")],
)
def test_pixels_are_those_of_open_clip(processor, mode, size):
    """transformers' own preprocessing starts the crop a pixel earlier where the margin is odd."""
    how = {"size": {"shortest_edge": 32}, "crop_size": {"height": 32, "width": 32}} if mode == "shortest" else {}
    made = getattr(transformers, processor)(**how or {"size": {"height": 32, "width": 32}})
    about = {"mean": tuple(made.image_mean), "std": tuple(made.image_std), "interpolation": "bicubic", "resize_mode": mode}
    theirs = open_clip.image_transform(32, is_train=False, **about)
    image = noise(3, size)
    assert torch.equal(plain_preprocessing(made)(image), theirs(image))


def test_a_processor_of_another_kind_is_asked_itself(tmp_path):
    assert plain_preprocessing(transformers.EfficientNetImageProcessor()) is None
    assert plain_preprocessing(transformers.CLIPImageProcessor(rescale_factor=1 / 127)) is None
    model = Dual(str(tiny.save(tiny.DUAL["align"], tmp_path)), "fp32", "cpu", batch=4)
    assert torch.equal(model.prepare(noise(1)), model.processor(images=noise(1), return_tensors="pt")["pixel_values"][0])


def test_siglip_2_reads_captions_in_small_letters(tmp_path):
    """At a fixed size it is a SigLIP with Gemma's tokenizer, which keeps capitals, but it was trained without them."""
    folder = tiny.save(tiny.DUAL["siglip"], tmp_path)
    keeping = json.loads((folder / "tokenizer.json").read_text()) | {"normalizer": None}
    (folder / "tokenizer.json").write_text(json.dumps(keeping))
    model = Dual(str(folder), "fp32", "cpu", batch=4)
    assert model.tokenizer("A Dog").input_ids != model.tokenizer("a dog").input_ids
    plain, written, other = model.encode_text(["a dog", "A Dog", "a cat"])
    assert np.array_equal(plain, written) and not np.allclose(plain, other, atol=1e-3)
    assert model.tokens(["A Dog"]) == model.tokens(["a dog"])
