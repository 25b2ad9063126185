"""Rows that are JSON objects: one a line, the elements of an array, or the sentences of images in Karpathy's format."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, cast

import ijson
import orjson

from stages.captions.lines import LONGEST_LINE, lines, opened
from stages.captions.rows import HELD_OUT, HELD_OUT_SPLITS, OTHER_COLUMNS, TRIAL_ROWS, Column, Row, rows_of
from stages.contract.errors import InputError, one_line

DEEPEST = 8
"""Maximum number of lists and objects around a value that is read."""
_IMAGES = "images.item"


def objects(path: Path, column: Column, items: Iterable[Any]) -> Iterator[Row]:
    """Yield the rows of each JSON object, at least one of the first of which must have ``column``; items may also be rows."""
    known: dict[str, None] = {}
    has_caption = False
    for number, item in enumerate(items, 1):
        if isinstance(item, Row):
            yield item
        elif not isinstance(item, dict):
            yield Row(number, None, "not_an_object", type(item).__name__ if isinstance(item, list) else repr(item)[:80])
        elif column.key in item:
            has_caption = True
            said = (item.get(name) if name != column.key else None for name in OTHER_COLUMNS)
            yield from rows_of(number, item[column.key], *said)
        else:
            known |= dict.fromkeys(item)
            if not has_caption and number > TRIAL_ROWS:
                break
            yield Row(number, None, "missing_column", ", ".join(item).encode("utf-8", "replace").decode()[:80])
    if known and not has_caption:
        names = ", ".join(list(known)[:40])
        raise InputError(
            path, f"has no column {column.key!r}", f"correct it in params.yaml, training_sets.*; it has {names}", row=1
        )


def json_lines(path: Path, column: Column) -> Iterator[Row]:
    return objects(path, column, (loaded(number, line) for number, line in enumerate(lines(path), 1)))


def loaded(number: int, text: str) -> Any:
    """Return the value of a JSON text, or the row of its fault."""
    # Python writes NaN, which JSON lacks, for a missing number, and reads it again.
    read = json.loads if "NaN" in text or "Infinity" in text else orjson.loads
    try:
        return read(text.encode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        return Row(number, None, "broken_json", one_line(error))


def json_array(path: Path, column: Column) -> Iterator[Row]:
    """Yield the rows of a JSON array, of COCO's ``annotations``, of Karpathy's ``images``, or of a single object.

    COCO has ``{"annotations": [{…}, …], …}``, Karpathy ``{"images": [{"split", "sentences": [{…}]}, …]}``; img2dataset writes an
    object for each image.
    """
    with _opened(path) as stream:
        if (alone := _alone(stream, column)) is not None:
            yield from objects(path, column, [alone])
            return
    prefix = place(path)
    rows = elements(path, prefix)
    yield from objects(path, column, _sentences(rows) if prefix == _IMAGES else rows)


def elements(path: Path, prefix: str) -> Iterator[Any]:
    """Yield the elements of a file's array at its :func:`place`."""
    with _opened(path) as stream:
        yield from ijson.items(ijson.parse(_events(stream)), prefix)


def _alone(stream: BinaryIO, column: Column) -> dict[str, Any] | None:
    """Return the only object of a small file, if it has the column itself."""
    data = stream.read(LONGEST_LINE)
    if data.lstrip().startswith(b"{") and len(data) < LONGEST_LINE:
        found = loaded(1, data.decode("utf-8", "surrogateescape"))
        return found if isinstance(found, dict) and column.key in found else None
    return None


def _opened(path: Path) -> BinaryIO:
    """Return the file's bytes without a byte order mark."""
    stream = opened(path)
    if cast(BufferedReader, stream).peek(len(BOM_UTF8)).startswith(BOM_UTF8):
        stream.read(len(BOM_UTF8))
    return stream


def place(path: Path) -> str:
    """Return where the rows are, as ijson names it: in the array itself, in COCO's ``annotations``, or in Karpathy's ``images``.

    Raises:
        InputError: there is no such array.
    """
    keys: dict[str, None] = {}
    with _opened(path) as stream:
        for prefix, event, value in ijson.parse(_events(stream)):
            if event == "start_array" and prefix in ("", "annotations"):
                return f"{prefix}.item".removeprefix(".")
            if event == "map_key" and (prefix, value) == (_IMAGES, "sentences"):
                return _IMAGES
            if event == "map_key" and not prefix and len(keys) < 20:
                keys[value[:40]] = None
    if not keys:
        return "item"
    wrong = f"is one object, with {', '.join(keys)}, and no list of captions"
    remedy = 'save a list of objects, [{"caption": …}, …], or the same as annotations, as COCO does'
    raise InputError(path, wrong, remedy)


def _events(stream: BinaryIO) -> Iterator[tuple[str, Any]]:
    """Yield ijson's events, with ``null`` for what is nested deeper than any caption: ijson keeps a path for each level."""
    depth = 0
    for event, value in ijson.basic_parse(stream):
        depth += event in ("start_map", "start_array")
        if depth <= DEEPEST:
            yield event, value
        elif depth == DEEPEST + 1 and event in ("start_map", "start_array"):
            yield "null", None
        depth -= event in ("end_map", "end_array")


def _sentences(images: Iterable[Any]) -> Iterator[Any]:
    """Yield the sentences of Karpathy's images; those of test images are marked as held out."""
    number = 0
    for image in images:
        sentences = image.get("sentences") if isinstance(image, dict) else None
        for sentence in sentences if isinstance(sentences, list) else [sentences]:
            number += 1
            held_out = isinstance(image, dict) and str(image.get("split")) in HELD_OUT_SPLITS
            yield Row(number, None, HELD_OUT, image["split"]) if held_out else sentence
