"""The stage ``caption``: each subgraph is captioned or dropped with its reason, and a second run writes the same bytes."""

import json

from stages import caption
from stages.contract import tables
from stages.graphs.graph import SceneGraph, Spans
from tests.running import loading
from tests.writing.graphs import subgraph_row
from tests.writing.server import reply, serving
from tests.writing.test_writer import SETTINGS

BOY = SceneGraph(("boy", "bench", "hat"), ((0, "tall"), (2, "red")), ((0, "sit on", 1), (0, "wear", 2)))
ROWS = [
    subgraph_row(SceneGraph(("dog", "grass"), ((1, "green"),), ((0, "on", 1),)), "1-4-0"),
    subgraph_row(BOY, "1-7-0"),
    subgraph_row(SceneGraph(("cup", "table", "lamp"), ((0, "blue"),), ((0, "on", 1), (2, "on", 1))), "1-6-0"),
]
REALISER = {"seed": 0, "template_up_to": 4, "writer": "realiser", "llm": SETTINGS}


def run_stage(tmp_path, monkeypatch, settings, rows=ROWS):
    tables.write("subgraphs", tmp_path / "subgraphs.parquet", rows)
    monkeypatch.setattr(caption.params, "load", loading(caption=settings))
    paths = {name: str(tmp_path / name) for name in ("answers", "out", "rejects", "metrics")}
    arguments = [
        "caption",
        "--subgraphs",
        str(tmp_path / "subgraphs.parquet"),
        *(x for k, v in paths.items() for x in (f"--{k}", v)),
    ]
    monkeypatch.setattr("sys.argv", arguments)
    caption.main()
    rejects = list(tables.read("rejects", tmp_path / "rejects"))
    return list(tables.read("captions", tmp_path / "out")), rejects, json.loads((tmp_path / "metrics").read_text())


def test_the_default_writes_all_and_the_same_bytes_again(tmp_path, monkeypatch):
    rows, rejects, metrics = run_stage(tmp_path, monkeypatch, REALISER)
    assert [row["writer"] for row in rows] == ["template", "realiser", "realiser"]
    assert rows[0]["caption"] == "dog on green grass"
    assert not rejects and metrics["kept"] == 3
    for row in rows:
        spans, graph = Spans.from_columns(row), SceneGraph.from_columns(row)
        assert all(spans.of(atom) is not None for atom in graph.atoms())
    before = (tmp_path / "out").read_bytes()
    run_stage(tmp_path, monkeypatch, REALISER)
    assert (tmp_path / "out").read_bytes() == before


def test_a_language_model_that_leaves_out_or_invents_is_dropped(tmp_path, monkeypatch):
    texts = {"boy": "A tall boy in a hat is sitting on a bench.", "cup": "A blue cup and a lamp are on a table, near a cat."}

    def behaviour(request, number):
        return reply(next(text for word, text in texts.items() if word in request["messages"][-1]["content"]))

    with serving(behaviour) as (address, requests):
        settings = {**REALISER, "writer": "llm", "llm": {**SETTINGS, "base_url": address}}
        rows, rejects, metrics = run_stage(tmp_path, monkeypatch, settings)
        run_stage(tmp_path, monkeypatch, settings)
    assert len(requests) == 2
    assert [row["writer"] for row in rows] == ["template"]
    assert {row["item"]: row["reason"] for row in rejects} == {"1-7-0": "atom left out", "1-6-0": "invented object"}
    assert rejects[0]["text"].startswith("A tall boy")
    assert metrics["by_complexity"]["n07"] == {"in": 1, "dropped_share": 1.0, "dropped": {"atom left out": 1}}
    assert metrics["in"] == metrics["kept"] + sum(metrics["dropped"].values()) == 3


def test_a_faithful_language_model_is_kept(tmp_path, monkeypatch):
    text = "A tall boy wearing a red hat is sitting on a bench."
    with serving(lambda request, number: reply(text)) as (address, _):
        settings = {**REALISER, "writer": "llm", "llm": {**SETTINGS, "base_url": address, "model": "big"}}
        rows, rejects, _ = run_stage(tmp_path, monkeypatch, settings, ROWS[1:2])
    assert (rows[0]["caption"], rows[0]["writer"], rejects) == (text, "big", [])
