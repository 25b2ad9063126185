"""Tests of lessons: only the text agent learns, always from the same start."""

import shutil

import pytest
import torch
from safetensors.torch import load_file

from stages.analyses.course import averaged
from stages.analyses.generations import School, every, lesson
from stages.analyses.teaching import Lesson, accuracy
from stages.parameters.sections import Models
from stages.training import agents, fit
from stages.training.losses import Names
from tests.training import made

KEYS = [f"{a}-{b}" for a, b in made.PAIRS]
STEPS = 12
SPREAD = {"codebook": made.CODEBOOK | {"temperature": 1.0}}
"""Settings under which each thing uses several codes: through a single one, no gradient passes and no agent learns."""


@pytest.fixture
def tiny_towers(one_thread, monkeypatch):
    """Replace the towers that the parameters name with the tiny ones for the duration of the test."""
    monkeypatch.setattr(agents, "describe", lambda folder, *_: made.describe(folder))


@pytest.fixture
def kept(tmp_path, tiny_towers):
    """Return a training's folder with its saved generations, the training, and the material it learned from."""
    training = made.training(tmp_path, method="iterated", steps=STEPS, **SPREAD)
    of = School(made.material(), made.pictures(training), KEYS, [])
    fit.fit(of.material, of.pictures, KEYS, training, tmp_path, 1)
    (tmp_path / "model").mkdir()
    training.write(tmp_path / "model")
    shutil.copytree(tmp_path / fit.GENERATIONS, tmp_path / "model" / fit.GENERATIONS)
    return tmp_path / "model", training, of


def test_every_generation_is_kept_and_the_last_is_the_trained_model(kept):
    folder, training, _ = kept
    assert every(folder) == [folder / "generations/000", folder / "generations/001", folder]
    assert training.course()["spawns"] == [2, 6]
    codes = [load_file(one / "codebook.safetensors")["codes"] for one in every(folder)]
    assert not torch.equal(codes[0], codes[1]) and torch.equal(codes[2], training.agents.codebook.codes)


def test_a_lesson_leaves_vision_and_codes_as_they_are_and_begins_the_same_each_time(kept):
    folder, training, of = kept
    pupils = []
    for name in ("000", "001"):
        teacher = folder / "generations" / name
        pupil = Lesson(training.settings, teacher, 3, of.material.texts())
        before = {key: tensor.clone() for key, tensor in pupil.agents.state_dict().items()}
        pupils.append(before)
        fit.fit(of.material, of.pictures, KEYS, pupil, folder / "work" / name, 1)
        after = pupil.agents.state_dict()
        changed = {key for key in before if not torch.equal(before[key], after[key])}
        taught = load_file(teacher / "codebook.safetensors")
        assert torch.equal(after["codebook.codes"], taught["codes"])
        assert not any(key.startswith(("clip.visual.", "codebook.image_query.", "codebook.codes")) for key in changed)
        assert {"clip.token_embedding.weight", "codebook.text_query.1.weight"} <= changed
        assert len(pupil.accuracies) == 3
    text = [key for key in pupils[0] if agents.agent_of(key) == "text"]
    assert all(torch.equal(pupils[0][key], pupils[1][key]) for key in text)
    first = made.training(folder.parent, method="iterated", steps=STEPS, **SPREAD).agents.state_dict()
    drawn = [key for key in text if pupils[0][key].ndim > 1]
    assert drawn and not any(torch.equal(pupils[0][key], first[key]) for key in drawn), "it is no agent of the training's own"


def test_a_lesson_teaches(tmp_path, tiny_towers):
    """A trained tower finds the text of most of eight pictures; an untrained one is at chance."""
    settings = made.settings(batch=8, shift=0, learning_rate=1e-2)
    untrained = made.training(tmp_path, method="clip")
    of = School(made.material(), made.pictures(untrained), KEYS, [])
    agents.write(untrained.agents, tmp_path, settings, Models({}), untrained.tokens.used)
    accuracies = lesson(settings, tmp_path, 80, of, 1)
    assert len(accuracies) == 80 and accuracies[0] < 0.4 and accuracies[-1] > 0.8


def test_accuracy_by_hand():
    """Pairs 0 and 1 match. Text 2 finds image 0, which is wrong unless images 0 and 2 are the same."""
    images, texts = torch.eye(3), torch.tensor([[1.0, 0, 0], [0, 1, 0], [0.9, 0, 0.1]])
    apart = Names(torch.arange(3), torch.eye(3, dtype=torch.bool))
    # Rows: image 2 finds text 2 (0.1); columns: text 2 finds image 0.
    assert accuracy(images, texts, apart) == pytest.approx(5 / 6)
    same = Names(torch.tensor([0, 1, 0]), torch.tensor([[1, 0, 1], [0, 1, 0], [1, 0, 1]], dtype=torch.bool))
    assert accuracy(images, texts, same) == 1


def test_points_are_means():
    parts = averaged([0.0, 1.0] * 20, 20)
    assert len(parts) == 20 and parts[0][0].tolist() == [0, 1] and [mean for _, mean in parts] == [0.5] * 20
