"""Every row of Visual Genome's files comes out once, whatever it holds. The catalogue says what becomes of each bad input."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stages.annotations import visual_genome
from stages.annotations.visual_genome import load_images, load_regions, scene_records
from stages.contract.duck import database
from stages.contract.errors import InputError
from stages.graphs.box import Box
from tests.bad_input.visual_genome import OBJECT, REGION, RULE, regions, scenes, write

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "visual_genome"


def test_boxes_are_cut_and_judged_after_the_cut(tmp_path):
    """A crop of 300 by 300 with only 100 by 300 inside the image has 30,000 pixels, not 90,000."""
    (row,) = regions(write(tmp_path, region_descriptions=[{"id": 1, "regions": [REGION | {"x": -200}]}]))
    assert (row["x"], row["y"], row["width"], row["height"], row["crop_fault"]) == (0, 10, 100, 300, "crop_area")


def test_positions_count_all_rows_of_all_records(tmp_path):
    """The official release identifies a region by its position in the flattened list, which includes faulty rows."""
    records = [{"id": i, "regions": [REGION | {"region_id": i * 10 + j, "image_id": i} for j in range(3)]} for i in (2, 1)]
    records[0]["regions"][1] = None
    assert [(r["position"], r["region_id"]) for r in regions(write(tmp_path, region_descriptions=records))] == [
        *((0, 20), (1, None), (2, 22), (3, 10), (4, 11), (5, 12))
    ]


@pytest.mark.parametrize("faulty", [REGION | {"phrase": ""}, REGION | {"x": None}])
def test_a_region_is_no_duplicate_of_one_that_cannot_be_used(faulty, tmp_path):
    rows = regions(write(tmp_path, region_descriptions=[{"id": 1, "regions": [faulty, REGION, REGION]}]))
    assert [row["fault"] is None for row in rows] == [False, True, False] and rows[2]["fault"] == "duplicate_region_id"


@pytest.mark.parametrize("side", [50_000, 10**7, 2**31, 2**62, 10**30])
def test_boxes_and_images_beyond_32_bits_of_pixels_are_judged_or_have_no_size(side, tmp_path):
    region = REGION | {"x": 0, "y": 0, "width": side, "height": side}
    images = [{"image_id": 1, "width": side, "height": side}, {"image_id": 2, "width": 800, "height": 600}]
    (row,) = regions(write(tmp_path, image_data=images, region_descriptions=[{"id": 1, "regions": [region]}]))
    assert row["fault"] == (None if side == 50_000 else "no_image_size")


@pytest.mark.parametrize("text", ["a big red dog " * 100, "x" * 4000])
def test_a_paragraph_is_no_name(text, tmp_path):
    objects = [{**OBJECT, "names": [text]}, {**OBJECT, "object_id": 7, "attributes": ["red", text]}]
    said = {"subject_id": 7, "predicate": text, "object_id": 7}
    (scene,) = scenes(write(tmp_path, scene_graphs=[{"image_id": 1, "objects": objects, "relationships": [said]}]))
    assert [(o.object_id, o.attributes) for o in scene.objects] == [(7, ("red",))] and not scene.relations
    assert {fault.reason for fault in scene.faults} >= {"object_no_name", "attribute_no_text", "relation_no_predicate"}


def test_a_record_that_is_too_large_is_told_as_that(tmp_path, monkeypatch):
    monkeypatch.setattr(visual_genome, "LARGEST_RECORD", 1 << 20)
    folder = write(tmp_path, scene_graphs=[{"image_id": 1, "objects": [OBJECT], "other": "x" * (40 << 20)}])  # DuckDB takes 32
    with pytest.raises(InputError, match=r"scene_graphs\.json: has a record of more than 1 MiB, where one is an image's"):
        scenes(folder)


SIZE = {"width": 800, "height": 600}
PLACES = [(400 + 20 * i, 300 + 15 * i, 200, 150) for i in range(10)]


def written(box: tuple[int, int, int, int], how: str) -> list[float]:
    """Return a box written as ``visual_genome.boxes`` may specify."""
    x, y, w, h = box
    sides = [x, y, *((w, h) if how.endswith("xywh") else (x + w, y + h))]
    return [side / of for side, of in zip(sides, (800, 600) * 2, strict=True)] if how.startswith("relative_") else list(sides)


FORMS = ("xywh", "xyxy", "relative_xywh", "relative_xyxy")


def of_form(folder: Path, how: str, places: list[tuple[int, int, int, int]] = PLACES) -> Path:
    objects = [{"object_id": i, "names": ["bus"], "bbox": written(box, how)} for i, box in enumerate(places)]
    records = [{"region_id": i, "phrase": "a red bus", "bbox": written(box, how)} for i, box in enumerate(places)]
    scene, described = {"id": 1, "objects": objects}, {"id": 1, "regions": records}
    return write(folder, image_data=[{"image_id": 1, **SIZE}], region_descriptions=[described], scene_graphs=[scene])


@pytest.mark.parametrize("how", FORMS)
def test_boxes_are_read_as_the_parameter_says(how, tmp_path):
    folder = of_form(tmp_path, how)
    assert [tuple(o.box) for o in scenes(folder, how)[0].objects] == PLACES
    assert [(r["x"], r["y"], r["width"], r["height"]) for r in regions(folder, how)] == PLACES


@pytest.mark.parametrize("read", [scenes, regions])
@pytest.mark.parametrize(
    ("how", "said", "remedy"),
    [
        ("xyxy", "xywh", "leave their images.*boxes in params.yaml to xyxy"),
        ("xywh", "xyxy", "end before they begin.*to xywh"),
        ("relative_xywh", "xywh", "are shares of their images.*to relative_xywh or relative_xyxy"),
        ("relative_xyxy", "relative_xywh", "leave their images.*to relative_xyxy"),
        ("relative_xywh", "relative_xyxy", "end before they begin.*to relative_xywh"),
    ],
)
def test_boxes_that_are_written_in_another_way_stop(read, how, said, remedy, tmp_path):
    with pytest.raises(InputError, match=rf"(scene_graphs|region_descriptions)\.json: \d+ of its 10 boxes .*{remedy}"):
        read(of_form(tmp_path, how), said)


def test_a_tenth_of_the_boxes_may_leave_their_images(tmp_path):
    places = [*PLACES * 2, (790, 10, 100, 100), (790, 20, 100, 100)]
    assert len(scenes(of_form(tmp_path, "xywh", places))[0].objects) == 22


def test_a_packed_file_beside_a_missing_one_is_named(tmp_path):
    write(tmp_path)
    (tmp_path / "scene_graphs.json").rename(tmp_path / "scene_graphs.json.zip")
    with pytest.raises(InputError, match=r"no such file. Remedy: unpack scene_graphs\.json\.zip"):
        scenes(tmp_path)


@pytest.mark.parametrize("key", ["id", "image_id"])
def test_both_names_of_the_image_id_are_read(key, tmp_path):
    folder = write(
        tmp_path,
        region_descriptions=[{key: 1, "regions": [{k: v for k, v in REGION.items() if k != "image_id"}]}],
        scene_graphs=[{key: 1, "objects": [OBJECT], "relationships": []}],
    )
    assert regions(folder)[0]["image_id"] == scenes(folder)[0].image_id == 1


@pytest.mark.parametrize("key", ["relationships", "relations"])
def test_both_names_of_the_relations_are_read(key, tmp_path):
    relation = {"relationship_id": 1, "subject_id": 5, "predicate": "near", "object_id": 6}
    (scene,) = scenes(write(tmp_path, scene_graphs=[{"image_id": 1, "objects": [OBJECT], key: [relation]}]))
    assert [tuple(one) for one in scene.relations] == [(5, "near", 6)]


def test_scene_graphs_come_by_image_id(tmp_path):
    records = [{"image_id": i, "objects": [OBJECT], "relationships": []} for i in (9, "x", 1, 2, 1)]
    found = scenes(write(tmp_path, scene_graphs=records))
    assert [scene.image_id for scene in found] == [1, 1, 2, 9, None]
    assert [scene.image_width for scene in found] == [800, 800, 800, None, None]
    assert found[0].objects[0].box == Box(10, 10, 300, 300)


@pytest.mark.parametrize("rows", [3, "x", {"a": 1}, None])
def test_objects_that_are_no_list_do_not_stop_the_others(rows, tmp_path):
    records = [{"image_id": 1, "objects": [OBJECT]}, {"image_id": 2, "objects": rows, "relationships": rows}]
    first, second = scenes(write(tmp_path, scene_graphs=records))
    assert len(first.objects) == 1
    assert [fault.reason for fault in second.faults] == ["not_a_list"] * (0 if rows is None else 2)


@pytest.mark.parametrize(
    ("lacking", "reason"),
    [({"object_id": None}, "object_no_id"), ({"names": [" "]}, "object_no_name"), ({"w": "wide"}, "object_no_box")],
)
def test_the_attributes_of_an_object_that_cannot_be_read_are_lost_with_it_and_counted(lacking, reason, tmp_path):
    unread = OBJECT | lacking | {"attributes": ["red", "old", None]}
    (scene,) = scenes(write(tmp_path, scene_graphs=[{"image_id": 1, "objects": [OBJECT, unread]}]))
    assert len(scene.objects) == 1
    assert [(fault.reason, fault.text) for fault in scene.faults if fault.reason == "attribute_no_object"] == [
        ("attribute_no_object", "red"),
        ("attribute_no_object", "old"),
    ]
    assert sorted({fault.reason for fault in scene.faults}) == sorted({"attribute_no_object", "attribute_no_text", reason})


@pytest.mark.parametrize("before", ["", "x"])
def test_a_message_that_is_cut_within_a_letter_is_still_read(before, tmp_path):
    """DuckDB quotes fifty bytes of what it found, and one end falls within an é. Python 3.11.2 turns that into an error that does
    not even name the row."""
    with pytest.raises(InputError, match="has another shape than Visual Genome's"):
        regions(write(tmp_path, region_descriptions=[{"id": 1, "regions": [before + "é" * 60]}]))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*REGION, *OBJECT, "id"]), inner, max_size=4),
    max_leaves=8,
)
ROWS = st.lists(st.one_of(JSON, st.fixed_dictionaries({}, optional={key: JSON for key in {*REGION, *OBJECT}})), max_size=4)


def encodable(value: object) -> bool:
    return "\\ud" not in json.dumps(value)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS.filter(encodable))
def test_whatever_stands_in_a_list_of_regions_comes_out_once_or_stops_clearly(tmp_path, rows):
    folder = write(tmp_path, region_descriptions=[{"id": 1, "regions": [REGION, *rows]}])
    try:
        found = regions(folder)
    except InputError as error:
        assert any(not isinstance(row, dict | None) for row in rows), error
        return
    assert len(found) == 1 + len(rows)
    for row in found:
        if row["fault"] is None:
            assert row["x"] >= 0 and row["x"] + row["width"] <= 800 and row["width"] > 0 and row["height"] > 0


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS.filter(encodable), ROWS.filter(encodable))
def test_whatever_stands_in_a_scene_graph_is_an_object_or_a_fault(tmp_path, objects, relations):
    folder = write(tmp_path, scene_graphs=[{"image_id": 1, "objects": objects, "relationships": relations}])
    (scene,) = scenes(folder)
    faults = [fault for fault in scene.faults if not fault.reason.startswith("attribute")]
    assert len(scene.objects) + len(scene.relations) + len(faults) == len(objects) + len(relations)


@pytest.mark.skipif(not REAL.is_dir(), reason="the real files are not here")
def test_the_real_files(tmp_path):
    with database("200MB", 1, tmp_path / "spill") as db:
        assert load_images(db, REAL) == {"kept": 10}
        load_regions(db, REAL, RULE, tmp_path / "spool.parquet")
        fit = db.sql("SELECT count(*), count(*) FILTER (fault IS NULL AND crop_fault IS NULL) FROM regions").fetchall()
        assert fit == [(2550, 334)]
        found = list(scene_records(db, REAL))
    assert (len(found), sum(len(scene.objects) for scene in found), sum(len(scene.relations) for scene in found)) == (10, 376, 423)
    assert not any(scene.faults for scene in found)
