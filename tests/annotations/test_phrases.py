"""Phrases that people typed as names, attributes and predicates are read, or rejected with a reason."""

import pytest

from stages.annotations.phrases import Phrases, read
from stages.parameters.sections import Language
from tests.running import section


def reading(kind, text):
    return read(Phrases(kind, [text], section(Language)))[0]


@pytest.mark.parametrize(
    ("text", "name", "plural", "attributes"),
    [
        ("windows", "window", True, ()),
        ("monitor is off", "monitor", False, ("off",)),
        ("white T-shirt", "t-shirt", False, ("white",)),
        ("see gray desk", "desk", False, ("gray",)),
        ("ketchup seen here", "ketchup", False, ()),
        ("leg have five", "leg", True, ("five",)),
        ("two men", "man", True, ("two",)),
        ("girl's hair", "hair", False, ()),
        ("the STOP sign", "stop sign", False, ()),
    ],
)
def test_a_name_is_a_thing_with_what_is_said_of_it(text, name, plural, attributes):
    found = reading("object", text)
    assert (found.name, found.plural, found.attributes, found.unsayable, found.fault) == (name, plural, attributes, "", "")


def test_a_fruit_is_no_colour():
    """Orange is one of Visual Genome's 150 usual classes, and was dropped as a colour with all its relations."""
    assert [reading("object", text).name for text in ("orange", "an orange", "mustard")] == ["orange", "orange", "mustard"]


@pytest.mark.parametrize("text", ["thing", "background", "red", "the color"])
def test_what_names_no_thing_is_no_object(text):
    assert reading("object", text).fault == "no_thing"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("trees and bushes", "several"), ("tunnel/ramp", "several"), ("side", "vague"), ("flurbs", "unknown"), ('"walk"', "quoted")],
)
def test_a_name_that_no_caption_can_say_stays_as_evidence(text, reason):
    assert reading("object", text).unsayable == reason


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("Grey", ("gray",)),
        ("switched off", ("turned off",)),
        ("cream colour", ("cream",)),
        ("made of bricks", ("brick",)),
        ("black and white", ("black", "white")),
        ("red+white", ("red", "white")),
        ("white,red,and orange", ("white", "red", "orange")),
        ("5", ("five",)),
        ("have five", ("five",)),
    ],
)
def test_an_attribute_in_one_form(text, attributes):
    found = reading("attribute", text)
    assert (found.attributes, found.unsayable, found.fault) == (attributes, "", "")


@pytest.mark.parametrize("text", ["many", "other", "multiple", "different"])
def test_how_many_and_which_other_is_no_atom(text):
    assert (reading("attribute", text).attributes, reading("attribute", text).unsayable) == ((text,), "abstract")


def test_what_is_only_intended_is_not_done():
    assert reading("relation", "trying to hit").unsayable == "intended" and not reading("relation", "hitting").unsayable


def test_an_attribute_that_is_a_relation():
    assert reading("attribute", "on desk").relations == (("on", "desk"),)
    assert reading("attribute", "wearing a red tie").relations == (("wear", "tie"),)


@pytest.mark.parametrize(
    ("text", "why"), [("using", "fault"), ('lit "walk"', "fault"), ("for listening", "unsayable"), ("hanged", "unsayable")]
)
def test_an_attribute_that_says_nothing_well(text, why):
    assert getattr(reading("attribute", text), why)


@pytest.mark.parametrize(
    ("text", "name", "turned", "attributes"),
    [
        ("WEARS", "wear", False, ()),
        ("is sitting on the", "sit on", False, ()),
        ("worn by", "wear", True, ()),
        ("has a blue", "have", False, ("blue",)),
    ],
)
def test_a_predicate(text, name, turned, attributes):
    found = reading("relation", text)
    assert (found.name, found.turned, found.attributes, found.unsayable) == (name, turned, attributes, "")


@pytest.mark.parametrize("text", ["are fully", "sees from", "and"])
def test_a_predicate_that_nobody_writes_is_not_said(text):
    assert reading("relation", text).unsayable or reading("relation", text).fault
