"""A known model is loaded only when it has something to encode; a changed model counts as another."""

import json

import numpy as np
import open_clip
import pytest
import torch

from stages.contract.errors import InputError
from stages.models import load as module
from stages.models.contract import DualEncoder, WithPrior
from stages.models.load import LazyDualEncoder, LazyModel, files_of, lazily_loaded
from stages.models.openclip import OpenClip
from stages.parameters.sections import Evaluate, Models
from stages.parameters.sections import OpenClip as OpenClipPreset
from tests.models import tiny_chat
from tests.models import tiny_transformers as tiny
from tests.models.made import CONFIG, noise, tiny_clip
from tests.running import section

SETTINGS = section(Evaluate, device="cpu", precision="fp32", threads=1, batch=2, text_batch_tokens=64)


@pytest.fixture
def presets(tmp_path):
    return section(Models, tiny={"family": "open_clip", "architecture": f"local-dir:{tiny_clip(tmp_path / 'model')}"})


def test_a_known_model_is_loaded_at_the_first_question(presets, tmp_path, monkeypatch):
    first = lazily_loaded("tiny", presets, SETTINGS, tmp_path / "kept")
    assert type(first) is OpenClip
    loaded, load = [], module.load
    monkeypatch.setattr(module, "load", lambda *asked: loaded.append(asked) or load(*asked))
    second = lazily_loaded("tiny", presets, SETTINGS, tmp_path / "kept")
    assert type(second) is LazyDualEncoder and (second.identity, second.width) == (first.identity, first.width) and not loaded
    crop = [first.prepare(noise(1))]
    assert np.array_equal(second.encode_image([second.prepare(noise(1))]), first.encode_image(crop))
    assert np.array_equal(second.encode_text(["a dog"]), first.encode_text(["a dog"]))
    assert second.score(crop, ["a dog"]) == first.score(crop, ["a dog"]) and not second.truncated(["a dog"]).any()
    assert len(loaded) == 1


@pytest.mark.parametrize("change", [{"precision": "bf16"}, {"seed": 1}])
def test_other_weights_or_precision_are_another_model(presets, tmp_path, change):
    first = lazily_loaded("tiny", presets, SETTINGS, tmp_path / "kept")
    if "seed" in change:
        tiny_clip(tmp_path / "model", seed=1)
    second = lazily_loaded(
        "tiny", presets, SETTINGS.model_copy(update={"precision": change.get("precision", "fp32")}), tmp_path / "kept"
    )
    assert type(second) is OpenClip and second.identity != first.identity


def test_weights_that_went_wrong_are_an_error_although_the_model_was_known(presets, tmp_path):
    lazily_loaded("tiny", presets, SETTINGS, tmp_path / "kept")
    (tmp_path / "model" / "open_clip_model.safetensors").write_bytes(b"cut off")
    with pytest.raises(InputError, match="no checkpoint that can be read"):
        lazily_loaded("tiny", presets, SETTINGS, tmp_path / "kept")


def test_a_damaged_memory_is_made_anew(presets, tmp_path):
    first = lazily_loaded("tiny", presets, SETTINGS, tmp_path / "kept")
    (path,) = (tmp_path / "kept" / "models").iterdir()
    for text in ("", "{}", '{"identity": "x"}', "[1]"):
        path.write_text(text)
        assert type(lazily_loaded("tiny", presets, SETTINGS, tmp_path / "kept")) is OpenClip
        assert lazily_loaded("tiny", presets, SETTINGS, tmp_path / "kept").identity == first.identity


def test_a_cross_encoder_is_remembered_too(tmp_path):
    presets = section(Models, mine={"family": "matching", "checkpoint": str(tiny.save(tiny.MATCHING["blip"], tmp_path / "blip"))})
    first, second = (lazily_loaded("mine", presets, SETTINGS, tmp_path / "kept") for _ in range(2))
    assert type(second) is LazyModel and not isinstance(second, DualEncoder) and second.identity == first.identity
    crop = [first.prepare(noise(1))]
    assert second.score(crop, ["a dog"]) == first.score(crop, ["a dog"])


def test_a_chat_model_is_asked_without_an_image(tmp_path):
    asked = {"family": "chat", "checkpoint": str(tiny_chat.save("llava", tmp_path / "llava")), "form": "p_yes"}
    presets = section(Models, mine={**asked, "question": "Is it {caption}?"})
    first, second = (lazily_loaded("mine", presets, SETTINGS, tmp_path / "kept") for _ in range(2))
    assert isinstance(first, WithPrior) and isinstance(second, WithPrior) and isinstance(second, LazyModel)
    assert np.array_equal(second.prior(["a dog"]), first.prior(["a dog"]))


def test_weights_from_the_network_are_known_when_they_are_loaded(tmp_path):
    presets = section(Models).root
    assert files_of(presets["vit-b-32-openai"]) == [] == files_of(presets["blip"])
    assert files_of(OpenClipPreset(family="open_clip", architecture="hf-hub:a/b")) == []
    (tmp_path / "a.pt").touch()
    assert files_of(OpenClipPreset(family="open_clip", architecture="RN50", pretrained=str(tmp_path / "a.pt"))) == [
        tmp_path / "a.pt"
    ]


def changed(folder, change):
    """Change a checkpoint's configuration, but not its weights."""
    path = folder / "open_clip_config.json"
    config = json.loads(path.read_text())
    change(config["model_cfg"])
    path.write_text(json.dumps(config))


CHANGES = {
    "activation": lambda model: model.update(quick_gelu=True),
    "text heads": lambda model: model["text_cfg"].update(heads=4),
    "image heads": lambda model: model["vision_cfg"].update(head_width=8),
    "tokenizer": lambda model: model["text_cfg"].update(context_length=24, tokenizer_kwargs={"clean": "whitespace"}),
}


def test_settings_that_leave_the_weights_alone_make_another_model(presets, tmp_path):
    """Each change is applied on top of those before, and all of the resulting models are distinguished."""
    models = [lazily_loaded("tiny", presets, SETTINGS, tmp_path / "kept")]
    for change in CHANGES.values():
        changed(tmp_path / "model", change)
        models.append(lazily_loaded("tiny", presets, SETTINGS, tmp_path / "kept"))
    assert {type(model) for model in models} == {OpenClip}
    assert len({model.identity for model in models}) == 1 + len(CHANGES)


def test_one_checkpoint_under_two_architectures_is_two_models(tmp_path, monkeypatch):
    """As with RN50 and RN50-quickgelu, whose weights have the same shapes."""
    for name, quick in (("tiny", False), ("tiny-quickgelu", True)):
        monkeypatch.setitem(open_clip.factory._MODEL_CONFIGS, name, CONFIG["model_cfg"] | {"quick_gelu": quick})
    torch.save(open_clip.create_model("tiny", load_weights=False).state_dict(), tmp_path / "a.pt")
    identities = set()
    for name in ("tiny", "tiny-quickgelu"):
        presets = section(Models, mine={"family": "open_clip", "architecture": name, "pretrained": str(tmp_path / "a.pt")})
        identities.add(lazily_loaded("mine", presets, SETTINGS, tmp_path / "kept").identity)
    assert len(identities) == 2


def test_settings_of_transformers_make_another_model_too(tmp_path):
    folder = tiny.save(tiny.DUAL["clip"], tmp_path / "clip")
    presets = section(Models, mine={"family": "dual", "checkpoint": str(folder)})
    identities = {lazily_loaded("mine", presets, SETTINGS, tmp_path / "kept").identity}
    for file, old, new in (
        ("tokenizer.json", '"zebra"', '"quagga"'),
        ("config.json", '"quick_gelu"', '"gelu"'),
        ("preprocessor_config.json", '"resample": 3', '"resample": 2'),
    ):
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new))
        identities.add(lazily_loaded("mine", presets, SETTINGS, tmp_path / "kept").identity)
    assert len(identities) == 4


def test_a_model_whose_tokenizer_comes_from_the_network_is_not_remembered(presets, tmp_path):
    changed(tmp_path / "model", lambda model: model["text_cfg"].update(hf_tokenizer_name="someone/a-tokenizer"))
    assert files_of(presets.root["tiny"]) == []
    (tmp_path / "tokenizer").mkdir()
    (tmp_path / "tokenizer" / "tokenizer.json").write_text("{}")
    changed(tmp_path / "model", lambda model: model["text_cfg"].update(hf_tokenizer_name=str(tmp_path / "tokenizer")))
    assert tmp_path / "tokenizer" / "tokenizer.json" in files_of(presets.root["tiny"])
