"""The trained adversary finds what distinguishes truths from negatives, and is at chance where nothing does."""

import numpy as np
import pytest

from stages.evaluation.ranks import rank
from stages.evaluation.sets import Layout
from stages.shortcuts import trained as adversary
from stages.shortcuts.trained import trained
from stages.suites.evaluation import by_set

IMAGES, SIZE = 60, 4
COLOURS = ("red", "green", "blue", "black", "white", "pink")


def sets(telling: bool):
    """Return sets of four captions of one form; if ``telling``, three of four truths have the word "shiny"."""
    draw = np.random.default_rng(0)
    texts = []
    for _ in range(IMAGES):
        thing = draw.choice(["dog", "cup", "car"])
        said = [f"a {colour} {thing}" for colour in draw.permutation(COLOURS)[:SIZE]]
        if telling and draw.random() < 0.75:
            said[0] = said[0].replace("a ", "a shiny ", 1)
        texts += said
    distinct = list(dict.fromkeys(texts))
    return distinct, np.array([distinct.index(text) for text in texts]), np.full(IMAGES, SIZE)


def recall(telling: bool, shortcuts=None, images=None) -> float:
    texts, text, size = sets(telling)
    scores = trained(texts, text, size, np.arange(IMAGES) if images is None else images, shortcuts or {})
    return float(rank(scores, size).recall(1).mean())


def test_a_word_that_tells_is_found_and_nothing_where_there_is_none():
    assert recall(telling=True) > 0.6
    assert recall(telling=False) < 0.4


def test_what_other_scorers_see_is_used_whatever_their_sign():
    """This scorer always ranks the truth third in its set, so neither it nor its opposite finds the truth."""
    third = np.tile([2.0, 4.0, 3.0, 1.0], IMAGES)
    assert recall(telling=False, shortcuts={"ngram": third}) > 0.9


def test_nothing_can_be_known_by_heart():
    """All sets are of one image, so there are no others to learn from."""
    assert recall(telling=True, images=np.zeros(IMAGES, int)) == pytest.approx(1 / SIZE)


def test_a_truth_of_several_images_is_not_known_by_heart_either():
    """Eighty pairs of nonsense are each asked of three images, so that only memory can say which of the two is true."""
    draw = np.random.default_rng(0)
    texts = [" ".join(draw.choice(list("abcdefghijklmnopqrstuvwxyz"), 5)) for _ in range(160)]
    text, images = np.tile(np.arange(160), 3), np.arange(240)
    right = rank(trained(texts, text, np.full(240, 2), images, {}), np.full(240, 2)).recall(1)
    assert right.mean() < 0.65


def test_where_truth_is_drawn_by_lot_it_stands_at_chance_however_often_captions_come_again():
    """Sixty pairs of captions recur over 300 images with a random truth: nothing can be learned, not even that it was the other."""
    draw = np.random.default_rng(0)
    texts = [" ".join(draw.choice(list("abcdefghijklmnopqrst"), 6)) for _ in range(120)]
    pairs = np.arange(120).reshape(-1, 2)[draw.integers(60, size=300)]
    text, size = draw.permuted(pairs, axis=1).ravel(), np.full(300, 2)
    right = rank(trained(texts, text, size, np.arange(300), {}), size).recall(1)
    assert abs(right.mean() - 0.5) < 0.06


def test_those_it_learns_from_are_drawn_from_all(monkeypatch):
    """Suites keep sets of one kind together: here, the first half has no cue, and the second half has one."""
    monkeypatch.setattr(adversary, "MAX_SETS", IMAGES // 2)
    one, other = sets(telling=False), sets(telling=True)
    texts, text, size = [*one[0], *other[0]], np.r_[one[1], len(one[0]) + other[1]], np.r_[one[2], other[2]]
    right = rank(trained(texts, text, size, np.arange(2 * IMAGES), {}), size).recall(1)
    assert right[IMAGES:].mean() > 0.6


def test_sets_that_nearly_all_hang_together_are_learned_from_by_image():
    """As in ARO, a few hundred short captions recur with one image after another, and the true one names the same thing first."""
    draw = np.random.default_rng(0)
    pairs = np.sort([draw.choice(40, 2, replace=False) for _ in range(3000)], axis=1)
    said = [f"thing{a} on thing{b}" for pair in pairs for a, b in (pair, pair[::-1])]
    texts = list(dict.fromkeys(said))
    text, images, size = np.array([texts.index(one) for one in said]), np.arange(3000) % 250, np.full(3000, 2)
    assert len(np.unique(adversary.apart(text, np.repeat(images, 2), np.arange(0, 6000, 2)))) == 250
    assert rank(trained(texts, text, size, images, {}), size).recall(1).mean() > 0.9


def test_each_kind_of_set_has_an_adversary_of_its_own():
    texts, text, size = sets(telling=True)
    images = np.arange(IMAGES)
    names = ["atom"] * 30 + ["comp"] * 30
    both = by_set(Layout([], texts, text, text, size), images, names, {})
    assert (both[: 30 * SIZE] == trained(texts, text[: 30 * SIZE], size[:30], images[:30], {})).all()
