"""The stage ``gen_hn_comp``: six pairs of compounds that split the truth's atoms; in ``cleared`` the truth is a pair as well."""

import pytest

from stages import gen_hn_comp
from stages.contract import tables
from stages.contract.schemas import CLEARED, PAPER
from stages.graphs.graph import SceneGraph
from tests.negatives import regions

ATOMS = 6 * regions.IMAGES


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return regions.write(tmp_path_factory.mktemp("comp"))


@pytest.fixture(scope="module")
def made(inputs, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patched:
        yield regions.run(gen_hn_comp, patched, regions.arguments(inputs, tmp_path_factory.mktemp("out")))


@pytest.mark.parametrize("protocol", [PAPER, CLEARED])
def test_each_compound_is_wrong_and_the_truth_is_built_as_its_negatives_are_in_cleared(made, protocol):
    valid = [row for row in made["candidates"] if row["protocol"] == protocol and row["reason"] is None]
    assert valid
    for row in valid:
        graph = SceneGraph.from_columns(row)
        assert row["truth"].count(" and ") == (protocol == CLEARED)
        assert row["caption"].count(" and ") == 1 and row["caption"] != row["truth"]
        assert len(list(graph.compounds())) == len(graph.components()) == 2


def test_paper_sets_have_seven_captions(made):
    sets = [query for query in made["queries"] if query["protocol"] == PAPER]
    assert sets
    for query in sets:
        assert len({query["truth"], *(negative["caption"] for negative in query["negatives"])}) == 7
        true = set(SceneGraph.from_columns(query).compounds())
        assert all(true.isdisjoint(SceneGraph.from_columns(negative).compounds()) for negative in query["negatives"])


def test_the_ledger_adds_up(made):
    metrics = made["metrics"]
    assert metrics["in"] == 2 * ATOMS == metrics["kept"] + sum(metrics["dropped"].values())
    assert metrics["kept"] == len(made["queries"]) and len(made["rejects"]) == metrics["in"] - metrics["kept"]


def test_candidates_name_their_truth(made):
    truths = {(query["protocol"], query["query_id"]): query["truth"] for query in made["queries"]}
    for key, truth in truths.items():
        assert truth in {row["truth"] for row in made["candidates"] if (row["protocol"], row["query_id"]) == key}


def test_a_label_is_that_of_the_whole_truth(inputs, made):
    """Counts by each truth's own graph give the same label: "the table is red and the sea is blue" needs two compounds."""
    atoms = {(row["kind"], row["atom"]): row["count"] for row in tables.read("seen_atoms", inputs / "seen/toy/atoms.parquet")}
    names = ("kind", "first", "second", "third")
    compounds = {tuple(row[name] for name in names) for row in tables.read("seen_compounds", inputs / "seen/toy/compounds.parquet")}
    found = set()
    for query in made["queries"]:
        graph = SceneGraph.from_columns(query)
        counts = [atoms.get((atom.kind, atom.text), 0) for atom in graph.atoms()]
        unseen = {(kind, *parts, *[""] * (3 - len(parts))) for kind, parts in graph.compounds()} - compounds
        split = "UA" if not min(counts) else "UC" if unseen else "SC"
        assert query["splits"] == [{"training_set": "toy", "split": split, "min_atom_count": min(counts)}]
        found.add(split)
    assert {"SC", "UC"} <= found
