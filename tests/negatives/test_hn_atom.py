"""Tests of HN-Atom: exactly one atom is replaced, and by which words."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.contract.schemas import PROTOCOLS
from stages.graphs.graph import SceneGraph
from stages.negatives import hn_atom
from stages.negatives.candidate import without_repeats
from stages.negatives.checks import checked
from tests.negatives.captions import captioned, written
from tests.negatives.known import knowing, vocabulary
from tests.writing.graphs import ATTRIBUTES, OBJECTS, RELATIONS, graphs

WORDS = vocabulary([*OBJECTS, "cat", "bench", "woman"], [*ATTRIBUTES, "blue", "small"], [*RELATIONS, "under", "behind"])
KNOWLEDGE = knowing(WORDS)


def labelled(graph):
    """Return the graph as two multisets: objects with their attributes, and relations between their names."""
    things = Counter((name, *sorted(graph.attributes_of(o))) for o, name in enumerate(graph.objects))
    return things, Counter((graph.objects[s], r, graph.objects[o]) for s, r, o in graph.relations)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(graphs(least=2), st.integers(0, 50))
def test_exactly_one_atom_is_replaced(protocol, graph, seed):
    caption = captioned(graph, str(seed))
    found = checked(hn_atom.candidates(caption, WORDS, near=False, most=3), caption, KNOWLEDGE, protocol)
    before = list(graph.atoms())
    for candidate in found:
        if candidate.reason is not None:
            continue
        after = list(candidate.graph.atoms())
        changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
        assert [(a.kind, a.index, a.text) for a, _ in changed] == [(candidate.edit, changed[0][0].index, candidate.atom)]
        assert changed[0][1].text == candidate.foil and before[candidate.slot] == changed[0][0]
        assert [o for o, _ in candidate.graph.attributes] == [o for o, _ in graph.attributes]
        assert [(s, o) for s, _, o in candidate.graph.relations] == [(s, o) for s, _, o in graph.relations]
        assert labelled(candidate.graph) != labelled(graph)
        assert candidate.caption.lower() != caption.text.lower()


def test_the_papers_example():
    caption = written("a grill on top of the porch", SceneGraph(("grill", "porch"), (), ((0, "on top of", 1),)))
    words = vocabulary(["grill", "porch"], [], ["on top of", "under", "underneath"])
    texts = {candidate.caption for candidate in hn_atom.candidates(caption, words, near=True, most=9)}
    assert texts & {"a grill underneath the porch", "a grill under the porch"}


def test_an_atom_that_no_one_piece_names_and_a_passive_are_not_edited():
    graph = SceneGraph(("man", "hat"), (), ((0, "wear", 1),))
    words = vocabulary(["man", "hat"], [], ["wear", "hold", "kick"])
    said = written("man wear hat", graph), written("hat wear man", graph)
    edits = [{c.edit for c in hn_atom.candidates(caption, words, near=False, most=9)} for caption in said]
    assert ["relation" in found for found in edits] == [True, False]


def test_no_more_foils_than_asked_are_tried_and_all_of_one_atom_have_one_slot():
    caption = captioned(SceneGraph(("wall", "car"), ((0, "red"), (1, "blue"))), bare=True)
    words = vocabulary(["wall", "car"], ["red", "green", "black", "white", "blue"])
    found = list(hn_atom.candidates(caption, words, near=False, most=2))
    assert Counter(candidate.slot for candidate in found) == {2: 2, 3: 2}
    assert {candidate.slot: candidate.atom for candidate in found} == {2: "red", 3: "blue"}
    assert without_repeats(found, caption.text) == found


def test_nouns_from_beyond_the_grand_hypernym_are_tried_only_where_further_ones_may_be():
    caption = captioned(SceneGraph(("horse",), ((0, "old"),)), bare=True)
    words = vocabulary(["horse", "cow", "dog"])
    near, far = ([c.foil for c in hn_atom.candidates(caption, words, near, most=9)] for near in (True, False))
    assert near == [] and set(far) >= {"cow"}
    assert {c.nearness for c in hn_atom.candidates(caption, words, near=False, most=9)} == {"further"}
