"""Tests of renamed objects: whatever agrees with the noun changes with it, and nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.graphs.graph import Atom, SceneGraph, Spans
from stages.negatives.caption import Caption, Edited
from tests.negatives.captions import captioned
from tests.negatives.known import evidence_of
from tests.text.articles import with_articles_fixed
from tests.writing.graphs import OBJECTS, graphs

MAN = SceneGraph(("man", "grass", "umbrella"), ((2, "old"),), ((0, "on", 1), (0, "hold", 2), (1, "next to", 2)))


@pytest.mark.parametrize(
    ("graph", "names", "text"),
    [
        (SceneGraph(("cup", "grass"), (), ((0, "on", 1),)), {0: "grass", 1: "cup"}, "grass on a cup"),
        (SceneGraph(("cup", "table"), ((0, "red"),), ((0, "on", 1),)), {0: "umbrella"}, "a red umbrella on a table"),
        (SceneGraph(("cup", "table"), (), ((0, "on", 1),)), {0: "umbrella"}, "an umbrella on a table"),
        (SceneGraph(("kite", "sky"), (), ((0, "in", 1),)), {0: "sky", 1: "kite"}, "the sky in a kite"),
        (SceneGraph(("hat", "man"), ((1, "turned on"),), ((0, "on", 1),)), {1: "lamp"}, "a hat on a lamp that is turned on"),
    ],
)
def test_articles_and_relatives_agree(graph, names, text):
    for seed in range(30):
        caption = captioned(graph, str(seed))
        if not caption.text.endswith("."):
            assert caption.renamed(names).text == text
            return
    raise AssertionError("no seed makes a fragment")


def test_the_template_has_no_articles_and_gets_none():
    caption = captioned(SceneGraph(("cup", "grass"), ((0, "red"),), ((0, "on", 1),)), bare=True)
    assert caption.renamed({0: "grass", 1: "cup"}).text == "red grass on cup"


def test_every_mention_is_renamed():
    found = 0
    for seed in range(20):
        # With a dog there too, "the grass" occurs twice.
        graph = SceneGraph((*MAN.objects, "dog"), MAN.attributes, (*MAN.relations, (3, "on", 1), (3, "next to", 2)))
        caption = captioned(graph, str(seed))
        edited = caption.renamed({1: "sand"})
        if isinstance(edited, Edited):
            assert "grass" not in edited.text.lower()
            found += len(caption.places("object", 1)) > 1
    assert found


@pytest.mark.parametrize(
    ("graph", "names", "reason"),
    [
        (SceneGraph(("pants", "bed"), (), ((0, "on", 1),)), {0: "cup", 1: "pants"}, "number"),
        (
            SceneGraph(("lamp", "lamp", "room", "man"), (), ((0, "in", 2), (1, "in", 2), (1, "next to", 0), (3, "hold", 1))),
            {1: "cup"},
            "reference",
        ),
    ],
)
def test_what_cannot_be_said_is_refused(graph, names, reason):
    reasons = [captioned(graph, str(seed)).renamed(names) for seed in range(10)]
    assert reason in reasons


@given(graphs(least=2), st.sampled_from(OBJECTS), st.integers(0, 100), st.booleans())
def test_a_renaming_changes_its_own_pieces_only(graph, name, seed, bare):
    caption = captioned(graph, str(seed), bare=bare)
    o = seed % len(graph.objects)
    edited = caption.renamed({o: name})
    if isinstance(edited, str):
        return
    assert edited.graph.objects[o] == name
    start, end = edited.spans[0][0], len(caption.text) - edited.spans[-1][1]
    assert edited.text[:start] == caption.text[:start]
    assert edited.text[len(edited.text) - end :] == caption.text[len(caption.text) - end :]
    assert with_articles_fixed(edited.text) == edited.text
    assert "  " not in edited.text and edited.text[0].isupper() == caption.text[0].isupper()


@given(graphs(least=2), st.integers(0, 50))
def test_a_foil_stands_wherever_the_atom_stood(graph, seed):
    caption = captioned(graph, str(seed))
    for i, (_, attribute) in enumerate(graph.attributes):
        edited = caption.with_foil(Atom("attribute", i, attribute), "purple")
        assert edited.text.lower().count("purple") == len(caption.places("attribute", i))


def test_a_foil_takes_the_number_that_the_caption_says():
    graph, spans = SceneGraph(("sheep",), ((0, "white"),)), Spans(((4, 9),), ((14, 19),))
    caption = Caption("the sheep are white", graph, spans, evidence_of(graph), as_written=True)
    assert caption.with_foil(Atom("object", 0, "sheep"), "dog").text == "the dogs are white"
    assert caption.with_foil(Atom("object", 0, "sheep"), "grass") == "number"


def test_pieces_may_not_overlap():
    with pytest.raises(ValueError, match="overlap"):
        captioned(SceneGraph(("cup",))).substituted([((0, 2), "x"), ((1, 3), "y")], SceneGraph())
