"""Annotated scene graphs: one row per image, every annotation counted, nothing half written."""

import json
import re

import pytest

from stages.contract import tables
from tests.bad_input.visual_genome import IMAGE, OBJECT, OTHER, READERS, RELATION
from tests.running import run_stage

BAD = {reader.name.split()[0]: [case.given for case in reader.cases] for reader in READERS}
ARGUMENTS = "--visual-genome . --out out.parquet --rejects rejects.parquet --metrics m.json"


def test_the_stage_counts_every_annotation(tmp_path):
    good = {"image_id": 1, "objects": [OBJECT, OTHER], "relationships": [RELATION]}
    bad = {"image_id": 2, "objects": [OBJECT, *BAD["Objects"]], "relationships": BAD["Relations"]}
    records = [bad, good, good, {"image_id": 3, "objects": []}, {"objects": []}, None]
    (tmp_path / "image_data.json").write_text(json.dumps([IMAGE, IMAGE | {"image_id": 2}]))
    (tmp_path / "scene_graphs.json").write_text(json.dumps(records))
    status, out, err = run_stage("scene_graphs", ARGUMENTS, tmp_path, {})
    assert status == 0 and out.startswith("scene_graphs: "), err
    rows = list(tables.read("scene_graphs", tmp_path / "out.parquet"))
    assert [row["image_id"] for row in rows] == [1, 2]
    assert (rows[0]["objects"], rows[0]["relations"]) == (["bus", "man"], [{"subject": 1, "relation": "on", "object": 0}])
    metrics = json.loads((tmp_path / "m.json").read_text())
    assert metrics["in"] == metrics["kept"] + sum(metrics["dropped"].values())
    assert metrics["kept"] == metrics["images"] + metrics["objects"] + metrics["attributes"] + metrics["relations"]
    annotated = 1 + 2 + sum(len(thing.get("attributes") or ()) for thing in (OBJECT, OTHER)) + 1
    images = {"image_duplicate": annotated, "image_no_size": 1, "image_no_id": 2}
    assert metrics["dropped"] | images == metrics["dropped"]
    reasons = [row["reason"] for row in tables.read("rejects", tmp_path / "rejects.parquet")]
    assert len(reasons) - 1 == sum(metrics["dropped"].values()) - annotated  # everything dropped with an image is one reject


def test_a_bad_file_stops_before_any_output(tmp_path):
    (tmp_path / "image_data.json").write_text(json.dumps([IMAGE]))
    (tmp_path / "scene_graphs.json").write_text(json.dumps([{"image_id": 1, "objects": [OBJECT]}])[:-2])
    status, _, err = run_stage("scene_graphs", ARGUMENTS, tmp_path, {})
    assert status == 1 and err.startswith("error: scene_graphs.json") and "Remedy: " in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["image_data.json", "params.yaml", "scene_graphs.json"]


SHAPES = {
    "objects": (
        [{"object_id": 5, "names": ["bus"], "left": 1}] * 2,
        [],
        r"2 object_no_box, the first object 5 of image 1, 'bus'; looked for",
    ),
    "relations": ([OBJECT, OTHER], [{"from": 6, "to": 5, "predicate": "ON"}], "1 relation_no_id.*subject_id, object_id"),
    "attributes": ([OBJECT | {"attributes": [{"colour": "red"}]}, OTHER], [], "1 attribute_no_text.*attributes: a list of texts"),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_a_file_of_which_one_kind_is_wholly_lost_stops_before_any_output(kind, tmp_path):
    objects, relations, says = SHAPES[kind]
    (tmp_path / "image_data.json").write_text(json.dumps([IMAGE]))
    (tmp_path / "scene_graphs.json").write_text(json.dumps([{"image_id": 1, "objects": objects, "relationships": relations}]))
    status, _, err = run_stage("scene_graphs", ARGUMENTS, tmp_path, {})
    assert status == 1 and re.search(rf"error: scene_graphs.json: nothing in it is usable: {says}", err), err
    assert not list(tmp_path.glob("*.parquet"))
