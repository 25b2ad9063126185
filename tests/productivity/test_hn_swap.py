"""HN-Swap: every kind of swap of A.4, valid only if something known rules it out."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.foils.sense import Sense
from stages.graphs.graph import SceneGraph
from stages.language.tokens import words
from stages.productivity.hn_swap import changes, most_sensible, swaps, taken
from tests.foils.captions import captioned
from tests.foils.known import MAX_TRUE, people
from tests.writing.graphs import graphs

FUZZ = settings(deadline=None)
VASE = SceneGraph(("vase", "television"), ((0, "yellow"), (1, "black")), ((0, "on", 1),))
TWO = SceneGraph(("cup", "table", "dog", "bed"), ((0, "red"),), ((0, "on", 1), (2, "under", 3)))


def found(graph, known=None, bare=True):
    return {swap.text: swap for swap in swaps(captioned(graph, known=known, bare=bare), Sense.none(), MAX_TRUE)}


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
@FUZZ
def test_invariants(graph, seed, bare):
    caption = captioned(graph, str(seed), bare=bare)
    texts = [caption.text.lower()]
    for swap in swaps(caption, Sense.none(), MAX_TRUE):
        if swap.reason is not None and not swap.text:
            continue
        texts.append(swap.text.lower())
        assert swap.graph.n == graph.n
        assert Counter(swap.graph.objects) == Counter(graph.objects)
        assert "  " not in swap.text and swap.text[0].isupper() == caption.text[0].isupper()
        if swap.reason is None:
            assert swap.graph.canonical() != graph.canonical()
            assert swap.spans
    assert len(texts) == len(set(texts))


@given(graphs(least=2), st.integers(0, 50))
@FUZZ
def test_a_swap_of_once_mentioned_atoms_keeps_the_bag_of_words(graph, seed):
    caption = captioned(graph, str(seed), bare=True)
    once = all(len(caption.places("object", o)) == 1 for o in range(len(graph.objects)))
    for swap in swaps(caption, Sense.none(), MAX_TRUE):
        if once and swap.text and "another" not in caption.text + swap.text and "relations" not in swap.edit:
            bags = [Counter("a" if w == "an" else w for w in words(text)) for text in (caption.text, swap.text)]
            inflected = bags[0] == bags[1] or any(a in caption.text for a in ("two", "people", "pants"))
            assert inflected or sum((bags[0] - bags[1]).values()) <= 2


def test_what_nobody_would_say_is_no_swap_and_the_most_sensible_are_taken_first():
    caption = captioned(SceneGraph(("window", "building", "cup"), ((0, "blue"),), ((0, "on", 1), (2, "on", 0))), bare=True)
    swapped = list(swaps(caption, people(), 1.0))
    assert {swap.reason for swap in swapped if (1, "on", 0) in swap.graph.relations} <= {"senseless", "true_of_another", None}
    assert "senseless" in {swap.reason for swap in swapped}
    best = most_sensible(swapped, caption.graph, people(), 1)
    fits = {swap.text: people().fit(changes(caption.graph, swap.graph)) for swap in swapped if swap.reason is None}
    assert [fits[swap.text] for swap in best if swap.reason is None] == [max(fits.values())]


def test_what_is_on_one_thing_is_not_on_another_and_what_one_wears_no_other_wears():
    graph = SceneGraph(("cup", "table", "shelf", "man", "hat", "woman"), (), ((0, "on", 1), (3, "wear", 4)))
    known = captioned(graph).known
    assert taken(known, "cup", "on", "shelf") and taken(known, "woman", "wear", "hat")
    assert not taken(known, "shelf", "on", "table") and not taken(known, "cup", "near", "shelf")


def test_two_colours_of_one_thing_and_adjectives_out_of_order_are_no_swaps():
    graph = SceneGraph(("car", "box"), ((0, "red"), (0, "old"), (1, "white"), (1, "small")), ((0, "near", 1),))
    known = SceneGraph(("car", "box"), (*graph.attributes, (0, "clean")), graph.relations)
    texts = set(found(graph, known))
    assert not any("white red" in text or "red white" in text for text in texts)
    assert not any("old white car" in text and "red small" in text for text in texts)
