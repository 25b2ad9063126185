"""Perturbed retrieval on a tiny model and pictures of noise."""

import numpy as np
import pytest

from stages.images.crops import ImageFolder, decode
from stages.models.load import load
from stages.models.patches import CUTS
from stages.order.word_order import RETRIEVAL, shuffled
from stages.parameters.sections import Evaluate, Models
from stages.retrieval.perturbed import both_ways
from stages.suites.perturbed import figures
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
                text = shuffled(name, words, TAGS[: len(words)], f"{seed}:{number}", other=False)
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
    again = figures(rows(), model, images, tmp_path / "features", 2)
    assert again == found
