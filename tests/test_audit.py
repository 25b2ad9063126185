"""The audit's file has its keys, and the audit also runs without the sample's truth."""

import json

import pytest

from stages.audit import SETS
from stages.contract import tables
from stages.contract.files import write_json
from stages.evaluation import cleared
from stages.graphs.graph import SceneGraph
from tests.page.made import ranks_row
from tests.running import run_stage
from tests.suites.made import empty
from tests.world.scenes import scene, thing, truth_of
from tests.world.test_oracle import negative, query


def of(chance, **reached):
    return {"all": {"n": 9, "r1": 50.0, "r1_chance": chance}, "shortcuts": reached}


EVALUATION = {
    "model": {"name": "made", "family": "open_clip", "trained_on": None},
    "judged_by": None,
    "cleared": {"sys": {"atom": of(20.0, ngram=24.0, longer=21.0, best="ngram")}},
    "paper": {"prod": {"neg": of(16.667, negated=97.0, best="negated")}},
    "aro": {"relation": of(50.0, ngram=90.0, best="ngram")},
}


def test_the_best_shortcut_of_each_protocol():
    assert cleared.best(EVALUATION, SETS) == {
        "cleared": {"atom": {"chance": 20.0, "best": 24.0, "scorer": "ngram"}},
        "paper": {"neg": {"chance": 16.667, "best": 97.0, "scorer": "negated"}},
        "aro_relation": {"chance": 50.0, "best": 90.0, "scorer": "ngram"},
    }


def exchanged():
    """Yield ARO's cases of a red dog left of a blue cat: one relation's exchange is false, the other's is as true as its truth."""
    two = SceneGraph(("dog", "cat"), ((0, "red"), (1, "blue")))
    other = SceneGraph(("dog", "cat"), ((0, "blue"), (1, "red")))
    edit = negative("blue vs red", "red | blue", "dog") | {"caption": "the blue dog and the red cat"}
    yield query("VG-Attribution", ["dog"], [edit | other.columns()]) | two.columns() | {"protocol": None}
    for relation in ("left of", "near"):
        said, swapped = (SceneGraph(("dog", "cat"), (), (order,)) for order in ((0, relation, 1), (1, relation, 0)))
        edit = edit | {"caption": f"the cat is {relation} the dog", "edit": relation, "atom": "dog | cat"}
        yield query("VG-Relation", ["dog"], [edit | swapped.columns()]) | said.columns() | {"protocol": None}


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
            # HN-Neg's edit names what is denied: a colour here, although a thing was replaced.
            denied = wrong | {"edit": "attribute", "atom": "red | cow", "caption": "a cow that is not red"}
            queries.insert(0, query("HN-Neg", ["dog", "red"], [denied]) | {"truth": "a red dog", "query_id": "p"})
        both = [one | {"protocol": protocol} for protocol in ("paper", "cleared") for one in queries]
        tables.write("queries", tmp_path / f"{name}.parquet", both)
    captions = [empty("captions", subgraph_id=f"1-{n}-0", image_id=1, n=n, caption="a dog") for n in (4, 4, 5)]
    tables.write("captions", tmp_path / "captions.parquet", captions)
    tables.write("queries", tmp_path / "aro.parquet", [*exchanged()])
    write_json(tmp_path / "evaluate.json", EVALUATION)
    counts = [
        {"kind": kind, "atom": atom, "count": 1} for kind, atom in (("object", "cow"), ("object", "dog"), ("attribute", "red"))
    ]
    # A foil is compared with the seen atoms as split compares a region's atoms: "co-w" is a cow.
    hyphen = [counts[0] | {"atom": "co-w"}, *counts[1:]]
    for name, known in (("cc12m", counts), ("laion400m", hyphen), ("yfcc15m", counts[1:])):
        tables.write("seen_atoms", tmp_path / "seen" / name / "atoms.parquet", known)
    tables.write("ranks", tmp_path / "ranks.parquet", [ranks_row("sys", "atom", i) for i in range(9)])
    return (
        f"--atom {tmp_path}/atom.parquet --comp {tmp_path}/comp.parquet --prod {tmp_path}/prod.parquet "
        f"--captions {tmp_path}/captions.parquet "
        f"--evaluation {tmp_path}/evaluate.json --ranks {tmp_path}/ranks.parquet "
        f"--seen {tmp_path}/seen --aro {tmp_path}/aro.parquet --metrics {tmp_path}/audit.json"
    )


def test_with_and_without_the_truth(made, tmp_path):
    code, out, error = run_stage("audit", f"{made} --sample {tmp_path}/sample", tmp_path, {})
    assert code == 0, error
    found = json.loads((tmp_path / "audit.json").read_text())
    assert set(found["unseen"]) == {"paper", "cleared"} and set(found["unseen"]["cleared"]) == {"atom", "comp"}
    own = found["unseen"]["cleared"]["atom"]
    assert {training_set: of["share"] for training_set, of in own.items()} == {"cc12m": 0.0, "laion400m": 0.0, "yfcc15m": 1.0}
    assert {of["n"] for of in own.values()} == {1}, "the truth of the other names an unseen zebra"
    assert {of["share"] for of in found["unseen"]["cleared"]["comp"].values()} == {None}
    clear = {"unseen", "groups", "cells", "tests", "gaps", "slopes", "trained", "faults", "yields"}
    assert {"truly_false", "truths", "shortcuts", "grammar"} | clear == set(found)
    group = found["groups"]["cleared"]["atom"]["cc12m"]["SC"]
    assert (group["n"], group["scorer"]) == (3, "length") and found["groups"]["paper"] == {}
    assert set(found["gaps"]["cleared"]["atom"]["cc12m"]["length"]) == {"d", "df", "low", "high"}
    false = found["truly_false"]
    assert false["cleared"]["atom"]["share"] == 1.0 and false["paper"]["swap"]["n"] == 1
    assert {name: false[f"aro_{name}"]["share"] for name in ("relation", "attribution")} == {"relation": 0.5, "attribution": 1.0}
    assert set(false["aro_relation"]["by_edit"]) == {"spatial"}
    passed = found["grammar"]["cleared"]["atom"]
    assert passed["truths"]["share"] == 1.0 and passed["negatives"]["share"] == 0.0
    assert passed["faults"]["negatives"] == {"double_space": 2}
    swaps = found["yields"]["paper"]["swap"]
    assert swaps["n04"] == {"sets": 1, "captions": 2, "share": 0.5, "paper": 0.0179} and swaps["n05"]["sets"] == 0
    assert "50 50 / 2" in out and "does not hold" not in out
    code, _, error = run_stage("audit", made, tmp_path, {})
    assert code == 0, error
    assert "truly_false" not in json.loads((tmp_path / "audit.json").read_text())


def test_a_missing_table_is_said(made, tmp_path):
    (tmp_path / "captions.parquet").unlink()
    code, _, error = run_stage("audit", made, tmp_path, {})
    assert code == 1 and "captions.parquet" in error and not (tmp_path / "audit.json").exists()
