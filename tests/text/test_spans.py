"""An edit changes its span and an article right before it, and no other letter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.text.spans import replace, whole

WORDS = st.lists(st.text("abcdeorstu", min_size=2, max_size=7), min_size=2, max_size=8)


def test_an_edit_never_touches_the_letters_of_other_words():
    # The official release replaced substrings, so that the tree inside "street" became a banana.
    assert replace("a tree in the street", [(2, 6)], ["banana"]) == "a banana in the street"
    assert replace("below it, low", [(10, 13)], ["high"]) == "below it, high"


@pytest.mark.parametrize("span", [(1, 4), (0, 0), (5, 99), (3, 2)])
def test_a_span_that_cuts_a_word_or_lies_outside_is_refused(span):
    with pytest.raises(ValueError, match="span"):
        replace("a red car", [span], ["x"])


def test_half_a_word_is_no_whole_span():
    assert whole("we'd wed", (5, 8)) and not whole("we'd wed", (5, 6)) and not whole("we'd wed", (8, 8))


def test_spans_that_overlap_are_refused():
    with pytest.raises(ValueError, match="overlap"):
        replace("a red car", [(2, 5), (2, 9)], ["x", "y"])


@given(WORDS, st.data())
def test_only_the_span_changes(words, data):
    caption = " ".join(words)
    i = data.draw(st.integers(0, len(words) - 1))
    start = len(" ".join(words[:i])) + (i > 0)
    edited = replace(caption, [(start, start + len(words[i]))], ["zebra"]).split()
    # No word here is "a" or "an", so there is no article to repair.
    assert edited == [*words[:i], "zebra", *words[i + 1 :]]
