"""Splits: UA if an atom is unseen, else UC if a compound is unseen, else SC (paper, section 3.2)."""

import csv
import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stages.contract import tables
from stages.contract.duck import database
from stages.contract.errors import InputError
from stages.graphs.graph import SceneGraph
from stages.negatives.splits import split
from stages.split import figures
from tests.running import run_stage

RED_BUS = SceneGraph(("bus",), ((0, "red"),))
MAN_BUS = SceneGraph(("man", "bus"), (), ((0, "on", 1),))
BUS_MAN = SceneGraph(("bus", "man"), (), ((0, "on", 1),))
ATOMS = [("attribute", "red", 4), ("object", "bus", 9), ("object", "man", 3), ("relation", "on", 7)]
COMPOUNDS = [("attribute_object", "red", "bus", "", 2), ("object_relation_object", "man", "on", "bus", 1)]


def region(region_id: int, graph: SceneGraph) -> dict:
    return {
        **{"region_id": region_id, "position": region_id, "image_id": region_id // 2, "phrase": "", "caption": ""},
        **{"x": 0, "y": 0, "width": 300, "height": 300, "image_width": 800, "image_height": 600},
        **graph.columns(),
        **{f"{kind}_spans": [] for kind in ("object", "attribute", "relation")},
    }


def write(folder, graphs, atoms=ATOMS, compounds=COMPOUNDS):
    tables.write("regions", folder / "regions.parquet", [region(i, graph) for i, graph in enumerate(graphs)])
    names = ("kind", "atom", "count")
    tables.write("seen_atoms", folder / "atoms.parquet", [dict(zip(names, atom, strict=True)) for atom in atoms])
    names = ("kind", "first", "second", "third", "count")
    tables.write("seen_compounds", folder / "compounds.parquet", [dict(zip(names, c, strict=True)) for c in compounds])
    return folder / "regions.parquet", folder / "atoms.parquet", folder / "compounds.parquet"


def splits(folder, graphs, least=1, **seen):
    paths = write(folder, graphs, **seen)
    with database("200MB", 1, folder / "spill") as db:
        split(db, *paths, least)
        return db.sql("FROM splits ORDER BY region_id").to_arrow_table().to_pylist(), figures(db, 100)


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (RED_BUS, "SC"),
        (MAN_BUS, "SC"),
        (BUS_MAN, "UC"),
        (SceneGraph(("man",), ((0, "red"),)), "UC"),
        (SceneGraph(("bus", "man"), ((0, "red"), (1, "red")), ()), "UC"),
        (SceneGraph(("car",), ((0, "red"),)), "UA"),
        (SceneGraph(("bus",), ((0, "on"),)), "UA"),
        (SceneGraph(("man", "bus"), (), ((0, "under", 1),)), "UA"),
        (SceneGraph(("man", "red"), (), ((0, "on", 1),)), "UA"),
    ],
)
def test_a_region_is_in_the_split_of_what_was_seen(graph, expected, tmp_path):
    """An atom counts with its kind: "red" is seen as an attribute but not as an object."""
    ((row,), _) = splits(tmp_path, [graph])
    assert row["split"] == expected


def test_what_is_unseen_is_named(tmp_path):
    graph = SceneGraph(("car", "bus", "man"), ((0, "red"), (2, "red")), ((2, "on", 1), (2, "under", 0)))
    ((row,), _) = splits(tmp_path, [graph])
    assert row["unseen_atoms"] == ["car", "under"]
    assert row["unseen_compounds"] == ["red | car", "red | man", "man | under | car"]
    assert (row["n_compounds"], row["min_atom_count"]) == (4, 0)


@pytest.mark.parametrize(
    ("name", "other"), [("cell phone", "cellphone"), ("tshirt", "t-shirt"), ("t shirt", "t-shirt"), ("t-shirt", "t shirt")]
)
def test_a_name_is_one_word_with_a_space_a_hyphen_or_neither(name, other, tmp_path):
    """This holds for an attribute's object and for a relation's object."""
    atoms = [*ATOMS, ("object", other, 2)]
    compounds = [("attribute_object", "red", other, "", 1), ("object_relation_object", "man", "on", other, 1)]
    graphs = [
        SceneGraph((name,), ((0, "red"),)),
        SceneGraph(("man", name), (), ((0, "on", 1),)),
        SceneGraph((name, "x"), ((0, "red"),)),
    ]
    rows, _ = splits(tmp_path, graphs, atoms=atoms, compounds=compounds)
    assert [(row["split"], row["unseen_atoms"]) for row in rows] == [("SC", []), ("SC", []), ("UA", ["x"])]
    assert [row["min_atom_count"] for row in rows] == [2, 2, 0]


def test_attributes_and_relations_are_written_in_several_ways_too(tmp_path):
    atoms = [("attribute", "black and-white", 2), ("object", "bus", 2), ("object", "man", 3), ("relation", "nextto", 2)]
    compounds = [("attribute_object", "black and-white", "bus", "", 1), ("object_relation_object", "man", "nextto", "bus", 1)]
    graph = SceneGraph(("bus", "man"), ((0, "black-and-white"),), ((1, "next to", 0),))
    assert splits(tmp_path, [graph], atoms=atoms, compounds=compounds)[0][0]["split"] == "SC"


@pytest.mark.parametrize(("least", "expected"), [(5, "SC"), (6, "UC"), (9, "UC"), (10, "UA")])
def test_all_spellings_count_together(least, expected, tmp_path):
    """Five captions call a t-shirt red, three of them with a hyphen; nine mention one."""
    spelled = (("t-shirt", 3), ("t shirt", 1), ("tshirt", 1))
    atoms = [("attribute", "red", 20), *(("object", name, n + (4 if n == 3 else 0)) for name, n in spelled)]
    compounds = [("attribute_object", "red", name, "", n) for name, n in spelled]
    rows, _ = splits(tmp_path, [SceneGraph((name,), ((0, "red"),)) for name, _ in spelled], least, atoms=atoms, compounds=compounds)
    assert [(row["split"], row["min_atom_count"]) for row in rows] == [(expected, 9)] * 3


def test_the_rarest_atom_is_counted(tmp_path):
    (rows, _) = splits(tmp_path, [RED_BUS, MAN_BUS])
    assert [row["min_atom_count"] for row in rows] == [4, 3]


@pytest.mark.parametrize(("least", "expected"), [(2, "SC"), (3, "UC"), (4, "UC"), (5, "UA")])
def test_the_least_count_is_included(least, expected, tmp_path):
    ((row,), _) = splits(tmp_path, [RED_BUS], least)
    assert row["split"] == expected


def test_what_is_too_rare_to_count_as_seen_is_still_counted(tmp_path):
    ((row,), found) = splits(tmp_path, [RED_BUS], 5)
    assert (row["split"], row["unseen_atoms"], row["min_atom_count"]) == ("UA", ["red"], 4)
    assert (found["UA"]["atoms_seen"], found["UA"]["compounds_seen"]) == (1, 0)


def test_table_eight_counts_each_atom_and_compound_of_a_split_once(tmp_path):
    _, found = splits(tmp_path, [RED_BUS, RED_BUS, BUS_MAN, SceneGraph(("car", "bus"), ((0, "red"),), ((0, "on", 1),))])
    assert found["SC"] == {"pairs": 2, "images": 1, "atoms": 2, "atoms_seen": 2, "compounds": 1, "compounds_seen": 1}
    assert found["UC"] == {"pairs": 1, "images": 1, "atoms": 3, "atoms_seen": 3, "compounds": 1, "compounds_seen": 0}
    assert found["UA"] == {"pairs": 1, "images": 1, "atoms": 4, "atoms_seen": 3, "compounds": 2, "compounds_seen": 0}


def test_the_figures_of_one_compound_leave_the_others_out(tmp_path):
    paths = write(tmp_path, [RED_BUS, SceneGraph(("bus", "man"), ((0, "red"),), ((1, "on", 0),))])
    with database("200MB", 1, tmp_path / "spill") as db:
        split(db, *paths, 1)
        assert (figures(db, 1)["SC"]["pairs"], figures(db, 2)["SC"]["pairs"]) == (1, 2)


NAMES = st.sampled_from(["a b", "a-b", "ab", "b", "c"])
GRAPHS = st.builds(
    lambda names, attributes, relations: SceneGraph(
        tuple(names),
        tuple((i % len(names), a) for i, a in attributes),
        tuple((i % len(names), r, j % len(names)) for i, r, j in relations),
    ),
    st.lists(NAMES, min_size=1, max_size=3),
    st.lists(st.tuples(st.integers(0, 9), NAMES), max_size=2),
    st.lists(st.tuples(st.integers(0, 9), NAMES, st.integers(0, 9)), max_size=2),
)


def plain(named):
    """Return the names without spaces and hyphens."""
    return {tuple(name.replace(" ", "").replace("-", "") for name in each) for each in named}


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(GRAPHS, min_size=1, max_size=6), st.lists(GRAPHS, max_size=6))
def test_splits_are_the_definition(tmp_path, tested, trained):
    atoms = {(atom.kind, atom.text) for graph in trained for atom in graph.atoms()}
    compounds = {compound for graph in trained for compound in graph.compounds()}
    seen = {
        "atoms": [(*atom, 1) for atom in sorted(atoms)],
        "compounds": [(kind, *parts, *[""] * (3 - len(parts)), 1) for kind, parts in sorted(compounds)],
    }
    rows, found = splits(tmp_path, tested, **seen)
    expected = []
    for graph in tested:
        unseen_atom = plain((atom.kind, atom.text) for atom in graph.atoms()) - plain(atoms)
        unseen_compound = plain((kind, *parts) for kind, parts in graph.compounds()) - plain((kind, *c) for kind, c in compounds)
        expected.append("UA" if unseen_atom else "UC" if unseen_compound else "SC")
    assert [row["split"] for row in rows] == expected
    assert {name: row["pairs"] for name, row in found.items()} == {name: expected.count(name) for name in ("SC", "UC", "UA")}


def test_a_missing_table_stops_before_any_output(tmp_path):
    paths = write(tmp_path, [RED_BUS])
    paths[2].unlink()
    with database("200MB", 1, tmp_path) as db, pytest.raises(InputError, match=r"compounds\.parquet.*Remedy"):
        split(db, *paths, 1)


def test_the_stage(tmp_path):
    write(tmp_path, [RED_BUS, BUS_MAN, SceneGraph(("car",), ((0, "red"),)), MAN_BUS])
    inputs = "--regions regions.parquet --atoms atoms.parquet --compounds compounds.parquet"
    arguments = f"{inputs} --out out.parquet --metrics m.json --plot p.csv"
    status, out, err = run_stage("split", arguments, tmp_path, {})
    assert (status, out) == (0, "split: 2 SC, 1 UC, 1 UA\n"), err
    figures = json.loads((tmp_path / "m.json").read_text())
    assert (figures["in"], figures["kept"], figures["dropped"]) == (4, 4, {})
    assert figures["one_compound"] == figures["splits"]
    assert [row["split"] for row in tables.read("splits", tmp_path / "out.parquet")] == ["SC", "UC", "UA", "SC"]
    with (tmp_path / "p.csv").open() as file:
        plot = list(csv.DictReader(file))
    assert Counter(row["split"] for row in plot) == {"SC": 4, "UC": 3, "UA": 2}
    bus = {(row["split"], row["training_count"], row["test_count"]) for row in plot if row["atom"] == "bus"}
    assert bus == {("SC", "9", "2"), ("UC", "9", "1")}
