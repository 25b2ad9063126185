"""Random walks over a scene graph, and the subgraphs of exactly n atoms that they find (paper, appendix A.3)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from stages.graphs.graph import SceneGraph


class Step(NamedTuple):
    """A compound of the graph: ``kind`` and ``place`` name its attribute or relation, ``objects`` what it holds on to.

    Of the steps that have the same ``claim`` a walk takes one.
    """

    kind: str
    place: int
    objects: tuple[int, ...]
    claim: tuple[str, int, int]


class Map:
    """A scene graph with what a walker sees from each object: the compounds that it is part of, and its connected component.

    With ``one_relation_a_pair`` a subgraph has at most one relation between two objects: "a man has and wears a hat" has five atoms
    and says no more than four do.
    """

    def __init__(self, graph: SceneGraph, one_relation_a_pair: bool = False):
        self.graph = graph
        self.steps: list[list[Step]] = [[] for _ in graph.objects]
        for place, (o, _) in enumerate(graph.attributes):
            self.steps[o].append(Step("attribute", place, (o,), ("attribute", place, 0)))
        for place, (s, _, o) in enumerate(graph.relations):
            claim = ("relation", min(s, o), max(s, o)) if one_relation_a_pair else ("relation", place, 0)
            for end in sorted({s, o}):
                self.steps[end].append(Step("relation", place, (s, o), claim))
        self.components = graph.components()
        self.component = {o: component for component in self.components for o in component}


def walk(world: Map, n: int, random: Random) -> tuple[SceneGraph, tuple[int, ...]] | None:
    """Walk until ``n`` atoms are found; ``None`` where the walk ends with fewer, or could only go on to more.

    The walk starts at a random object. Each step adds a compound of the object it stands at that has at least one new atom: over a
    relation it goes on from the other object, after an attribute from the same. Where that object has nothing left it goes on from
    a random object it has passed in the same component, and when all of that component is found, from a random object of another.

    Returns:
        The subgraph, and the index of each of its objects in the whole graph.
    """
    if not world.graph.objects:
        return None
    here = random.randrange(len(world.graph.objects))
    objects, claimed = {here}, set[tuple[str, int, int]]()
    found: list[Step] = []
    while (missing := n - len(objects) - len(found)) > 0:
        steps = _new_steps(world, here, claimed)
        if not steps:
            # Sorted, because the order of a set is no order.
            passed = [o for o in sorted(objects & world.component[here]) if _new_steps(world, o, claimed)]
            elsewhere = [o for o in range(len(world.graph.objects)) if not world.component[o] & objects]
            if not passed and not elsewhere:
                return None
            here = random.choice(passed or elsewhere)
            objects.add(here)
            continue
        fitting = [step for step in steps if len(set(step.objects) - objects) < missing]
        if not fitting:
            return None
        step = random.choice(fitting)
        found.append(step)
        claimed.add(step.claim)
        objects.update(step.objects)
        here = next((o for o in step.objects if o != here), here)
    return _subgraph(world.graph, objects, found)


def _new_steps(world: Map, here: int, claimed: set[tuple[str, int, int]]) -> list[Step]:
    return [step for step in world.steps[here] if step.claim not in claimed]


def _subgraph(graph: SceneGraph, objects: set[int], found: list[Step]) -> tuple[SceneGraph, tuple[int, ...]]:
    chosen = tuple(sorted(objects))
    place = {o: i for i, o in enumerate(chosen)}
    attributes = [graph.attributes[i] for i in sorted(step.place for step in found if step.kind == "attribute")]
    relations = [graph.relations[i] for i in sorted(step.place for step in found if step.kind == "relation")]
    subgraph = SceneGraph(
        tuple(graph.objects[o] for o in chosen),
        tuple((place[o], attribute) for o, attribute in attributes),
        tuple((place[s], relation, place[o]) for s, relation, o in relations),
    )
    return subgraph, chosen


def indistinguishable(graph: SceneGraph, same_place: Callable[[int, int], bool] = lambda one, other: False) -> bool:
    """Whether the subgraph has two objects that its words cannot tell apart, as in "a lamb and a lamb" (paper, footnote 2).

    Two objects are told apart by their name, attributes and relations. ``same_place`` says of two indices whether the objects
    stand in the same place: two of one name there are one thing, annotated twice.
    """
    if len(set(graph.objects)) == len(graph.objects):
        return False
    described, _, _ = graph.canonical()
    if any(count > 1 for _, count in described):
        return True
    return any(graph.objects[i] == graph.objects[j] and same_place(i, j) for j in range(len(graph.objects)) for i in range(j))
