"""Reads Visual Genome's annotation files, of any size, in bounded memory.

A *file* that is missing, cut short or of another shape raises :class:`InputError`; a *row* that is wrong is marked with a reason's
code and goes on, so that the stage can count it. Versions differ in their keys (``id`` or ``image_id``), and both are read.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
from duckdb import CaseExpression, CoalesceOperator, ColumnExpression, ConstantExpression, StarExpression

from stages.contract.errors import InputError
from stages.database.duck import first_line, stream
from stages.geometry.box import Box
from stages.images.crop_rule import CropRule

COLUMNS = {
    "image_data.json": {"image_id": "VARCHAR", "id": "VARCHAR", "width": "VARCHAR", "height": "VARCHAR"},
    "region_descriptions.json": {
        "image_id": "VARCHAR",
        "id": "VARCHAR",
        "regions": "STRUCT(region_id VARCHAR, id VARCHAR, image_id VARCHAR, "
        "x VARCHAR, y VARCHAR, width VARCHAR, height VARCHAR, phrase VARCHAR)[]",
    },
    "scene_graphs.json": {"image_id": "VARCHAR", "id": "VARCHAR", "objects": "JSON", "relationships": "JSON"},
}
"""What is read of each file. Everything is text first, so that a word where a number should be costs its row and not the file."""

# One image's record; DuckDB holds one in memory as a whole.
LARGEST_RECORD = 64 << 20
REGION_FILE = "region_descriptions.json"

# A side of an image, in pixels; what is longer is a mistake and would overflow an area.
MACROS = """
CREATE OR REPLACE MACRO identity_of(text) AS CASE WHEN regexp_full_match(text, '[0-9]{1,18}') THEN try_cast(text AS BIGINT) END;
CREATE OR REPLACE MACRO pixels(text) AS CASE
    WHEN abs(try_cast(text AS DOUBLE)) <= 10000000 THEN round_even(try_cast(text AS DOUBLE), 0)::BIGINT END;
CREATE OR REPLACE MACRO is_nested(text) AS text[1] IN ('{', '[') AND json_valid(text);
CREATE OR REPLACE MACRO is_side(pixels) AS coalesce(pixels BETWEEN 1 AND 100000, false);
"""

RECORDS = """
CREATE OR REPLACE TEMP VIEW records AS
SELECT row_number() OVER () - 1 AS record, * REPLACE (identity_of(coalesce(image_id, id)) AS image_id) FROM source
"""
IMAGE_ROWS = """
CREATE OR REPLACE TEMP TABLE image_rows AS
SELECT record, image_id, pixels(width)::INTEGER AS image_width, pixels(height)::INTEGER AS image_height,
    CASE WHEN image_id IS NULL THEN 'no_image_id'
         WHEN NOT (is_side(pixels(width)) AND is_side(pixels(height))) THEN 'no_size' END AS fault
FROM records
"""
IMAGES = """
CREATE OR REPLACE TEMP TABLE images AS
SELECT image_id, arg_min(image_width, record) AS image_width, arg_min(image_height, record) AS image_height
FROM image_rows WHERE fault IS NULL GROUP BY image_id
"""


def load_images(db: duckdb.DuckDBPyConnection, folder: str | Path) -> Counter[str]:
    """Make the table ``images`` (image_id, image_width, image_height) from ``image_data.json``.

    Returns:
        How many rows were ``kept``, and how many dropped, by reason: ``no_image_id``, ``no_size``, ``duplicate_image``.

    Raises:
        InputError: the file is missing, cut short or of another shape.
    """
    path = Path(folder) / "image_data.json"
    with _records(db, path):
        db.execute(IMAGE_ROWS)
    db.execute(IMAGES)
    faults = db.sql("SELECT fault, count(*) FROM image_rows GROUP BY fault ORDER BY fault").fetchall()
    counts = Counter({fault or "duplicate_image": n for fault, n in faults})
    usable = db.table("images").shape[0]
    if not usable:
        raise InputError(path, "no row has an image_id, a width and a height", f"give Visual Genome's own {path.name}")
    counts.update(kept=usable, duplicate_image=-usable)
    return +counts


REGIONS = """
WITH flat AS (
    SELECT image_id AS outer_id, unnest(regions) AS region FROM records
), rows AS (
    SELECT row_number() OVER () - 1 AS position, identity_of(coalesce(region.region_id, region.id)) AS region_id,
        CASE WHEN region.image_id IS NULL THEN outer_id ELSE identity_of(region.image_id) END AS image_id, outer_id,
        CASE WHEN NOT is_nested(region.phrase) THEN region.phrase END AS phrase,
        pixels(region.x) AS x1, pixels(region.y) AS y1,
        pixels(region.x) + pixels(region.width) AS x2, pixels(region.y) + pixels(region.height) AS y2
    FROM flat
), cut AS (
    SELECT rows.*, image_width, image_height, greatest(x1, 0)::INTEGER AS x, greatest(y1, 0)::INTEGER AS y,
        least(x2, image_width) - greatest(x1, 0) AS width, least(y2, image_height) - greatest(y1, 0) AS height
    FROM rows LEFT JOIN images USING (image_id)
)
SELECT position, image_id, region_id, phrase, x, y, width::INTEGER AS width, height::INTEGER AS height, image_width, image_height,
    CASE WHEN region_id IS NULL THEN 'no_region_id'
         WHEN image_id IS NULL THEN 'no_image_id'
         WHEN image_id <> outer_id THEN 'two_image_ids'
         WHEN trim(coalesce(phrase, ''), E' \\t\\r\\n') = '' THEN 'no_phrase'
         WHEN image_width IS NULL THEN 'no_image_size'
         WHEN x2 IS NULL OR y2 IS NULL THEN 'no_box'
         WHEN width <= 0 OR height <= 0 THEN 'box_outside' END AS fault
FROM cut
"""
REPEATED = """
SELECT region_id AS again, min(position) AS first_position FROM region_rows WHERE fault IS NULL
GROUP BY region_id HAVING count(*) > 1
"""
UNREPEATED = """
SELECT * EXCLUDE (again, first_position)
    REPLACE (CASE WHEN fault IS NULL AND position > first_position THEN 'duplicate_region_id' ELSE fault END AS fault)
FROM region_rows LEFT JOIN repeated ON region_id = again
"""


def has_regions(folder: str | Path) -> bool:
    """Return whether the data set describes regions; most scene graphs that are not Visual Genome's come without."""
    return (Path(folder) / REGION_FILE).is_file()


def load_regions(db: duckdb.DuckDBPyConnection, folder: str | Path, rule: CropRule, spool: Path) -> None:
    """Make the view ``regions`` of all rows of ``region_descriptions.json``, each with its faults; needs :func:`load_images`.

    It is empty where there is no such file, or no image of it has a region.

    Columns: position (0-based, in the flattened list), image_id, region_id, phrase, the box cut to the image (x, y, width,
    height), image_width, image_height; ``fault``, why the row says nothing of any image (``no_region_id``, ``no_image_id``,
    ``two_image_ids``, ``duplicate_region_id``, ``no_phrase``, ``no_image_size``, ``no_box``, ``box_outside``); ``crop_fault``,
    why its crop is not fit to look at. The rows lie in the Parquet file ``spool``, and not in memory.

    Raises:
        InputError: the file is cut short or of another shape.
    """
    path = Path(folder) / REGION_FILE
    # A large box has more pixels than 32 bits count, and a share may have a large denominator.
    columns = (ColumnExpression(side).cast("HUGEINT") for side in ("width", "height", "image_width", "image_height"))
    faults = (CaseExpression(present, ConstantExpression(code)) for code, present in rule.faults(*columns).items())
    with _records(db, path) if has_regions(folder) else _no_records(db, path.name):
        db.sql(REGIONS).select(StarExpression(), CoalesceOperator(*faults).alias("crop_fault")).write_parquet(str(spool))
        records, lists = db.sql("SELECT count(*), count(regions) FROM records").fetchall()[0]
    db.read_parquet(str(spool)).create_view("region_rows")
    rows, known = db.sql("SELECT count(*), count(region_id) FROM region_rows").fetchall()[0]
    # A file of other things has records, and none of them a list of regions.
    if (records and not lists) or (rows and not known):
        raise InputError(path, "no record has regions with a region_id", f"give Visual Genome's own {path.name}")
    db.sql(REPEATED).create("repeated")
    db.sql(UNREPEATED).create_view("regions")


class AnnotatedObject(NamedTuple):
    """An object as annotated; the box is not yet cut to the image."""

    object_id: int
    names: tuple[str, ...]
    attributes: tuple[str, ...]
    box: Box


class AnnotatedRelation(NamedTuple):
    """A relation as annotated, between two object ids."""

    subject_id: int
    predicate: str
    object_id: int


class Fault(NamedTuple):
    """A row that could not be read: what it is, its text, and why."""

    item: str
    text: str
    reason: str


class SceneRecord(NamedTuple):
    """An image's record in ``scene_graphs.json``; the size is ``None`` where ``image_data.json`` has none."""

    image_id: int | None
    image_width: int | None
    image_height: int | None
    objects: list[AnnotatedObject]
    relations: list[AnnotatedRelation]
    faults: list[Fault]


SCENES = """
SELECT image_id, image_width, image_height, objects, relationships
FROM records LEFT JOIN images USING (image_id) ORDER BY image_id NULLS LAST, record
"""


def scene_records(db: duckdb.DuckDBPyConnection, folder: str | Path) -> Iterator[SceneRecord]:
    """The records of ``scene_graphs.json`` by image id, of equal ones in the file's order; needs :func:`load_images`.

    Faults of rows: ``object_no_id``, ``object_no_name``, ``object_no_box``, ``attribute_no_text``, ``attribute_no_object``
    for one of an object with such a fault, ``relation_no_id``, ``relation_no_predicate``, and ``not_a_list`` for a record whose
    objects or relations are no list.

    Raises:
        InputError: the file is missing, cut short or of another shape.
    """
    path = Path(folder) / "scene_graphs.json"
    has_objects = False
    with _records(db, path):
        for piece in stream(db, SCENES, batch=256):
            for image_id, width, height, objects, relations in zip(*(column.to_pylist() for column in piece.columns), strict=True):
                has_objects = has_objects or objects is not None
                yield _scene(image_id, width, height, objects, relations)
    if not has_objects:
        raise InputError(path, "no record has a list of objects", f"give Visual Genome's own {path.name}")


def _scene(image_id: int | None, width: int | None, height: int | None, objects: str | None, relations: str | None) -> SceneRecord:
    scene = SceneRecord(image_id, width, height, [], [], [])
    for row in _listed(objects, "objects", scene.faults):
        _read_object(row, scene)
    for row in _listed(relations, "relationships", scene.faults):
        _read_relation(row, scene)
    return scene


def _listed(text: str | None, what: str, faults: list[Fault]) -> list[dict[str, Any]]:
    """The rows in a JSON list; what is no row becomes an empty one, whose missing id is its fault."""
    try:
        rows = json.loads(text) if text else []
    except RecursionError:
        rows = None
    if not isinstance(rows, list):
        faults.append(Fault(what, str(text)[:200], "not_a_list"))
        return []
    return [row if isinstance(row, dict) else {} for row in rows]


def _read_object(row: dict[str, Any], scene: SceneRecord) -> None:
    object_id = _identity(row.get("object_id", row.get("id")))
    names = _texts(row.get("names", row.get("name")))
    given = row.get("attributes") or []
    attributes = _texts(given)
    x, y, width, height = (_pixels(row.get(side)) for side in "xywh")
    item, name = "object" if object_id is None else f"object {object_id}", " / ".join(names)
    lost = (len(given) if isinstance(given, list) else 1) - len(attributes)
    scene.faults.extend([Fault(item, name, "attribute_no_text")] * lost)
    if object_id is None:
        reason = "object_no_id"
    elif not names:
        reason = "object_no_name"
    elif x is None or y is None or width is None or height is None:
        reason = "object_no_box"
    else:
        scene.objects.append(AnnotatedObject(object_id, names, attributes, Box(x, y, width, height)))
        return
    scene.faults.append(Fault(item, name, reason))
    # What is said of an object that cannot be read is lost with it, and counted as that of one that is dropped later.
    scene.faults.extend(Fault(item, text, "attribute_no_object") for text in attributes)


def _texts(given: Any) -> tuple[str, ...]:
    """The texts in a list, or one text by itself; what is none, or blank, is left out."""
    listed = given if isinstance(given, list) else [given]
    return tuple(text for text in listed if isinstance(text, str) and text.strip())


def _read_relation(row: dict[str, Any], scene: SceneRecord) -> None:
    subject_id, object_id, predicate = _identity(row.get("subject_id")), _identity(row.get("object_id")), row.get("predicate")
    item = f"relation {row.get('relationship_id')}"
    if dropped := row.get("dropped"):  # by a reader of another format
        scene.faults.append(Fault(item, str(predicate or ""), str(dropped)))
    elif subject_id is None or object_id is None:
        scene.faults.append(Fault(item, str(predicate or ""), "relation_no_id"))
    elif not isinstance(predicate, str) or not predicate.strip():
        scene.faults.append(Fault(item, "", "relation_no_predicate"))
    else:
        scene.relations.append(AnnotatedRelation(subject_id, predicate, object_id))


def _identity(value: Any) -> int | None:
    """A whole number of at most 18 digits, also written as text: what ``identity_of`` takes."""
    if type(value) is int:  # as nearly all are, and true is not
        return value if 0 <= value < 10**18 else None
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,18}", value) else None


def _pixels(value: Any) -> int | None:
    """A number of pixels, rounded: what ``pixels`` takes."""
    try:
        number = value if type(value) is int else None if isinstance(value, bool) else round(float(value))
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number is not None and abs(number) <= 10_000_000 else None


@contextmanager
def _records(db: duckdb.DuckDBPyConnection, path: Path) -> Iterator[None]:
    """Make the view ``records`` of a file's JSON list, each with its number (``record``) and its ``image_id`` or null; say what is
    wrong with the file when it is read."""
    _check_ends(path)
    db.execute(MACROS)
    try:
        source = db.read_json(str(path), format="array", maximum_object_size=LARGEST_RECORD, columns=COLUMNS[path.name])
        source.create_view("source", replace=True)
        # The file is read from its beginning to its end, and a window without an order numbers rows as they come.
        db.execute(RECORDS)
        yield
    except (duckdb.InvalidInputException, UnicodeDecodeError) as error:
        message = first_line(error)
        match = re.search(r'file ".*?",? ?(?:at byte \d+ )?in record/value (\d+)[:.]? ?(.*)', message)
        number, what = (match[1], match[2]) if match else (None, message)
        kind = "is not whole JSON" if "Malformed" in message else "has another shape than Visual Genome's"
        found = f" ({what or message})" if message else ""
        raise InputError(path, f"{kind}{found}", "download or unpack it again", row=number) from None


@contextmanager
def _no_records(db: duckdb.DuckDBPyConnection, name: str) -> Iterator[None]:
    """Make the view ``records`` of a file that is not there: without rows."""
    db.execute(MACROS)
    columns = ", ".join(f"NULL::{kind} AS {column}" for column, kind in COLUMNS[name].items())
    db.execute(f"CREATE OR REPLACE TEMP TABLE no_records AS SELECT {columns} LIMIT 0")
    db.table("no_records").create_view("source", replace=True)
    db.execute(RECORDS)
    yield


def _check_ends(path: Path) -> None:
    """A JSON array begins and ends with its brackets; DuckDB takes one that is cut off between two records for whole."""
    if not path.is_file():
        raise InputError(path, "there is no such file", "set visual_genome.annotations in params.yaml to Visual Genome's folder")
    with path.open("rb") as file:
        head = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
        file.seek(max(0, path.stat().st_size - 64))
        tail = file.read().rstrip()
    if not head:
        raise InputError(path, "is empty", "download or unpack it again")
    if not head.startswith(b"["):
        raise InputError(path, "is not a JSON list", f"give Visual Genome's own {path.name}, unpacked")
    if not tail.endswith(b"]"):
        raise InputError(path, "is cut short: its list has no end", "download or unpack it again")
