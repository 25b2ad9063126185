"""Tests of singular and plural where both are one word."""

import pytest

from stages.negatives.edits import foil_caption
from stages.text.number import number_in


@pytest.mark.parametrize(
    ("caption", "number"),
    [
        ("the *sheep* are white", "plural"),
        ("the *sheep* is white", "singular"),
        ("the *sheep* in the field are white", "plural"),
        ("a *sheep* stands on a hill", "singular"),
        ("a small white *sheep*", "singular"),
        ("several *deer* in a forest", "plural"),
        ("two brown *deer*", "plural"),
        ("12 *sheep* on a hill", "plural"),
        ("1 *sheep* on a hill", "singular"),
        ("a herd of *sheep*", "plural"),
        ("flocks of *sheep* graze", "plural"),
        ("*sheep* grazing on a hill", "plural"),
        ("A dog watching *sheep*", "plural"),
        ("A man with *fish* in a net", "plural"),
        ("the man's *fish* is large", "singular"),
        ("the *fish* on a plate", "singular"),
        ("an *aircraft* and a truck", "singular"),
        ("some *aircraft* parked", "plural"),
        ("these *aircraft* parked", "plural"),
        ("the *dogs* is", "plural"),
        ("two *dog*", "singular"),
        ("the *grass* is green", "mass"),
    ],
)
def test_the_caption_says_what_the_noun_does_not(caption, number):
    start, end = caption.index("*"), caption.rindex("*") - 1
    assert number_in(caption.replace("*", ""), (start, end)) == number


@pytest.mark.parametrize(
    ("caption", "foil", "edited"),
    [
        ("the sheep are white", "dog", "the dogs are white"),
        ("several deer in a forest", "rabbit", "several rabbits in a forest"),
        ("a deer in a forest", "rabbit", "a rabbit in a forest"),
    ],
)
def test_a_foil_takes_the_number_that_the_caption_says(caption, foil, edited):
    word = "sheep" if "sheep" in caption else "deer"
    assert foil_caption(caption, [(caption.index(word), caption.index(word) + len(word))], "object", foil) == edited
