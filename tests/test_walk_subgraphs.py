"""Subgraphs have exactly n atoms and valid crops, do not overlap much, are spread over the images, and are reproducible."""

import json
from collections import Counter

import pytest

from stages.contract import tables
from stages.contract.ledger import Ledger
from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph
from stages.images.crop_rule import CropRule
from stages.parameters.sections import Crop, WalkSubgraphs
from stages.walk_subgraphs import sample
from tests.running import run_stage, section

CROP = CropRule.of(section(Crop))
SETTINGS = {
    "seed": 0,
    "complexities": [4, 5],
    "per_complexity": 100,
    "times": {},
    "per_image": 2,
    "tries": 6,
    "max_overlap": 0.75,
    "one_relation_a_pair": True,
    "most_attributes": 3,
}


def image(image_id: int, graph: SceneGraph, boxes: list[Box]) -> dict:
    return {
        **{"image_id": image_id, "image_width": 800, "image_height": 600, **graph.columns()},
        "object_ids": [image_id * 100 + i for i in range(len(boxes))],
        "boxes": [box._asdict() for box in boxes],
        "aliases": [[] for _ in boxes],
        "plurals": [],
        "unsayable": [],
    }


def street(image_id: int) -> dict:
    """Return six things in a row, each "near" the next, some with an attribute."""
    names = ("bus", "man", "tree", "dog", "sign", "car")
    graph = SceneGraph(names, ((0, "red"), (1, "tall"), (4, "old")), tuple((i, "near", i + 1) for i in range(5)))
    return image(image_id, graph, [Box(i * 120, 100, 200, 300) for i in range(6)])


def drawn(images: list[dict], **changes) -> tuple[list[dict], Ledger]:
    ledger = Ledger("walks")
    rows = sample(lambda: images, CROP, section(WalkSubgraphs, **SETTINGS | changes), ledger)
    assert ledger.rows_in == ledger.kept + ledger.dropped.total()
    assert ledger.kept == len(rows)
    return rows, ledger


def test_every_subgraph_is_what_it_says(tmp_path):
    images = [street(i) for i in range(1, 6)]
    rows, _ = drawn(images)
    assert {row["n"] for row in rows} == {4, 5}
    for row in rows:
        graph = SceneGraph.from_columns(row)
        whole = images[row["image_id"] - 1]
        boxes = [Box(**whole["boxes"][o - row["image_id"] * 100]) for o in row["object_ids"]]
        assert graph.n == row["n"] and row["n_components"] == len(graph.components())
        assert graph.objects == tuple(whole["objects"][o - row["image_id"] * 100] for o in row["object_ids"])
        assert (row["x"], row["width"]) == (min(b.x for b in boxes), max(b.x + b.width for b in boxes) - min(b.x for b in boxes))
        assert CROP.fault(Box(row["x"], row["y"], row["width"], row["height"]), 800, 600) is None
    tables.write("subgraphs", tmp_path / "out.parquet", rows)


def test_crops_of_an_image_and_complexity_do_not_overlap():
    rows, ledger = drawn([street(1)], per_image=5, tries=40)
    assert ledger.dropped["overlap"]
    for n in (4, 5):
        boxes = [Box(row["x"], row["y"], row["width"], row["height"]) for row in rows if row["n"] == n]
        assert len(boxes) > 1
        assert all(one.iou(other) < 0.75 for i, one in enumerate(boxes) for other in boxes[:i])


@pytest.mark.parametrize(("height", "n"), [(300, 1), (299, 2)])
def test_crops_that_overlap_by_exactly_the_bound_are_thinned(height, n):
    """300 of 400 rows are 75 %: "≥ 75 %" in section 4.2."""
    graph = SceneGraph(("dog", "cat"), tuple((o, a) for o in (0, 1) for a in ("red", "big", "old")))
    rows, _ = drawn([image(1, graph, [Box(0, 0, 400, height), Box(0, 0, 400, 400)])], complexities=[4], tries=40)
    assert len(rows) == n


def test_all_images_give_their_first_before_any_gives_a_second():
    rows, _ = drawn([street(i) for i in range(1, 11)], per_complexity=12)
    shares = Counter(row["image_id"] for row in rows if row["n"] == 4)
    assert sorted(shares.values()) == [1] * 8 + [2] * 2
    assert drawn([street(i) for i in range(1, 11)], per_complexity=12, per_image=1)[0].__len__() == 20


def test_a_full_complexity_takes_no_more():
    rows, ledger = drawn([street(i) for i in range(1, 11)], per_complexity=3)
    assert Counter(row["n"] for row in rows) == {4: 3, 5: 3}
    assert ledger.rows_in < 60


def test_of_some_complexities_there_are_more():
    rows, _ = drawn([street(i) for i in range(1, 11)], per_complexity=3, times={4: 2.5})
    assert Counter(row["n"] for row in rows) == {4: 8, 5: 3}


def test_what_an_image_gives_does_not_depend_on_the_others():
    alone, _ = drawn([street(3)])
    among, _ = drawn([street(i) for i in (1, 3, 2)])
    assert alone == [row for row in among if row["image_id"] == 3]


def test_what_no_picture_shows_is_not_walked():
    """An example is an annotated pane on a screen."""
    graph = SceneGraph(("pane", "screen", "desk"), ((0, "red"), (1, "black")), ((0, "on", 1), (1, "on", 2)))
    rows, _ = drawn([image(i, graph, [Box(0, 0, 400, 300)] * 3) for i in range(1, 9)], complexities=[4], per_image=2)
    assert rows and all("pane" not in row["objects"] or len(row["relations"]) == 1 for row in rows)


def test_of_the_walks_the_least_awkward_is_kept():
    """Two pairs are not connected: from anywhere a walk of six atoms covers both, unless it describes one pair fully."""
    attributes = tuple((o, a) for o in range(2) for a in ("red", "big", "old"))
    graph = SceneGraph(("dog", "cat", "cup", "pan"), attributes, ((0, "near", 1), (2, "near", 3)))
    images = [image(i, graph, [Box(0, 0, 400, 300)] * 4) for i in range(1, 9)]
    rows, ledger = drawn(images, complexities=[6], tries=12, per_image=1)
    assert len(rows) == 8 and ledger.dropped["more_awkward"]
    alone, _ = drawn(images, complexities=[6], tries=1, per_image=1)
    assert sum(row["n_components"] for row in rows) < len(rows) / max(len(alone), 1) * sum(row["n_components"] for row in alone)


def test_another_seed_draws_others():
    images = [street(i) for i in range(1, 6)]
    assert drawn(images)[0] == drawn(images)[0] != drawn(images, seed=1)[0]


LAMBS = SceneGraph(("lamb", "lamb"), ((0, "white"), (1, "white")))
BIG, SMALL, WIDE = Box(100, 100, 300, 300), Box(100, 100, 60, 60), Box(0, 0, 700, 100)


@pytest.mark.parametrize(
    ("graph", "boxes", "reason"),
    [
        (SceneGraph(("dog", "cat")), [BIG, BIG], "too_few_atoms"),
        (LAMBS, [BIG, Box(200, 100, 300, 300)], "indistinguishable"),
        (SceneGraph(("man", "man"), ((0, "tall"), (0, "old"))), [BIG, BIG], "indistinguishable"),
        (SceneGraph(("man", "man"), ((0, "tall"), (0, "old"))), [Box(0, 0, 400, 300), Box(0, 0, 400, 400)], "indistinguishable"),
        (SceneGraph(("dog",), ((0, "red"), (0, "big"), (0, "old"))), [SMALL], "crop_area"),
        (SceneGraph(("dog",), ((0, "red"), (0, "big"), (0, "old"))), [WIDE], "crop_wide"),
    ],
)
def test_a_walk_is_dropped_with_its_reason(graph, boxes, reason):
    rows, ledger = drawn([image(1, graph, boxes)], complexities=[4], tries=3, per_image=1)
    assert (rows, ledger.dropped) == ([], {reason: 3})


def test_the_stage_gives_the_same_bytes_with_any_number_of_workers(tmp_path):
    tables.write("scene_graphs", tmp_path / "in.parquet", [street(i) for i in range(1, 20)])
    for workers in (1, 2):
        changes = {
            "run.workers": workers,
            "walk_subgraphs.per_complexity": 5,
            "walk_subgraphs.times": {},
            "walk_subgraphs.complexities": [4, 5, 6],
        }
        arguments = f"--scene-graphs in.parquet --out out{workers}.parquet --metrics m{workers}.json"
        status, out, err = run_stage("walk_subgraphs", arguments, tmp_path, changes)
        assert status == 0, err
        assert "15 subgraphs, least 5 of a complexity" in out
    assert (tmp_path / "out1.parquet").read_bytes() == (tmp_path / "out2.parquet").read_bytes()
    metrics = json.loads((tmp_path / "m1.json").read_text())
    assert metrics["subgraphs"] == {"n04": 5, "n05": 5, "n06": 5}
    assert metrics["in"] == metrics["kept"] + sum(metrics["dropped"].values())
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("in.parquet", "m1.json", "m2.json", "out1.parquet", "out2.parquet", "params.yaml")
    ]
