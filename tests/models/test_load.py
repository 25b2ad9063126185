"""Models are loaded by their names in the parameters."""

import open_clip
import pytest
import torch

from stages.contract import pretrained
from stages.contract.errors import CrepeError, InputError, ParameterError
from stages.models.huggingface import Dual, Generative, Matching
from stages.models.load import load, training_set_of
from stages.parameters.sections import Evaluate, Models, OpenClip
from tests.models import tiny_transformers as tiny
from tests.running import section

SETTINGS = section(Evaluate, device="cpu", precision="auto", threads=1, batch=2, text_batch_tokens=64)
MODELS = section(Models)


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
    preset |= {"alpha": 1.0} if family == "generative" else {}
    model = load("mine", section(Models, mine=preset), SETTINGS)
    assert type(model) is cls and model.dtype == torch.float32


BUILT_IN = {name: preset for name, preset in MODELS.root.items() if isinstance(preset, OpenClip) and ":" not in preset.architecture}


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_preset_is_an_architecture_that_open_clip_knows(name):
    """The preset names a tag of that architecture or a file, and has the activation that its weights were trained with."""
    preset = BUILT_IN[name]
    config = open_clip.get_model_config(preset.architecture)
    assert config is not None
    tags = open_clip.list_pretrained_tags_by_model(preset.architecture)
    if preset.pretrained not in tags:
        assert preset.pretrained == f"models/{name.replace('-', '_')}.pt" or preset.pretrained == "laion400m_e32"
        return
    of_tag = open_clip.get_pretrained_cfg(preset.architecture, preset.pretrained)
    assert bool(of_tag.get("quick_gelu")) == bool(config.get("quick_gelu"))


def test_the_presets_cover_the_families():
    families = {preset.family for preset in MODELS.root.values()}
    assert families == {"open_clip", "dual", "matching", "generative", "chat", "embedder", "scores"}
    asked = {"dfn", "metaclip2", "mobileclip2", "pe", "siglip2", "cs", "negclip", "albef"}
    assert asked <= {name.split("-")[0] for name in MODELS.root} and all(preset.trained_on for preset in MODELS.root.values())


def test_metaclip_2_with_the_wrong_activation_is_an_error():
    """open_clip only warns, and loads the weights into the wrong network."""
    wrong = {"family": "open_clip", "architecture": "ViT-H-14-worldwide", "pretrained": "metaclip2_worldwide"}
    with pytest.raises(ParameterError, match=r"QuickGELU mismatch.*use the architecture ViT-H-14-worldwide-quickgelu"):
        load("mine", section(Models, mine=wrong), SETTINGS)


def test_unknown_models_and_families_are_named():
    with pytest.raises(ParameterError, match=r"no model clap\. Remedy: write \w+, if you mean that, or add it"):
        load("clap", MODELS, SETTINGS)


def test_the_papers_models_are_there_with_their_training_sets():
    trained_on = {name: preset.trained_on for name, preset in MODELS.root.items()}
    assert [list(trained_on.values()).count(name) for name in ("cc12m", "yfcc15m", "laion400m", "openai")] == [1, 2, 4, 5]
    assert {"cyclip", "flava", "sample"} <= set(trained_on)


def test_what_a_model_was_trained_on(tmp_path):
    told = tmp_path / "training.json"
    told.write_text('{"training_set": "yfcc15m"}')
    sets = {"a": "cc12m", "b": str(told), "c": None, "d": str(tmp_path / "no.json")}
    presets = section(Models, **{name: {"family": "dual", "checkpoint": "x", "trained_on": of} for name, of in sets.items()})
    assert [training_set_of(name, presets) for name in "abc"] == ["cc12m", "yfcc15m", None]
    with pytest.raises(InputError, match=r"no such file.*training_set"):
        training_set_of("d", presets)
    for wrong in ("[]", '{"training_set": null}'):
        told.write_text(wrong)
        with pytest.raises(InputError, match="does not say what b was trained on"):
            training_set_of("b", presets)
    told.write_text("[" * 100_000)
    with pytest.raises(InputError, match="nested too deep"):
        training_set_of("b", presets)


def test_auto_is_exact_on_a_processor_and_fast_on_a_gpu(monkeypatch):
    assert pretrained.choose_precision("auto", "cpu") == "fp32" and pretrained.choose_precision("auto", "cuda") == "bf16"
    assert pretrained.choose_precision("fp16", "cuda") == "fp16"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert pretrained.choose_device("auto") == "cuda" and pretrained.choose_device("cpu") == "cpu"


def test_a_model_without_its_tokenizers_files_is_refused_when_it_is_loaded(tmp_path, monkeypatch):
    preset = {"family": "dual", "checkpoint": str(tiny.save(tiny.DUAL["clip"], tmp_path))}
    monkeypatch.setattr(Dual, "tokens", lambda self, texts: [(1, 2) for _ in texts])
    with pytest.raises(CrepeError, match=r"same tokens for different captions, such as 'one red cup' and 'one red dog'"):
        load("mine", section(Models, mine=preset), SETTINGS)
