"""Tests of RAW sets: folds have one size, and retrieval is measured both ways."""

import numpy as np
import pytest

from stages.evaluation import raw
from stages.evaluation.sets import Pair
from stages.images.crops import Crop


def pairs(group, count):
    return [Pair(group, f"{group}{i}", Crop(i, 0, 0, 9, 9), f"{group} {i}") for i in range(count)]


def test_folds_are_of_the_smallest_groups_size_and_at_most_so_many():
    made = raw.folds([*pairs("SC", 250), *pairs("UC", 123), *pairs("UA", 37)], most=5, seed=0)
    assert {name: [len(fold) for fold in of] for name, of in made.items()} == {"SC": [37] * 5, "UC": [37] * 3, "UA": [37]}
    names = [pair.name for fold in made["SC"] for pair in fold]
    assert len(set(names)) == len(names)


def test_a_tiny_group_has_no_folds_and_spoils_no_other():
    made = raw.folds([*pairs("SC", 40), *pairs("UA", 1), *pairs("UC", raw.FEW - 1)], most=5, seed=0)
    assert {name: [len(fold) for fold in of] for name, of in made.items()} == {"SC": [40]}
    assert raw.folds(pairs("UA", raw.FEW - 1), 5, 0) == {}


def test_folds_hang_on_seed_and_names_alone():
    one, other = pairs("SC", 90), pairs("SC", 90)[::-1]
    one, other = [*one, *pairs("UC", 30)], [*other, *pairs("UC", 30)]
    assert raw.folds(one, 3, 0) == raw.folds(other, 3, 0) != raw.folds(one, 3, 1)


def test_no_pairs_no_folds():
    assert raw.folds([], 20, 0) == {}


def test_recall_both_ways_is_that_of_the_whole_matrix(monkeypatch):
    monkeypatch.setattr(raw, "ROWS", 7)
    draw = np.random.default_rng(0)
    images, texts = (draw.normal(size=(40, 4)).astype(np.float32) for _ in range(2))
    scores = images @ texts.T
    expected = [np.mean(scores.argmax(axis=a) == np.arange(40)) for a in (1, 0)]
    found = raw.both_ways(images, texts, np.arange(40))
    assert [found["i2t_r1"], found["t2i_r1"]] == pytest.approx(expected)


def test_equal_captions_tie():
    """Two crops share one caption, so neither of the two texts is the better answer."""
    features = np.eye(3, dtype=np.float32)[[0, 0, 1]]
    found = raw.both_ways(features, features, np.arange(3))
    assert found["i2t_r1"] == found["t2i_r1"] == pytest.approx((0.5 + 0.5 + 1) / 3)


def test_figures_have_mean_sd_and_chance():
    made = raw.folds(pairs("SC", 80) + pairs("UC", 40), most=20, seed=0)
    features = {f"SC{i}": i for i in range(80)} | {f"UC{i}": 80 + i for i in range(40)}

    def of(fold):
        return (np.eye(120, dtype=np.float32)[[features[pair.name] for pair in fold]],) * 2

    figures = raw.figures(made, of)
    assert figures["SC"] == {
        "n": 40,
        "folds": 2,
        "chance": 2.5,
        "i2t": {"r1": 100.0, "r1_sd": 0.0},
        "t2i": {"r1": 100.0, "r1_sd": 0.0},
    }


def test_deviations_over_folds_are_the_samples():
    def of(fold):
        return np.eye(30, dtype=np.float32), np.eye(30, dtype=np.float32)[:: -1 if fold is made["SC"][0] else 1]

    made = raw.folds([*pairs("SC", 60), *pairs("UC", 30)], most=20, seed=0)
    figures = raw.figures(made, of)
    assert figures["SC"]["i2t"] == {"r1": 50.0, "r1_sd": pytest.approx(100 / np.sqrt(2), abs=1e-3)}
    assert figures["UC"]["i2t"] == {"r1": 100.0, "r1_sd": None}


def plain(images, texts, owner):
    scores = images @ texts.T
    i2t = {1: 0, 5: 0}
    for i, row in enumerate(scores):
        order = np.argsort(-row)
        place = min(int(np.flatnonzero(order == t)[0]) for t in np.flatnonzero(owner == i))
        rivals = sum(owner[t] != i for t in order[:place])
        for k in i2t:
            i2t[k] += rivals < k
    t2i = {k: np.mean([np.flatnonzero(np.argsort(-scores[:, t]) == owner[t])[0] < k for t in range(len(texts))]) for k in (1, 5)}
    return {f"i2t_r{k}": i2t[k] / len(images) for k in i2t} | {f"t2i_r{k}": t2i[k] for k in t2i}


@pytest.mark.parametrize("seed", range(4))
def test_the_figures_are_those_of_a_plain_loop(seed):
    draw = np.random.default_rng(seed)
    owner = np.repeat(np.arange(30), 5)
    images, noise = draw.normal(size=(30, 8)), draw.normal(size=(150, 8))
    texts = images[owner] + 1.5 * noise
    images, texts = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (images, texts))
    assert raw.both_ways(images, texts, owner) == pytest.approx(plain(images, texts, owner))


def test_who_scores_all_alike_stands_at_chance():
    alike = np.ones((6, 4)) / 2
    found = raw.both_ways(alike[:3], alike, np.array([0, 0, 1, 1, 2, 2]))
    # An image owns two of six captions, in random order, so that any five include at least one of its own.
    assert found["i2t_r1"] == found["t2i_r1"] == pytest.approx(1 / 3)
    assert found["i2t_r5"] == 1
