"""Each reason of rejection on the smallest case that has it, and none other before it."""

from dataclasses import replace

import numpy as np
import pytest

from stages.contract.schemas import TABLES
from stages.foils import edits, validity
from stages.foils.counts import Counts, Habits
from stages.foils.scenes import Scenes
from stages.foils.sense import Sense
from stages.foils.validity import Candidate, reason
from stages.graphs.graph import SceneGraph
from tests.foils.known import MAX_TRUE, evidence_of, people

RED_CAR = SceneGraph(("car",), ((0, "red"),))
DOG_ON_CAR = SceneGraph(("dog", "car"), (), ((0, "on", 1),))


def candidate(graph, kind, index, foil, known=None, caption=None, span=None):
    """A candidate from a bare caption: "red car", "dog on car"."""
    atom = next(a for a in graph.atoms() if (a.kind, a.index) == (kind, index))
    if caption is None:
        words = [f"{graph.attributes_of(0)[0]} " if graph.attributes else "", graph.objects[0]]
        words += [f" {graph.relations[0][1]} {graph.objects[1]}"] if graph.relations else []
        caption = "".join(words)
        span = (caption.index(atom.text), caption.index(atom.text) + len(atom.text))
    edited = edits.foil_graph(graph, atom, foil)
    text, said = edits.foil_caption(caption, span, kind, foil), edits.changed(edited, atom)
    return Candidate(caption, graph, atom, span, foil, text, edited, said, 1.0, evidence_of(known or graph), Sense.none(), MAX_TRUE)


def with_more(graph, objects=(), attributes=()):
    return SceneGraph(graph.objects + objects, graph.attributes + attributes, graph.relations)


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("no_thing", candidate(SceneGraph(("lever", "door"), (), ((0, "on", 1),)), "object", 0, "click")),
        ("no_thing", candidate(RED_CAR, "object", 0, "process")),
        ("body_part", candidate(SceneGraph(("head", "woman"), (), ((0, "of", 1),)), "object", 0, "hand")),
        ("always_true", candidate(SceneGraph(("bird", "sky"), (), ((0, "on", 1),)), "relation", 0, "under")),
        ("always_true", candidate(SceneGraph(("car", "window"), (), ((0, "outside", 1),)), "object", 1, "residence")),
        ("worn", candidate(SceneGraph(("girl", "skirt"), (), ((0, "wear", 1),)), "object", 1, "shirt")),
        ("worn", candidate(SceneGraph(("man", "trousers"), (), ((0, "in", 1),)), "relation", 0, "next to")),
        ("number", candidate(SceneGraph(("shirt",), ((0, "red"),)), "object", 0, "pants", caption="a red shirt", span=(6, 11))),
        ("number", candidate(SceneGraph(("man", "pants"), (), ((0, "wear", 1),)), "object", 1, "dress")),
        ("number", candidate(DOG_ON_CAR, "object", 0, "toilet paper")),
        ("number", candidate(DOG_ON_CAR, "object", 0, "macaroni")),
        ("number", candidate(SceneGraph(("man", "jacket"), (), ((0, "wear", 1),)), "object", 1, "boot")),
        (
            "number",
            candidate(
                SceneGraph(("man", "shoe"), (), ((0, "wear", 1),)), "object", 1, "hat", caption="man wearing shoes", span=(12, 17)
            ),
        ),
        ("part", candidate(SceneGraph(("car", "windshield"), (), ((0, "have", 1),)), "object", 1, "roof")),
        ("part", candidate(SceneGraph(("hand", "woman"), (), ((0, "of", 1),)), "object", 0, "sticker")),
        ("repeats", candidate(DOG_ON_CAR, "object", 0, "car")),
        # Another name of the thing: a synonym, a wider, a narrower one, what others call it.
        ("may_be_true", candidate(SceneGraph(("couch",), ((0, "red"),)), "object", 0, "sofa")),
        ("no_thing", candidate(SceneGraph(("dog",), ((0, "red"),)), "object", 0, "animal")),
        ("may_be_true", candidate(SceneGraph(("cup",), ((0, "red"),)), "object", 0, "mug")),
        # What another may say of it, or what may hold as well.
        ("may_be_true", candidate(RED_CAR, "attribute", 0, "orange")),
        ("may_be_true", candidate(SceneGraph(("dog",), ((0, "white"),)), "attribute", 0, "furry")),
        ("may_be_true", candidate(SceneGraph(("man",), ((0, "blue"),)), "attribute", 0, "red")),
        ("may_be_true", candidate(SceneGraph(("cow",), ((0, "black"),)), "attribute", 0, "white")),
        ("may_be_true", candidate(SceneGraph(("man", "bench"), (), ((0, "sit on", 1),)), "relation", 0, "on")),
        ("may_be_true", candidate(SceneGraph(("man", "dog"), (), ((0, "look at", 1),)), "relation", 0, "hold")),
        ("may_be_true", candidate(SceneGraph(("dog", "car"), (), ((0, "near", 1),)), "relation", 0, "to the left of")),
        # What is known of the crop, of this thing or of another.
        ("may_be_true", candidate(RED_CAR, "attribute", 0, "green", with_more(RED_CAR, attributes=((0, "green"),)))),
        ("may_be_true", candidate(RED_CAR, "attribute", 0, "green", with_more(RED_CAR, ("car",)))),
        ("may_be_true", candidate(RED_CAR, "object", 0, "bus", with_more(RED_CAR, ("bus",), ((1, "red"),)))),
        ("may_be_true", candidate(DOG_ON_CAR, "object", 0, "horse", with_more(DOG_ON_CAR, ("horse",)))),
        (None, candidate(RED_CAR, "attribute", 0, "green")),
        (None, candidate(RED_CAR, "object", 0, "bus")),
        (None, candidate(DOG_ON_CAR, "relation", 0, "under")),
        (None, candidate(SceneGraph(("man", "hat"), (), ((0, "hold", 1),)), "relation", 0, "kick")),
    ],
)  # fmt: skip
def test_reasons(code, made):
    assert reason(made) == code


def test_a_small_thing_may_lie_unnoticed_where_such_things_lie():
    """A pen on a desk, and no pen on a ski slope; a printer on a desk one sees."""
    office = Scenes(["pen", "desk", "printer", "slope"], np.array([[1, 0], [1, 0], [1, 0], [0, 1]], np.float32))
    learned = Sense.of(TABLES["seen_compounds"].schema.empty_table(), 0.0, scenes=office)
    made = {
        (foil, place): replace(candidate(SceneGraph(("dog", place), (), ((0, "on", 1),)), "object", 0, foil), sense=learned)
        for foil, place in (("pen", "desk"), ("pen", "slope"), ("printer", "desk"))
    }
    assert {key: reason(one) for key, one in made.items()} == {
        ("pen", "desk"): "may_be_true",
        ("pen", "slope"): None,
        ("printer", "desk"): None,
    }


def test_a_part_may_be_there_unnoticed_where_it_is_at_home():
    """An office chair has wheels, and no fireplace is on a street."""
    foils = {
        (foil, place): candidate(SceneGraph(("dog", place), (), ((0, "on", 1),)), "object", 0, foil)
        for foil, place in (("wheel", "floor"), ("fireplace", "street"))
    }
    assert {key: reason(one) for key, one in foils.items()} == {("wheel", "floor"): "may_be_true", ("fireplace", "street"): None}


def test_of_signs_there_is_more_often_another():
    habits = Habits(Counts(), Counts())
    assert habits.another("street sign") == 6 * habits.another("bench") > 0


def test_where_nobody_overlooks_small_things_none_lies_unnoticed():
    """Of a hundred images with a pen all have it in several descriptions."""
    graphs = [SceneGraph(("pen", "desk"), (), ((0, "on", 1),))] * 3
    seen, hidden = (Habits(Counts.of([graphs[:n]] * 100), Counts()) for n in (3, 1))
    assert seen.overlooked < validity.OVERLOOKED < hidden.overlooked


def test_what_may_well_be_there_is_no_foil_however_seldom_it_is_so():
    """A table that nobody mentions may be there, and then nobody knows that it is not red; a box hardly is."""
    foils = [replace(candidate(RED_CAR, "object", 0, name), max_true=0.01) for name in ("table", "box")]
    assert all(one.p_true < 0.01 for one in foils)
    assert [reason(one) for one in foils] == ["may_be_true", None]


def test_where_one_small_thing_lies_another_may():
    """Where a key lies a wallet may; a horse that one sees is no wallet."""
    foils = {
        place: candidate(SceneGraph((place, "woman"), (), ((0, "near", 1),)), "object", 0, "wallet")
        for place in ("key", "bag", "horse")
    }
    assert {place: reason(one) for place, one in foils.items()} == {"key": "may_be_true", "bag": "may_be_true", "horse": None}


def test_nonsense_is_refused():
    """Sense is asked before the picture."""
    made = replace(candidate(DOG_ON_CAR, "relation", 0, "wear"), sense=people(), acceptable=0.5, fit=0.4)
    assert reason(made) == "senseless"
    assert reason(replace(made, fit=0.6)) != "senseless"


def test_an_edit_that_says_the_same_again_is_found():
    assert validity.identical_caption(replace(candidate(RED_CAR, "object", 0, "bus"), caption="Red  car"))


def test_every_check_has_a_code_of_its_own():
    names = [check.__name__ for check in validity.CHECKS]
    assert len(names) == len(set(names))
