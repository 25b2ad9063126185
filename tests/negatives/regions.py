"""A tiny Visual Genome for tests of systematicity: regions with one compound, their images, and words for foils."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from stages.contract import tables
from stages.graphs.graph import SceneGraph, Spans
from stages.parameters import params
from stages.selection import cleared
from tests.running import loading, training_sets
from tests.suites.made import empty

SIZE = {"image_width": 800, "image_height": 600}
COLOURS = ("red", "blue", "green", "black", "purple", "yellow")
NOUNS = (
    *("cup", "dog", "table", "bench", "car", "horse", "chair", "bed"),
    *("box", "cow", "sheep", "truck", "bus", "basket", "shelf", "cat"),
)
PLACES = ("on", "under", "behind", "next to", "far from", "to the left of", "outside")
IMAGE = SceneGraph(
    ("car", "dog", "table", "cup", "chair"),
    ((0, "red"), (1, "black"), (3, "green"), (4, "purple")),
    ((1, "on", 2), (3, "on", 4), (0, "under", 4)),
)
CAPTIONS = (("car", "red"), ("dog", "black"), ("cup", "green"), ("chair", "purple"))
IMAGES = 6


def region(region_id: int, image_id: int, caption: str, graph: SceneGraph) -> dict[str, Any]:
    """Return a region whose caption contains each of its atoms once."""
    at = {atom: caption.index(atom.text) for atom in graph.atoms()}
    spans = {kind: [(at[a], at[a] + len(a.text)) for a in at if a.kind == kind] for kind in ("object", "attribute", "relation")}
    box = {"x": 0, "y": 0, "width": 800, "height": 600}
    columns = Spans(*(tuple(spans[kind]) for kind in ("object", "attribute", "relation"))).columns()
    found = {"image_id": image_id, "region_id": region_id, "caption": caption, **SIZE, **box, **graph.columns(), **columns}
    return empty("regions") | found


def scene_graph(image_id: int, graph: SceneGraph) -> dict[str, Any]:
    """Return a row of the table ``scene_graphs``; the boxes overlap, so that only words decide what is false."""
    boxes = [{"x": 10 * o, "y": 10, "width": 200, "height": 200} for o in range(len(graph.objects))]
    known = {"object_ids": list(range(len(boxes))), "boxes": boxes, "aliases": [[] for _ in boxes], "plurals": [], "unsayable": []}
    return {"image_id": image_id, **SIZE, **graph.columns(), **known}


def write_training(folder: Path, words: Mapping[str, Sequence[str]], captions: Iterable[str]) -> None:
    """Write a training set with these ``captions``, which names each of the ``words`` five times, by kind."""
    training = folder / "training" / "toy"
    training.mkdir(parents=True)
    counts = [{"kind": kind, "first": word, "second": "", "third": "", "count": 5} for kind, own in words.items() for word in own]
    tables.write("occurrences", training / "occurrences.parquet", counts)
    tables.write("training_graphs", training / "graphs.parquet", [empty("training_graphs", caption=c, count=1) for c in captions])


def write(folder: Path, nouns: Sequence[str] = NOUNS) -> Path:
    """Write six equal images with four regions that state a colour, two that state a place and one without a compound.

    Args:
        nouns: The nouns that the training set names.
    """
    rows, graphs = [], []
    for image in range(1, IMAGES + 1):
        said = [(f"a {colour} {noun}", SceneGraph((noun,), ((0, colour),))) for noun, colour in CAPTIONS]
        said += [
            (f"a {s} {r} a {o}", SceneGraph((s, o), (), ((0, r, 1),)))
            for s, r, o in (("dog", "on", "table"), ("cup", "on", "chair"))
        ]
        said += [("a car and a dog", SceneGraph(("car", "dog")))]
        rows += [region(100 * image + i, image, *each) for i, each in enumerate(said)]
        graphs.append(scene_graph(image, IMAGE))
    tables.write("regions", folder / "regions", rows)
    tables.write("scene_graphs", folder / "scene_graphs", graphs)
    tables.write("region_facts", folder / "facts", [])
    atoms = {"object": nouns, "attribute": COLOURS, "relation": PLACES}
    said = [f"a {c} {n} {p} a {o}" for c in COLOURS for n in nouns for p, o in (("on", "table"), ("under", "chair"))]
    write_training(folder, atoms, said)
    seen = [{"kind": kind, "atom": word, "count": 5} for kind, found in atoms.items() for word in sorted(found)]
    tables.write("seen_atoms", folder / "seen" / "toy" / "atoms.parquet", seen)
    named = [("attribute_object", colour, noun, "") for noun, colour in CAPTIONS[:3]]
    named += [("object_relation_object", "cup", "on", "chair")]
    compounds = [dict(zip(("kind", "first", "second", "third", "count"), (*each, 2), strict=True)) for each in named]
    tables.write("seen_compounds", folder / "seen" / "toy" / "compounds.parquet", compounds)
    labels = [
        empty("splits", region_id=row["region_id"], image_id=row["image_id"], split="SC", n_compounds=1, min_atom_count=5)
        for row in rows
    ]
    tables.write("splits", folder / "splits" / "toy.parquet", labels)
    return folder


FOILS: dict[str, Any] = {
    "seed": 0, "min_training_count": 1, "min_zipf": 0.0, "seen_by": "every", "max_foils": 60, "least_association": 0.0,
    "max_compounds": 1000, "max_true": 0.05, "rejects_per_set": 10, "piece": 4,
    "plausibility": {"model": "ngram", "max_captions": 1000, "batch_tokens": 100, "device": "cpu"},
}  # fmt: skip
SELECTION: dict[str, Any] = {"margin": 0.01, "below": 0.03, "far_price": 0.05, "kinds": 1.0, "seed": 0}
SECTIONS: dict[str, Any] = {"foils": FOILS, "cleared": SELECTION, "gen_hn_atom": {"negatives": 4}, "gen_hn_comp": {"negatives": 6}}


def run(stage: ModuleType, monkeypatch: pytest.MonkeyPatch, arguments: Mapping[str, Path]) -> dict[str, Any]:
    """Run a stage in this process and return its output by name: rows of tables, and the ledger under ``metrics``."""
    sections = SECTIONS | {"run": {"workers": 1}}
    monkeypatch.setattr(params, "load", loading(**sections, training_sets=training_sets("toy")))
    monkeypatch.setattr(cleared, "MIN_QUERIES", 1000)  # so few regions, each of them six times, cannot be balanced
    monkeypatch.setattr(cleared, "STEPS", 2)  # without bounds, all steps are alike
    monkeypatch.setattr("sys.argv", ["stage", *(x for name, path in arguments.items() for x in (f"--{name}", str(path)))])
    stage.main()
    found = {table: list(tables.read(table, arguments[table])) for table in ("queries", "candidates", "rejects")}
    return found | {"metrics": json.loads(arguments["metrics"].read_text())}


def arguments(inputs: Path, out: Path) -> dict[str, Path]:
    """Return the arguments of ``gen_hn_atom`` and ``gen_hn_comp``, which write into ``out``."""
    out.mkdir(exist_ok=True)
    given = {"regions": "regions", "facts": "facts", "scene-graphs": "scene_graphs", "captions": "training"}
    given |= {"splits": "splits", "seen": "seen"}
    made = {name: out / name for name in ("queries", "candidates", "rejects", "metrics")}
    return {name: inputs / file for name, file in given.items()} | made


def same_but(truth: str, negative: Mapping[str, Any]) -> bool:
    """Return whether a negative equals the truth outside one span, apart from articles before it."""
    (span,) = negative["spans"]
    before, after = truth[: span["start"]], truth[span["end"] :]
    head = before.removesuffix("a ").removesuffix("an ")
    return negative["caption"].startswith(head) and negative["caption"].endswith(after) and negative["caption"] != truth
