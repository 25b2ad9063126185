"""Who looks for the caption that the others of its set were made from."""

import numpy as np
import pytest

from stages.retrieval.ranks import rank
from stages.suites.set_likeness import likenesses, same_order, same_pairs, same_words

SCORERS = [f"{which}_{what}" for what in ("words", "pairs", "order") for which in ("alike", "unlike")]
SWAPS = [
    "a red cup on a blue mat by a dog",
    "a blue cup on a red mat by a dog",
    "a red mat on a blue cup by a dog",
    "a red cup by a blue mat on a dog",
]


def scores(name, *sets):
    texts = [text for each in sets for text in each]
    return likenesses(texts, np.arange(len(texts)), np.array([len(each) for each in sets], np.int64))[name]


def test_a_truth_is_found_among_its_edits():
    for name in ("alike_order", "alike_pairs"):
        assert scores(name, SWAPS).argmax() == 0
    assert scores("unlike_order", SWAPS).argmin() == 0


def test_a_truth_in_the_middle_of_what_its_negatives_mean_is_found():
    """No two foils share a word, but each of them is near the truth."""
    middle, *around = np.array([[1.0, 1.0, 1.0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    meaning = np.array([middle / np.sqrt(3), *around])
    found = likenesses(["a cup", "a mug", "a jar", "a jug"], np.arange(4), np.array([4]), meaning)
    assert list(found) == [*SCORERS, "alike_meaning", "unlike_meaning"]
    assert found["alike_meaning"].argmax() == found["unlike_meaning"].argmin() == 0
    assert found["alike_meaning"] == pytest.approx([1 / np.sqrt(3), *[1 / 3 / np.sqrt(3)] * 3], abs=1e-6)
    assert len(set(found["alike_words"])) == 1


def test_what_a_caption_denies_is_looked_for_in_the_others():
    """Who changes a thing and denies it gives both away: the truth alone denies what nobody speaks of."""
    sets = ["a cup on a mat, no dog", "a jug on a mat, no cup", "a pot on a mat, no cup", "a cup on a rug, no mat"]
    assert scores("alike_denied", sets).round(2).tolist() == [0.0, 1.0, 1.0, 1.0]
    assert scores("unlike_denied", sets).argmax() == 0
    assert "alike_denied" not in likenesses(SWAPS, np.arange(4), np.array([4]))


def test_swaps_are_one_bag_of_words():
    assert len(set(scores("alike_words", SWAPS))) == 1
    assert scores("alike_words", ["a dog and a cat", "a dog and a cow", "a pig and a cat"]).argmax() == 0


def test_foils_of_one_atom_are_all_alike():
    """Each differs from each other in the same place: nothing tells the truth, and its rank is the middle one."""
    foils = [f"a {colour} cup on a mat" for colour in ("red", "blue", "green", "black")]
    for name in SCORERS:
        assert rank(scores(name, foils), np.array([4])).expected.tolist() == [2.5], name


def test_sets_of_different_sizes_are_judged_each_by_itself():
    for name in SCORERS:
        both = scores(name, SWAPS, SWAPS[:2], ["a dog"])
        assert both.tolist() == [*scores(name, SWAPS), *scores(name, SWAPS[:2]), 0.0], name
    assert scores("alike_order").shape == (0,)


@pytest.mark.parametrize(("measure", "alike"), [(same_words, 2 * 4 / 9), (same_pairs, 2 * 2 / 11), (same_order, 1 - 2 / 5)])
def test_likeness(measure, alike):
    """Of four and five words four in common, of five and six pairs two; one word is put in and one is replaced."""
    found = measure(["a dog on grass", "A dog, grass on a", ""], np.array([0, 0]), np.array([1, 0]))
    assert found.tolist() == pytest.approx([alike, 1.0])
