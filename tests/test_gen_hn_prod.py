"""The stage ``gen_hn_prod``: five negatives in both protocols, truths that deny, a ledger, and the same bytes for any piece."""

import json
import random
from argparse import Namespace
from pathlib import Path

import pytest

from stages import gen_hn_prod
from stages.contract import tables
from stages.contract.schemas import CLEARED, PAPER
from stages.graphs.graph import SceneGraph
from stages.selection import cleared
from tests.models.tiny_transformers import classifier
from tests.negatives.captions import caption_row
from tests.negatives.regions import FOILS as SETTINGS
from tests.negatives.regions import scene_graph, write_training
from tests.running import loading, training_sets

GRAPHS = [
    SceneGraph(
        ("cup", "table", "dog", "box"),
        ((0, "red"), (1, "wooden"), (2, "black"), (3, "large")),
        ((0, "on", 1), (2, "under", 1), (3, "behind", 2)),
    ),
    SceneGraph(
        ("man", "hat", "bench", "cat"), ((1, "blue"), (2, "white"), (3, "black")), ((0, "wear", 1), (0, "sit on", 2), (3, "on", 2))
    ),
    SceneGraph(("car", "road"), ((0, "red"), (1, "wet")), ((0, "on", 1),)),
    SceneGraph(("bird", "sky"), (), ()),
]
FOILS = {
    "object": [
        *("horse", "lamp", "bottle", "bench", "bag", "clock", "sheep", "bus", "spoon", "zebra", "couch", "bicycle", "kite"),
        *("cat", "dog", "horse", "table", "chair", "bed", "bowl", "cup"),
        *("bottle", "hat", "coat", "box", "truck", "car", "basket", "woman"),
    ],
    "attribute": [
        *("red", "blue", "green", "black", "white", "yellow", "small"),
        *("large", "metal", "plastic", "wooden", "dry", "wet", "purple"),
    ],
    "relation": ["on", "under", "behind", "in front of", "above", "sit on", "stand on", "lie on", "wear", "hold", "in", "next to"],
}
SECTIONS = {
    "foils": SETTINGS | {"piece": 2, "rejects_per_set": 3},
    "gen_hn_prod": {"negatives": 5, "entailment": {"model": "none", "threshold": 0.5, "batch_tokens": 500, "device": "cpu"}},
    "cleared": {"margin": 0.01, "below": 0.03, "far_price": 0.05, "kinds": 1.0, "seed": 0},
    "run": {"workers": 1, "memory": "500MB"},
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return write(tmp_path_factory.mktemp("prod"), GRAPHS)


def others(graph, n):
    """Yield graphs of the same form with other words, since among few candidates few lack a shortcut."""
    rng = random.Random(0)
    for _ in range(n):
        attributes = rng.sample(FOILS["attribute"], len(graph.attributes))
        told = tuple((o, attribute) for (o, _), attribute in zip(graph.attributes, attributes, strict=True))
        yield SceneGraph(tuple(rng.sample(FOILS["object"], len(graph.objects))), told, graph.relations)


def write(folder, graphs_of_images, more=()):
    """Write the inputs, for images that show the things ``more`` in addition to what their captions mention."""
    rows = [caption_row(graph, f"{i + 1}-{graph.n}-0", i + 1) for i, graph in enumerate(graphs_of_images)]
    tables.write("captions", folder / "captions", rows)
    shown = [SceneGraph((*graph.objects, *more), graph.attributes, graph.relations) for graph in graphs_of_images]
    graphs = [scene_graph(i + 1, graph) for i, graph in enumerate(shown)]
    tables.write("scene_graphs", folder / "scene_graphs", graphs)
    tables.write("region_facts", folder / "facts", [])
    places = ("on", "table"), ("behind", "dog")
    said = [f"a {a} {o} {r} a {p}" for a in FOILS["attribute"] for o in FOILS["object"] for r, p in places]
    write_training(folder, FOILS, said)
    return folder


def run_stage(inputs: Path, out: Path, monkeypatch, piece=2, entailment="none"):
    sections = json.loads(json.dumps(SECTIONS))
    sections["foils"] |= {"piece": piece}
    sections["gen_hn_prod"]["entailment"]["model"] = entailment
    monkeypatch.setattr(gen_hn_prod.params, "load", loading(**sections, training_sets=training_sets("toy")))
    monkeypatch.setattr(cleared, "MIN_QUERIES", 1000)  # so few captions cannot be balanced
    monkeypatch.setattr(cleared, "STEPS", 2)  # and without bounds all steps are alike
    out.mkdir(exist_ok=True)
    given = {"captions": "captions", "facts": "facts", "scene-graphs": "scene_graphs", "training-captions": "training"}
    arguments = [x for option, name in given.items() for x in (f"--{option}", str(inputs / name))]
    arguments += [x for option in ("queries", "candidates", "rejects", "metrics") for x in (f"--{option}", str(out / option))]
    monkeypatch.setattr("sys.argv", ["gen_hn_prod", *arguments])
    gen_hn_prod.main()
    found = {name: list(tables.read(name, out / name)) for name in ("queries", "candidates", "rejects")}
    return Namespace(**found, metrics=json.loads((out / "metrics").read_text()))


def test_paper_sets_of_the_plain_caption(inputs, tmp_path, monkeypatch):
    made = run_stage(inputs, tmp_path, monkeypatch)
    own = [query for query in made.queries if query["protocol"] == PAPER]
    assert {("walk-1-11-0", kind) for kind in ("HN-Atom", "HN-Swap", "HN-Neg")} <= {(q["query_id"], q["type"]) for q in own}
    captions = {f"walk-{row['subgraph_id']}": row["caption"] for row in tables.read("captions", inputs / "captions")}
    for query in own:
        assert len(query["negatives"]) == 5 and query["denied"] is None
        assert query["truth"] == captions[query["query_id"]]
        assert len({query["truth"].lower(), *(negative["caption"].lower() for negative in query["negatives"])}) == 6
        assert all(negative["plausibility"] is not None for negative in query["negatives"])
    metrics = made.metrics
    assert metrics["in"] == 2 * 3 * len(GRAPHS) == metrics["kept"] + sum(metrics["dropped"].values())
    assert metrics["kept"] == len(made.queries) == sum(of["kept"] for own in metrics["sets"].values() for of in own.values())
    assert len(made.rejects) == sum(metrics["dropped"].values())
    assert {"fewer_than_5", "nothing_to_deny"} <= {reject["reason"] for reject in made.rejects}
    assert any(row["reason"] for row in made.candidates)


def test_cleared_denials_differ_in_the_denied_thing_alone(tmp_path, monkeypatch):
    """Each crop shows more than its caption mentions."""
    inputs = write(tmp_path, list(others(GRAPHS[0], 12)), more=("horse", "lamp", "bottle", "bench", "bag", "clock"))
    made = run_stage(inputs, tmp_path / "out", monkeypatch)
    denying = [r for r in made.candidates if (r["type"], r["protocol"], r["reason"]) == ("HN-Neg", CLEARED, None)]
    assert denying
    for row in denying:
        before, _, denied = row["truth"].rpartition(" no ")
        assert row["caption"].startswith(f"{before} no {row['atom']} in sight") and row["atom"] != denied.split(" in sight")[0]


def test_the_same_bytes_however_the_work_is_shared_out(inputs, tmp_path, monkeypatch):
    """``test_end_to_end.py`` checks the same for several processes."""
    run_stage(inputs, tmp_path / "1", monkeypatch, piece=1)
    run_stage(inputs, tmp_path / "100", monkeypatch, piece=100)
    for name in ("queries", "candidates", "rejects", "metrics"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "100" / name).read_bytes()


def test_swaps_that_the_truth_entails_are_dropped(inputs, tmp_path, monkeypatch):
    # One label only: everything is entailed.
    everything = classifier(tmp_path / "nli", ["ENTAILMENT"])
    made = run_stage(inputs, tmp_path / "out", monkeypatch, entailment=everything)
    assert "HN-Swap" not in {query["type"] for query in made.queries}
    assert {row["reason"] for row in made.candidates if row["type"] == "HN-Swap"} >= {"entailed"}
    assert made.metrics["refused"]["paper HN-Swap entailed"] > 0
