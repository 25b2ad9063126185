"""Bad input that Visual Genome's readers meet, and what it gets. Each row is a case of the catalogue and drives a test."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class BadFile(NamedTuple):
    """A file that stops the stage: what is wrong with it, its name and text (``None``: it is missing), and words of the error."""

    what: str
    name: str
    text: str | bytes | None
    error: str


class BadRow(NamedTuple):
    """A row that is dropped: what is wrong with it, the row, and the reason's code."""

    what: str
    row: Any
    reason: str | None


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


def whole(name: str) -> str:
    """A right file."""
    return json.dumps(_LISTS[name])


BAD_FILES = [
    case
    for name in _LISTS
    for case in (
        BadFile("missing file", name, None, "there is no such file"),
        BadFile("empty file", name, "", "is empty"),
        BadFile("only white space", name, " \n\t ", "is empty"),
        BadFile("cut short in a record", name, whole(name)[:-20], "is cut short|is not whole JSON"),
        BadFile("cut short between records", name, whole(name)[:-1], "is cut short"),
        BadFile("cut short behind an inner bracket", name, '[{"id": 1, "regions": [], "objects": []', "is not whole JSON"),
        BadFile("an object, not a list", name, '{"image_id": 1}', "is not a JSON list"),
        BadFile("a web page", name, "<html><body>Not found</body></html>", "is not a JSON list"),
        BadFile("an archive that was not unpacked", name, b"PK\x03\x04\x14\x00", "is not a JSON list"),
        BadFile("a list of nothing", name, "[]", "no r"),
        BadFile("a list of numbers", name, "[1, 2, 3]", "row 1: has another shape"),
        BadFile("a list of texts", name, '["a", "b"]', "row 1: has another shape"),
        BadFile("a record that is a list", name, f"[{whole(name)[1:-1]}, []]", "has another shape"),
        BadFile("no comma between records", name, '[{"id": 1} {"id": 2}]', "is not whole JSON"),
        BadFile("other columns", name, '[{"url": "x", "caption": "y"}]', "no r"),
        BadFile("words for all ids", name, '[{"image_id": "x", "regions": [{"region_id": "y"}]}]', "no r"),
    )
] + [
    BadFile("regions that are no list", "region_descriptions.json", '[{"id": 1, "regions": 3}]', "row 1: has another shape"),
    BadFile("a region that is a number", "region_descriptions.json", '[{"id": 1, "regions": [3]}]', "row 1: has another shape"),
    BadFile(
        "half a surrogate pair", "region_descriptions.json", r'[{"id": 1, "regions": [{"phrase": "\ud800"}]}]', "is not whole JSON"
    ),
    BadFile("no image has a size", "image_data.json", '[{"image_id": 1}, {"image_id": 2, "width": 0, "height": 5}]', "no row has"),
]

BAD_IMAGES = [
    BadRow("no id", {"width": 800, "height": 600}, "no_image_id"),
    BadRow("a word for an id", IMAGE | {"image_id": "x"}, "no_image_id"),
    BadRow("a path for an id", IMAGE | {"image_id": "../../etc/passwd"}, "no_image_id"),
    BadRow("a negative id", IMAGE | {"image_id": -4}, "no_image_id"),
    BadRow("null", None, "no_image_id"),
    BadRow("no width", {"image_id": 3, "height": 600}, "no_size"),
    BadRow("height is null", {"image_id": 3, "width": 800, "height": None}, "no_size"),
    BadRow("a size of zero", {"image_id": 3, "width": 0, "height": 600}, "no_size"),
    BadRow("a negative size", {"image_id": 3, "width": 800, "height": -600}, "no_size"),
    BadRow("a size that is no number", {"image_id": 3, "width": float("nan"), "height": 600}, "no_size"),
    BadRow("an endless size", {"image_id": 3, "width": float("inf"), "height": 600}, "no_size"),
    BadRow("a size beyond all pictures", {"image_id": 3, "width": 10**9, "height": 10**9}, "no_size"),
    BadRow("the same image again", IMAGE, "duplicate_image"),
]

BAD_REGIONS = [
    BadRow("null", None, "no_region_id"),
    BadRow("an empty record", {}, "no_region_id"),
    BadRow("no id", {k: v for k, v in REGION.items() if k != "region_id"}, "no_region_id"),
    BadRow("a fraction for an id", REGION | {"region_id": 7.5}, "no_region_id"),
    BadRow("an id of a hundred digits", REGION | {"region_id": "1" * 100}, "no_region_id"),
    BadRow("another image's id than its record", REGION | {"region_id": 8, "image_id": 2}, "two_image_ids"),
    BadRow("the same id again", REGION | {"phrase": "a second phrase"}, "duplicate_region_id"),
    BadRow("no phrase", {k: v for k, v in REGION.items() if k != "phrase"} | {"region_id": 8}, "no_phrase"),
    BadRow("a phrase that is null", REGION | {"region_id": 8, "phrase": None}, "no_phrase"),
    BadRow("a phrase of white space", REGION | {"region_id": 8, "phrase": "  "}, "no_phrase"),
    BadRow("no width", {k: v for k, v in REGION.items() if k != "width"} | {"region_id": 8}, "no_box"),
    BadRow("a word for a number", REGION | {"region_id": 8, "x": "left"}, "no_box"),
    BadRow("true for a number", REGION | {"region_id": 8, "x": True}, "no_box"),
    BadRow("a list for a number", REGION | {"region_id": 8, "y": [1]}, "no_box"),
    BadRow("not a number", REGION | {"region_id": 8, "height": float("nan")}, "no_box"),
    BadRow("an endless width", REGION | {"region_id": 8, "width": float("inf")}, "no_box"),
    BadRow("a width of zero", REGION | {"region_id": 8, "width": 0}, "box_outside"),
    BadRow("a negative height", REGION | {"region_id": 8, "height": -5}, "box_outside"),
    BadRow("a box to the right of the image", REGION | {"region_id": 8, "x": 800}, "box_outside"),
    BadRow("a box above the image", REGION | {"region_id": 8, "y": -300}, "box_outside"),
    # What looks bad and is understood.
    BadRow("a number as text", REGION | {"region_id": "8", "x": "10", "width": " 300 "}, None),
    BadRow("a fraction of a pixel", REGION | {"region_id": 8, "x": 10.4}, None),
    BadRow("a box that leaves the image", REGION | {"region_id": 8, "x": -20, "width": 900}, None),
    BadRow("the record's image id only", {k: v for k, v in REGION.items() if k != "image_id"} | {"region_id": 8}, None),
    BadRow("unknown columns", REGION | {"region_id": 8, "synsets": [{"x": [None]}]}, None),
]

BAD_OBJECTS = [
    BadRow("null", None, "object_no_id"),
    BadRow("a number", 4, "object_no_id"),
    BadRow("no id", {k: v for k, v in OBJECT.items() if k != "object_id"}, "object_no_id"),
    BadRow("no names", {k: v for k, v in OBJECT.items() if k != "names"} | {"object_id": 8}, "object_no_name"),
    BadRow("an empty list of names", OBJECT | {"object_id": 8, "names": []}, "object_no_name"),
    BadRow("names of nothing", OBJECT | {"object_id": 8, "names": [None, "", 3]}, "object_no_name"),
    BadRow("no width", {k: v for k, v in OBJECT.items() if k != "w"} | {"object_id": 8}, "object_no_box"),
    BadRow("a word for a number", OBJECT | {"object_id": 8, "h": "tall"}, "object_no_box"),
    BadRow("not a number", OBJECT | {"object_id": 8, "h": float("nan")}, "object_no_box"),
    BadRow("a box outside the image", OTHER | {"object_id": 8, "x": 900}, "object_outside"),
    BadRow("a negative width", OTHER | {"object_id": 8, "w": -3}, "object_outside"),
    BadRow("the same id again", OTHER | {"object_id": 5}, "object_duplicate_id"),
    BadRow("the same object again", OBJECT | {"object_id": 8, "attributes": []}, "object_duplicate"),
    BadRow("an attribute that is null", OBJECT | {"object_id": 8, "x": 99, "attributes": ["red", None]}, "attribute_no_text"),
    BadRow("the same attribute again", OBJECT | {"object_id": 8, "x": 99, "attributes": ["red", " RED"]}, "attribute_duplicate"),
    BadRow("no attributes", {k: v for k, v in OBJECT.items() if k != "attributes"} | {"object_id": 8, "x": 99}, None),
    BadRow("one name, not a list", OBJECT | {"object_id": 8, "x": 99, "names": "tree"}, None),
    BadRow("attributes are null", OBJECT | {"object_id": 8, "x": 99, "attributes": None}, None),
]

BAD_RELATIONS = [
    BadRow("null", None, "relation_no_id"),
    BadRow("no subject", {k: v for k, v in RELATION.items() if k != "subject_id"}, "relation_no_id"),
    BadRow("no predicate", {k: v for k, v in RELATION.items() if k != "predicate"}, "relation_no_predicate"),
    BadRow("a predicate of white space", RELATION | {"predicate": "  "}, "relation_no_predicate"),
    BadRow("an object that is not there", RELATION | {"object_id": 1000}, "relation_no_object"),
    BadRow("to itself", RELATION | {"object_id": 6}, "relation_to_itself"),
    BadRow("the same relation in lower case", RELATION | {"predicate": "on "}, "relation_duplicate"),
]
