"""The audit depends on which relations hold, so each rule has a scene."""

from itertools import combinations

import pytest

from stages.world import compose
from stages.world.relations import ARGUABLE, EXCLUDED, IMPLIED, RELATIONS, Relations
from stages.world.scene import common
from tests.world.scenes import random_scenes, scene, thing

TABLE = thing("table", (100, 300, 400, 500))
CUP = thing("cup", (200, 230, 260, 312))
DOG = thing("dog", (430, 380, 560, 500))
FAR = thing("cat", (700, 380, 780, 500))
BIRD = thing("bird", (210, 20, 290, 80), floating=True)
MAN = thing("man", (300, 200, 400, 520), colour=None, state="standing")
SHIRT = thing("shirt", (310, 260, 390, 380))


@pytest.mark.parametrize(
    ("things", "links", "relation", "expected"),
    [
        ((CUP, TABLE), [(0, "on", 1)], "on", True),
        ((CUP, TABLE), [], "on", False),
        # A thing on a table is slightly above it, and calling it "above" is not surely wrong.
        ((CUP, TABLE), [(0, "on", 1)], "above", None),
        ((CUP, TABLE), [(0, "on", 1)], "under", False),
        ((CUP, TABLE), [(0, "on", 1)], "left of", False),
        ((CUP, TABLE), [(0, "on", 1)], "next to", False),
        ((CUP, TABLE), [(0, "on", 1)], "in front of", None),
        ((DOG, TABLE), [], "next to", True),
        ((TABLE, DOG), [], "next to", True),
        ((TABLE, DOG), [], "left of", True),
        ((DOG, TABLE), [], "left of", False),
        ((DOG, TABLE), [], "right of", True),
        ((FAR, TABLE), [], "next to", False),
        ((FAR, TABLE), [], "near", False),
        ((FAR, DOG), [], "near", None),
        ((BIRD, TABLE), [], "above", True),
        ((TABLE, BIRD), [], "below", True),
        ((TABLE, BIRD), [], "under", None),
        ((TABLE, BIRD), [], "above", False),
        ((MAN, SHIRT), [(0, "wear", 1)], "wear", True),
        ((SHIRT, MAN), [(1, "wear", 0)], "on", True),
        ((MAN, SHIRT), [(0, "wear", 1)], "ride", False),
        ((MAN, TABLE), [(0, "stand on", 1)], "sit on", False),
        ((MAN, TABLE), [(0, "stand on", 1)], "on", True),
        ((MAN, DOG), [], "hold", False),
        ((MAN, DOG), [(0, "pull", 1)], "pull", True),
        ((MAN, DOG), [(0, "pull", 1)], "push", False),
        ((MAN, DOG), [(0, "pull", 1)], "left of", True),
        ((MAN, CUP), [(0, "throw", 1)], "hold", False),
        # A still picture does not show whether a thing in the air was thrown or dropped.
        ((MAN, CUP), [(0, "throw", 1)], "drop", None),
    ],
)
def test_relation(things, links, relation, expected):
    assert Relations(scene(list(things), links)).holds(0, relation, 1) is expected


def test_front_and_behind_go_by_where_things_stand():
    near, back = thing("dog", (200, 400, 300, 560)), thing("car", (180, 300, 500, 480))
    relations = Relations(scene([near, back]))
    assert relations.holds(0, "in front of", 1) is True
    assert relations.holds(1, "behind", 0) is True
    assert relations.holds(0, "behind", 1) is False


def test_a_cup_on_a_table_on_the_floor_may_be_said_to_be_on_the_floor():
    floor = thing("floor", (0, 420, 800, 600))
    relations = Relations(scene([CUP, TABLE, floor], [(0, "on", 1), (1, "on", 2)]))
    assert relations.holds(0, "on", 2) is None


@pytest.mark.parametrize("rules", [IMPLIED, ARGUABLE, EXCLUDED])
def test_rules_speak_of_relations_that_are_there(rules):
    assert {*rules, *(other for others in rules.values() for other, _ in others)} <= set(RELATIONS)


@pytest.mark.parametrize("made", random_scenes(12))
def test_every_relation_of_random_scenes_is_consistent(made):
    """Symmetric and converse relations must agree both ways, or the audit would contradict itself."""
    relations = Relations(made)
    converse = {"left of": "right of", "above": "below", "in front of": "behind", "next to": "next to", "near": "near"}
    for s in range(len(made.things)):
        for o in range(len(made.things)):
            if s != o:
                for relation, other in converse.items():
                    if relations.holds(s, relation, o) is True:
                        assert relations.holds(o, other, s) is not False, (s, relation, o)
    for s, relation, o in made.links:
        assert relation in RELATIONS
        assert relations.holds(s, relation, o) is True


def test_what_is_in_front_is_painted_over_what_is_behind():
    """Where two groups stand on the same ground, one thing of each may overlap: one pair in a hundred."""
    rightly = wrongly = 0
    for made in random_scenes(150):
        relations = Relations(made)
        for first, then in combinations([i for i, made_of in enumerate(made.things) if made_of.look], 2):
            if common(made.things[first].box, made.things[then].box):
                rightly += relations.holds(then, "in front of", first) is True
                wrongly += relations.holds(first, "in front of", then) is True
    assert rightly > 50 and wrongly <= 0.02 * rightly


def test_no_group_hides_what_is_behind_it():
    """Within a group, one thing is worn, held or carried by another, whose box may surround it."""
    far, near = thing("ball", (300, 400, 340, 440)), thing("tree", (280, 100, 420, 560))
    assert compose._hides(scene([near]), scene([far]))
    assert not compose._hides(scene([near]), scene([far.moved(1.0, 100.0, 0.0)]))
