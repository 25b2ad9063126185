#!/usr/bin/env bash
# networkx 3.6.1: the edit distance of two different graphs is 0 where one of them has an edge from a node to itself.
#
# graph_edit_distance lets an edge that leads from a node to itself stand for an edge to another node, or for such an edge with
# another predicate, at no cost. Scene graphs have such edges: some percent of Visual Genome's relations. So
#   1. "man holding man" (himself) and "man holding dog", with the same two nodes, have the distance 0, and optimal_edit_paths shows
#      the first edge in the place of the second. Deleting one and inserting the other makes 2;
#   2. without the dog in the first graph the distance is 1 instead of 3;
#   3. "man holding himself" and "man washing himself" have the distance 0 as well;
#   4. without edges to a node itself, distances are right: turning the edge round makes 2. So is deleting such an edge.
# The distance is the least number of changes by its definition, here counted by trying all assignments of nodes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check networkx==3.6.1 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PY'
from itertools import permutations

import networkx as nx

Triple = tuple[str, str, str]


def scene(names: str, *triples: Triple) -> nx.DiGraph:
    graph = nx.DiGraph()
    for name in names.split():
        graph.add_node(name, name=name)
    for subject, predicate, object_ in triples:
        graph.add_edge(subject, object_, predicate=predicate)
    return graph


MATCH = {
    "node_match": lambda a, b: a["name"] == b["name"],
    "edge_match": lambda a, b: a["predicate"] == b["predicate"],
}


def by_definition(one: nx.DiGraph, two: nx.DiGraph) -> int:
    """Return the least number of nodes and edges to insert, delete or rename, over all assignments of nodes."""
    costs = []
    for chosen in permutations([*two, *[None] * len(one)], len(one)):
        to = dict(zip(one, chosen, strict=True))
        cost = sum(other is None or one.nodes[node]["name"] != two.nodes[other]["name"] for node, other in to.items())
        cost += len(two) - sum(other is not None for other in chosen)
        moved = {(to[a], to[b]): label for a, b, label in one.edges(data="predicate")}
        there = {(a, b): label for a, b, label in two.edges(data="predicate")}
        missing = sum(1 for edge in moved if edge not in there)
        cost += missing + sum(edge not in moved or moved[edge] != label for edge, label in there.items())
        costs.append(cost)
    return min(costs)


himself, dog = ("man", "holding", "man"), ("man", "holding", "dog")
for name, one, two, expected in (
    ("man holding himself, and a dog | man holding dog", scene("man dog", himself), scene("man dog", dog), (0, 2)),
    ("man holding himself | man holding dog", scene("man", himself), scene("man dog", dog), (1, 3)),
    ("man holding dog | dog holding man", scene("man dog", dog), scene("man dog", ("dog", "holding", "man")), (2, 2)),
    ("man holding himself, and a dog | man, dog", scene("man dog", himself), scene("man dog"), (1, 1)),
    ("man holding himself | man washing himself", scene("man", himself), scene("man", ("man", "washing", "man")), (0, 1)),
):
    found = nx.graph_edit_distance(one, two, **MATCH), nx.graph_edit_distance(two, one, **MATCH)
    print(f"{name}: networkx {found[0]:.0f}, and {found[1]:.0f} the other way; by definition {by_definition(one, two)}")
    assert found == (expected[0], expected[0]) and by_definition(one, two) == by_definition(two, one) == expected[1], found

paths, cost = nx.optimal_edit_paths(scene("man dog", himself), scene("man dog", dog), **MATCH)
print("edit path:", paths[0], "cost", cost)
assert paths[0][1] == [(("man", "man"), ("man", "dog"))] and cost == 0
assert not nx.is_isomorphic(scene("man dog", himself), scene("man dog", dog))
PY
