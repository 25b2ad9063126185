import csv
import shutil

import numpy as np
import pytest
from PIL import Image

from stages.contract.errors import CrepeError, InputError
from stages.models import zeroshot
from stages.models.contract import DualEncoder
from stages.models.zeroshot import accuracy, read_classes, record
from stages.page import imagenet
from tests.running import loading


class ByColour(DualEncoder):
    """A model that knows colours by their names; its features are red, green and blue."""

    width = 3
    identity = "by colour"
    context = 1000

    def prepare(self, image):
        return np.asarray(image, dtype=np.float32).mean(axis=(0, 1))

    def encode_image(self, images):
        return np.stack([pixel / np.linalg.norm(pixel) for pixel in images])

    def encode_text(self, texts):
        found = np.array([[colour in text for colour in ("red", "green", "blue")] for text in texts], dtype=np.float32)
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1)

    def tokens(self, texts):
        return [tuple(text.encode()) for text in texts]


@pytest.fixture
def folder(tmp_path):
    for name, colours in {"red_thing": ["red", "red", "blue"], "blue_thing": ["blue"]}.items():
        (tmp_path / name).mkdir()
        for i, colour in enumerate(colours):
            Image.new("RGB", (8, 8), colour).save(tmp_path / name / f"{i}.png")
    return tmp_path


def test_the_share_of_images_nearest_to_their_class(folder, monkeypatch):
    monkeypatch.setattr(zeroshot, "BATCH", 3)
    assert accuracy(ByColour(), read_classes(folder), 2) == (0.75, 4)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("tower", ["encode_image", "encode_text"])
def test_features_that_are_no_numbers_have_no_accuracy(folder, monkeypatch, bad, tower):
    right = getattr(ByColour, tower)
    monkeypatch.setattr(ByColour, tower, lambda self, given: right(self, given) * np.float32(bad))
    first = "blue_thing/0.png" if tower == "encode_image" else "a bad photo of a blue thing"
    with pytest.raises(CrepeError, match=rf"the model: what it gives to .*{first}.* is not a finite number"):
        accuracy(ByColour(), read_classes(folder))


def test_classes_are_named_as_their_folders_and_imagenets_as_open_clip_does(folder, monkeypatch):
    assert [name for name, _ in read_classes(folder)] == ["blue thing", "red thing"]
    monkeypatch.setattr(zeroshot, "IMAGENET_CLASSNAMES", ["tench", "goldfish"])
    (folder / "red_thing").rename(folder / "n01440764")
    (folder / "blue_thing").rename(folder / "n01443537")
    assert [(name, len(images)) for name, images in read_classes(folder)] == [("tench", 3), ("goldfish", 1)]


def test_a_folder_without_classes_or_a_class_without_images_is_named(folder):
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match="empty: is a class without images"):
        read_classes(folder)
    with pytest.raises(InputError, match="two classes"):
        read_classes(folder / "red_thing")
    with pytest.raises(InputError, match="green: there is no such folder"):
        read_classes(folder / "green")


def test_a_measured_accuracy_replaces_the_models_own_and_leaves_the_others(tmp_path):
    path = tmp_path / "a.csv"
    for model, top1 in (("a", "1.00"), ("b", "2.00"), ("a", "3.00")):
        record(path, {"model": model, "top1": top1})
    with path.open() as file:
        assert {row["model"]: row["top1"] for row in csv.DictReader(file)} == {"a": "3.00", "b": "2.00"}


def test_the_command_measures_the_model_of_the_parameters(folder, tmp_path, monkeypatch, capsys):
    (tmp_path / "training.json").write_text('{"training_set": "cc12m"}')
    tiny = {"family": "dual", "checkpoint": "x", "trained_on": str(tmp_path / "training.json")}
    monkeypatch.setattr(zeroshot.params, "load", loading(evaluate={"model": "tiny"}, models={"tiny": tiny}))
    monkeypatch.setattr(zeroshot, "load_dual", lambda name, presets, settings: ByColour())
    monkeypatch.setattr("sys.argv", ["zeroshot", str(folder), "--out", str(tmp_path / "out.csv")])
    zeroshot.main()
    assert "tiny classifies 75.00 % of 4 images" in capsys.readouterr().out
    assert f"tiny,{folder.name},,,cc12m,75.00,measured on 4 images of 2 classes" in (tmp_path / "out.csv").read_text()


def test_several_data_sets_stand_side_by_side(folder, tmp_path, monkeypatch):
    one, other = tmp_path.parent / f"{tmp_path.name}-sets" / "one", tmp_path.parent / f"{tmp_path.name}-sets" / "other"
    for place in (one, other):
        shutil.copytree(folder, place)
    (other / "red_thing" / "2.png").unlink()
    out = one.parent / "out.csv"
    out.write_text("model,top1\ntiny,50.00\n")
    tiny = {"family": "dual", "checkpoint": "x", "trained_on": "cc12m"}
    monkeypatch.setattr(zeroshot.params, "load", loading(evaluate={"model": "tiny"}, models={"tiny": tiny}))
    monkeypatch.setattr(zeroshot, "load_dual", lambda name, presets, settings: ByColour())
    for _ in range(2):
        monkeypatch.setattr("sys.argv", ["zeroshot", str(one), str(other), "--out", str(out)])
        zeroshot.main()
    with out.open() as file:
        found = [(row["model"], row["dataset"], row["top1"]) for row in csv.DictReader(file)]
    assert found == [("tiny", "", "50.00"), ("tiny", "one", "75.00"), ("tiny", "other", "100.00")]
    assert imagenet.read([out]) == {"imagenet": {"tiny": 50.0}, "one": {"tiny": 75.0}, "other": {"tiny": 100.0}}
