"""Read Visual Genome's annotation files, of any size, in bounded memory.

A *file* that is missing, truncated or of another shape raises :class:`InputError`; a faulty *row* is marked with a reason's
code and passed on, so that the stage can count it. Versions differ in their keys (``id`` or ``image_id``), and both are read.
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

from stages.annotations.shapes import SLACK, BoxCounts, Boxes, box_of, check_ends, first_of, id_of, identity
from stages.contract.duck import first_line, stream
from stages.contract.errors import InputError
from stages.graphs.box import Box
from stages.images.crop_rule import CropRule

COLUMNS = {
    "image_data.json": {"image_id": "VARCHAR", "id": "VARCHAR", "width": "VARCHAR", "height": "VARCHAR", "file_name": "VARCHAR"},
    "region_descriptions.json": {
        "image_id": "VARCHAR",
        "id": "VARCHAR",
        "regions": "STRUCT(region_id VARCHAR, id VARCHAR, image_id VARCHAR, "
        "x VARCHAR, y VARCHAR, width VARCHAR, height VARCHAR, w VARCHAR, h VARCHAR, bbox VARCHAR, "
        "phrase VARCHAR, caption VARCHAR)[]",
    },
    "scene_graphs.json": {"image_id": "VARCHAR", "id": "VARCHAR", "objects": "JSON", "relationships": "JSON", "relations": "JSON"},
}
"""The columns of each file. All are read as text first, so that a word in place of a number costs its row and not the file."""

# The record of one image, which DuckDB holds in memory as a whole.
LARGEST_RECORD = 64 << 20
LONGEST_NAME = 400
"""Characters of a name, an attribute or a predicate; a longer one is a paragraph in the wrong field."""
REGION_FILE = "region_descriptions.json"

# Maximum side of an image, in pixels; a larger one is a mistake and would overflow an area.
MACROS = """
CREATE OR REPLACE MACRO identity_of(text) AS CASE
    WHEN regexp_full_match(text, '[0-9]{1,18}([.]0+)?') THEN try_cast(split_part(text, '.', 1) AS BIGINT) END;
CREATE OR REPLACE MACRO pixels(text) AS CASE
    WHEN abs(try_cast(text AS DOUBLE)) <= 10000000 THEN round_even(try_cast(text AS DOUBLE), 0)::BIGINT END;
CREATE OR REPLACE MACRO of_box(text) AS CASE
    WHEN json_valid(text) AND json_array_length(text) = 4 THEN json_extract_string(text, '$[*]') END;
CREATE OR REPLACE MACRO is_nested(text) AS text[1] IN ('{', '[') AND json_valid(text);
CREATE OR REPLACE MACRO is_side(pixels) AS coalesce(pixels BETWEEN 1 AND 100000, false);
"""

RECORDS = """
CREATE OR REPLACE TEMP VIEW records AS
SELECT row_number() OVER () - 1 AS record, * REPLACE (identity_of(coalesce(image_id, id)) AS image_id) FROM source
"""
IMAGE_ROWS = """
CREATE OR REPLACE TEMP TABLE image_rows AS
SELECT record, image_id, pixels(width)::INTEGER AS image_width, pixels(height)::INTEGER AS image_height, file_name,
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
        The numbers of rows ``kept`` and dropped, by reason: ``no_image_id``, ``no_size``, ``duplicate_image``.

    Raises:
        InputError: the file is missing, truncated or of another shape.
    """
    path = Path(folder) / "image_data.json"
    with _records(db, path):
        db.execute(IMAGE_ROWS)
    db.execute(IMAGES)
    faults = db.sql("SELECT fault, count(*) FROM image_rows GROUP BY fault ORDER BY fault").fetchall()
    counts = Counter({fault or "duplicate_image": n for fault, n in faults})
    _check_names(db, path)
    usable = db.table("images").shape[0]
    if not usable:
        raise InputError(path, "no row has an image_id, a width and a height", f"give Visual Genome's own {path.name}")
    counts.update(kept=usable, duplicate_image=-usable)
    return +counts


NAMES = """
SELECT file_name, image_id, count(*) OVER () FROM image_rows
WHERE fault IS NULL AND file_name IS NOT NULL
    AND try_cast(regexp_extract(file_name, '([0-9]{1,18})[.][A-Za-z]+$', 1) AS BIGINT) IS DISTINCT FROM image_id
ORDER BY record LIMIT 1
"""


def _check_names(db: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse ``file_name`` without the image's number, because pictures are found by number."""
    for name, image_id, n in db.sql(NAMES).fetchall():
        wrong = f"{n:,} of its images have a file_name without their number, the first is {str(name)[:80]!r} of {image_id}"
        raise InputError(path, wrong, "name pictures by image_id, as 2.jpg or any_2.png, or number the images as their files are")


REGIONS = """
WITH flat AS (
    SELECT image_id AS outer_id, unnest(regions) AS region FROM records
), rows AS (
    SELECT row_number() OVER () - 1 AS position, identity_of(coalesce(region.region_id, region.id)) AS region_id,
        CASE WHEN region.image_id IS NULL THEN outer_id ELSE identity_of(region.image_id) END AS image_id, outer_id,
        coalesce(region.phrase, region.caption) AS said, of_box(region.bbox) AS box,
        try_cast(coalesce(region.x, box[1]) AS DOUBLE) AS a, try_cast(coalesce(region.y, box[2]) AS DOUBLE) AS b,
        try_cast(coalesce(region.width, region.w, box[3]) AS DOUBLE) AS c,
        try_cast(coalesce(region.height, region.h, box[4]) AS DOUBLE) AS d
    FROM flat
), placed AS (
    SELECT rows.*, image_width, image_height, CASE WHEN NOT is_nested(said) THEN said END AS phrase,
        pixels(a * {across}) AS x1, pixels(b * {down}) AS y1,
        pixels(c * {across}) + {corner} * x1 AS x2, pixels(d * {down}) + {corner} * y1 AS y2
    FROM rows LEFT JOIN images USING (image_id)
), cut AS (
    SELECT *, greatest(x1, 0)::INTEGER AS x, greatest(y1, 0)::INTEGER AS y,
        least(x2, image_width) - greatest(x1, 0) AS width, least(y2, image_height) - greatest(y1, 0) AS height
    FROM placed
)
SELECT position, image_id, region_id, phrase, x, y, width::INTEGER AS width, height::INTEGER AS height, image_width, image_height,
    CASE WHEN region_id IS NULL THEN 'no_region_id'
         WHEN image_id IS NULL THEN 'no_image_id'
         WHEN image_id <> outer_id THEN 'two_image_ids'
         WHEN trim(coalesce(phrase, ''), E' \\t\\r\\n') = '' THEN 'no_phrase'
         WHEN image_width IS NULL THEN 'no_image_size'
         WHEN x2 IS NULL OR y2 IS NULL THEN 'no_box'
         WHEN width <= 0 OR height <= 0 THEN 'box_outside' END AS fault,
    x2 > image_width * {slack} + 1 OR y2 > image_height * {slack} + 1 AS leaves,
    least(a, b, c, d) >= 0 AND greatest(a, b, c, d) <= 1 AS share,
    x2 <= x1 OR y2 <= y1 AS turned
FROM cut
"""
BOX_COUNTS = """
SELECT count(turned AND image_width > 0), count(*) FILTER (leaves), count(*) FILTER (share AND NOT leaves), count(*) FILTER (turned)
FROM region_rows
"""


REPEATED = """
SELECT region_id AS again, min(position) AS first_position FROM region_rows WHERE fault IS NULL
GROUP BY region_id HAVING count(*) > 1
"""
UNREPEATED = """
SELECT * EXCLUDE (again, first_position, leaves, share, turned)
    REPLACE (CASE WHEN fault IS NULL AND position > first_position THEN 'duplicate_region_id' ELSE fault END AS fault)
FROM region_rows LEFT JOIN repeated ON region_id = again
"""


def load_regions(db: duckdb.DuckDBPyConnection, folder: str | Path, rule: CropRule, spool: Path, boxes: Boxes = "xywh") -> None:
    """Make the view ``regions`` of all rows of ``region_descriptions.json``, each with its faults; needs :func:`load_images`.

    The view is empty without this file, or if no image has a region.

    Columns: position (0-based, in the flattened list), image_id, region_id, phrase, the box cut to the image (x, y, width,
    height), image_width, image_height; ``fault``, why the row is unusable (``no_region_id``, ``no_image_id``,
    ``two_image_ids``, ``duplicate_region_id``, ``no_phrase``, ``no_image_size``, ``no_box``, ``box_outside``); ``crop_fault``,
    why its crop is not fit to be a query. The rows are in the Parquet file ``spool``, and not in memory.

    Raises:
        InputError: the file is truncated or of another shape, or its boxes do not have the format of ``boxes``.
    """
    path = Path(folder) / REGION_FILE
    # A large box has more pixels than 32 bits can count, and a fraction may have a large denominator.
    columns = (ColumnExpression(side).cast("HUGEINT") for side in ("width", "height", "image_width", "image_height"))
    faults = (CaseExpression(present, ConstantExpression(code)) for code, present in rule.faults(*columns).items())
    across, down = ("image_width", "image_height") if boxes.startswith("relative_") else (1, 1)
    with _records(db, path):
        rows = db.sql(REGIONS.format(across=across, down=down, corner=0 if boxes.endswith("xyxy") else 1, slack=1 + SLACK))
        rows.select(StarExpression(), CoalesceOperator(*faults).alias("crop_fault")).write_parquet(str(spool))
        records, lists = db.sql("SELECT count(*), count(regions) FROM records").fetchall()[0]
    db.read_parquet(str(spool)).create_view("region_rows")
    rows, known = db.sql("SELECT count(*), count(region_id) FROM region_rows").fetchall()[0]
    # Another kind of file has records, but none with a list of regions.
    if (records and not lists) or (rows and not known):
        raise InputError(path, "no record has regions with a region_id", f"give Visual Genome's own {path.name}")
    BoxCounts(*db.sql(BOX_COUNTS).fetchall()[0]).check(path, boxes)
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
    """A row that could not be read: its kind, its text, and the reason."""

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
SELECT image_id, image_width, image_height, objects, coalesce(relationships, relations) AS relationships
FROM records LEFT JOIN images USING (image_id) ORDER BY image_id NULLS LAST, record
"""


def scene_records(db: duckdb.DuckDBPyConnection, folder: str | Path, boxes: Boxes = "xywh") -> Iterator[SceneRecord]:
    """Yield the records of ``scene_graphs.json`` by image id, of equal ones in the file's order; needs :func:`load_images`.

    Faults of rows: ``object_no_id``, ``object_no_name``, ``object_no_box``, ``attribute_no_text``, ``attribute_no_object``
    for one of an object with such a fault, ``relation_no_id``, ``relation_no_predicate``, and ``not_a_list`` for a record whose
    objects or relations are no list.

    Raises:
        InputError: the file is missing, truncated or of another shape, or its boxes do not have the format of ``boxes``.
    """
    path = Path(folder) / "scene_graphs.json"
    has_objects, counts = False, Counter[str]()
    with _records(db, path):
        for piece in stream(db, SCENES, batch=256):
            for image_id, width, height, objects, relations in zip(*(column.to_pylist() for column in piece.columns), strict=True):
                has_objects = has_objects or objects is not None
                scene = SceneRecord(image_id, width, height, [], [], [])
                for row in _listed(objects, "objects", scene.faults):
                    _read_object(row, scene, box_of(row, boxes, width, height, counts))
                for row in _listed(relations, "relationships", scene.faults):
                    _read_relation(row, scene)
                yield scene
    if not has_objects:
        raise InputError(path, "no record has a list of objects", f"give Visual Genome's own {path.name}")
    BoxCounts(*(counts[what] for what in BoxCounts._fields)).check(path, boxes)


def _listed(text: str | None, what: str, faults: list[Fault]) -> list[dict[str, Any]]:
    """Return the rows in a JSON list; an element that is no row becomes an empty one, with a missing id as its fault."""
    try:
        rows = json.loads(text) if text else []
    except RecursionError:
        rows = None
    if not isinstance(rows, list):
        faults.append(Fault(what, str(text)[:200], "not_a_list"))
        return []
    return [row if isinstance(row, dict) else {} for row in rows]


def _read_object(row: dict[str, Any], scene: SceneRecord, box: Box | None) -> None:
    object_id = identity(row.get("object_id", row.get("id")))
    names = _texts(first_of(row, "names", "name", "label"))
    given = row.get("attributes") or []
    given = given if isinstance(given, list) else [given]
    # Also from an object with it: ``{"attribute": "red"}``.
    attributes = _texts([first_of(one, "attribute", "name") if isinstance(one, dict) else one for one in given])
    item, name = "object" if object_id is None else f"object {object_id}", " / ".join(names)
    scene.faults.extend([Fault(item, name, "attribute_no_text")] * (len(given) - len(attributes)))
    if object_id is None:
        reason = "object_no_id"
    elif not names:
        reason = "object_no_name"
    elif box is None:
        reason = "object_no_box"
    else:
        scene.objects.append(AnnotatedObject(object_id, names, attributes, box))
        return
    scene.faults.append(Fault(item, name, reason))
    # The attributes and relations of an unreadable object are lost with it, and counted as those of one that is dropped later.
    scene.faults.extend(Fault(item, text, "attribute_no_object") for text in attributes)


def _texts(given: Any) -> tuple[str, ...]:
    """Return the texts in a list, or one text by itself; other values, blank ones and whole paragraphs are left out."""
    listed = given if isinstance(given, list) else [given]
    return tuple(text for text in listed if isinstance(text, str) and 0 < len(text.strip()) <= LONGEST_NAME)


def _read_relation(row: dict[str, Any], scene: SceneRecord) -> None:
    subject_id, object_id = (identity(id_of(row, role)) for role in ("subject", "object"))
    predicate = first_of(row, "predicate", "name", "relation")
    item = f"relation {row.get('relationship_id')}"
    if dropped := row.get("dropped"):  # by a reader of another format
        scene.faults.append(Fault(item, str(predicate or ""), str(dropped)))
    elif subject_id is None or object_id is None:
        scene.faults.append(Fault(item, str(predicate or ""), "relation_no_id"))
    elif not _texts(predicate if isinstance(predicate, str) else None):
        scene.faults.append(Fault(item, "", "relation_no_predicate"))
    else:
        scene.relations.append(AnnotatedRelation(subject_id, predicate, object_id))


@contextmanager
def _records(db: duckdb.DuckDBPyConnection, path: Path) -> Iterator[None]:
    """Make the view ``records`` of a file's JSON list, each with its number (``record``) and its ``image_id`` or null.

    Faults of the file are raised when it is read. Of the file with regions, which may be missing, there are no records then.
    """
    columns = COLUMNS[path.name]
    db.execute(MACROS)
    try:
        if path.name == REGION_FILE and not path.is_file():
            nothing = ", ".join(f"NULL::{kind} AS {column}" for column, kind in columns.items())
            source = db.sql(f"SELECT {nothing} LIMIT 0")
        else:
            check_ends(path)
            source = db.read_json(str(path), format="array", maximum_object_size=LARGEST_RECORD, columns=columns)
        source.create_view("source", replace=True)
        # The file is read from beginning to end, and a window without an order numbers rows in that order.
        db.execute(RECORDS)
        yield
    except (duckdb.InvalidInputException, UnicodeDecodeError) as error:
        message = first_line(error)
        if "maximum_object_size" in message:
            wrong = f"has a record of more than {LARGEST_RECORD >> 20} MiB, where one is an image's"
            raise InputError(path, wrong, "give a list with one record an image") from None
        match = re.search(r'file ".*?",? ?(?:at byte \d+ )?in record/value (\d+)[:.]? ?(.*)', message)
        number, what = (match[1], match[2]) if match else (None, message)
        kind = "is not complete JSON" if "Malformed" in message else "has another shape than Visual Genome's"
        found = f" ({what or message})" if message else ""
        raise InputError(path, f"{kind}{found}", "download or unpack it again", row=number) from None
