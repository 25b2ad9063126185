"""HN-Swap: every kind of swap of A.4, valid only if something known rules it out."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stages.negatives.negative import Negative
from stages.negatives.scenes import Scenes
from stages.negatives.sense import Sense
from stages.productivity.hn_swap import exchanges, most_sensible, swaps
from stages.productivity.productivity import _of_same_words
from stages.productivity.shown import things_beside, things_elsewhere
from stages.productivity.swap_validity import changes, may_hold, taken, unsaid

from stages.contract.schemas import TABLES
from stages.geometry.box import Box
from stages.graphs.graph import SceneGraph
from stages.negatives.knowledge import Acceptable
from stages.wording.tokens import words
from tests.negatives.captions import captioned
from tests.negatives.known import MAX_TRUE, evidence_of, in_boxes, named, people
from tests.writing.graphs import graphs

NAMES = named("cup", "table", "bottle", "chair")
VASE = SceneGraph(("vase", "television"), ((0, "yellow"), (1, "black")), ((0, "on", 1),))
TWO = SceneGraph(("cup", "table", "dog", "bed"), ((0, "red"),), ((0, "on", 1), (2, "under", 3)))


def found(graph, known=None, bare=True):
    return {swap.text: swap for swap in swaps(captioned(graph, known=known, bare=bare), NAMES)}


def test_the_examples_of_the_paper():
    swapped = found(VASE)
    assert swapped["yellow television on black vase"].edit == "subject_object"
    assert swapped["black television on yellow vase"].edit == "subject_object_with_attributes"
    assert swapped["black vase on yellow television"].edit == "attributes"
    assert all(swap.reason is None for text, swap in swapped.items() if text)


def test_an_attribute_is_moved():
    swapped = found(
        SceneGraph(("cup", "dog"), ((0, "red"),), ((0, "on", 1),)),
        SceneGraph(("cup", "dog"), ((0, "red"), (1, "black")), ((0, "on", 1),)),
    )
    assert swapped["cup on red dog"].edit == "attribute_moved"
    assert swapped["cup on red dog"].reason is None


@pytest.mark.parametrize(
    ("graph", "known", "text", "reason"),
    [
        # near is symmetric; "A left of B" says "B right of A" and not "B left of A"
        (SceneGraph(("cup", "dog"), (), ((0, "next to", 1),)), None, "dog next to cup", "symmetric"),
        (SceneGraph(("cup", "dog"), (), ((0, "to the left of", 1),)), None, "dog to the left of cup", None),
        # both are red in the whole graph
        (
            SceneGraph(("cup", "dog"), ((0, "red"), (1, "old")), ((0, "on", 1),)),
            SceneGraph(("cup", "dog"), ((0, "red"), (1, "old"), (1, "red"), (0, "old")), ((0, "on", 1),)),
            "old cup on red dog",
            "true_of_another",
        ),
        # nothing is known of the dog's colour
        (SceneGraph(("cup", "dog"), ((0, "red"),), ((0, "on", 1),)), None, "cup on red dog", "may_be_true"),
    ],
)
def test_validity(graph, known, text, reason):
    assert found(graph, known)[text].reason == reason


def test_unconnected_objects_that_give_the_same_graph_are_no_swap():
    swapped = found(SceneGraph(("cup", "dog"), (), ()))
    assert swapped["dog and a cup"].reason == "identical_graph"


def test_three_objects_turn():
    assert any(swap.edit == "objects_permuted" for swap in found(TWO).values())


def test_changes_are_what_is_new():
    after = SceneGraph(("television", "vase"), ((0, "yellow"), (1, "black")), ((0, "on", 1),))
    assert changes(VASE, after) == SceneGraph(after.objects, after.attributes, after.relations)
    assert changes(VASE, VASE) == SceneGraph()


@given(graphs(least=2), st.integers(0, 50), st.booleans())
def test_invariants(graph, seed, bare):
    caption = captioned(graph, str(seed), bare=bare)
    texts = [caption.text.lower()]
    for swap in swaps(caption, NAMES):
        if swap.reason is not None and not swap.text:
            continue
        texts.append(swap.text.lower())
        assert swap.graph.n == graph.n
        assert Counter(swap.graph.objects) == Counter(graph.objects)
        assert "  " not in swap.text and swap.text[0].isupper() == caption.text[0].isupper()
    assert len(texts) == len(set(texts))


@given(graphs(least=2), st.integers(0, 50))
def test_a_swap_of_once_mentioned_atoms_keeps_the_bag_of_words(graph, seed):
    caption = captioned(graph, str(seed), bare=True)
    once = all(len(caption.places("object", o)) == 1 for o in range(len(graph.objects)))
    for swap in swaps(caption, NAMES):
        if once and swap.text and "another" not in caption.text + swap.text and "relations" not in swap.edit:
            bags = [Counter("a" if w == "an" else w for w in words(text)) for text in (caption.text, swap.text)]
            inflected = bags[0] == bags[1] or any(a in caption.text for a in ("two", "people", "pants"))
            assert inflected or sum((bags[0] - bags[1]).values()) <= 2


def test_what_nobody_would_say_is_no_swap_and_the_most_sensible_are_taken_first():
    caption = captioned(SceneGraph(("window", "building", "cup"), ((0, "blue"),), ((0, "on", 1), (2, "on", 0))), bare=True)
    swapped = list(swaps(caption, NAMES._replace(sense=people(), max_true=1.0, acceptable=Acceptable(swap=0.5))))
    assert {swap.reason for swap in swapped if (1, "on", 0) in swap.graph.relations} <= {"senseless", "true_of_another", None}
    assert "senseless" in {swap.reason for swap in swapped}
    ranked = [swap._replace(acceptability=float(i)) for i, swap in enumerate(swapped)]
    fits = [swap.acceptability for swap in ranked if swap.reason is None]
    assert [swap.acceptability for swap in most_sensible(ranked, 1) if swap.reason is None] == [max(fits)] != [min(fits)]


def test_swaps_of_the_captions_own_atoms_are_taken_before_those_with_something_else():
    of = {"text": "", "atoms": "", "spans": (), "graph": SceneGraph(()), "reason": None}
    made = (("object_exchanged", "cup", 0.9), ("objects", None, 0.6), ("attributes", None, 0.7))
    swapped = [Negative(edit=edit, foil=foil, acceptability=fit, **of) for edit, foil, fit in made]
    assert [swap.reason for swap in most_sensible(swapped, 2)] == ["less_sensible", None, None]


ROOM = SceneGraph(
    ("cup", "table", "bottle", "chair"),
    ((0, "red"), (1, "white"), (2, "blue"), (3, "wooden"), (3, "black")),
    ((0, "on", 1), (2, "on", 3), (2, "under", 1), (2, "on top of", 3)),
)
"""Of which the caption has the first two things."""


def exchanged(said, known=ROOM):
    return {n.text: n for n in exchanges(captioned(said, known=known, bare=True), NAMES)}


def test_what_else_the_crop_shows_takes_the_place_of_an_object_or_an_attribute():
    """At n = 4 two things, an attribute and a relation have three swaps of their own, and a set asks five."""
    found = exchanged(SceneGraph(("cup", "table"), ((0, "red"),), ((0, "on", 1),)))
    valid = {text: n.edit for text, n in found.items() if n.reason is None}
    assert valid["red cup on chair"] == valid["red bottle on table"] == "object_exchanged"
    assert valid["red bottle on cup"] == valid["red table on chair"] == "objects_exchanged"
    assert valid["blue cup on table"] == "attribute_exchanged"
    assert "red cup under table" not in found
    assert set(valid.values()) == {"object_exchanged", "objects_exchanged", "attribute_exchanged"}
    assert all(n.foil for n in found.values())
    assert found["blue cup on table"].foil == "blue" and "wooden cup on table" not in found


def test_of_two_things_of_one_name_no_exchange_is_made_twice():
    said = SceneGraph(("cup", "cup", "table"), ((0, "red"),), ((0, "on", 2), (1, "under", 2)))
    texts = [n.text for n in exchanges(captioned(said, known=ROOM, bare=True), NAMES) if n.text]
    assert texts and len(texts) == len(set(texts))


def test_what_is_true_of_another_thing_is_not_exchanged():
    known = SceneGraph(ROOM.objects, (*ROOM.attributes, (3, "red")), (*ROOM.relations, (3, "on", 1)))
    found = exchanged(SceneGraph(("cup", "table"), ((0, "red"),), ((0, "on", 1),)), known)
    assert found["red chair on table"].reason == "true_of_another"


def test_a_thing_that_the_caption_names_and_says_nothing_of_is_not_exchanged():
    """The caption "a cup and a table" becomes "a book and a table", which is as true."""
    assert not exchanged(SceneGraph(("cup", "table"), (), ()))


def test_a_swap_may_say_another_word_only_where_something_else_comes_in():
    caption = captioned(SceneGraph(("cup", "table"), ((0, "red"),), ((0, "on", 1),)), known=ROOM, bare=True)
    found = [*exchanges(caption, NAMES)]
    assert [n.reason for n in _of_same_words(caption, found)] == [n.reason for n in found]
    inside = [n._replace(edit="subject_object", foil=None) for n in found if n.reason is None]
    assert {n.reason for n in _of_same_words(caption, inside)} == {"other_words"}


def test_what_is_on_one_thing_is_not_on_another_and_what_one_wears_no_other_wears():
    graph = SceneGraph(("cup", "table", "shelf", "man", "hat", "woman"), (), ((0, "on", 1), (3, "wear", 4)))
    known = captioned(graph).known
    assert taken(known, "cup", "on", "shelf") and taken(known, "woman", "wear", "hat")
    assert not taken(known, "shelf", "on", "table") and not taken(known, "cup", "near", "shelf")
    assert not taken(known, "lamp", "on", "shelf") and not taken(known, "woman", "wear", "scarf")
    cabinet = captioned(SceneGraph(("cabinet", "kitchen", "floor", "wall"), (), ((0, "in", 1), (3, "on", 2)))).known
    assert not taken(cabinet, "cabinet", "on", "floor") and not taken(cabinet, "wall", "in", "kitchen")


def test_two_colours_of_one_thing_and_adjectives_out_of_order_are_no_swaps():
    graph = SceneGraph(("car", "box"), ((0, "red"), (0, "old"), (1, "white"), (1, "small")), ((0, "near", 1),))
    known = SceneGraph(("car", "box"), (*graph.attributes, (0, "clean")), graph.relations)
    texts = set(found(graph, known))
    assert not any("white red" in text or "red white" in text for text in texts)
    assert not any("old white car" in text and "red small" in text for text in texts)


def test_two_open_parts_do_not_make_a_swap_false():
    """Of "a bike behind a man, and a meter along the road": where one is true though nobody wrote it, the other often is, too."""
    known = evidence_of(SceneGraph(("bike", "man", "meter", "road")))
    one = known.triple("bike", "behind", "man")
    both = SceneGraph(("bike", "man", "meter", "road"), (), ((0, "behind", 1), (2, "along", 3)))
    assert one * known.triple("meter", "along", "road") < may_hold(known, both) < one
    assert may_hold(known, both) > 2 * MAX_TRUE


@pytest.mark.parametrize(
    ("known", "swapped"),
    [
        # What is in a desk may be on it, and what is on it in one of its drawers.
        (
            SceneGraph(("desk", "cd", "file"), (), ((1, "on", 0), (2, "in", 0))),
            SceneGraph(("desk", "cd", "file"), (), ((1, "in", 0), (2, "on", 0))),
        ),
        # A fork on a plate that is on a desk is on the desk.
        (
            SceneGraph(("desk", "plate", "fork"), (), ((1, "on", 0), (2, "on", 1))),
            SceneGraph(("desk", "plate", "fork"), (), ((2, "on", 0),)),
        ),
        # Nobody says of the packet whether it was used.
        (
            SceneGraph(("napkin", "sauce packet"), ((0, "unused"),), ((1, "on", 0),)),
            SceneGraph(("napkin", "sauce packet"), ((1, "unused"),), ((1, "on", 0),)),
        ),
    ],
)
def test_a_swap_that_may_be_true_as_well_is_refused(known, swapped):
    assert may_hold(evidence_of(known), swapped) > MAX_TRUE


def test_what_only_the_rest_of_the_image_shows_is_exchanged_where_the_crop_has_too_little():
    """A cup on a table, and far from both a lamp on a green rug."""
    graph = SceneGraph(("cup", "table", "lamp", "rug"), ((3, "green"),), ((0, "on", 1), (2, "on", 3)))
    boxes = (Box(10, 10, 5, 5), Box(0, 10, 30, 20), Box(500, 500, 5, 5), Box(480, 500, 40, 20))
    caption = captioned(SceneGraph(("cup", "table"), ((0, "red"),), ((0, "on", 1),)), bare=True)
    caption = replace(caption, known=in_boxes(graph, boxes).within(Box(0, 0, 40, 40)))
    names = named(*graph.objects)
    texts = {n.text for n in exchanges(caption, names, elsewhere=True)}
    assert {"green cup on table", "red lamp on table", "red cup on rug"} <= texts
    assert not texts & {n.text for n in exchanges(caption, names)}


def test_no_set_exchanges_one_thing_by_two_of_its_names():
    graph = SceneGraph(("table", "disk", "disc", "lamp"))
    caption = replace(captioned(SceneGraph(("table",))), known=evidence_of(graph))
    assert things_beside(caption, named(*graph.objects).vocabulary) == ["disc", "lamp"]


def test_what_may_lie_unnoticed_is_not_exchanged_though_it_lies_elsewhere():
    """Where there is one pen there may be another, and nobody need have named it; a lamp is seen."""
    graph = SceneGraph(("cup", "table", "lamp", "pen", "rug"), (), ((0, "on", 1), (2, "on", 4), (3, "on", 4)))
    boxes = (Box(10, 10, 5, 5), Box(0, 10, 30, 20), Box(500, 500, 5, 5), Box(490, 500, 5, 5), Box(480, 500, 40, 20))
    caption = captioned(SceneGraph(("cup", "table"), (), ((0, "on", 1),)), bare=True)
    caption = replace(caption, known=in_boxes(graph, boxes).within(Box(0, 0, 40, 40)))
    vocabulary = named(*graph.objects).vocabulary
    for at_home, there in ((1, ["lamp", "rug"]), (0, ["lamp", "pen", "rug"])):
        scenes = Scenes(graph.objects, np.array([[1, 0], [1, 0], [1, 0], [at_home, 1 - at_home], [1, 0]], np.float32))
        sense = Sense.of(TABLES["seen_compounds"].schema.empty_table(), 0.0, scenes=scenes)
        assert things_elsewhere(caption, vocabulary, sense) == there


def test_who_works_on_a_computer_works_on_its_desk():
    graph = SceneGraph(("girl", "computer", "desk", "bench"), (), ((0, "work on", 1),))
    image = in_boxes(graph, (Box(0, 0, 50, 90), Box(60, 20, 30, 30), Box(40, 40, 90, 30), Box(300, 300, 40, 20)))
    assert image.triple("girl", "work on", "desk") > 0.1 > image.triple("girl", "work on", "bench")
    seated = evidence_of(SceneGraph(("girl", "desk", "bench"), (), ((0, "sit at", 1),)))
    assert seated._as_well(0, "work on", 1) and not seated._as_well(0, "work on", 2) and not seated._as_well(0, "lie on", 1)


def test_nobody_wears_a_mug_and_a_chin_of_his_becomes_his_mug():
    """Who has jeans is "in jeans"; who holds "his chin" may hold "his mug", and no "his a mug"."""
    things = ("woman", "jeans", "chair", "mug", "jacket")
    known = SceneGraph(things, ((3, "red"), (4, "red")), ((0, "have", 1), (0, "sit in", 2)))
    dressed = captioned(known.induced({0, 1, 2}, [], [0, 1]), known=known)
    assert "woman in jeans" in dressed.text
    reasons = {n.text: n.reason for n in exchanges(dressed, named(*things)._replace(max_true=1.0))}
    mug, jacket = (next(reason for text, reason in reasons.items() if f"in {noun}" in text) for noun in ("mugs", "jackets"))
    assert mug == "senseless" != jacket
    known = SceneGraph(("man", "chin", "mug"), ((2, "red"),), ((0, "hold", 1), (2, "near", 0)))
    reasons = {n.text: n.reason for n in swaps(captioned(known), NAMES._replace(max_true=1.0))}
    assert not any("his a" in text or "mug holding his" in text for text in reasons)
    assert reasons["There is a man holding his mug, with a red chin near him."] is None


@pytest.mark.parametrize(
    ("triple", "goes"),
    [
        (("lettering", "on", "bus"), True),  # it is on the bus's side
        (("tire", "on the side of", "bus"), True),
        (("man", "on", "ground"), True),  # he is in a jacket
        (("window", "on", "bus"), True),  # a bus has some
        (("word", "on", "bag"), True),
        (("bag", "have", "word"), True),  # whatever is written elsewhere
        (("bus", "with", "word"), True),
        (("kite", "have", "note"), False),
        (("barrier", "on", "ground"), True),
        (("kite", "on", "ground"), False),
        (("barrier", "in", "city"), True),
        (("note", "on", "desk"), True),  # two things lie there already
        (("note", "on", "shelf"), False),
        (("bag", "on", "bus"), False),
        (("man", "wear", "shoe"), True),  # and so has everybody
        (("man", "wear", "hat"), False),
    ],
)
def test_what_goes_without_saying_of_two_things_of_the_crop(triple, goes):
    """That everything in a street is in the city, and that a full desk may have a note on it, readers grant unseen."""
    objects = ("lettering", "bus", "window", "word", "bag", "barrier", "ground", "kite", "city", "note", "desk", "cup", "book")
    things = (*objects, "shelf", "sky", "monitor", "tire", "man", "jacket", "woman", "shoe", "hat")
    place = {name: i for i, name in enumerate(things)}
    said = [("lettering", "on the side of", "bus"), ("barrier", "near", "bus"), ("kite", "in", "sky"), ("note", "on", "monitor")]
    said += [("cup", "on", "desk"), ("book", "on", "desk"), ("bag", "on", "shelf"), ("tire", "on", "bus"), ("man", "in", "jacket")]
    said += [("woman", "wear", "shoe"), ("woman", "wear", "hat")]
    known = evidence_of(SceneGraph(things, (), tuple((place[s], r, place[o]) for s, r, o in said)))
    assert unsaid(known, *triple) == goes
    assert (may_hold(known, SceneGraph(triple[::2], (), ((0, triple[1], 1),))) >= 0.3) == goes


def test_shoes_become_no_jackets_and_nothing_takes_the_place_of_a_part():
    """One man's shoes are two things, a jacket is one; and there is no "cup of a desk"."""
    dressed = captioned(SceneGraph(("man", "shoe", "jacket"), ((1, "brown"),), ((0, "wear", 1),)), plurals=(1,))
    assert dressed.renamed({1: "jacket"}) == "number" and not isinstance(dressed.renamed({1: "boot"}), str)
    known = SceneGraph(("drawer", "desk", "cup", "table"), ((2, "blue"),), ((0, "of", 1), (2, "on", 3)))
    said = captioned(known.induced({0, 1}, [], [0]), known=known)
    reasons = {n.reason for n in exchanges(said, NAMES._replace(max_true=1.0)) if n.atoms.startswith("drawer")}
    assert "part" in reasons <= {"part", "near_name"}
