"""Edits change their spans, an article right before one, and not a letter more."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.foils import edits
from stages.graphs.graph import Atom, SceneGraph, Spans

WORDS = st.lists(st.text("abcdeorstu", min_size=2, max_size=7), min_size=2, max_size=8)


def test_an_edit_never_touches_the_letters_of_other_words():
    # The official release replaced substrings: a tree inside "street" became a banana.
    assert edits.replace("a tree in the street", [(2, 6)], ["banana"]) == "a banana in the street"
    assert edits.replace("below it, low", [(10, 13)], ["high"]) == "below it, high"


@pytest.mark.parametrize(
    ("caption", "span", "foil", "kind", "expected"),
    [
        ("an orange car", (3, 9), "red", "attribute", "a red car"),
        ("A red car", (2, 5), "orange", "attribute", "An orange car"),
        ("Dogs on a bench.", (0, 4), "cat", "object", "Cats on a bench."),
        ("the man is wearing a hat", (11, 18), "hold", "relation", "the man is holding a hat"),
        ("a man sits on a horse", (6, 13), "under", "relation", "a man is under a horse"),
    ],
)
def test_a_foil_takes_the_form_of_its_slot(caption, span, foil, kind, expected):
    assert edits.foil_caption(caption, span, kind, foil) == expected


@pytest.mark.parametrize("span", [(1, 4), (0, 0), (5, 99), (3, 2)])
def test_a_span_that_cuts_a_word_or_lies_outside_is_refused(span):
    with pytest.raises(ValueError, match="span"):
        edits.replace("a red car", [span], ["x"])


def test_spans_that_overlap_are_refused():
    with pytest.raises(ValueError, match="overlap"):
        edits.replace("a red car", [(2, 5), (2, 9)], ["x", "y"])


@given(WORDS, st.data())
@settings(deadline=None)
def test_only_the_span_changes(words, data):
    caption = " ".join(words)
    i = data.draw(st.integers(0, len(words) - 1))
    start = len(" ".join(words[:i])) + (i > 0)
    edited = edits.replace(caption, [(start, start + len(words[i]))], ["zebra"]).split()
    # No word here is "a" or "an", so there is no article to repair.
    assert edited == [*words[:i], "zebra", *words[i + 1 :]]


@pytest.mark.parametrize(
    ("kind", "slot", "foil", "fits"),
    [
        ("object", "car", "grass", False),
        ("object", "cars", "pants", True),
        ("object", "car", "pants", False),
        ("relation", "caught", "throw", False),
        ("relation", "seated on", "stand on", True),
        ("relation", "holding", "wear", True),
        ("relation", "covered in", "under", True),
    ],
)
def test_what_fits_a_slot(kind, slot, foil, fits):
    assert edits.fits(kind, slot, foil) is fits


def test_a_passive_takes_no_other_relation():
    graph = SceneGraph(("man", "hat"), (), ((0, "wear", 1),))
    atom = Atom("relation", 0, "wear")
    assert edits.active(graph, Spans(((0, 3), (14, 17)), (), ((4, 11),)), atom)
    assert not edits.active(graph, Spans(((13, 16), (0, 3)), (), ((4, 11),)), atom)


def test_the_part_of_a_graph_that_an_edit_changes():
    graph = SceneGraph(("dog", "car", "cup"), ((0, "red"), (1, "wet")), ((0, "on", 1),))
    assert edits.changed(graph, Atom("attribute", 1, "wet")) == SceneGraph(("car",), ((0, "wet"),))
    assert edits.changed(graph, Atom("object", 0, "dog")) == SceneGraph(("dog", "car"), ((0, "red"),), ((0, "on", 1),))
    assert edits.changed(graph, Atom("object", 2, "cup")) == SceneGraph(("cup",))
    assert edits.changed(graph, Atom("relation", 0, "on")) == SceneGraph(("dog", "car"), (), ((0, "on", 1),))


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        ("a blue car", "a pink toy", "a blue car and a pink toy"),
        ("A blue car.", "A pink toy.", "A blue car and a pink toy."),
        ("a TV", "USA flag", "a TV and USA flag"),
    ],
)
def test_two_captions_become_one(one, other, joined):
    assert edits.joined(one, other) == joined


def test_joined_graphs_share_no_object():
    one = SceneGraph(("dog",), ((0, "red"),))
    joined = edits.joined_graph(one, SceneGraph(("dog", "car"), (), ((0, "on", 1),)))
    assert joined == SceneGraph(("dog", "dog", "car"), ((0, "red"),), ((1, "on", 2),))
