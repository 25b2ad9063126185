"""The stage: sets of five in either way, truths that deny, a ledger that adds up, and the same bytes however it is shared out."""

import json
import random
from argparse import Namespace
from pathlib import Path

import pytest

from stages import gen_hn_prod
from stages.contract import tables
from stages.graphs.graph import SceneGraph
from stages.selection import cleared
from stages.wording.tokens import words
from tests.foils.captions import caption_row
from tests.foils.regions import ANY, scene_graph, write_training
from tests.models.tiny_transformers import classifier
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
    "foils": {
        "selection": "paper", "seed": 0, "min_training_count": 1, "min_zipf": 0.0, "seen_by": "every", "piece": 2,
        "sense": {"floor": 0.0, "acceptable": ANY, "max_compounds": 1000},
        "plausibility": {"model": "ngram", "max_captions": 1000, "batch_tokens": 100, "device": "cpu"},
    },
    "cleared": {"margin": 0.01, "below": 0.03, "far_price": 0.05, "kinds": 1.0, "seed": 0},
    "gen_hn_prod": {
        "negatives": 5, "max_foils": 60, "rejects_per_set": 3,
        "entailment": {"model": "none", "threshold": 0.5, "batch_tokens": 500, "device": "cpu"},
    },
    "run": {"workers": 1, "memory": "500MB"},
}  # fmt: skip


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return write(tmp_path_factory.mktemp("prod"), GRAPHS)


def like(graph, n):
    """Graphs of the same form with other words: few sets out of many are in balance."""
    rng = random.Random(0)
    for _ in range(n):
        attributes = rng.sample(FOILS["attribute"], len(graph.attributes))
        told = tuple((o, attribute) for (o, _), attribute in zip(graph.attributes, attributes, strict=True))
        yield SceneGraph(tuple(rng.sample(FOILS["object"], len(graph.objects))), told, graph.relations)


def write(folder, graphs_of_images):
    rows = [caption_row(graph, f"{i + 1}-{graph.n}-0", i + 1) for i, graph in enumerate(graphs_of_images)]
    tables.write("captions", folder / "captions", rows)
    graphs = [scene_graph(i + 1, graph) for i, graph in enumerate(graphs_of_images)]
    tables.write("scene_graphs", folder / "scene_graphs", graphs)
    tables.write("region_facts", folder / "facts", [])
    places = ("on", "table"), ("behind", "dog")
    said = [f"a {a} {o} {r} a {p}" for a in FOILS["attribute"] for o in FOILS["object"] for r, p in places]
    write_training(folder, FOILS, said)
    return folder


def run_stage(inputs: Path, out: Path, monkeypatch, way="paper", piece=2, entailment="none"):
    sections = json.loads(json.dumps(SECTIONS))
    sections["foils"] |= {"selection": way, "piece": piece}
    sections["gen_hn_prod"]["entailment"]["model"] = entailment
    monkeypatch.setattr(gen_hn_prod.params, "load", loading(**sections, training_sets=training_sets("toy")))
    monkeypatch.setattr(cleared, "LEAST", 1000)  # so few captions cannot be even
    out.mkdir(exist_ok=True)
    given = {"captions": "captions", "facts": "facts", "scene-graphs": "scene_graphs", "training-captions": "training"}
    arguments = [x for option, name in given.items() for x in (f"--{option}", str(inputs / name))]
    arguments += [x for option in ("queries", "candidates", "rejects", "metrics") for x in (f"--{option}", str(out / option))]
    monkeypatch.setattr("sys.argv", ["gen_hn_prod", *arguments])
    gen_hn_prod.main()
    found = {name: list(tables.read(name, out / name)) for name in ("queries", "candidates", "rejects")}
    return Namespace(**found, metrics=json.loads((out / "metrics").read_text()))


def test_the_papers_way(inputs, tmp_path, monkeypatch):
    made = run_stage(inputs, tmp_path, monkeypatch)
    sets = {(query["query_id"], query["type"]): query for query in made.queries}
    assert {("walk-1-11-0", kind) for kind in ("HN-Atom", "HN-Swap", "HN-Neg")} <= set(sets)
    captions = {f"walk-{row['subgraph_id']}": row["caption"] for row in tables.read("captions", inputs / "captions")}
    for query in made.queries:
        assert len(query["negatives"]) == 5
        assert query["truth"] == captions[query["query_id"]]
        texts = {query["truth"].lower(), *(negative["caption"].lower() for negative in query["negatives"])}
        assert len(texts) == 6
        assert all(negative["plausibility"] is not None for negative in query["negatives"])
    metrics = made.metrics
    assert metrics["in"] == 3 * len(GRAPHS) == metrics["kept"] + sum(metrics["dropped"].values())
    assert metrics["kept"] == len(made.queries)
    assert len(made.rejects) == sum(metrics["dropped"].values())
    assert {reject["reason"] for reject in made.rejects} == {"fewer_than_5"}
    assert any(row["reason"] for row in made.candidates)


def test_balanced_truths_deny_as_often_as_their_negatives(tmp_path, monkeypatch):
    inputs = write(tmp_path, [*GRAPHS[2:], *like(GRAPHS[0], 12)])
    made = run_stage(inputs, tmp_path / "out", monkeypatch, way="balanced")
    denying = [query for query in made.queries if query["type"] == "HN-Neg"]
    assert denying
    for query in denying:
        texts = [query["truth"], *(negative["caption"] for negative in query["negatives"])]
        assert [sum(word in ("not", "without", "no") for word in words(text)) for text in texts] == [1] * 6


def test_the_same_bytes_however_the_work_is_shared_out(inputs, tmp_path, monkeypatch):
    """That processes give the same, too, ``test_end_to_end.py`` finds."""
    run_stage(inputs, tmp_path / "1", monkeypatch, "balanced", piece=1)
    run_stage(inputs, tmp_path / "100", monkeypatch, "balanced", piece=100)
    for name in ("queries", "candidates", "rejects", "metrics"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "100" / name).read_bytes()


def test_swaps_that_the_truth_entails_are_dropped(inputs, tmp_path, monkeypatch):
    # One label only: everything is entailed.
    everything = classifier(tmp_path / "nli", ["ENTAILMENT"])
    made = run_stage(inputs, tmp_path / "out", monkeypatch, entailment=everything)
    assert "HN-Swap" not in {query["type"] for query in made.queries}
    assert {row["reason"] for row in made.candidates if row["type"] == "HN-Swap"} >= {"entailed"}
