"""Retrieval with several captions an image, against a plain loop."""

import numpy as np
import pytest

from stages.retrieval.perturbed import both_ways, over_seeds


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
    assert both_ways(images, texts, owner) == pytest.approx(plain(images, texts, owner))


def test_who_scores_all_alike_stands_at_chance():
    alike = np.ones((6, 4)) / 2
    found = both_ways(alike[:3], alike, np.array([0, 0, 1, 1, 2, 2]))
    # An image has two captions, one of which is as good as the four of others: it is first of five with one chance in five.
    assert found["i2t_r1"] == pytest.approx(1 / 5) and found["t2i_r1"] == pytest.approx(1 / 3)


def test_mean_and_deviation_over_seeds():
    found = over_seeds({"none": [{"i2t_r1": 0.5}], "trigrams": [{"i2t_r1": 0.2}, {"i2t_r1": 0.4}]})
    assert found["none"] == {"seeds": 1, "i2t_r1": 50.0, "i2t_r1_sd": 0.0}
    assert found["trigrams"]["i2t_r1"] == 30.0 and found["trigrams"]["i2t_r1_sd"] == pytest.approx(14.142)
