"""A model that is known is loaded when it has something to encode, and a changed one is another."""

import numpy as np
import pytest

from stages.contract.errors import InputError
from stages.contract.param_schema import Evaluate, Models
from stages.contract.param_schema import OpenClip as OpenClipPreset
from stages.models import lazy as module
from stages.models.contract import DualEncoder
from stages.models.lazy import LaterDual, LazyModel, remembered, weights
from stages.models.openclip import OpenClip
from tests.models import tiny_transformers as tiny
from tests.models.made import noise, tiny_clip
from tests.running import section

SETTINGS = section(Evaluate, device="cpu", precision="fp32", threads=1, batch=2, text_batch_tokens=64)


@pytest.fixture
def presets(tmp_path):
    return section(Models, tiny={"family": "open_clip", "architecture": f"local-dir:{tiny_clip(tmp_path / 'model')}"})


def test_a_known_model_is_loaded_at_the_first_question(presets, tmp_path, monkeypatch):
    first = remembered("tiny", presets, SETTINGS, tmp_path / "kept")
    assert type(first) is OpenClip
    loaded, load = [], module.load
    monkeypatch.setattr(module, "load", lambda *asked: loaded.append(asked) or load(*asked))
    second = remembered("tiny", presets, SETTINGS, tmp_path / "kept")
    assert type(second) is LaterDual and (second.identity, second.width) == (first.identity, first.width) and not loaded
    crop = [first.prepare(noise(1))]
    assert np.array_equal(second.encode_image([second.prepare(noise(1))]), first.encode_image(crop))
    assert np.array_equal(second.encode_text(["a dog"]), first.encode_text(["a dog"]))
    assert second.score(crop, ["a dog"]) == first.score(crop, ["a dog"]) and not second.truncated(["a dog"]).any()
    assert len(loaded) == 1


@pytest.mark.parametrize("change", [{"precision": "bf16"}, {"seed": 1}])
def test_other_weights_or_precision_are_another_model(presets, tmp_path, change):
    first = remembered("tiny", presets, SETTINGS, tmp_path / "kept")
    if "seed" in change:
        tiny_clip(tmp_path / "model", seed=1)
    second = remembered(
        "tiny", presets, SETTINGS.model_copy(update={"precision": change.get("precision", "fp32")}), tmp_path / "kept"
    )
    assert type(second) is OpenClip and second.identity != first.identity


def test_weights_that_went_wrong_are_an_error_although_the_model_was_known(presets, tmp_path):
    remembered("tiny", presets, SETTINGS, tmp_path / "kept")
    (tmp_path / "model" / "open_clip_model.safetensors").write_bytes(b"cut off")
    with pytest.raises(InputError, match="no checkpoint that can be read"):
        remembered("tiny", presets, SETTINGS, tmp_path / "kept")


@pytest.mark.parametrize("text", ["", "{}", '{"identity": "x"}', "[1]"])
def test_a_damaged_memory_is_made_anew(presets, tmp_path, text):
    first = remembered("tiny", presets, SETTINGS, tmp_path / "kept")
    (path,) = (tmp_path / "kept" / "models").iterdir()
    path.write_text(text)
    assert type(remembered("tiny", presets, SETTINGS, tmp_path / "kept")) is OpenClip
    assert remembered("tiny", presets, SETTINGS, tmp_path / "kept").identity == first.identity


def test_a_cross_encoder_is_remembered_too(tmp_path):
    presets = section(Models, mine={"family": "matching", "checkpoint": str(tiny.save(tiny.MATCHING["blip"], tmp_path / "blip"))})
    first, second = (remembered("mine", presets, SETTINGS, tmp_path / "kept") for _ in range(2))
    assert type(second) is LazyModel and not isinstance(second, DualEncoder) and second.identity == first.identity
    crop = [first.prepare(noise(1))]
    assert second.score(crop, ["a dog"]) == first.score(crop, ["a dog"])


def test_weights_from_the_network_are_known_when_they_are_loaded(tmp_path):
    assert weights({"architecture": "ViT-B-32", "pretrained": "openai"}) == []
    assert weights(OpenClipPreset(family="open_clip", architecture="hf-hub:a/b")) == []
    assert weights(section(Models).root["blip"]) == []
    (tmp_path / "a.pt").touch()
    assert weights({"architecture": "RN50", "pretrained": str(tmp_path / "a.pt")}) == [tmp_path / "a.pt"]
