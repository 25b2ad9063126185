"""Correct spelling stays, and certain misspellings are corrected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotations.spelling import KNOWN_ERRORS, correct, corrected, in_dictionary
from stages.parser_training.count_words import count
from stages.parsing.caption_words import caption_words
from tests.benchmarks.spelling import listed


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("trees in bckground", "trees in background"),
        ("Foilage of the pedestrain", "Foliage of the pedestrian"),
        ("no.plate of the car", "number plate of the car"),
        ("tree,grass and sky", "tree, grass and sky"),
        ("atree ontop of a hill", "a tree on top of a hill"),
        ("two girafee,  skiing", "two giraffe,  skiing"),
    ],
)
def test_misspellings_of_real_regions(written: str, meant: str) -> None:
    assert correct(written) == meant


@pytest.mark.parametrize(
    "text",
    [
        "Man in a t-shirt",  # a hyphen is no mistake
        "a clocktower, snowpants and a placemat",  # compounds that dictionaries lack
        "the dog's leash, the boys' bikes",
        "a Nikkon camera by Brokolli",  # capitals within a sentence: names
        "grey colour, gray color",  # British and American
        "no.15 bus at 10.5 ft, see www.foo.com",
        "sneakered skateboarders",  # regular forms
        "",
    ],
)
def test_right_text_stays(text: str) -> None:
    assert correct(text) == text


def test_listed_words() -> None:
    """Most real misspellings are corrected, almost none to a wrong word, and correct words are left alone."""
    wrong, right = listed()
    answers = {word: corrected(word) for word in wrong}
    assert sum(answers[word] == meant for word, meant in wrong.items()) / len(wrong) > 0.6
    assert sum(answers[word] not in (word, meant) for word, meant in wrong.items()) / len(wrong) < 0.02
    assert sum(corrected(word) != word for word in right) <= 1


def test_no_caption_word_is_changed() -> None:
    """No caption word that dictionaries know is changed."""
    assert len(caption_words()) > 5000
    assert [word for word in caption_words() if corrected(word) != word] == []


def test_counting_caption_words() -> None:
    """A word counts only if a dictionary has it and several captions use it."""
    captions = ["A dog on a bckground", "the Dog's bckground", "dog, teh bckground"] + ["a teh"] * 3
    assert count(captions) == {}
    assert count([*captions, "dog and dog", "on on on"]) == {"dog": 4, "on": 4}


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    """No text crashes it, a second correction changes nothing in known words, and digits are never lost."""
    right = correct(text)
    assert [c for c in right if c.isdigit()] == [c for c in text if c.isdigit()]
    if all(in_dictionary(word.lower()) and word not in KNOWN_ERRORS for word in text.split()):
        assert correct(right) == right
