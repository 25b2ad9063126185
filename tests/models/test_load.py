"""Models by their names in the parameters."""

import pytest
import torch
from ruamel.yaml import YAML

from stages.contract.errors import InputError, ParameterError
from stages.models import contract
from stages.models.huggingface import Dual, Generative, Matching
from stages.models.load import load, training_set_of
from tests.models import tiny_transformers as tiny

SETTINGS = {"device": "cpu", "precision": "auto", "threads": 1, "batch": 2, "text_batch_tokens": 64}
PARAMS = YAML(typ="safe", pure=True).load(open("params.yaml"))  # noqa: PTH123, SIM115


@pytest.mark.parametrize(
    ("family", "make", "cls"),
    [
        ("dual", tiny.DUAL["clip"], Dual),
        ("matching", tiny.MATCHING["blip"], Matching),
        ("generative", tiny.WRITING["blip"], Generative),
    ],
)
def test_a_family_of_transformers(tmp_path, family, make, cls):
    preset = {"family": family, "checkpoint": str(tiny.save(make, tmp_path))}
    model = load("mine", {"mine": preset}, SETTINGS)
    assert type(model) is cls and model.dtype == torch.float32


def test_a_model_that_cannot_be_had_says_why():
    with pytest.raises(ParameterError, match=r"models\.albef: is in neither open_clip nor transformers"):
        load("albef", PARAMS["models"], SETTINGS)


def test_unknown_models_and_families_are_named():
    with pytest.raises(ParameterError, match=r"no model clap.*sample"):
        load("clap", PARAMS["models"], SETTINGS)
    with pytest.raises(ParameterError, match=r"jax is unknown.*open_clip, dual"):
        load("mine", {"mine": {"family": "jax"}}, SETTINGS)


def test_the_papers_models_are_there_with_their_training_sets():
    trained_on = {name: preset.get("trained_on") for name, preset in PARAMS["models"].items()}
    assert [list(trained_on.values()).count(name) for name in ("cc12m", "yfcc15m", "laion400m", "openai")] == [1, 2, 4, 5]
    assert {"cyclip", "flava", "albef", "sample"} <= set(trained_on)


def test_what_a_model_was_trained_on(tmp_path):
    told = tmp_path / "training.json"
    told.write_text('{"training_set": "yfcc15m"}')
    presets = {
        "a": {"trained_on": "cc12m"},
        "b": {"trained_on": str(told)},
        "c": {},
        "d": {"trained_on": str(tmp_path / "no.json")},
    }
    assert [training_set_of(name, presets) for name in "abc"] == ["cc12m", "yfcc15m", None]
    with pytest.raises(InputError, match="does not say what d was trained on"):
        training_set_of("d", presets)
    told.write_text("[]")
    with pytest.raises(InputError, match="does not say"):
        training_set_of("b", presets)


def test_auto_is_exact_on_a_processor_and_fast_on_a_gpu(monkeypatch):
    assert contract.choose_precision("auto", "cpu") == "fp32" and contract.choose_precision("auto", "cuda") == "bf16"
    assert contract.choose_precision("fp16", "cuda") == "fp16"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert contract.choose_device("auto") == "cuda" and contract.choose_device("cpu") == "cpu"
