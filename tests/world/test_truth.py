"""Tests of the evaluator of captions, which knows everything in a scene: what is true, false and doubtful."""

import pytest

from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph
from stages.world.scene import HEIGHT, WIDTH
from stages.world.truth import Denied, World
from tests.world.scenes import scene, thing, truth_of

MADE = scene(
    [
        thing("table", (100, 300, 400, 500), "brown"),
        thing("cup", (200, 230, 260, 312), "red", size="small"),
        thing("cup", (300, 230, 360, 312), "blue", pattern="striped"),
        thing("dog", (430, 380, 560, 500), "black"),
        thing("woman", (600, 180, 700, 510), None, state="standing"),
        thing("hat", (620, 170, 680, 200), "green"),
    ],
    [(1, "on", 0), (2, "on", 0), (4, "wear", 5)],
)
WORLD = World.of(truth_of(MADE), Box(0, 0, WIDTH, HEIGHT))


def said(objects, attributes=(), relations=()):
    return SceneGraph(tuple(objects), tuple(attributes), tuple(relations))


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (said(["cup"]), True),
        (said(["mug"]), True),
        (said(["animal"]), True),
        (said(["cat"]), False),
        (said(["poodle"]), None),
        (said(["zzyzx"]), None),
        (said(["cup"], [(0, "red")]), True),
        (said(["cup"], [(0, "green")]), False),
        # Blue with white stripes may pass for white.
        (said(["cup"], [(0, "white")]), None),
        (said(["cup"], [(0, "crimson")]), None),
        (said(["dog"], [(0, "crimson")]), False),
        (said(["cup"], [(0, "two")]), True),
        (said(["cup"], [(0, "three")]), False),
        (said(["dog"], [(0, "wooden")]), None),
        (said(["cup", "table"], [], [(0, "on", 1)]), True),
        (said(["cup", "table"], [(0, "red")], [(0, "on top of", 1)]), True),
        (said(["cup", "table"], [], [(0, "under", 1)]), False),
        (said(["dog", "table"], [], [(0, "beside", 1)]), True),
        (said(["dog", "table"], [], [(0, "hug", 1)]), False),
        (said(["dog", "table"], [], [(0, "look at", 1)]), None),
        (said(["woman", "hat"], [(1, "green")], [(0, "wear", 1)]), True),
        (said(["hat", "woman"], [], [(0, "wear by", 1)]), True),
        (said(["person", "hat"], [], [(0, "have on", 1)]), True),
        (said(["woman", "hat"], [], [(0, "without", 1)]), False),
        (said(["woman"], [(0, "sitting")]), False),
        (said(["woman", "dog"], [], [(0, "stand to the right of", 1)]), True),
        (said(["woman", "dog"], [], [(0, "sit to the right of", 1)]), False),
        (said(["dog", "table"], [], [(0, "stand beside", 1)]), None),
        # One thing cannot be two: the picture does not show two tables.
        (said(["table", "table"]), False),
        # Drawn as a part, but not a separate thing in the truth.
        (said(["hair"]), None),
    ],
)
def test_judge(graph, expected):
    assert WORLD.label(graph) is expected


def test_binding_counts():
    """Each thing and each colour is there; only the pairs are wrong."""
    right = said(["cup", "dog"], [(0, "red"), (1, "black")])
    wrong = said(["cup", "dog"], [(0, "black"), (1, "red")])
    assert WORLD.label(right) is True
    assert WORLD.label(wrong) is False


def test_the_crop_decides_what_is_there():
    row = truth_of(MADE)
    assert World.of(row, Box(90, 220, 330, 290)).label(said(["dog"])) is False
    assert World.of(row, Box(90, 220, 380, 290)).label(said(["dog"])) is None
    assert World.of(row, Box(90, 220, 480, 290)).label(said(["dog"])) is True


@pytest.mark.parametrize(
    ("denied", "expected"),
    [
        (Denied("caption", ("cup", "table")), False),
        (Denied("relation", ("cup", "on", "table")), False),
        (Denied("relation", ("cup", "under", "table")), True),
        # The blue cup is not red, and no cup is green. The only table is brown.
        (Denied("attribute", ("red", "cup")), True),
        (Denied("attribute", ("green", "cup")), True),
        (Denied("attribute", ("brown", "table")), False),
        # "There is a cup on something. There is no table."
        (Denied("something", ("table",)), False),
        (Denied("something", ("bed",)), True),
        (Denied("something", ("brown", "table")), False),
        (Denied("something", ("white", "table")), True),
    ],
)
def test_denials(denied, expected):
    truth = said(["cup", "table"], [], [(0, "on", 1)])
    left = said(["cup", "table"]) if denied.kind == "relation" else truth
    assert WORLD.label_negative(left, denied, truth) is expected


def test_an_object_is_denied_with_all_that_is_said_of_it():
    truth = said(["woman", "hat"], [(1, "green")], [(0, "wear", 1)])
    assert WORLD.label_negative(said(["woman"]), Denied("object", ("hat",)), truth) is False
