"""Perturbed retrieval on a tiny model and pictures of noise."""

import numpy as np
import pytest

from stages.foils.word_order import RETRIEVAL, shuffled
from stages.models.load import load
from stages.models.patches import CUTS
from stages.retrieval.perturbed import both_ways
from stages.suites.perturbed import figures
from stages.visual_genome.crops import ImageFolder
from tests.models.made import noise, tiny_clip, write_images

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
    from tests.models.test_load import SETTINGS

    folder = tiny_clip(tmp_path_factory.mktemp("model"))
    preset = {"family": "open_clip", "architecture": f"local-dir:{folder}", "trained_on": "nobody"}
    return load("tiny", {"tiny": preset}, SETTINGS)


def test_every_perturbation_has_its_figures(model, tmp_path):
    images = ImageFolder(write_images(tmp_path / "images", IMAGES))
    found = figures(rows(), model, images, tmp_path / "features", 1)
    assert (found["images"], found["captions"]) == (4, 4)
    assert set(found["text"]) == {"none", *RETRIEVAL} and set(found["image"]) == set(CUTS)
    assert found["text"]["none"]["seeds"] == 1 and found["image"]["patches"]["seeds"] == 2
    plain = both_ways(
        model.encode_image([model.prepare(noise(i)) for i in IMAGES]), model.encode_text(CAPTIONS), np.arange(len(IMAGES))
    )
    assert found["text"]["none"]["t2i_r1"] == pytest.approx(100 * plain["t2i_r1"], abs=51)
    again = figures(rows(), model, images, tmp_path / "features", 2)
    assert again == found
