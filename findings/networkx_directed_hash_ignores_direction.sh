#!/usr/bin/env bash
# networkx 3.6.1: with edge_attr, the Weisfeiler-Lehman hash of a directed graph does not see which way its edges point.
#
# Since 3.5, weisfeiler_lehman_graph_hash tracks the edges into and out of a node separately: its documentation and a warning of
# each call say so. That holds without edge_attr. With edge_attr, the marks that keep the two apart are left out. So
#   1. "a man holding a dog" and "a dog holding a man", as scene graphs of names and predicates, have one hash: a set of captions
#      with subject and object swapped looks like a set of duplicates. 3.4.2 gives two hashes;
#   2. so has a larger graph with such a pair swapped that has no further edges, and one in which each object is only a subject or
#      only an object when all its edges are turned round. weisfeiler_lehman_subgraph_hashes does the same;
#   3. leaving edge_attr out, which looks like the weaker call, tells the two apart.
# The same names in the places of nodes tell more: make each edge a node of its own, with its predicate as its name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/hashes.py" <<'PY'
import json
import sys
import warnings

import networkx as nx

warnings.simplefilter("ignore")


def scene(*triples: tuple[str, str, str], predicates_are_nodes: bool = False) -> nx.DiGraph:
    graph = nx.DiGraph()
    for subject, predicate, object_ in triples:
        graph.add_node(subject, name=subject)
        graph.add_node(object_, name=object_)
        if predicates_are_nodes:
            edge = (subject, predicate, object_)
            graph.add_node(edge, name=predicate)
            graph.add_edges_from([(subject, edge), (edge, object_)])
        else:
            graph.add_edge(subject, object_, predicate=predicate)
    return graph


def same(one: nx.DiGraph, two: nx.DiGraph, edge_attr: str | None) -> bool:
    first, second = (
        nx.weisfeiler_lehman_graph_hash(graph, node_attr="name", edge_attr=edge_attr, iterations=5) for graph in (one, two)
    )
    return first == second


holding, held = ("man", "holding", "dog"), ("dog", "holding", "man")
rest = (("cat", "on", "mat"), ("bird", "above", "mat"), ("cup", "on", "table"))
many = scene(("man", "riding", "horse"), ("dog", "behind", "horse"), ("man", "in front of", "house"))
subgraphs = [
    nx.weisfeiler_lehman_subgraph_hashes(scene(triple), node_attr="name", edge_attr="predicate") for triple in (holding, held)
]
found = {
    "pair": same(scene(holding), scene(held), "predicate"),
    "pair in a scene": same(scene(holding, *rest), scene(held, *rest), "predicate"),
    "all edges turned": same(many, many.reverse(), "predicate"),
    "subgraphs": subgraphs[0] == subgraphs[1],
    "pair, no edge_attr": same(scene(holding), scene(held), None),
    "pair, predicates are nodes": same(
        scene(holding, predicates_are_nodes=True), scene(held, predicates_are_nodes=True), None
    ),
    "isomorphic": nx.is_isomorphic(
        scene(holding), scene(held), node_match=lambda a, b: a == b, edge_match=lambda a, b: a == b
    ),
}
json.dump(found, sys.stdout)
PY
for version in 3.4.2 3.6.1; do
    python3 -m venv "$folder/$version"
    "$folder/$version/bin/pip" install --quiet --disable-pip-version-check "networkx==$version"
    "$folder/$version/bin/python" "$folder/hashes.py" > "$folder/$version.json"
    echo "networkx $version, equal hashes: $(cat "$folder/$version.json")"
done
python3 - "$folder" <<'PY'
import json
import sys
from pathlib import Path

old, new = (json.loads((Path(sys.argv[1]) / f"{version}.json").read_text()) for version in ("3.4.2", "3.6.1"))
swapped = {"pair", "pair in a scene", "all edges turned", "subgraphs"}
assert {key for key, equal in new.items() if equal} == swapped, new
assert not any(old[key] for key in ("pair", "pair in a scene", "all edges turned")), old
print("as described")
PY
