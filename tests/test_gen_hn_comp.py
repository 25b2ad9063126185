"""The stage: six pairs of compounds, each with one foil; balanced, a truth of two compounds."""

import pytest
from tests.foils import regions

from stages import gen_hn_atom, gen_hn_comp
from stages.contract import tables
from stages.graphs.graph import SceneGraph

ATOMS = 6 * regions.IMAGES


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return regions.write(tmp_path_factory.mktemp("comp"))


def run_both(inputs, out, monkeypatch, way):
    regions.run(gen_hn_atom, monkeypatch, regions.atom_arguments(inputs, out), way)
    return regions.run(gen_hn_comp, monkeypatch, regions.comp_arguments(inputs, out), way)


@pytest.mark.parametrize("way", ["paper", "balanced"])
def test_each_half_has_one_foil(inputs, tmp_path, monkeypatch, way):
    made = run_both(inputs, tmp_path, monkeypatch, way)
    metrics, sets = made["metrics"], [query for query in made["queries"] if query["type"] == "HN-Comp"]
    assert metrics["in"] == ATOMS == metrics["kept"] + sum(metrics["dropped"].values())
    assert metrics["kept"] == len(sets) > 0
    assert len(made["rejects"]) == ATOMS - len(sets)
    for query in sets:
        assert len({query["truth"], *(negative["caption"] for negative in query["negatives"])}) == 7
        true = SceneGraph.from_columns(query)
        for negative in query["negatives"]:
            graph = SceneGraph.from_columns(negative)
            assert negative["caption"].count(" and ") == 1 and len(negative["spans"]) == 2
            assert len(graph.components()) == 2 and set(graph.compounds()).isdisjoint(true.compounds())
            # The truth is built as its negatives are, where it is to be balanced.
            assert (graph.n == true.n) == (way == "balanced")


def test_a_label_is_that_of_the_whole_truth(inputs, tmp_path, monkeypatch):
    """Told anew from each truth's own graph and what was seen: "the table is red and the sea is blue" asks for two compounds."""
    made = run_both(inputs, tmp_path, monkeypatch, "balanced")
    atoms = {(row["kind"], row["atom"]): row["count"] for row in tables.read("seen_atoms", inputs / "seen/toy/atoms.parquet")}
    names = ("kind", "first", "second", "third")
    compounds = {tuple(row[name] for name in names) for row in tables.read("seen_compounds", inputs / "seen/toy/compounds.parquet")}
    told = []
    for query in made["queries"]:
        graph = SceneGraph.from_columns(query)
        counts = [atoms.get((atom.kind, atom.text), 0) for atom in graph.atoms()]
        unseen = {(kind, *parts, *[""] * (3 - len(parts))) for kind, parts in graph.compounds()} - compounds
        split = "UA" if not min(counts) else "UC" if unseen else "SC"
        assert query["splits"] == [{"training_set": "toy", "split": split, "min_atom_count": min(counts)}]
        told.append(split)
    assert {"SC", "UC"} <= set(told)
