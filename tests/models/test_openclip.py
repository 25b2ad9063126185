"""Tests of what open_clip's models are given, and of what is refused."""

import json

import numpy as np
import open_clip
import pytest
import torch
from safetensors.torch import load_file, save_file

from stages.contract.errors import InputError, ParameterError
from stages.models.openclip import OpenClip
from tests.models.made import CONFIG, Evil, noise, tiny_clip

TEXTS = ["a dog", "a dog on a mat", "a dog on a red mat", "a cat", "A  dog", "two zebras, grazing on the far side of a hill", "a"]


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_clip(tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="module")
def model(folder):
    return OpenClip(f"local-dir:{folder}", None, "fp32", "cpu", batch=4, text_batch_tokens=64)


def plain(folder, texts):
    model = open_clip.create_model_from_pretrained(f"local-dir:{folder}", return_transform=False).eval()
    with torch.inference_mode():
        return model.encode_text(open_clip.get_tokenizer(f"local-dir:{folder}")(texts), normalize=True).numpy()


def test_packed_captions_have_the_features_of_padded_ones(folder, model):
    assert model.packs
    assert np.abs(model.encode_text(TEXTS) - plain(folder, TEXTS)).max() < 1e-6


def test_crops_have_the_features_of_the_whole_tower(folder, model):
    whole, transform = open_clip.create_model_from_pretrained(f"local-dir:{folder}")
    with torch.inference_mode():
        expected = whole.eval().encode_image(transform(noise(3))[None], normalize=True).numpy()
    assert np.abs(model.encode_image([model.prepare(noise(3))]) - expected).max() < 1e-6


def test_a_captions_features_do_not_hang_on_its_neighbours(model):
    """Otherwise, an interrupted run would end with other bits than an uninterrupted one."""
    together = model.encode_text(TEXTS)
    for i, text in enumerate(TEXTS):
        assert np.array_equal(model.encode_text([text])[0], together[i])


def test_a_crops_features_do_not_hang_on_its_neighbours(model):
    crops = [model.prepare(noise(i)) for i in range(6)]
    together = model.encode_image(crops)
    assert np.array_equal(model.encode_image(crops[5:])[0], together[5])
    assert np.allclose(np.linalg.norm(together, axis=1), 1)


def test_captions_that_read_alike_tie_exactly(model):
    features = model.encode_text(TEXTS)
    assert np.array_equal(features[0], features[4])


def test_captions_beyond_the_context_are_cut_as_the_tokenizer_cuts_them_and_told(folder, model):
    long = ["word " * 40, "word " * 22, "word " * 23]
    assert model.truncated(long).tolist() == [True, False, True]
    assert np.abs(model.encode_text(long) - plain(folder, long)).max() < 1e-6


def test_a_tower_that_sees_both_ways_is_not_packed(tmp_path):
    folder = tiny_clip(tmp_path, pool_type="last", no_causal_mask=True)
    model = OpenClip(f"local-dir:{folder}", None, "fp32", "cpu", batch=4, text_batch_tokens=64)
    assert not model.packs
    assert np.abs(model.encode_text(TEXTS) - plain(folder, TEXTS)).max() < 1e-6


def test_score_is_the_cosine(model):
    crops = [model.prepare(noise(i)) for i in range(2)]
    expected = (model.encode_image(crops) * model.encode_text(TEXTS[:2])).sum(axis=1)
    assert np.allclose(model.score(crops, TEXTS[:2]), expected)


def test_bf16_is_near(folder, model):
    half = OpenClip(f"local-dir:{folder}", None, "bf16", "cpu", batch=4, text_batch_tokens=64)
    assert half.encode_text(TEXTS).dtype == np.float32
    assert np.abs(half.encode_text(TEXTS) - model.encode_text(TEXTS)).max() < 0.05
    assert np.abs(half.encode_image([half.prepare(noise(1))]) - model.encode_image([model.prepare(noise(1))])).max() < 0.05


def test_a_tower_that_computes_in_fp32_only_says_so(tmp_path):
    """CoCa's towers do, and those of transformers within open_clip; on a GPU, ``auto`` asks for bf16."""
    caption = {"context_length": 24, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 1}
    picture = CONFIG["model_cfg"]["vision_cfg"] | {"attentional_pool": True, "attn_pooler_heads": 2, "output_tokens": True}
    text = caption | {"embed_cls": True, "output_tokens": True, "context_length": 23}
    coca = {"embed_dim": 32, "custom_text": True, "vision_cfg": picture, "text_cfg": text, "multimodal_cfg": caption}
    (tmp_path / "open_clip_config.json").write_text(json.dumps({"model_cfg": coca, "preprocess_cfg": {}}))
    weights = open_clip.create_model(f"local-dir:{tmp_path}", load_weights=False).state_dict()
    save_file(weights, tmp_path / "open_clip_model.safetensors")
    assert OpenClip(f"local-dir:{tmp_path}", None, "fp32", "cpu", 4, 64).width == 32
    with pytest.raises(ParameterError, match="cannot compute in bf16"):
        OpenClip(f"local-dir:{tmp_path}", None, "bf16", "cpu", 4, 64)


def test_the_identity_tells_weights_apart(folder, model, tmp_path):
    other = OpenClip(f"local-dir:{tiny_clip(tmp_path, seed=1)}", None, "fp32", "cpu", batch=4, text_batch_tokens=64)
    again = OpenClip(f"local-dir:{folder}", None, "fp32", "cpu", batch=4, text_batch_tokens=64)
    assert model.identity == again.identity != other.identity


@pytest.mark.parametrize("change", [lambda w: w.pop("ln_final.weight"), lambda w: w.update(extra=torch.zeros(1))])
def test_missing_and_unexpected_weights_are_errors(folder, tmp_path, change):
    weights = load_file(folder / "open_clip_model.safetensors")
    change(weights)
    (tmp_path / "open_clip_config.json").write_text((folder / "open_clip_config.json").read_text())
    save_file(weights, tmp_path / "open_clip_model.safetensors")
    with pytest.raises(InputError, match="does not fit"):
        OpenClip(f"local-dir:{tmp_path}", None, "fp32", "cpu", 4, 64)


@pytest.mark.parametrize(("part", "change"), [("vision_cfg", {"image_size": 64}), ("text_cfg", {"context_length": 32})])
def test_weights_of_another_size_of_pictures_or_captions_are_an_error(tmp_path, part, change):
    path = tiny_clip(tmp_path) / "open_clip_config.json"
    config = json.loads(path.read_text())
    config["model_cfg"][part].update(change)
    path.write_text(json.dumps(config))
    with pytest.raises(InputError, match=r"does not fit .*positional_embedding"):
        OpenClip(f"local-dir:{tmp_path}", None, "fp32", "cpu", 4, 64)


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda weights: {f"text_model.{name}": weight for name, weight in weights.items()}, "checkpoint of transformers"),
        (lambda weights: {**weights, "input_resolution": torch.zeros(1), "vocab_size": torch.zeros(1)}, "OpenAI's JIT archive"),
        (
            lambda weights: {**weights, "positional_embedding": torch.zeros(32, 32)},
            "captions have another length: load it as local-dir",
        ),
        (
            lambda weights: {**weights, "visual.positional_embedding": torch.zeros(17, 32)},
            "pictures have another size: load it as local",
        ),
    ],
)
def test_weights_of_others_are_named_as_what_they_are(folder, tmp_path, made, says):
    weights = load_file(folder / "open_clip_model.safetensors")
    (tmp_path / "open_clip_config.json").write_text((folder / "open_clip_config.json").read_text())
    save_file(made(weights), tmp_path / "open_clip_model.safetensors")
    with pytest.raises(InputError, match=rf"does not fit.*Remedy: it[s ].*{says}|does not fit.*{says}"):
        OpenClip(f"local-dir:{tmp_path}", None, "fp32", "cpu", 4, 64)


@pytest.mark.parametrize("bias", [torch.tensor(-10.0), torch.tensor([-10.0])])
def test_the_bias_of_a_siglip_training_is_no_obstacle(folder, tmp_path, bias):
    weights = load_file(folder / "open_clip_model.safetensors")
    (tmp_path / "open_clip_config.json").write_text((folder / "open_clip_config.json").read_text())
    save_file({**weights, "logit_bias": bias}, tmp_path / "open_clip_model.safetensors")
    own, other = (OpenClip(f"local-dir:{place}", None, "fp32", "cpu", 4, 64).encode_text(["a dog"]) for place in (folder, tmp_path))
    assert (own == other).all()


def test_of_hundreds_of_weights_that_do_not_fit_the_first_of_each_kind_are_told(folder, tmp_path):
    weights = {name: weight for name, weight in load_file(folder / "open_clip_model.safetensors").items() if "mlp" not in name}
    weights |= {name: torch.zeros(1) for name in weights if "ln_" in name}
    (tmp_path / "open_clip_config.json").write_text((folder / "open_clip_config.json").read_text())
    save_file({**weights, **{f"more.{n}": torch.zeros(1) for n in range(200)}}, tmp_path / "open_clip_model.safetensors")
    with pytest.raises(InputError, match=r'Unexpected key\(s\) in state_dict: "more.0", .* …; size mismatch for ') as error:
        OpenClip(f"local-dir:{tmp_path}", None, "fp32", "cpu", 4, 64)
    assert len(str(error.value)) < 800 and "Remedy: name the architecture" in str(error.value)


def test_no_weights_at_all_are_an_error(folder, tmp_path):
    (tmp_path / "open_clip_config.json").write_text((folder / "open_clip_config.json").read_text())
    with pytest.raises(InputError, match="could not be loaded"):
        OpenClip(f"local-dir:{tmp_path}", None, "fp32", "cpu", 4, 64)


def test_a_checkpoint_that_would_run_code_is_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(open_clip.factory._MODEL_CONFIGS, "tiny", CONFIG["model_cfg"])
    torch.save({"state_dict": {"x": Evil()}}, tmp_path / "evil.pt")
    with pytest.raises(InputError, match="run code"):
        OpenClip("tiny", str(tmp_path / "evil.pt"), "fp32", "cpu", 4, 64)


def test_an_archive_of_torchscript_is_told_as_such(tmp_path, monkeypatch):
    """OpenAI publishes its files in this form."""
    monkeypatch.setitem(open_clip.factory._MODEL_CONFIGS, "tiny", CONFIG["model_cfg"])
    torch.jit.save(torch.jit.trace(torch.nn.Identity(), torch.ones(1)), tmp_path / "ViT-B-32.pt")
    with pytest.raises(InputError, match=r"is a TorchScript archive, which is code\. Remedy: of OpenAI's models name the tag"):
        OpenClip("tiny", str(tmp_path / "ViT-B-32.pt"), "fp32", "cpu", 4, 64)


def test_quickgelu_mismatch_is_an_error(monkeypatch):
    """The check precedes reading the weights, so they need not be downloaded."""
    monkeypatch.setattr(open_clip.factory, "download_pretrained", lambda *_, **__: "nowhere.pt")
    with pytest.raises(ParameterError, match="RN50-quickgelu"):
        OpenClip("RN50", "cc12m", "fp32", "cpu", 4, 64)


@pytest.mark.parametrize(
    ("architecture", "pretrained", "said"),
    [
        ("local-dir:/nowhere/at/all", None, "dvc repro"),
        ("ViT-B-33", "openai", "no architecture ViT-B-33"),
        ("ViT-B/16-SigLIP", "webli", "no architecture ViT-B/16-SigLIP.*with - where it has /"),
        ("RN50", "nowhere.pt", "neither a file nor a tag"),
    ],
)
def test_what_cannot_be_found_is_named(architecture, pretrained, said):
    with pytest.raises((InputError, ParameterError), match=said):
        OpenClip(architecture, pretrained, "fp32", "cpu", 4, 64)


OWN = {"mean": (0.5, 0.5, 0.5), "std": (0.25, 0.25, 0.25), "interpolation": "bilinear", "resize_mode": "squash"}


@pytest.mark.parametrize("agree", [True, False])
def test_a_file_is_fed_as_all_tags_of_its_architecture_are(folder, tmp_path, monkeypatch, agree):
    """SigLIP's weights are preprocessed alike by tag and as a file; where tags differ, a file gets open_clip's default."""
    other = OWN if agree else OWN | {"mean": (0.0, 0.0, 0.0)}
    monkeypatch.setitem(open_clip.factory._MODEL_CONFIGS, "tiny", CONFIG["model_cfg"])
    monkeypatch.setitem(open_clip.pretrained._PRETRAINED, "tiny", {"a": OWN | {"url": "x"}, "b": other | {"url": "y"}})
    torch.save(open_clip.create_model("tiny", load_weights=False).state_dict(), tmp_path / "mine.pt")
    model = OpenClip("tiny", str(tmp_path / "mine.pt"), "fp32", "cpu", batch=1, text_batch_tokens=64)
    fed = {key: model.model.visual.preprocess_cfg[key] for key in OWN}
    assert (fed == OWN) is agree
    assert tuple(model.transform.transforms[-1].mean) == (OWN["mean"] if agree else open_clip.OPENAI_DATASET_MEAN)


def test_openai_layout_checkpoint_loads(tmp_path, monkeypatch):
    """As CyCLIP's: the state_dict of a data-parallel ResNet under ``state_dict``, next to other data of its training."""
    resnet = {"image_size": 64, "layers": [1, 1, 1, 1], "width": 8}
    name, config = "tiny-resnet-quickgelu", CONFIG["model_cfg"] | {"quick_gelu": True, "vision_cfg": resnet}
    monkeypatch.setitem(open_clip.factory._MODEL_CONFIGS, name, config)
    torch.manual_seed(0)
    weights = open_clip.create_model(name, load_weights=False).state_dict()
    torch.save({"epoch": 64, "state_dict": {f"module.{k}": v for k, v in weights.items()}}, tmp_path / "cyclip.pt")
    model = OpenClip(name, str(tmp_path / "cyclip.pt"), "fp32", "cpu", batch=1, text_batch_tokens=64)
    assert model.width == 16 and model.packs
