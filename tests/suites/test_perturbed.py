"""Tests of perturbed retrieval on a tiny model and pictures of noise."""

import numpy as np
import pytest

from stages.evaluation.raw import both_ways
from stages.images import crops
from stages.images.crops import ImageFolder, decode
from stages.models.load import load
from stages.models.patches import CUTS, PermutedImages
from stages.parameters.sections import Evaluate, Models
from stages.suites.perturbed import figures, over_seeds
from stages.suites.word_order import RETRIEVAL, shuffled
from tests.models.made import tiny_clip, write_images
from tests.running import section

IMAGES = [1, 2, 3, 4]
CAPTIONS = ["a red dog on a mat", "two black cats in a tree", "the old man near a car", "a small boat under the blue sky"]
TAGS = ["DT", "JJ", "NN", "IN", "DT", "JJ", "NN", "IN"]


def rows():
    for number, caption in zip(IMAGES, CAPTIONS, strict=True):
        words = caption.split()
        yield {"image_id": number, "perturbation": "none", "seed": 0, "caption": caption}
        for name in RETRIEVAL:
            for seed in range(2):
                text = shuffled(name, words, TAGS[: len(words)], f"{seed}:{number}")
                yield {"image_id": number, "perturbation": name, "seed": seed, "caption": text}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tiny_clip(tmp_path_factory.mktemp("model"))
    preset = {"family": "open_clip", "architecture": f"local-dir:{folder}", "trained_on": "nobody"}
    settings = section(Evaluate, device="cpu", precision="fp32", threads=1, batch=2, text_batch_tokens=64)
    return load("tiny", section(Models, tiny=preset), settings)


def test_every_perturbation_has_its_figures(model, tmp_path):
    images = ImageFolder(write_images(tmp_path / "images", IMAGES))
    found = figures(rows(), model, images, tmp_path / "features", 1)
    assert (found["images"], found["captions"]) == (4, 4)
    assert set(found["text"]) == {"none", *RETRIEVAL} and set(found["image"]) == set(CUTS)
    assert found["text"]["none"]["seeds"] == 1 and found["image"]["patches"]["seeds"] == 2
    seen = [model.prepare(decode(images.path(number))) for number in IMAGES]
    plain = both_ways(model.encode_image(seen), model.encode_text(CAPTIONS), np.arange(len(IMAGES)))
    assert {key: found["text"]["none"][key] for key in plain} == {key: 100 * value for key, value in plain.items()}
    alone = PermutedImages(model, [("patches", 1)])
    moved = both_ways(
        alone.encode_image([alone.prepare(decode(images.path(i))) for i in IMAGES]), model.encode_text(CAPTIONS), np.arange(4)
    )
    both = [moved["i2t_r1"], 2 * found["image"]["patches"]["i2t_r1"] / 100 - moved["i2t_r1"]]
    assert found["image"]["patches"]["i2t_r1_sd"] == pytest.approx(100 * np.std(both, ddof=1), abs=1e-3)
    again = figures(rows(), model, images, tmp_path / "features", 2)
    assert again == found


def test_images_are_read_twice_however_many_versions_there_are(model, tmp_path, monkeypatch):
    """They are read once unchanged, and once for all versions."""
    read = []
    monkeypatch.setattr(crops, "decode", lambda path, size: read.append(path) or decode(path, size))
    figures(rows(), model, ImageFolder(write_images(tmp_path / "images", IMAGES)), tmp_path / "features", 1)
    assert len(read) == 2 * len(IMAGES)


def test_mean_and_deviation_over_seeds():
    found = over_seeds({"none": [{"i2t_r1": 0.5}], "trigrams": [{"i2t_r1": 0.2}, {"i2t_r1": 0.4}]})
    assert found["none"] == {"seeds": 1, "i2t_r1": 50.0, "i2t_r1_sd": None}
    assert found["trigrams"]["i2t_r1"] == 30.0 and found["trigrams"]["i2t_r1_sd"] == pytest.approx(14.142)
