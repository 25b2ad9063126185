"""The audit's file: its keys, and that it does without the sample's truth."""

import json

import pytest

from stages.audit import blind, kept
from stages.contract import tables
from stages.contract.files import write_json
from stages.graphs.graph import SceneGraph
from tests.page.made import ranks_row
from tests.running import run_stage
from tests.world.scenes import scene, thing, truth_of
from tests.world.test_oracle import negative, query

EVALUATION = {
    "sys": {"atom": {"all": {"r1_chance": 20.0}, "blind": {"ngram": 24.0, "longer": 21.0, "best": "ngram", "gain": {}}}},
    "prod": {"neg": {"all": {"r1_chance": 16.667}, "blind": {"negated": 17.0, "best": "negated", "gain": {}}}},
}
PROD = {"kept_share": {"HN-Atom": 0.5, "HN-Swap": 0.25, "HN-Neg": 0.125}}


def test_blind_and_kept():
    assert blind(EVALUATION) == {
        "atom": {"chance": 20.0, "best": 24.0, "scorer": "ngram"},
        "neg": {"chance": 16.667, "best": 17.0, "scorer": "negated"},
    }
    found = kept({"kept_share": 0.9}, {"kept_share": 0.8}, PROD)
    assert found == {"atom": 0.9, "comp": 0.8, "atom_prod": 0.5, "swap": 0.25, "neg": 0.125}


def exchanged():
    """ARO's cases of a red dog left of a blue cat: one exchange is false, one is as true as its truth."""
    two = SceneGraph(("dog", "cat"), ((0, "red"), (1, "blue")))
    other = SceneGraph(("dog", "cat"), ((0, "blue"), (1, "red")))
    edit = {"caption": "the blue dog and the red cat", "edit": "blue vs red", "atom": "red | blue", "foil": None, "spans": []}
    yield query("VG-Attribution", ["dog"], [edit | other.columns() | {"plausibility": None}]) | two.columns()
    for relation in ("left of", "near"):
        said, swapped = (SceneGraph(("dog", "cat"), (), (order,)) for order in ((0, relation, 1), (1, relation, 0)))
        edit = edit | {"caption": f"the cat is {relation} the dog", "edit": relation, "atom": "dog | cat"}
        yield query("VG-Relation", ["dog"], [edit | swapped.columns() | {"plausibility": None}]) | said.columns()


@pytest.fixture
def made(tmp_path):
    sample = tmp_path / "sample"
    sample.mkdir()
    tables.write(
        "truth",
        sample / "truth.parquet",
        [truth_of(scene([thing("dog", (0, 0, 400, 300), "red"), thing("cat", (450, 0, 700, 300), "blue")]))],
    )
    wrong = negative("object", "dog", "cow") | {"caption": "a red  cow", "foil": "cow"}
    for name, kind in (("atom", "HN-Atom"), ("comp", "HN-Comp"), ("prod", "HN-Swap")):
        queries = [query(kind, ["dog", "red"], [wrong]) | {"truth": "a red dog"}]
        if name != "prod":
            zebra = query(kind, ["zebra"], [wrong]) | {"truth": "a zebra", "query_id": "z"}
            queries = [*(queries if name == "atom" else []), zebra]
        else:
            queries[0]["negatives"] = [wrong | {"edit": "object_exchanged"}]
            # HN-Neg's edit says what is denied: a colour, where a thing was replaced.
            denied = wrong | {"edit": "attribute", "atom": "red | cow", "caption": "a cow that is not red"}
            queries.insert(0, query("HN-Neg", ["dog", "red"], [denied]) | {"truth": "a red dog", "query_id": "p"})
        tables.write("queries", tmp_path / f"{name}.parquet", queries)
    tables.write("queries", tmp_path / "aro.parquet", [*exchanged()])
    for name, content in (("l1", {"kept_share": 1.0}), ("l2", {"kept_share": 1.0}), ("l3", PROD), ("evaluate", EVALUATION)):
        write_json(tmp_path / f"{name}.json", content)
    counts = [
        {"kind": kind, "atom": atom, "count": 1} for kind, atom in (("object", "cow"), ("object", "dog"), ("attribute", "red"))
    ]
    # The foil is told from the seen atoms as split tells a region's: "co-w" is a cow.
    hyphen = [counts[0] | {"atom": "co-w"}, *counts[1:]]
    for name, known in (("cc12m", counts), ("laion400m", hyphen), ("yfcc15m", counts[1:])):
        tables.write("seen_atoms", tmp_path / "seen" / name / "atoms.parquet", known)
    tables.write("ranks", tmp_path / "ranks.parquet", [ranks_row("sys", "atom", i) for i in range(9)])
    return (
        f"--atom {tmp_path}/atom.parquet --comp {tmp_path}/comp.parquet --prod {tmp_path}/prod.parquet "
        f"--atom-ledger {tmp_path}/l1.json "
        f"--comp-ledger {tmp_path}/l2.json --prod-ledger {tmp_path}/l3.json "
        f"--evaluation {tmp_path}/evaluate.json --ranks {tmp_path}/ranks.parquet "
        f"--seen {tmp_path}/seen --aro {tmp_path}/aro.parquet --metrics {tmp_path}/audit.json"
    )


def test_with_and_without_the_truth(made, tmp_path):
    code, _, error = run_stage("audit", f"{made} --sample {tmp_path}/sample", tmp_path, {})
    assert code == 0, error
    found = json.loads((tmp_path / "audit.json").read_text())
    assert set(found["unseen"]) == {"atom", "comp", "swap"}
    for name in ("atom", "swap"):
        assert {training_set: of["share"] for training_set, of in found["unseen"][name].items()} == {
            "cc12m": 0.0, "laion400m": 0.0, "yfcc15m": 1.0
        }  # fmt: skip
        assert {of["n"] for of in found["unseen"][name].values()} == {1}, "the truth of the other names an unseen zebra"
    assert {of["share"] for of in found["unseen"]["comp"].values()} == {None}
    clear = {"unseen", "groups", "gaps", "slopes", "trained", "faults"}
    assert {"truly_false", "truths", "blind", "kept", "grammar"} | clear == set(found)
    assert found["groups"]["atom"]["cc12m"]["SC"]["n"] == 3 and found["groups"]["atom"]["cc12m"]["SC"]["scorer"] == "length"
    assert set(found["gaps"]["atom"]["cc12m"]["length"]) == {"d", "df", "low", "high"}
    assert found["truly_false"]["atom"]["share"] == 1.0 and found["truly_false"]["swap"]["n"] == 1
    assert {name: found["truly_false"][f"aro_{name}"]["share"] for name in ("relation", "attribution")} == {
        "relation": 0.5, "attribution": 1.0
    }  # fmt: skip
    assert set(found["truly_false"]["aro_relation"]["by_edit"]) == {"spatial"}
    assert found["grammar"]["atom"]["truths"]["share"] == 1.0 and found["grammar"]["atom"]["negatives"]["share"] == 0.0
    assert found["grammar"]["atom"]["faults"]["negatives"] == {"double_space": 2}
    code, _, error = run_stage("audit", made, tmp_path, {})
    assert code == 0, error
    assert "truly_false" not in json.loads((tmp_path / "audit.json").read_text())


def test_a_missing_ledger_is_said(made, tmp_path):
    (tmp_path / "l3.json").unlink()
    code, _, error = run_stage("audit", made, tmp_path, {})
    assert code == 1 and "l3.json" in error and not (tmp_path / "audit.json").exists()
