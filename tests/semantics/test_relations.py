"""Tests of what relations say about each other, with an example for each kind of knowledge."""

import pytest

from stages.semantics import relations


@pytest.mark.parametrize(
    ("known", "asked", "turned"),
    [
        ("on top of", "on", False),
        ("ride", "on", False),
        ("wear", "with", False),
        ("wear", "on", True),
        ("on", "under", True),
        ("to the left of", "to the right of", True),
        ("in front of", "behind", True),
    ],
)
def test_implied(known, asked, turned):
    assert relations.implies(known, asked, turned)
    assert not relations.excludes(known, asked, turned)


@pytest.mark.parametrize(
    ("known", "asked", "turned"),
    [
        ("on", "under", False),
        ("ride", "push", False),
        ("far from", "on", False),
        ("to the left of", "to the right of", False),
        ("hold", "ride", False),
        ("hold", "hold", True),
        ("push", "pull", False),
    ],
)
def test_excluded(known, asked, turned):
    assert relations.excludes(known, asked, turned)
    assert not relations.implies(known, asked, turned)


@pytest.mark.parametrize(
    ("known", "asked", "turned"),
    [
        ("on", "sit on", False),
        ("look at", "look at", True),
        ("walk on", "look at", False),
        # An apple "by" a bench may lie on it, and a sheep next to a tree may stand under it; flowers in a vase are above it.
        ("by", "on", False),
        ("next to", "under", False),
        ("in", "above", False),
        # A hat's wearer may hold it.
        ("wear", "hold", False),
        # A thing below a clock may be to the left of it; a thing that somebody has need not be on him.
        ("below", "to the left of", True),
        ("have", "in", False),
    ],
)
def test_what_leaves_another_relation_open(known, asked, turned):
    assert not relations.excludes(known, asked, turned)


def test_symmetric_and_one_way():
    assert relations.symmetric("next to")
    assert relations.one_way("on")
    assert relations.one_way("wear")
    assert not relations.one_way("near")
    assert not relations.one_way("look at")
    # "Stand next to" holds both ways; a wall that a man leans against does not lean.
    assert relations.symmetric("stand next to") and not relations.excludes("stand next to", "stand next to", turned=True)
    assert not relations.symmetric("lean against")
    # Every verb of the table counts, whether or not others mean the same.
    assert all(relations.one_way(verb) for verb in relations.ONE_WAY_VERBS - relations.SYMMETRIC_VERBS)


def test_what_replaces_a_relation_is_said_in_its_way_and_ruled_out():
    for relation, other in (("sit on", "stand on"), ("sit on", "sit under"), ("sit at", "stand behind"), ("wear", "reach for")):
        assert relations.may_replace(relation, other)
        assert relations.excludes(relation, other)
    # A posture elsewhere may replace a place, and a place may replace a verb only if the verb implies one: "wear" does not.
    assert relations.may_replace("on", "hang under")
    assert relations.may_replace("ride", "behind")
    assert not relations.may_replace("wear", "over")
    # Nobody stands with a desk, or inside a chair in which he might sit.
    assert not any(relations.may_replace("sit in", other) for other in ("stand with", "stand inside", "stand in the middle of"))
    assert relations.may_replace("sit in", "stand in")
    # For near things, only the boxes can rule out "to the left of".
    assert relations.may_replace("near", "to the left of")
    assert relations.may_replace("near", "far from")
    assert not any(relations.may_replace("cover in", other) for other in ("cover next to", "cover outside", "on"))


def test_the_table_names_only_places_and_verbs_that_it_knows():
    places = relations.PLACES
    for head, others in relations.EXCLUDED_PLACES.items():
        assert {head, *others} <= set(places)
    verbs = set(relations.EXCLUSIVE_VERBS)
    assert verbs.isdisjoint(places)
    assert len({name for names in places.values() for name in names}) == sum(map(len, places.values()))
