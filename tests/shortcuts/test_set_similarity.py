"""Scorers of whole sets find the caption from which the others were made."""

import numpy as np
import pytest

from stages.evaluation.ranks import rank
from stages.shortcuts.set_similarity import KINDS, set_scores, similarity

SCORERS = [f"{which}_{what}" for what in ("words", "pairs", "order") for which in ("central", "outlying")]
SWAPS = [
    "a red cup on a blue mat by a dog",
    "a blue cup on a red mat by a dog",
    "a red mat on a blue cup by a dog",
    "a red cup by a blue mat on a dog",
]


def scores(name, *sets):
    texts = [text for each in sets for text in each]
    return set_scores(texts, np.arange(len(texts)), np.array([len(each) for each in sets], np.int64))[name]


def test_a_truth_is_found_among_its_edits():
    for name in ("central_order", "central_pairs"):
        assert scores(name, SWAPS).argmax() == 0
    assert scores("outlying_order", SWAPS).argmin() == 0


def test_a_truth_in_the_middle_of_what_its_negatives_mean_is_found():
    """No two foils share a word, but each of them is near the truth."""
    middle, *around = np.array([[1.0, 1.0, 1.0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    meaning = np.array([middle / np.sqrt(3), *around])
    found = set_scores(["a cup", "a mug", "a jar", "a jug"], np.arange(4), np.array([4]), meaning)
    assert list(found) == [*SCORERS, "central_meaning", "outlying_meaning"]
    assert found["central_meaning"].argmax() == found["outlying_meaning"].argmin() == 0
    assert found["central_meaning"] == pytest.approx([1 / np.sqrt(3), *[1 / 3 / np.sqrt(3)] * 3], abs=1e-6)
    assert len(set(found["central_words"])) == 1


def test_what_a_caption_denies_is_looked_for_in_the_others():
    """A negative that changes a thing and denies it gives both away: only the truth denies what no caption mentions."""
    sets = ["a cup on a mat, no dog", "a jug on a mat, no cup", "a pot on a mat, no cup", "a cup on a rug, no mat"]
    assert scores("central_denied", sets).round(2).tolist() == [0.0, 1.0, 1.0, 1.0]
    assert scores("outlying_denied", sets).argmax() == 0
    assert "central_denied" not in set_scores(SWAPS, np.arange(4), np.array([4]))


def test_swaps_are_one_bag_of_words():
    assert len(set(scores("central_words", SWAPS))) == 1
    assert scores("central_words", ["a dog and a cat", "a dog and a cow", "a pig and a cat"]).argmax() == 0


def test_foils_of_one_atom_are_all_alike():
    """All captions differ in the same place, so nothing distinguishes the truth, whose rank is the middle one."""
    foils = [f"a {colour} cup on a mat" for colour in ("red", "blue", "green", "black")]
    for name in SCORERS:
        assert rank(scores(name, foils), np.array([4])).expected.tolist() == [2.5], name


def test_sets_of_different_sizes_are_judged_each_by_itself():
    for name in SCORERS:
        both = scores(name, SWAPS, SWAPS[:2], ["a dog"])
        assert both.tolist() == [*scores(name, SWAPS), *scores(name, SWAPS[:2]), 0.0], name
    assert scores("central_order").shape == (0,)


@pytest.mark.parametrize(("kind", "shared"), [("words", 2 * 4 / 9), ("pairs", 2 * 2 / 11), ("order", 1 - 2 / 5)])
def test_similarity(kind, shared):
    """Four of four and five words are shared, and two of five and six pairs; one word is inserted and one is replaced."""
    found = similarity(["a dog on grass", "A dog, grass on a", ""])[KINDS.index(kind)]
    assert found[0, 1] == found[1, 0] == pytest.approx(shared) and found[0, 0] == 1
    assert found[0, 2] == 0


def test_what_a_caption_says_twice_is_shared_twice():
    twice = similarity(["a cup on a mat", "a cup on the mat", "a mat, a cup, a mat"])[0]
    assert twice[0, 1] == pytest.approx(2 * 4 / 10) and twice[0, 2] == pytest.approx(2 * 4 / 11)


def test_cosines_are_exact_sums_in_any_order():
    draw = np.random.default_rng(0)
    vectors = np.round(draw.normal(size=(9, 50)) / 8 * 4096) / 4096
    order = draw.permutation(50)
    texts = [f"a dog {i}" for i in range(9)]
    one, other = similarity(texts, vectors), similarity(texts, np.ascontiguousarray(vectors[:, order]))
    assert np.array_equal(one[-1], other[-1]) and len(one) == len(KINDS)
