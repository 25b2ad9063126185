"""GQA's and PSG's own files, made up in their published form, become files in Visual Genome's form."""

import json
from pathlib import Path
from typing import Any

import pytest

from stages.annotations.formats import as_visual_genome, image_number
from stages.annotations.visual_genome import REGION_FILE, SceneRecord, load_images, scene_records
from stages.contract import tables
from stages.contract.duck import database
from stages.contract.errors import InputError
from stages.graphs.graph import SceneGraph
from tests.running import run_stage

ARGUMENTS = "--visual-genome . --out out.parquet --rejects rejects.parquet --metrics m.json --format"


def gqa_object(name: str, x: int, *relations: tuple[str, str], attributes: tuple[str, ...] = ()) -> dict[str, Any]:
    said = [{"name": predicate, "object": other} for predicate, other in relations]
    return {"name": name, "x": x, "y": 100, "w": 200, "h": 200, "attributes": list(attributes), "relations": said}


GQA = {
    "2354786": {
        "width": 800,
        "height": 600,
        "location": "outdoors",
        "objects": {
            "11": gqa_object(
                "man", 0, ("to the left of", "12"), ("holding", "13"), ("to the right of", "13"), attributes=("tall",)
            ),
            "12": gqa_object("dog", 400, ("to the right of", "11"), ("to the right of", "13")),
            "13": gqa_object("cup", 100, ("to the left of", "12"), ("to the left of", "11")),
        },
    },
    "n161313": {"width": 500, "height": 400, "objects": {"21": gqa_object("tree", 0)}},
}
PSG = {
    "data": [
        {
            "file_name": "val2017/000000000139.jpg",
            "pan_seg_file_name": "panoptic_val2017/000000000139.png",
            "image_id": "107902",
            "coco_image_id": "139",
            "width": 640,
            "height": 480,
            "segments_info": [],
            "annotations": [
                {"bbox": [10, 20, 210.4, 320], "bbox_mode": 0, "category_id": 0},
                {"bbox": [0, 0, 640, 200], "bbox_mode": 0, "category_id": 2},
                {"bbox": [300, 100, 600, 400], "bbox_mode": 0, "category_id": 3},
            ],
            "relations": [[0, 2, 1], [0, 2, 1], [0, 0, 0]],
        }
    ],
    "thing_classes": ["person", "cell phone"],
    "stuff_classes": ["tree-merged", "wall-brick"],
    "predicate_classes": ["over", "in front of"],
    "test_image_ids": ["107902"],
}
IMAGE: dict[str, Any] = PSG["data"][0]  # type: ignore[assignment]
NAMES = {"gqa": "val_sceneGraphs.json", "psg": "psg.json"}


def records(folder: Path, form: str, content: Any) -> list[SceneRecord]:
    """Return the records that the readers make of a file."""
    (folder / NAMES[form]).write_text(content if isinstance(content, str) else json.dumps(content))
    (folder / "scratch").mkdir()
    with database("200MB", 1, folder / "spill") as db:
        source = as_visual_genome(folder, form, folder / "scratch")
        load_images(db, source)
        assert not (source / REGION_FILE).exists()
        return list(scene_records(db, source))


def with_image(**changes: Any) -> dict[str, Any]:
    """Return PSG's file with changes to its image."""
    return {**PSG, "data": [{**PSG["data"][0], **changes}]}


def test_a_gqa_image(tmp_path):
    first, second = records(tmp_path, "gqa", GQA)
    assert (first.image_id, first.image_width, first.image_height) == (2354786, 800, 600)
    assert (second.image_id, second.image_width) == (1000000161313, 500)
    assert [(o.object_id, o.names, o.attributes, tuple(o.box)) for o in first.objects] == [
        (11, ("man",), ("tall",), (0, 100, 200, 200)),
        (12, ("dog",), (), (400, 100, 200, 200)),
        (13, ("cup",), (), (100, 100, 200, 200)),
    ]


def test_of_gqas_sides_one_of_a_pair_is_kept_and_none_of_overlapping_boxes(tmp_path):
    """The man and the cup overlap; the dog is to the right of both, each stated twice. Dropped relations are counted."""
    first, _ = records(tmp_path, "gqa", GQA)
    assert [tuple(relation) for relation in first.relations] == [
        (11, "to the left of", 12),
        (11, "holding", 13),
        (12, "to the right of", 13),
    ]
    reasons = [fault.reason for fault in first.faults]
    assert sorted(reasons) == ["relation_mirrored"] * 2 + ["relation_of_overlapping"] * 2


def test_a_psg_image(tmp_path):
    """Corners become sides, and categories names; the picture is found by its COCO number."""
    (record,) = records(tmp_path, "psg", PSG)
    assert (record.image_id, record.image_width, record.image_height) == (139, 640, 480)
    assert [(o.names, tuple(o.box)) for o in record.objects] == [
        (("person",), (10, 20, 200, 300)),
        (("tree",), (0, 0, 640, 200)),
        (("brick wall",), (300, 100, 300, 300)),
    ]
    assert [tuple(relation) for relation in record.relations] == [(0, "in front of", 2), (0, "in front of", 2), (0, "over", 0)]


@pytest.mark.parametrize(
    ("form", "graph", "dropped"),
    [
        (
            "gqa",
            SceneGraph(
                ("man", "dog", "cup"),
                ((0, "tall"),),
                ((0, "to the left of", 1), (0, "hold", 2), (1, "to the right of", 2)),
            ),
            {"relation_mirrored": 2, "relation_of_overlapping": 2},
        ),
        (
            "psg",
            SceneGraph(("person", "tree", "wall"), ((2, "brick"),), ((0, "in front of", 2),)),
            {"relation_duplicate": 1, "relation_to_itself": 1},
        ),
    ],
)
def test_the_stage_reads_them_and_counts_what_it_drops(form, graph, dropped, tmp_path):
    (tmp_path / NAMES[form]).write_text(json.dumps({"gqa": GQA, "psg": PSG}[form]))
    status, _, err = run_stage("scene_graphs", f"{ARGUMENTS} {form}", tmp_path, {})
    assert status == 0, err
    row = next(tables.read("scene_graphs", tmp_path / "out.parquet"))
    assert SceneGraph.from_columns(row) == graph
    assert json.loads((tmp_path / "m.json").read_text())["dropped"] == dropped


@pytest.mark.parametrize(
    ("form", "content", "told"),
    [
        ("gqa", json.dumps(GQA)[:-40], "is not complete JSON"),
        ("gqa", "{}", "has no image"),
        ("gqa", [GQA], "has no image"),
        ("gqa", {"a": {"width": 5, "height": 5, "objects": {}}}, "has no image whose name is a number"),
        ("gqa", {"1": {"width": 5, "height": 5}}, "row 1: image 1 has no objects"),
        ("psg", json.dumps(PSG)[:-300], "is not complete JSON"),
        ("psg", {}, "has no image"),
        ("gqa", {"1": {"objects": {}, "height": 5}}, "row 1: image 1 has no width"),
        ("psg", {**PSG, "predicate_classes": []}, "row 1: relation 0 of image 139 has no predicate of the file's 0 names: 1"),
        ("psg", with_image(annotations=None), "row 1: image 139 has no annotations"),
        ("psg", with_image(width=None), "row 1: image 139 has no width"),
        ("psg", with_image(coco_image_id=None, file_name=None), "row 1: an image has no file_name"),
        ("psg", with_image(relations=[[0, 1]]), "row 1: relation 0 of image 139 has no subject, object and predicate: [0, 1]"),
        ("psg", with_image(annotations=[{"category_id": 0}]), "row 1: annotation 0 of image 139 has no bbox"),
        ("psg", with_image(annotations=[{"bbox": [0, 0, 9, 9]}]), "row 1: annotation 0 of image 139 has no category_id"),
        (
            "psg",
            with_image(annotations=[{"bbox": [0, 0, 9, 9], "category_id": 7}]),
            "row 1: annotation 0 of image 139 has no category_id of the file's 4 names: 7",
        ),
        ("psg", with_image(annotations=[{"bbox": [9, 9, 4, 4], "category_id": 0}]), "has no bbox of left, top, right, bottom"),
    ],
)
def test_a_file_of_another_shape_is_an_error_that_names_it(form, content, told, tmp_path):
    with pytest.raises(InputError, match="Remedy") as caught:
        records(tmp_path, form, content)
    assert told in str(caught.value) and NAMES[form] in str(caught.value)


def test_lists_that_are_missing_are_empty(tmp_path):
    whole = gqa_object("tree", 0)
    few = {key: value for key, value in whole.items() if key not in ("attributes", "relations")}
    null = whole | {"attributes": None, "relations": None}
    (record,) = records(tmp_path, "gqa", {"7": {"width": 500, "height": 400, "objects": {"21": few, "22": null}}})
    assert [(o.names, o.attributes) for o in record.objects] == [(("tree",), ()), (("tree",), ())]
    assert (record.relations, record.faults) == ([], [])


def test_an_image_of_psgs_without_relations_has_none(tmp_path):
    (record,) = records(tmp_path, "psg", with_image(relations=None))
    assert (len(record.objects), record.relations, record.faults) == (3, [], [])


def test_an_object_or_a_relation_of_gqas_that_lacks_something_is_dropped_with_its_reason(tmp_path):
    lacking = {
        "11": gqa_object("man", 0, ("to the left of", "13"), ("holding", "14")),
        "12": {"x": 0, "y": 0, "w": 9, "h": 9},
        "13": {"name": "cup", "x": 300, "y": 0, "w": 9},
        "14": gqa_object("cup", 100) | {"relations": [{"name": "on"}, {"object": "11"}, "on"]},
        "15": None,
    }
    (record,) = records(tmp_path, "gqa", {"7": {"width": 500, "height": 400, "objects": lacking}})
    assert [o.object_id for o in record.objects] == [11, 14]
    faults = [(fault.item, fault.reason) for fault in record.faults]
    assert faults[:3] == [("object 12", "object_no_name"), ("object 13", "object_no_box"), ("object 15", "object_no_name")]
    assert [reason for _, reason in faults[3:]] == ["relation_no_id", "relation_no_predicate", "relation_no_id"]


def test_a_folder_without_files_of_its_format_is_an_error(tmp_path):
    with pytest.raises(InputError, match="has no file psg"):
        as_visual_genome(tmp_path, "psg", tmp_path)


@pytest.mark.parametrize(("name", "number"), [("7", 7), ("n7", 10**12 + 7), ("x7", None), ("", None), ("1" * 12, None)])
def test_images_names_are_numbers_or_nothing(name, number):
    assert image_number(name) == number
