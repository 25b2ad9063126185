"""Tests of the scene graph: its atoms, compounds and components, and when two graphs say the same."""

import random

from hypothesis import given
from hypothesis import strategies as st

from stages.graphs.graph import Atom, Compound, SceneGraph, Spans

VASE = SceneGraph(("vase", "television"), ((0, "yellow"), (1, "black")), ((0, "on top of", 1),))


def test_complexity_counts_every_atom():
    assert VASE.n == 5
    assert [atom.text for atom in VASE.atoms()] == ["vase", "television", "yellow", "black", "on top of"]


def test_compounds_are_attribute_object_and_triples():
    assert list(VASE.compounds()) == [
        Compound("attribute_object", ("yellow", "vase")),
        Compound("attribute_object", ("black", "television")),
        Compound("object_relation_object", ("vase", "on top of", "television")),
    ]


def test_components():
    graph = SceneGraph(("a", "b", "c", "d"), (), ((3, "on", 1), (1, "near", 0)))
    assert graph.components() == [frozenset({0, 1, 3}), frozenset({2})]


def test_columns_come_back():
    spans = Spans(((0, 4), None), ((5, 6), (7, 8)), ((1, 2),))
    assert SceneGraph.from_columns(VASE.columns()) == VASE
    assert Spans.from_columns(spans.columns()) == spans
    assert spans.of(Atom("object", 1, "television")) is None
    assert spans.of(Atom("relation", 0, "on top of")) == (1, 2)


def test_the_direction_of_a_relation_and_the_bearer_of_an_attribute_matter():
    turned = SceneGraph(VASE.objects, VASE.attributes, ((1, "on top of", 0),))
    traded = SceneGraph(VASE.objects, ((0, "black"), (1, "yellow")), VASE.relations)
    assert len({graph.canonical() for graph in (VASE, turned, traded)}) == 3


def test_same_names_are_told_apart_by_their_neighbours():
    """Of two dogs, either the red one or the other is on the mat."""
    one = SceneGraph(("dog", "dog", "mat"), ((0, "red"),), ((0, "on", 2),))
    other = SceneGraph(("dog", "dog", "mat"), ((0, "red"),), ((1, "on", 2),))
    assert one.canonical() != other.canonical()


NAMES = st.lists(st.sampled_from(["dog", "cat", "mat"]), min_size=1, max_size=6)


@given(NAMES, st.data())
def test_the_order_of_objects_does_not_matter(names, data):
    index = st.integers(0, len(names) - 1)
    attributes = data.draw(st.lists(st.tuples(index, st.sampled_from(["red", "big"])), max_size=5))
    relations = data.draw(st.lists(st.tuples(index, st.sampled_from(["on", "near"]), index), max_size=5))
    graph = SceneGraph(tuple(names), tuple(attributes), tuple(relations))
    order = list(range(len(names)))
    random.Random(data.draw(st.integers())).shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    shuffled = SceneGraph(
        tuple(names[old] for old in order),
        tuple((place[o], a) for o, a in reversed(attributes)),
        tuple((place[s], r, place[o]) for s, r, o in relations),
    )
    assert graph.canonical() == shuffled.canonical()


def test_an_induced_subgraph_numbers_its_objects_anew():
    graph = SceneGraph(("mat", "dog", "cat"), ((2, "black"), (1, "red")), ((1, "on", 0), (2, "near", 1), (2, "on", 0)))
    assert graph.induced([2, 0]) == SceneGraph(("mat", "cat"), ((1, "black"),), ((1, "on", 0),))
    assert graph.induced({1, 2}, attributes=[1], relations=[1]) == SceneGraph(("dog", "cat"), ((0, "red"),), ((1, "near", 0),))
    assert graph.without(0) == SceneGraph(("dog", "cat"), ((1, "black"), (0, "red")), ((1, "near", 0),))
    assert graph.induced(range(3)) == graph and graph.induced([]) == SceneGraph()
