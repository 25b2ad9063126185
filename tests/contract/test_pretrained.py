"""No code that comes with a checkpoint is run, and no prompt asks for permission to run it."""

import io
import json
import sys

import open_clip
import pytest
import transformers

from stages.contract import pretrained
from stages.contract.errors import CrepeError
from stages.models import huggingface
from stages.shortcuts.pretrained import Causal
from tests.models import tiny_transformers as tiny
from tests.models.made import tiny_clip

CODE = "from pathlib import Path\nPath({marker!r}).touch()\nfrom transformers import CLIPConfig as Own, CLIPModel as OwnModel\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a checkpoint that asks to run its own file, for a user who answers yes to everything."""
    folder = tiny.save(tiny.DUAL["clip"], tmp_path / "clip")
    (folder / "own.py").write_text(CODE.format(marker=str(tmp_path / "was run")))
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\n" * 100))
    monkeypatch.setattr("builtins.input", lambda *asked: "yes")
    return folder


def point_to_code(folder, file, **classes):
    path = folder / file
    config = json.loads(path.read_text()) | {"auto_map": classes}
    config.pop("model_type", None)
    config.pop("tokenizer_class", None)
    config.pop("image_processor_type", None)
    path.write_text(json.dumps(config | {"model_type": "own"} if file == "config.json" else config))


@pytest.mark.parametrize(
    ("file", "classes"),
    [
        ("config.json", {"AutoConfig": "own.Own", "AutoModel": "own.OwnModel", "AutoModelForCausalLM": "own.OwnModel"}),
        ("tokenizer_config.json", {"AutoTokenizer": ["own.Own", None]}),
        ("preprocessor_config.json", {"AutoImageProcessor": "own.Own"}),
    ],
)
def test_code_of_a_checkpoint_is_never_run(folder, tmp_path, file, classes):
    point_to_code(folder, file, **classes)
    for load in (lambda: huggingface.Dual(str(folder), "fp32", "cpu", 2), lambda: Causal(str(folder), "cpu")):
        try:
            load()
        except CrepeError as error:
            assert "\n" not in str(error)
        assert not (tmp_path / "was run").exists()


@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer_config.json", "preprocessor_config.json", "config.json"])
@pytest.mark.parametrize("text", ["", "[]", '{"model": 3}', "[" * 100_000])
def test_broken_files_are_told_in_one_line(folder, file, text):
    (folder / file).write_text(text)
    """Some do no harm, and transformers copes with them. A traceback of its own would fail here."""
    try:
        assert huggingface.Dual(str(folder), "fp32", "cpu", 2).truncated(["a dog", "a cat"]).shape == (2,)
    except CrepeError as error:
        assert "\n" not in str(error) and "Remedy" in str(error)


def test_a_checkpoint_without_its_tokenizer_is_not_scored(folder):
    for file in folder.glob("tokenizer*"):
        file.unlink()
    with pytest.raises(CrepeError, match="tokenizer"):
        huggingface.Dual(str(folder), "fp32", "cpu", 2).truncated([f"a {word}" for word in tiny.WORDS])


def test_transformers_still_knows_the_question():
    """If the name changed, nothing would be patched, and a prompt would wait for an answer."""
    assert transformers.dynamic_module_utils.TIME_OUT_REMOTE_CODE > 0


def test_a_model_that_is_to_be_trained_frightens_nobody(tmp_path, caplog):
    folder = tiny_clip(tmp_path / "model")
    caplog.clear()
    with pretrained.quiet():
        open_clip.create_model(f"local-dir:{folder}", load_weights=False)
    assert not caplog.records
    open_clip.create_model(f"local-dir:{folder}", load_weights=False)
    assert caplog.records, "or there is nothing to be quiet about"
