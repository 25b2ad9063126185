"""Tests of our own suites from the tables: which sets exist, and which must not."""

import sys

import pytest

from stages.contract import tables
from stages.contract.errors import InputError, ParameterError
from stages.graphs.graph import SceneGraph
from stages.negatives import systematicity
from stages.parameters import params
from stages.parameters.sections import Evaluate
from stages.suites import crepe
from tests.running import section, training_sets
from tests.suites.made import TRAINING_SETS, query, write_pipeline

CROP = {"image_id": 1, "x": 0, "y": 0, "width": 9, "height": 9}
GRAPH = SceneGraph(("dog", "mat"), (), ((0, "on", 1),))


def write(path, *rows):
    made = [
        query(name, kind, CROP, 4, truth, GRAPH, [f"{kind} {i}" for i in range(count)], ["x"] * count)
        for name, kind, truth, count in rows
    ]
    tables.write("queries", path, made)
    return path


def test_both_only_where_a_query_has_both(tmp_path):
    atom = write(tmp_path / "a.parquet", ("region-1", "HN-Atom", "a dog", 4), ("region-2", "HN-Atom", "a cat", 4))
    comp = write(tmp_path / "c.parquet", ("region-1", "HN-Comp", "a dog", 6))
    sets = {(s.query.query_id, s.name): s for s in crepe.systematicity(atom, comp)}
    assert set(sets) == {("region-1", "atom"), ("region-1", "comp"), ("region-1", "both"), ("region-2", "atom")}
    assert len(sets["region-1", "both"].texts) == 11
    assert sets["region-1", "both"].query == sets["region-1", "atom"].query
    assert sets["region-1", "atom"].query.compound == "object_relation_object"


def test_what_is_like_a_pair_of_compounds_has_both_their_kinds(tmp_path):
    """The text "A red dog and a cat on a mat" is not like "a dog on a bed and a cat on a mat", though both have a relation."""
    on, red = (0, "on", 1), (0, "red")
    compounds = []
    for attributes, relations in (((red,), (on,)), ((), (on, on))):
        row = query("region-1", "HN-Comp", CROP, 6, "x", SceneGraph(("dog", "mat"), attributes, relations), ["a"], ["x"])
        tables.write("queries", tmp_path / "c.parquet", [row])
        tables.write("queries", tmp_path / "a.parquet", [])
        compounds += [s.query.compound for s in crepe.systematicity(tmp_path / "a.parquet", tmp_path / "c.parquet")]
    assert compounds == ["attribute_object object_relation_object", "object_relation_object object_relation_object"]


def test_a_query_is_labelled_by_the_truth_that_its_set_asks(tmp_path):
    """HN-Comp's truth may have a second compound, which a training set that has seen the first may lack."""
    own = {"HN-Atom": "SC", "HN-Comp": "UC"}
    paths = []
    for kind, split in own.items():
        row = query("region-1", kind, CROP, 4, kind, GRAPH, ["a", "b"], ["x", "x"])
        row["splits"] = [{"training_set": "cc12m", "split": split, "min_atom_count": 3}]
        paths.append(tmp_path / f"{kind}.parquet")
        tables.write("queries", paths[-1], [row])
    assert {s.truth: s.query.splits["cc12m"].name for s in crepe.systematicity(*paths)} == own


def test_all_types_only_where_they_have_one_truth(tmp_path):
    """A set that combines a negated truth with others would have two true captions."""
    types = ("HN-Atom", "HN-Swap", "HN-Neg")
    rows = [("walk-1-4-0", kind, "a dog", 5) for kind in types]
    rows += [("walk-2-4-0", kind, "no dog" if kind == "HN-Neg" else "a dog", 5) for kind in types]
    sets = [s for s in crepe.productivity(write(tmp_path / "p.parquet", *rows)) if s.name == "all"]
    assert [(s.query.query_id, len(s.texts), s.query.n) for s in sets] == [("walk-1-4-0", 16, 4)]


def test_splits_of_nothing(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        crepe.read_splits([tmp_path / "nowhere.parquet"])


def test_raw_pairs_by_split_and_by_complexity(tmp_path):
    write_pipeline(tmp_path, [1, 2])
    splits = crepe.read_splits(training_sets(*TRAINING_SETS).tables(tmp_path / "splits"))
    pairs = list(crepe.raw_systematicity(tmp_path / "regions.parquet", splits["cc12m"]))
    assert len(pairs) == 6 and {pair.group for pair in pairs} <= {"SC", "UC", "UA"}
    assert {pair.group for pair in crepe.raw_productivity(tmp_path / "captions.parquet")} == {"n04", "n05", "n06"}


@pytest.mark.parametrize(
    ("asked", "own", "expected"),
    [("own", "cc12m", "cc12m"), ("yfcc15m", "cc12m", "yfcc15m"), ("none", None, None), ("yfcc15m", None, "yfcc15m")],
)
def test_judged_by(asked, own, expected):
    assert crepe.judged_by(section(Evaluate, training_set=asked, model="m"), own, ["cc12m", "yfcc15m"]) == expected


def test_splits_of_another_training_set_are_refused():
    with pytest.raises(ParameterError, match="m was trained on nobody says what"):
        crepe.judged_by(section(Evaluate, training_set="own", model="m"), None, ["cc12m", "yfcc15m"])


@pytest.mark.parametrize("name", ["region_facts", "scene_graphs", "splits of cc12m", "atoms that cc12m has seen"])
@pytest.mark.parametrize("kind", ["HN-Comp", "productivity", "ARO"])
def test_queries_of_different_versions_of_one_input_are_refused(kind, name, tmp_path):
    """HN-Atom's queries and another kind's have inputs that were made at different times."""
    paths = {}
    for table in ("HN-Atom", "HN-Comp", "productivity", "ARO"):
        paths[table] = tmp_path / f"{table}.parquet"
        tables.write("queries", paths[table], [], {name: "new" if table == kind else "old"})
    tables.write("regions", tmp_path / "regions.parquet", [])
    tables.write("captions", tmp_path / "captions.parquet", [])
    own = crepe.Tables(
        tmp_path / "regions.parquet",
        paths["HN-Atom"],
        paths["HN-Comp"],
        [],
        tmp_path / "captions.parquet",
        paths["productivity"],
    )
    with pytest.raises(InputError, match=f"were built from different versions of {name}, and do not belong together"):
        own.lineage([], paths["ARO"])


def test_systematicity_records_every_table_that_it_reads(tmp_path, monkeypatch):
    """As for productivity: regions, facts, graphs, splits, captions and what each training set has seen."""
    monkeypatch.setattr(params, "load", lambda _: training_sets("cc12m"))
    files = {"regions": "regions", "facts": "region_facts", "scene-graphs": "scene_graphs"}
    for option, name in files.items():
        tables.write(name, tmp_path / f"{option}.parquet", [])
    tables.write("splits", tmp_path / "splits" / "cc12m.parquet", [])
    tables.write("training_graphs", tmp_path / "captions" / "cc12m" / "graphs.parquet", [])
    for kind in ("atoms", "compounds"):
        tables.write(f"seen_{kind}", tmp_path / "seen" / "cc12m" / f"{kind}.parquet", [])
    options = [f"--{name}={tmp_path}/{name}.parquet" for name in files]
    options += [f"--{name}={tmp_path}/{name}" for name in ("splits", "seen", "captions")]
    options += [f"--{name}={tmp_path}/out/{name}" for name in ("queries", "candidates", "rejects", "metrics")]
    monkeypatch.setattr(sys, "argv", ["gen_hn_atom", *options])
    _, inputs = systematicity.command_line("Make queries.")
    seen = {f"{kind} that cc12m has seen" for kind in ("atoms", "compounds")}
    assert set(inputs.made_from) == {*files.values(), "splits of cc12m", "captions of cc12m", *seen}
