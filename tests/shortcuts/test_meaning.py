"""Tests of caption vectors, which reflect the words that occur together."""

import numpy as np
import pytest

from stages.shortcuts.meaning import DIMENSIONS, Meaning
from stages.shortcuts.scorers import BagOfWords

FRUIT = [f"a {taste} {fruit} in a bowl" for fruit in ("pear", "apple", "plum") for taste in ("ripe", "sweet", "fresh", "sour")]
CARS = [f"a {car} parked on a road by a {side}" for car in ("truck", "van", "bus") for side in ("kerb", "wall", "sign", "fence")]


@pytest.fixture(scope="module")
def meaning():
    return Meaning(BagOfWords(3 * [*FRUIT, *CARS]))


def test_words_are_alike_that_stand_beside_like_words(meaning):
    pear, plum, van = meaning(["a pear", "a plum", "a van"])
    assert pear @ plum > 0.9 > 0.5 > pear @ van
    one, other = meaning(["a van by a plum", "a plum by a van"])
    assert one.tolist() == other.tolist(), "the same words mean the same to the last bit"


def test_a_caption_is_of_length_one_or_unknown(meaning):
    lengths = np.linalg.norm(meaning(["a pear", "a pear, a pear and a bus", "quokka", ""]), axis=1)
    assert lengths == pytest.approx([1, 1, 0, 0], abs=1e-4)
    assert meaning([]).shape[0] == 0


@pytest.mark.parametrize("captions", [[], ["a dog"], ["a dog"] * 9, [f"w{i}" for i in range(60) for _ in range(6)]])
def test_captions_that_tell_nothing_make_all_alike(captions):
    assert len(np.unique(Meaning(BagOfWords(captions))(["a dog on a mat", "a cat"]).round(6), axis=0)) == 1


def test_many_words_are_cut_to_the_dimensions_and_repeat():
    draw = np.random.default_rng(0)
    captions = [" ".join(f"w{i}" for i in draw.integers(0, 200, 6)) for _ in range(3000)]
    one, other = Meaning(BagOfWords(captions)), Meaning(BagOfWords(captions))
    assert one(captions).shape == (3000, DIMENSIONS)
    assert np.array_equal(one.vectors, other.vectors) and one.vectors.dtype == np.float64  # with any number of threads


@pytest.mark.parametrize("words", [4, 30])
def test_a_word_that_goes_with_every_other_alike_has_no_direction(words):
    """Otherwise, its rounding errors would be scaled up, and would differ between processors."""
    draw = np.random.default_rng(0)
    captions = [f"a {' '.join(f'w{i}' for i in draw.integers(0, 3 * words, 3))}" for _ in range(200 * words)]
    meaning = Meaning(BagOfWords(captions))
    assert not meaning.vectors[meaning.places["a"]].any() and meaning.vectors.any()
