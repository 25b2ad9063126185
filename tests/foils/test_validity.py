"""Each reason of rejection on the smallest case that has it, and none other before it."""

from dataclasses import replace

import pytest

from stages.foils import edits, validity
from stages.foils.meanings import English
from stages.foils.validity import Candidate, reason
from stages.graphs.evidence import Evidence
from stages.graphs.graph import Atom, SceneGraph

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
    truth = Evidence.of_graph(known or graph, English())
    return Candidate(caption, graph, atom, span, foil, edits.foil_caption(caption, span, kind, foil), edited, truth)


def with_more(graph, objects=(), attributes=(), relations=()):
    return SceneGraph(graph.objects + objects, graph.attributes + attributes, graph.relations + relations)


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("same", candidate(RED_CAR, "attribute", 0, "red")),
        ("offensive", candidate(SceneGraph(("beach",), ((0, "sunny"),)), "attribute", 0, "nude")),
        ("synonym", candidate(SceneGraph(("couch",), ((0, "red"),)), "object", 0, "sofa")),
        ("hypernym", candidate(SceneGraph(("dog",), ((0, "red"),)), "object", 0, "animal")),
        ("hyponym", candidate(SceneGraph(("animal",), ((0, "red"),)), "object", 0, "dog")),
        ("near_name", candidate(SceneGraph(("cup",), ((0, "red"),)), "object", 0, "glass")),
        ("no_thing", candidate(SceneGraph(("lever", "door"), (), ((0, "on", 1),)), "object", 0, "click")),
        ("body_part", candidate(SceneGraph(("head", "woman"), (), ((0, "of", 1),)), "object", 0, "hand")),
        ("may_both_hold", candidate(RED_CAR, "attribute", 0, "orange")),
        ("not_exclusive", candidate(SceneGraph(("dog",), ((0, "white"),)), "attribute", 0, "furry")),
        ("implied_relation", candidate(SceneGraph(("man", "bench"), (), ((0, "sit on", 1),)), "relation", 0, "on")),
        ("not_exclusive_relation", candidate(SceneGraph(("man", "dog"), (), ((0, "look at", 1),)), "relation", 0, "hold")),
        ("always_true", candidate(SceneGraph(("bird", "sky"), (), ((0, "on", 1),)), "relation", 0, "under")),
        ("number", candidate(SceneGraph(("shirt",), ((0, "red"),)), "object", 0, "pants", caption="a red shirt", span=(6, 11))),
        ("repeats", candidate(DOG_ON_CAR, "object", 0, "car")),
        ("symmetric", candidate(
            SceneGraph(("cup", "bowl"), (), ((0, "next to", 1),)), "object", 1, "lamp",
            SceneGraph(("cup", "bowl", "lamp"), (), ((0, "next to", 1), (2, "next to", 0))),
        )),
        ("true_of_object", candidate(RED_CAR, "attribute", 0, "blue", with_more(RED_CAR, attributes=((0, "blue"),)))),
        ("true_of_another", candidate(RED_CAR, "attribute", 0, "blue", with_more(RED_CAR, ("car",), ((1, "blue"),)))),
        ("true_of_another", candidate(RED_CAR, "object", 0, "bus", with_more(RED_CAR, ("bus",), ((1, "red"),)))),
        ("true_of_another", candidate(
            SceneGraph(("dog", "car"), (), ((0, "to the left of", 1),)), "object", 0, "horse",
            SceneGraph(("dog", "car", "horse"), (), ((0, "to the left of", 1), (1, "to the right of", 2))),
        )),
        ("unsettled", candidate(RED_CAR, "attribute", 0, "blue", with_more(RED_CAR, ("car",)))),
        ("unsettled", candidate(RED_CAR, "attribute", 0, "blue", with_more(RED_CAR, attributes=((0, "striped"),)))),
        ("unsettled", candidate(DOG_ON_CAR, "object", 0, "horse", with_more(DOG_ON_CAR, ("horse",)))),
        (None, candidate(RED_CAR, "attribute", 0, "blue")),
        (None, candidate(RED_CAR, "object", 0, "bus")),
        (None, candidate(DOG_ON_CAR, "relation", 0, "under")),
        (None, candidate(SceneGraph(("man", "hat"), (), ((0, "hold", 1),)), "relation", 0, "wear")),
        ("worn", candidate(SceneGraph(("man", "trousers"), (), ((0, "in", 1),)), "relation", 0, "next to")),
        # Its trunk is brown, and a man is as red as his shirt; a car is not.
        ("unsettled", candidate(SceneGraph(("tree",), ((0, "blue"),)), "attribute", 0, "brown")),
        ("unsettled", candidate(SceneGraph(("man",), ((0, "blue"),)), "attribute", 0, "red")),
        ("not_exclusive_relation", candidate(SceneGraph(("dog", "car"), (), ((0, "near", 1),)), "relation", 0, "to the left of")),
    ],
)  # fmt: skip
def test_reasons(code, made):
    assert reason(made) == code


def test_boxes_rule_out_what_words_leave_open():
    """A dog near a car may be to the left of it, unless its box is to the right."""
    graph = SceneGraph(("dog", "car"), (), ((0, "near", 1),))
    boxes = [{"x": x, "y": 10, "width": 20, "height": 20} for x in (100, 10)]
    known = Evidence.of({**graph.columns(), "boxes": boxes, "aliases": [[], []]}, [], English())
    for foil, code in (("to the left of", None), ("to the right of", "not_exclusive_relation")):
        made = candidate(graph, "relation", 0, foil)
        assert reason(replace(made, known=known)) == code


def test_an_edit_that_says_the_same_again_is_found():
    graph = SceneGraph(("dog", "dog"), (), ((0, "near", 1),))
    same = Candidate(
        "Dog near dog", graph, Atom("object", 0, "dog"), (0, 3), "dog", "dog  near dog", graph, Evidence.of_graph(graph)
    )
    assert validity.identical_caption(same)
    assert validity.identical_graph(same)
    red_dog = SceneGraph(("dog", "cat"), ((0, "red"), (1, "blue")), ((0, "near", 1),))
    blue_dog = SceneGraph(("dog", "cat"), ((0, "blue"), (1, "red")), ((0, "near", 1),))
    assert not validity.identical_graph(replace(same, truth_graph=red_dog, graph=blue_dog)), "the same words, bound otherwise"


def test_every_check_has_a_code_of_its_own():
    names = [check.__name__ for check in validity.CHECKS]
    assert len(names) == len(set(names))
