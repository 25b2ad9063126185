"""A random walk has exactly n atoms, takes one component after another, and continues where the paper says."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.graphs.graph import SceneGraph
from stages.subgraphs.walks import (
    Map,
    awkward,
    awkwardness,
    bare,
    indistinct,
    indistinguishable,
    many_garments,
    one_thing_twice,
    stacked_thrice,
    strange,
    walk,
)

NAMES = st.sampled_from(["dog", "cat", "mat", "man"])


@st.composite
def graphs(draw):
    names = draw(st.lists(NAMES, min_size=1, max_size=8))
    index = st.integers(0, len(names) - 1)
    attributes = draw(st.sets(st.tuples(index, st.sampled_from(["red", "big", "old"])), max_size=8))
    relations = draw(st.sets(st.tuples(index, st.sampled_from(["on", "near"]), index).filter(lambda r: r[0] != r[2]), max_size=8))
    return SceneGraph(tuple(names), tuple(sorted(attributes)), tuple(sorted(relations)))


@given(graphs(), st.integers(1, 12), st.integers(0, 1000))
def test_a_walk_finds_exactly_n_atoms_of_the_graph(graph, n, seed):
    found = walk(Map(graph), n, Random(seed))
    if found is None:
        assert n > 1
        return
    subgraph, objects = found
    assert subgraph.n == n and len(set(objects)) == len(objects) == len(subgraph.objects)
    assert subgraph.objects == tuple(graph.objects[o] for o in objects)
    assert {(objects[o], a) for o, a in subgraph.attributes} <= set(graph.attributes)
    assert {(objects[s], r, objects[o]) for s, r, o in subgraph.relations} <= set(graph.relations)
    assert len(set(subgraph.attributes)) == len(subgraph.attributes) and len(set(subgraph.relations)) == len(subgraph.relations)


@given(graphs(), st.integers(1, 12), st.integers(0, 1000))
def test_a_component_is_left_only_when_nothing_more_of_it_can_be_said(graph, n, seed):
    """Appendix A.3: "if the entire connected component of the scene graph is exhausted, another object is selected"."""
    world = Map(graph)
    found = walk(world, n, Random(seed))
    if found is None:
        return
    subgraph, objects = found
    said = {("attribute", objects[o], a) for o, a in subgraph.attributes}
    said |= {("relation", objects[s], r, objects[o]) for s, r, o in subgraph.relations}
    taken, others = [], []
    for step in {step for steps in world.steps for step in steps}:
        compound = (graph.attributes if step.kind == "attribute" else graph.relations)[step.place]
        (taken if (step.kind, *compound) in said else others).append(step)
    left = [step for step in others if not any(world.jar(step, other) for other in taken)]
    unfinished = 0
    for component in graph.components():
        if mine := [i for i, o in enumerate(objects) if o in component]:
            assert sum(set(part) <= set(mine) for part in subgraph.components()) == 1, "a walk stays in one piece in its component"
            unfinished += any(not {objects[i] for i in mine}.isdisjoint(step.objects) for step in left)
    assert unfinished <= 1


@given(graphs(), st.integers(0, 1000))
def test_no_walk_finds_more_than_there_is(graph, seed):
    assert walk(Map(graph), graph.n + 1, Random(seed)) is None
    whole = walk(Map(graph), graph.n, Random(seed))
    assert whole is None or whole[0].canonical() == graph.canonical()


def test_an_empty_graph_has_no_walks():
    assert walk(Map(SceneGraph()), 1, Random(0)) is None


class Scripted(Random):
    """A random source that makes the choices a test gives it, and records the options."""

    def __init__(self, start: int, *choices: int):
        super().__init__(0)
        self.start, self.choices, self.offered = start, list(choices), []

    def randrange(self, *_):
        return self.start

    def choice(self, options):
        self.offered.append(list(options))
        return options[self.choices.pop(0)]


TRIANGLE = SceneGraph(("a", "b", "c", "d"), ((0, "red"),), ((0, "on", 1), (0, "near", 2), (1, "by", 2)))
RED, ON, NEAR = Map(TRIANGLE).steps[0]
BY = Map(TRIANGLE).steps[1][1]


def test_over_a_relation_the_walk_goes_on_from_the_other_object():
    random = Scripted(0, 1, 0)
    walk(Map(TRIANGLE), 5, random)
    assert random.offered == [[RED, ON, NEAR], [BY]]


def test_after_an_attribute_it_goes_on_from_the_same_object():
    random = Scripted(0, 0, 1)
    walk(Map(TRIANGLE), 4, random)
    assert random.offered == [[RED, ON, NEAR], [ON, NEAR]]


def test_a_step_to_a_known_object_adds_the_relation_only():
    """A compound needs one new atom, not a new object: a, red, on, b, by, c, near are 7 atoms of three objects."""
    random = Scripted(0, 0, 0, 0, 0)
    subgraph, objects = walk(Map(TRIANGLE), 7, random)
    assert (subgraph.n, objects) == (7, (0, 1, 2))


def test_from_an_exhausted_component_it_goes_to_another():
    random = Scripted(0, 0, 0, 0, 0, 0)
    _, objects = walk(Map(TRIANGLE), 8, random)
    assert objects == (0, 1, 2, 3)
    assert random.offered[-1] == [3]


def test_from_a_dead_end_it_goes_back_into_its_component():
    """It does not go to the separate lamp until all of the star is found."""
    star = SceneGraph(("hub", "x", "y", "lamp"), (), ((0, "on", 1), (0, "hold", 2)))
    random = Scripted(0, 0, 0, 0)
    _, objects = walk(Map(star), 5, random)
    assert random.offered[1] == [0]
    assert objects == (0, 1, 2)


def test_a_walk_that_could_only_overshoot_is_discarded():
    """One atom is missing, and every compound adds two."""
    assert walk(Map(SceneGraph(("a", "b"), (), ((0, "on", 1),))), 2, Random(0)) is None


def test_a_last_step_that_overshoots_here_is_taken_elsewhere():
    """One atom is missing, and the relation to z would add two, so the walk goes back to red."""
    graph = SceneGraph(("x", "y", "z"), ((0, "red"),), ((0, "on", 1), (1, "on", 2)))
    random = Scripted(0, 1, 0, 0)
    subgraph, _ = walk(Map(graph), 4, random)
    assert subgraph.attributes == ((0, "red"),) and subgraph.objects == ("x", "y")


def test_no_walk_goes_to_what_is_unsayable():
    graph = SceneGraph(("man", "thing", "hat"), ((0, "tall"), (2, "red")), ((0, "on", 1), (0, "wear", 2)))
    unsayable = {("object", 1), ("attribute", 1)}
    ways = {walk(Map(graph, unsayable=unsayable), 4, Random(seed)) for seed in range(20)} - {None}
    assert {subgraph for subgraph, _ in ways} == {SceneGraph(("man", "hat"), ((0, "tall"),), ((0, "wear", 1),))}


def test_pants_and_jeans_in_one_place_are_one_thing():
    graph = SceneGraph(("jeans", "pants", "man"))
    assert one_thing_twice(graph, lambda i, j: {i, j} == {0, 1})
    assert not one_thing_twice(graph, lambda i, j: 2 in (i, j))


@given(graphs(), st.integers(1, 12), st.integers(0, 1000))
def test_one_relation_joins_two_objects_if_that_is_asked(graph, n, seed):
    found = walk(Map(graph, one_relation_a_pair=True), n, Random(seed))
    if found is not None:
        pairs = [frozenset((s, o)) for s, _, o in found[0].relations]
        assert found[0].n == n and len(set(pairs)) == len(pairs)


def test_with_one_relation_a_pair_a_component_is_found_with_the_one_that_people_say():
    hat = SceneGraph(("man", "hat", "dog"), (), ((0, "have", 1), (0, "wear", 1), (1, "on", 0)))
    ways = {walk(Map(hat, one_relation_a_pair=True), 4, Random(seed)) for seed in range(40)} - {None}
    assert {subgraph.relations for subgraph, _ in ways} == {((0, "wear", 1),)}
    assert all(subgraph.objects == hat.objects for subgraph, _ in ways)


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (SceneGraph(("lamb", "lamb")), True),
        (SceneGraph(("lamb", "goat")), False),
        (SceneGraph(("lamb", "lamb"), ((0, "white"),)), False),
        (SceneGraph(("lamb", "lamb"), ((0, "white"), (1, "white"))), True),
        (SceneGraph(("lamb", "lamb"), ((0, "white"), (1, "black"))), False),
        (SceneGraph(("man", "man", "horse"), (), ((0, "ride", 2), (1, "ride", 2))), True),
        (SceneGraph(("man", "man", "horse"), (), ((0, "ride", 2), (1, "feed", 2))), False),
        (SceneGraph(("man", "man"), (), ((0, "hug", 1),)), False),
        (SceneGraph(("man", "man", "cup", "cup"), ((2, "red"),), ((0, "hold", 2), (1, "hold", 3))), False),
    ],
)
def test_two_objects_must_be_told_apart(graph, expected):
    assert indistinguishable(graph) == expected


def test_two_of_one_name_in_one_place_are_one_thing():
    graph = SceneGraph(("man", "man"), ((0, "tall"),))
    assert not indistinguishable(graph, lambda i, j: False)
    assert indistinguishable(graph, lambda i, j: True)
    assert not indistinguishable(SceneGraph(("man", "shirt")), lambda i, j: True)


def test_a_board_and_a_corkboard_are_one_thing_wherever_they_are():
    assert one_thing_twice(SceneGraph(("board", "wall", "corkboard")), lambda i, j: False)
    for two in (("cup", "mug"), ("man", "woman"), ("bear", "ear"), ("hair", "chair"), ("table", "vegetable")):
        assert not one_thing_twice(SceneGraph(two), lambda i, j: False)


@pytest.mark.parametrize(
    ("clumsy", "graph", "expected"),
    [
        # Not "shelves on another shelf"; a white shelf and a black one can be distinguished.
        (indistinct, SceneGraph(("shelf", "shelf"), ((0, "white"),), ((0, "on", 1),)), True),
        (indistinct, SceneGraph(("shelf", "shelf"), ((0, "white"), (1, "black")), ((0, "on", 1),)), False),
        (indistinct, SceneGraph(("window", "window"), ((0, "large"), (1, "open"))), True),
        # Not "a lady with hair" or "and also a floor".
        (bare, SceneGraph(("lady", "hair"), (), ((0, "with", 1),)), True),
        (bare, SceneGraph(("lady", "hair"), ((1, "black"),), ((0, "with", 1),)), False),
        (bare, SceneGraph(("man", "hand", "keyboard"), (), ((0, "have", 1), (1, "on", 2))), False),
        (bare, SceneGraph(("chair", "leg"), (), ((0, "have", 1),)), True),
        (bare, SceneGraph(("drawer", "desk"), (), ((0, "of", 1),)), True),
        (bare, SceneGraph(("drawer", "desk"), ((0, "open"),), ((0, "of", 1),)), False),
        (bare, SceneGraph(("shelf", "book"), (), ((0, "of", 1),)), False),
        (bare, SceneGraph(("cup", "hair"), ((1, "long"),)), True),
        (bare, SceneGraph(("cup", "floor")), True),
        (bare, SceneGraph(("cup", "floor"), ((1, "wooden"),)), True),
        (bare, SceneGraph(("cup", "floor"), ((0, "red"), (1, "wooden"))), False),
        (bare, SceneGraph(("cup", "shirt"), ((0, "red"), (1, "red"))), True),
        # "A man in a shirt is wearing glasses" is the most that one sentence can say.
        (many_garments, SceneGraph(("man", "shirt", "hat"), (), ((0, "wear", 1), (0, "wear", 2))), False),
        (many_garments, SceneGraph(("man", "shirt", "hat", "tie"), (), ((0, "wear", 1), (0, "wear", 2), (0, "wear", 3))), True),
        (many_garments, SceneGraph(("man", "shoe", "tie", "shirt"), (), ((0, "have", 1), (0, "wear", 2), (0, "in", 3))), True),
        (awkward, SceneGraph(("stool", "bowl")), False),
        (awkward, SceneGraph(("stool", "bowl", "logo")), True),
        # Two things are at a third, where the second is with a fourth; nothing then joins them to a fifth.
        (awkward, SceneGraph(("bike", "road", "car", "tree"), (), ((0, "next to", 1), (2, "on", 1), (2, "near", 3))), False),
        (awkward, SceneGraph(("bike", "road", "car", "tree", "cup"), (), ((0, "next to", 1), (2, "on", 1), (2, "near", 3))), True),
        (stacked_thrice, SceneGraph(("cup", "desk", "wall"), (), ((0, "on", 1), (1, "against", 2))), False),
        (stacked_thrice, SceneGraph(("bike", "man", "tree", "street"), (), ((0, "behind", 1), (1, "near", 2), (2, "by", 3))), True),
    ],
)
def test_what_no_caption_says_well(clumsy, graph, expected):
    assert clumsy(graph) == expected


def test_garments_of_which_nothing_is_said_are_awkward():
    """Rather "a man in a red shirt" than "a man in a shirt is wearing shoes"."""
    worn = SceneGraph(("man", "shirt", "shoe"), (), ((0, "in", 1), (0, "wear", 2)))
    described = SceneGraph(("man", "shirt"), ((0, "old"), (1, "red")), ((0, "in", 1),))
    assert awkwardness(worn) > awkwardness(described) == 0


def test_what_no_picture_shows_is_strange():
    relations = ((0, "sit on", 1), (2, "on", 3), (2, "with", 4))
    graph = SceneGraph(("desk", "cat", "cup", "table", "afternoon"), (), relations)
    assert strange(graph) == {("object", 4), ("relation", 0)}


def test_no_walk_says_the_same_of_two_things():
    """No walk says "a plate is on a table, and a glass is also on the table"."""
    graph = SceneGraph(("plate", "glass", "table"), ((0, "white"),), ((0, "on", 2), (1, "on", 2)))
    ways = [walk(Map(graph), n, Random(seed)) for n in range(3, 7) for seed in range(20)]
    assert any(ways)
    assert all(len(subgraph.relations) <= 1 for subgraph, _ in filter(None, ways))


def test_of_one_thing_no_walk_takes_two_places_or_two_looks():
    """No walk says "a cd on a desk and on a drawer" or "a blank empty frame"."""
    graph = SceneGraph(("cd", "desk", "drawer"), ((0, "blank"), (0, "empty"), (0, "red")), ((0, "on", 1), (0, "on top of", 2)))
    ways = [walk(Map(graph), n, Random(seed)) for n in range(3, 6) for seed in range(20)]
    assert any(ways)
    for subgraph, _ in filter(None, ways):
        assert len(subgraph.relations) <= 1
        assert not {"blank", "empty"} <= {attribute for _, attribute in subgraph.attributes}
