"""Bad input in Visual Genome's three files."""

import json
from pathlib import Path
from typing import Any

from stages.annotations.phrases import Phrases, read
from stages.annotations.scene_graphs import Normalising, phrases
from stages.annotations.verdicts import decide
from stages.annotations.visual_genome import load_images, load_regions, scene_records
from stages.contract.duck import database
from stages.images.crop_rule import CropRule
from stages.parameters.sections import Crop, FilterVg, Language
from tests.bad_input.form import HVG, VG, Becomes, Case, Dropped, Gets, Reader, Rows, Stops
from tests.running import section

RULE = CropRule.of(section(Crop))
IMAGE = {"image_id": 1, "width": 800, "height": 600}
REGION = {"region_id": 7, "image_id": 1, "x": 10, "y": 10, "width": 300, "height": 300, "phrase": "a red bus"}
OBJECT = {"object_id": 5, "names": ["bus"], "x": 10, "y": 10, "w": 300, "h": 300, "attributes": ["red"]}
OTHER = {"object_id": 6, "names": ["man"], "x": 50, "y": 50, "w": 100, "h": 200}
RELATION = {"relationship_id": 9, "predicate": "ON", "subject_id": 6, "object_id": 5}

_LISTS = {
    "image_data.json": [IMAGE, IMAGE | {"image_id": 2}],
    "region_descriptions.json": [{"id": 1, "regions": [REGION]}, {"id": 2, "regions": []}],
    "scene_graphs.json": [{"image_id": 1, "objects": [OBJECT, OTHER], "relationships": [RELATION]}],
}


def without(row: dict[str, Any], key: str, **changes: Any) -> dict[str, Any]:
    """Return ``row`` without ``key``, and with ``changes``."""
    return {k: v for k, v in row.items() if k != key} | changes


# --- Reading them as the stages do ----


def whole(name: str) -> str:
    """Return a valid file."""
    return json.dumps(_LISTS[name])


def write(folder: Path, **files: object) -> Path:
    """Write the three files into ``folder``, those named with their content and the others valid."""
    for name in ("image_data", "region_descriptions", "scene_graphs"):
        text = json.dumps(files[name]) if name in files else whole(f"{name}.json")
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def images(folder: Path) -> dict[str, int]:
    """Return the numbers of image rows kept, and dropped by reason."""
    with database("200MB", 1, folder / "spill") as db:
        return dict(load_images(db, folder))


def regions(folder: Path, boxes: Any = "xywh") -> list[dict[str, Any]]:
    """Return the regions with their faults."""
    with database("200MB", 1, folder / "spill") as db:
        load_images(db, folder)
        load_regions(db, folder, RULE, folder / "spool.parquet", boxes)
        return db.sql("FROM regions ORDER BY position").to_arrow_table().to_pylist()


def scenes(folder: Path, boxes: Any = "xywh") -> list:
    """Return the records of the scene graphs."""
    with database("200MB", 1, folder / "spill") as db:
        load_images(db, folder)
        return list(scene_records(db, folder, boxes))


def normalised(folder: Path, objects: list, relations: list, same_object: float = 1.0) -> tuple[Normalising, Any]:
    """Return an image's annotations in normal form, and the record that they came from."""
    scene = {"image_id": 1, "objects": objects, "relationships": relations}
    (record,) = scenes(write(folder, image_data=[IMAGE], scene_graphs=[scene]))
    tasks = [Phrases(kind, [text], section(Language)) for kind, text in phrases(record)]
    readings = {(task.kind, task.texts[0]): read(task)[0] for task in tasks}
    return Normalising(record, same_object, readings), record


def verdicts(regions: list[tuple], described: list[tuple], **changes: Any) -> list[str | None]:
    """Return the reasons for regions (fault, crop_fault, phrase), given descriptions (phrase, fault, atoms, compounds, graph)."""
    with database("200MB", 1, "unused") as db:
        db.execute("CREATE TABLE regions (position BIGINT, region_id BIGINT, fault VARCHAR, crop_fault VARCHAR, phrase VARCHAR)")
        db.executemany("INSERT INTO regions VALUES (?, ?, ?, ?, ?)", [(i, i + 100, *row) for i, row in enumerate(regions)])
        db.execute("CREATE TABLE described (phrase VARCHAR, fault VARCHAR, n_atoms INT, n_compounds INT, graph_key VARCHAR)")
        db.executemany("INSERT INTO described VALUES (?, ?, ?, ?, ?)", described)
        decide(db, section(FilterVg, min_compounds=1, **changes))
        return [reason for (reason,) in db.sql("SELECT reason FROM verdicts ORDER BY position").fetchall()]


# --- What becomes of each input ----


def _file(name: str, read: Any) -> Any:
    def meet(content: str | bytes | None, folder: Path) -> Gets:
        path = write(folder) / name
        path.unlink()
        if content is not None:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Becomes(f"{len(read(folder))} rows")

    return meet


def _image(row: Any, folder: Path) -> Gets:
    counts = images(write(folder, image_data=[IMAGE, row]))
    (reason,) = counts.keys() - {"kept"} or {None}
    assert counts == ({"kept": 2} if reason is None else {"kept": 1, reason: 1})
    return Dropped(reason) if reason else Becomes("an image")


def _region(row: Any, folder: Path) -> Gets:
    data = [IMAGE, IMAGE | {"image_id": 2}]
    records = [{"id": 1, "regions": [REGION, row]}]
    if isinstance(row, dict) and "regions" in row:
        records = [{"id": 1, "regions": [REGION]}, row]
    good, bad = regions(write(folder, image_data=data, region_descriptions=records))
    assert good["fault"] is good["crop_fault"] is None
    if reason := bad["fault"] or bad["crop_fault"]:
        return Dropped(reason)
    return Becomes("a box at {x}, {y} of {width} x {height}".format(**bad))


def _object(row: Any, folder: Path) -> Gets:
    normalising, _ = normalised(folder, [OBJECT, OTHER, row], [RELATION])
    found = normalising.row()
    if normalising.faults:
        fault, *lost = normalising.faults
        assert all(of.reason == "attribute_no_object" for of in lost), "an object takes its attributes with it, and nothing else"
        return Dropped(fault.reason)
    attributes = [a["attribute"] for a in found["attributes"] if a["object"] == 2]
    return Becomes(", or ".join([" ".join([*attributes, found["objects"][2]]), *found["aliases"][2]]))


def _relation(row: Any, folder: Path) -> Gets:
    normalising, _ = normalised(folder, [OBJECT, OTHER], [RELATION, row])
    found = normalising.row()
    if normalising.faults:
        (fault,) = normalising.faults
        assert len(found["relations"]) == 1
        return Dropped(fault.reason)
    return Becomes(found["relations"][1]["relation"])


def _together(phrases: list[str], _: Path) -> Gets:
    described = [(phrase, None, 2, 1, phrase.lower()) for phrase in sorted(set(phrases))]
    return Rows(tuple(verdicts([(None, None, phrase) for phrase in phrases], described)))


# --- The cases ----


def _files(name: str, nothing: str, optional: bool = False) -> list[Case]:
    return [
        Case("missing file", None, Becomes("0 rows") if optional else Stops("there is no such file")),
        Case("empty file", "", Stops("is empty")),
        Case("only white space", " \n\t ", Stops("is empty")),
        Case("cut short in a record", whole(name)[:-20], Stops("is cut short")),
        Case("cut short between records", whole(name)[:-1], Stops("is cut short")),
        Case("cut short behind an inner bracket", '[{"id": 1, "regions": [], "objects": []', Stops("is not complete JSON")),
        Case("an object, not a list", '{"image_id": 1}', Stops("is not a JSON list")),
        Case("a web page", "<html><body>Not found</body></html>", Stops("is not a JSON list")),
        Case("an archive that was not unpacked", b"PK\x03\x04\x14\x00", Stops("is a compressed file")),
        Case("a list of nothing", "[]", Becomes("0 rows") if optional else Stops(nothing)),
        Case("a list of numbers", "[1, 2, 3]", Stops("row 1: has another shape")),
        Case("a list of texts", '["a", "b"]', Stops("row 1: has another shape")),
        Case("a record that is a list", f"[{whole(name)[1:-1]}, []]", Stops("has another shape")),
        Case("no comma between records", '[{"id": 1} {"id": 2}]', Stops("is not complete JSON")),
        Case("other columns", '[{"url": "x", "caption": "y"}]', Stops(nothing)),
        Case("words for all ids", '[{"image_id": "x", "regions": [{"region_id": "y"}]}]', Stops(nothing)),
    ]


_NAMED = [IMAGE | {"file_name": "kitchen.jpg"}]
_NO_SIZES = '[{"image_id": 1}, {"image_id": 2, "width": 0, "height": 5}]'
_FILES = [
    Reader(
        "image_data.json", "image_data.json", _file("image_data.json", images),
        [
            *_files("image_data.json", "no row has"),
            Case("no image has a size", _NO_SIZES, Stops("no row has")),
            Case("pictures' names without the images' numbers", json.dumps(_NAMED), Stops("the first is 'kitchen.jpg' of 1")),
        ],
    ),
    Reader(
        "region_descriptions.json", "region_descriptions.json", _file("region_descriptions.json", regions),
        [
            *_files("region_descriptions.json", "no record has", optional=True),
            Case("images without regions", '[{"id": 1, "regions": []}, {"id": 2, "regions": []}]', Becomes("0 rows")),
            Case("regions that are no list", '[{"id": 1, "regions": 3}]', Stops("row 1: has another shape")),
            Case("a region that is a number", '[{"id": 1, "regions": [3]}]', Stops("row 1: has another shape")),
            Case("half a surrogate pair", r'[{"id": 1, "regions": [{"phrase": "\ud800"}]}]', Stops("is not complete JSON")),
        ],
    ),
    Reader(
        "scene_graphs.json", "scene_graphs.json", _file("scene_graphs.json", scenes),
        _files("scene_graphs.json", "no record has"),
    ),
]  # fmt: skip

_IMAGES = [
    Case("no id", {"width": 800, "height": 600}, Dropped("no_image_id")),
    Case("a word for an id", IMAGE | {"image_id": "x"}, Dropped("no_image_id")),
    Case("a path for an id", IMAGE | {"image_id": "../../etc/passwd"}, Dropped("no_image_id")),
    Case("a negative id", IMAGE | {"image_id": -4}, Dropped("no_image_id")),
    Case("null", None, Dropped("no_image_id")),
    Case("no width", {"image_id": 3, "height": 600}, Dropped("no_size")),
    Case("height is null", {"image_id": 3, "width": 800, "height": None}, Dropped("no_size")),
    Case("a size of zero", {"image_id": 3, "width": 0, "height": 600}, Dropped("no_size")),
    Case("a negative size", {"image_id": 3, "width": 800, "height": -600}, Dropped("no_size")),
    Case("a size that is no number", {"image_id": 3, "width": float("nan"), "height": 600}, Dropped("no_size")),
    Case("an endless size", {"image_id": 3, "width": float("inf"), "height": 600}, Dropped("no_size")),
    Case("a size beyond all pictures", {"image_id": 3, "width": 10**9, "height": 10**9}, Dropped("no_size")),
    Case("the same image again", IMAGE, Dropped("duplicate_image")),
    Case("an id with a point, as pandas writes it", IMAGE | {"image_id": 3.0}, Becomes("an image")),
    Case("the same as text", IMAGE | {"image_id": "3.0"}, Becomes("an image")),
    Case("a picture's name with a prefix", IMAGE | {"image_id": 223750, "file_name": "photos/sa_223750.JPG"}, Becomes("an image")),
]

_NEW = REGION | {"region_id": 8}
_SAME = Becomes("a box at 10, 10 of 300 x 300")
_REGIONS = [
    Case("null", None, Dropped("no_region_id")),
    Case("an empty record", {}, Dropped("no_region_id")),
    Case("no id", without(REGION, "region_id"), Dropped("no_region_id")),
    Case("a fraction for an id", REGION | {"region_id": 7.5}, Dropped("no_region_id")),
    Case("an id of a hundred digits", REGION | {"region_id": "1" * 100}, Dropped("no_region_id")),
    Case("another image's id than its record", _NEW | {"image_id": 2}, Dropped("two_image_ids")),
    Case(
        "of an image without a row in image_data.json", {"id": 3, "regions": [_NEW | {"image_id": 3}]}, Dropped("no_image_size"), VG
    ),
    Case("the same id again", REGION | {"phrase": "a second phrase"}, Dropped("duplicate_region_id")),
    Case("no phrase", without(_NEW, "phrase"), Dropped("no_phrase")),
    Case("a phrase that is null", _NEW | {"phrase": None}, Dropped("no_phrase")),
    Case("a phrase that is an object", _NEW | {"phrase": {"text": "a red bus"}}, Dropped("no_phrase")),
    Case("a phrase that is a list", _NEW | {"phrase": ["a red bus"]}, Dropped("no_phrase")),
    Case("a phrase of white space", _NEW | {"phrase": " \n"}, Dropped("no_phrase"), VG),
    Case("no width", without(_NEW, "width"), Dropped("no_box")),
    Case("an empty width", _NEW | {"width": ""}, Dropped("no_box"), HVG),
    Case("a height that the phrase ran into", _NEW | {"height": "29red sign on a pole"}, Dropped("no_box"), HVG),
    Case("a word for a number", _NEW | {"x": "left"}, Dropped("no_box")),
    Case("true for a number", _NEW | {"x": True}, Dropped("no_box")),
    Case("a list for a number", _NEW | {"y": [1]}, Dropped("no_box")),
    Case("not a number", _NEW | {"height": float("nan")}, Dropped("no_box")),
    Case("an endless width", _NEW | {"width": float("inf")}, Dropped("no_box")),
    Case("a width of zero", _NEW | {"width": 0}, Dropped("box_outside")),
    Case("a negative height", _NEW | {"height": -5}, Dropped("box_outside")),
    Case("a box to the right of the image", _NEW | {"x": 800}, Dropped("box_outside")),
    Case("a box above the image", _NEW | {"y": -300}, Dropped("box_outside")),
    Case("a tiny box", _NEW | {"width": 12, "height": 9}, Dropped("crop_area"), VG),
    Case("a number as text", _NEW | {"region_id": "8", "x": "10", "width": " 300 "}, _SAME),
    Case("a fraction of a pixel", _NEW | {"x": 10.4}, _SAME),
    Case("a box that begins left of the image", _NEW | {"x": -1}, Becomes("a box at 0, 10 of 299 x 300"), HVG),
    Case("a box that leaves the image", _NEW | {"x": -20, "width": 900}, Dropped("crop_wide"), VG),
    Case("a word for its own image's id", _NEW | {"image_id": "x"}, Dropped("no_image_id")),
    Case("the record's image id only", without(_NEW, "image_id"), _SAME),
    Case("another name of the phrase", without(_NEW, "phrase", caption="a red bus"), _SAME),
    Case("other names of the sides", without(without(_NEW, "width"), "height", w=300, h=300), _SAME),
    Case("a list for the box", {"region_id": 8, "bbox": [10, 10, 300, 300], "phrase": "a red bus"}, _SAME),
    Case("a list of texts for the box", {"region_id": 8, "bbox": ["10", "10", "300", 300.2], "phrase": "a red bus"}, _SAME),
    Case("a list of three for the box", {"region_id": 8, "bbox": [10, 10, 300], "phrase": "a red bus"}, Dropped("no_box")),
    Case("ids with a point, as pandas writes them", _NEW | {"region_id": 8.0, "image_id": 1.0}, _SAME),
    Case("underscores in the phrase", _NEW | {"phrase": "a_red_bus"}, _SAME),
    Case("unknown columns", _NEW | {"synsets": [{"x": [None]}]}, _SAME),
]

_TOGETHER = [
    Case("a phrase that an image has again", ["red bus", "red bus", "a dog"], Rows(("duplicate_graph", None, None)), VG),
    Case("the same in capitals", ["RED BUS", "red bus"], Rows(("duplicate_graph", None)), VG),
]

_THIRD = OBJECT | {"object_id": 8, "x": 99}
_OBJECTS = [
    Case("null", None, Dropped("object_no_id")),
    Case("a number", 4, Dropped("object_no_id")),
    Case("no id", without(OBJECT, "object_id"), Dropped("object_no_id")),
    Case("no names", without(OBJECT, "names", object_id=8), Dropped("object_no_name")),
    Case("an empty list of names", OBJECT | {"object_id": 8, "names": []}, Dropped("object_no_name")),
    Case("names of nothing", OBJECT | {"object_id": 8, "names": [None, "", 3]}, Dropped("object_no_name")),
    Case("no left edge", without(OBJECT, "x", object_id=8), Dropped("object_no_box")),
    Case("no upper edge", without(OBJECT, "y", object_id=8), Dropped("object_no_box")),
    Case("no width", without(OBJECT, "w", object_id=8), Dropped("object_no_box")),
    Case("a word for a number", OBJECT | {"object_id": 8, "h": "tall"}, Dropped("object_no_box")),
    Case("not a number", OBJECT | {"object_id": 8, "h": float("nan")}, Dropped("object_no_box")),
    Case("a box outside the image", OTHER | {"object_id": 8, "x": 900}, Dropped("object_outside")),
    Case("a negative width", OTHER | {"object_id": 8, "w": -3}, Dropped("object_outside")),
    Case("the same id again", OTHER | {"object_id": 5}, Dropped("object_duplicate_id")),
    Case("the same object again", OBJECT | {"object_id": 8, "attributes": []}, Dropped("object_duplicate"), VG),
    Case("an attribute that is null", _THIRD | {"attributes": ["red", None]}, Dropped("attribute_no_text")),
    Case("the same attribute again", _THIRD | {"attributes": ["red", " RED"]}, Dropped("attribute_said_twice"), VG),
    Case("no attributes", without(_THIRD, "attributes"), Becomes("bus"), VG),
    Case("attributes are null", _THIRD | {"attributes": None}, Becomes("bus")),
    Case("one name, not a list", _THIRD | {"names": "tree"}, Becomes("red tree")),
    Case("several names", _THIRD | {"names": ["bus", "Coaches"]}, Becomes("red bus, or coach"), VG),
    Case("underscores in a name", _THIRD | {"names": ["gas_station"]}, Becomes("red gas station")),
    Case("underscores in an attribute", _THIRD | {"attributes": ["dark_red"]}, Becomes("dark red bus")),
    Case("another name of the names", without(_THIRD, "names", name="bus"), Becomes("red bus")),
    Case("attributes as objects", _THIRD | {"attributes": [{"attribute": "red"}, {"name": "tall"}]}, Becomes("red tall bus")),
    Case("an attribute of other keys", _THIRD | {"attributes": [{"colour": "red"}]}, Dropped("attribute_no_text")),
    Case("other names of the sides", without(without(_THIRD, "w"), "h", width=300, height=300), Becomes("red bus")),
    Case("a list for the box", {"object_id": 8, "names": ["bus"], "bbox": [99, 10, 300, 300]}, Becomes("bus")),
    Case("an id with a point, as pandas writes it", _THIRD | {"object_id": 8.0}, Becomes("red bus")),
    Case("capitals, white space and the plural", _THIRD | {"names": [" BUSES "]}, Becomes("red bus"), VG),
]

_RELATIONS = [
    Case("null", None, Dropped("relation_no_id")),
    Case("no subject", without(RELATION, "subject_id"), Dropped("relation_no_id")),
    Case("no predicate", without(RELATION, "predicate"), Dropped("relation_no_predicate")),
    Case("a predicate of white space", RELATION | {"predicate": "  "}, Dropped("relation_no_predicate")),
    Case("an object that is not there", RELATION | {"object_id": 1000}, Dropped("relation_no_object")),
    Case("to itself", RELATION | {"object_id": 6}, Dropped("relation_to_itself")),
    Case("the same relation in lower case", RELATION | {"predicate": "on "}, Dropped("relation_duplicate"), VG),
    Case("no synset", RELATION | {"predicate": "near", "synsets": []}, Becomes("near"), VG),
    Case("underscores", RELATION | {"predicate": "in_front_of"}, Becomes("in front of")),
    Case("another name of the predicate", without(RELATION, "predicate", name="near"), Becomes("near")),
    Case("objects that stand in it", {"subject": OTHER, "object": OBJECT, "predicate": "near"}, Becomes("near")),
    Case("ids under other names", {"subject": 6, "object": {"id": 5}, "relation": "near"}, Becomes("near")),
    Case("a verb as it came", RELATION | {"predicate": "is WEARING"}, Becomes("wear"), VG),
]

READERS = [
    *_FILES,
    Reader("Rows of image_data.json", "", _image, _IMAGES),
    Reader("Regions of region_descriptions.json", "", _region, _REGIONS),
    Reader("Regions next to each other", "", _together, _TOGETHER),
    Reader("Objects of scene_graphs.json", "", _object, _OBJECTS),
    Reader("Relations of scene_graphs.json", "", _relation, _RELATIONS),
]
