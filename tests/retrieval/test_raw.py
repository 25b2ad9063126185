"""RAW sets: folds of one size, and both ways."""

import numpy as np
import pytest

from stages.images.crops import Crop
from stages.retrieval import raw
from stages.retrieval.sets import Pair


def pairs(group, count):
    return [Pair(group, f"{group}{i}", Crop(i, 0, 0, 9, 9), f"{group} {i}") for i in range(count)]


def test_folds_are_of_the_smallest_groups_size_and_at_most_so_many():
    made = raw.folds([*pairs("SC", 50), *pairs("UC", 23), *pairs("UA", 7)], most=5, seed=0)
    assert {name: [len(fold) for fold in of] for name, of in made.items()} == {"SC": [7] * 5, "UC": [7] * 3, "UA": [7]}
    names = [pair.name for fold in made["SC"] for pair in fold]
    assert len(set(names)) == len(names)


def test_folds_hang_on_seed_and_names_alone():
    one, other = pairs("SC", 30), pairs("SC", 30)[::-1]
    assert raw.folds(one, 3, 0) == raw.folds(other, 3, 0) != raw.folds(one, 3, 1)


def test_no_pairs_no_folds():
    assert raw.folds([], 20, 0) == {}


def test_recall_both_ways_is_that_of_the_whole_matrix(monkeypatch):
    monkeypatch.setattr(raw, "ROWS", 7)
    draw = np.random.default_rng(0)
    images, texts = (draw.normal(size=(40, 4)).astype(np.float32) for _ in range(2))
    scores = images @ texts.T
    expected = [np.mean(scores.argmax(axis=a) == np.arange(40)) for a in (1, 0)]
    assert raw.both_ways(images, texts) == pytest.approx(expected)


def test_equal_captions_tie():
    """Two crops with one caption: neither the first nor the second text is the better answer."""
    features = np.eye(3, dtype=np.float32)[[0, 0, 1]]
    assert raw.both_ways(features, features) == pytest.approx(((0.5 + 0.5 + 1) / 3,) * 2)


def test_figures_have_mean_sd_and_chance():
    made = raw.folds(pairs("SC", 20) + pairs("UC", 10), most=20, seed=0)
    features = {f"SC{i}": i for i in range(20)} | {f"UC{i}": 20 + i for i in range(10)}

    def of(fold):
        return (np.eye(30, dtype=np.float32)[[features[pair.name] for pair in fold]],) * 2

    figures = raw.figures(made, of)
    assert figures["SC"] == {
        "n": 10,
        "folds": 2,
        "chance": 10.0,
        "i2t": {"r1": 100.0, "r1_sd": 0.0},
        "t2i": {"r1": 100.0, "r1_sd": 0.0},
    }
