"""Tests of reading the record of a training, which another program or version may have written."""

import json

import pytest

from stages.analyses import course
from stages.contract.errors import InputError

RIGHT = {"training_set": "cc12m", "method": "iterated", "losses": [2.5, 2, 1.25], "spawns": [1]}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"training_set": "cc12m"}, "has no key method"),
        ({**RIGHT, "method": "sgd"}, "method is 'sgd': input should be 'clip', 'negclip', 'codebook' or 'iterated'"),
        ({**RIGHT, "losses": []}, r"losses is \[\]: list should have at least 1 item"),
        ({**RIGHT, "losses": [2.5, "x"]}, "losses.1 is 'x': input should be a valid number"),
        ({**RIGHT, "losses": [2.5, float("nan")]}, "losses.1 is nan: input should be a finite number"),
        ({**RIGHT, "spawns": {"1": 1}}, "spawns is {'1': 1}: input should be a valid list"),
        ({key: RIGHT[key] for key in ("method", "losses")}, "has no key spawns"),
        ([RIGHT], "all of it is .*: input should be a .*mapping"),
    ],
)
def test_a_training_of_another_form_is_told_by_its_key(content, says, tmp_path):
    (tmp_path / "training.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match=f"training.json: {says}.* Remedy: run dvc repro, which trains it again"):
        course.read_course(tmp_path)


def test_a_training_is_read(tmp_path):
    (tmp_path / "training.json").write_text(json.dumps(RIGHT))
    assert course.read_course(tmp_path) == RIGHT
