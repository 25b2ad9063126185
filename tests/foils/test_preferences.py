"""What words without a rule ask of things, learned from what captions say."""

import pytest

from stages.foils.preferences import Preferences, part_and_whole
from stages.foils.vectors import families

SAID = [
    *(("attribute", "sparse", (noun,)) for noun in ("tree", "bush", "grass", "flower")),
    *(("attribute", "football", (noun,)) for noun in ("player", "field")),
    *(("relation", "sniff", (animal, thing)) for animal in ("dog", "cat", "horse") for thing in ("flower", "bush")),
    *(("relation", "have", (thing, "wing")) for thing in ("plane", "bird")),
]


@pytest.fixture(scope="module")
def learned():
    found = Preferences()
    for kind, word, nouns in SAID:
        found.add(kind, families(kind, word), nouns, 2)
    return found


@pytest.mark.parametrize(
    ("kind", "word", "nouns", "allowed"),
    [
        ("attribute", "sparse", ("palm tree",), True),
        ("attribute", "sparse", ("stairs",), False),
        ("attribute", "football", ("field",), True),
        ("attribute", "football", ("kitchen",), False),
        ("attribute", "cast", ("man",), False),
        ("attribute", "red", ("stairs",), True),
        ("relation", "sniff", ("sheep", "weed"), True),
        ("relation", "sniff", ("bus", "weed"), False),
        ("relation", "have", ("plane", "wing"), True),
        ("relation", "have", ("truck", "wing"), False),
        ("relation", "next to", ("truck", "wing"), True),
    ],
)
def test_a_word_is_said_of_what_captions_say_it_of_and_of_the_like(learned, kind, word, nouns, allowed):
    assert learned.allow(kind, families(kind, word), nouns) == allowed


def test_who_knows_no_captions_refuses_nothing():
    assert Preferences().allow("attribute", ("cast",), ("man",))


@pytest.mark.parametrize("triple", [("wing", "of", "plane"), ("plane", "with", "wing"), ("wing", "on", "plane")])
def test_a_part_is_a_part_however_it_is_said(triple):
    assert part_and_whole(*triple) == [("wing", "plane")]
