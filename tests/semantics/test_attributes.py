"""Tests of which attributes exclude each other."""

import pytest

from stages.semantics import attributes


@pytest.mark.parametrize(
    ("one", "other"), [("tan", "cream"), ("reddish", "brown"), ("greenish", "teal"), ("khaki", "cream"), ("gray", "charcoal")]
)
def test_colours_of_like_shades_may_both_be_said(one, other):
    assert not attributes.excludes(one, other) and attributes.implies(one, other)


@pytest.mark.parametrize(("one", "other"), [("red", "blue"), ("white", "black"), ("green", "purple"), ("yellow", "navy")])
def test_colours_far_apart_exclude_each_other(one, other):
    assert attributes.excludes(one, other) and not attributes.implies(one, other)


def test_a_colour_that_is_only_somewhat_one_is_no_foil():
    foils = attributes.candidates("blue")
    assert {"green", "red"} <= set(foils)
    assert not {"greenish", "reddish", "whitish"} & set(foils)
