"""The rows of a corpus in any format: captions, or their faults."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

REMEDY = "correct the format, column or header in params.yaml, training_sets.*"
TRIAL_ROWS = 1000
"""If this many first rows of a file are all faulty, the file is."""

NO_IMAGE, HELD_OUT = LEFT_OUT = ("no_image", "held_out")
"""Valid rows that no model was trained on: the image could not be downloaded, or is for testing. They are not a fault of the
file."""
SPLIT, STATUS = OTHER_COLUMNS = ("split", "status")
"""Columns with the row's part of the data set, and with its image's download status (img2dataset's)."""
HELD_OUT_SPLITS = frozenset(("val", "valid", "validation", "dev", "test"))
FAILED = "failed_to_"
"""Prefix of img2dataset's status (``failed_to_download``) where there is no image."""


class Row(NamedTuple):
    """A caption of a row, unchanged, or the code of its fault; with the row's 1-based number in its file."""

    number: int
    caption: str | None
    fault: str | None = None
    detail: str = ""


class Fault(NamedTuple):
    """A row's fault: a reason's code, and details for people."""

    code: str
    detail: str = ""


class Column(NamedTuple):
    """The captions' column, by name or 0-based number, and whether the file's first row names the columns.

    A CSV record of more than ``max_lines`` has an unclosed quotation mark.
    """

    key: str | int | None = None
    header: bool = True
    max_lines: int = 100


def rows_of(number: int, value: Any, split: Any = None, status: Any = None) -> Iterator[Row]:
    """Yield a row for each caption of ``value``: a text, a list of texts, or such a list written as text (Flickr30k's ``raw``).

    Args:
        split: the row's part of the data set; captions of test parts are held out.
        status: img2dataset's download status of the row's image.
    """
    values = captions_in(value)
    if isinstance(split, str) and split.strip().lower() in HELD_OUT_SPLITS:
        yield from (Row(number, None, HELD_OUT, split[:80]) for _ in values)
    elif isinstance(status, str) and status.startswith(FAILED):
        yield from (Row(number, None, NO_IMAGE, ascii(status)[:80]) for _ in values)
    else:
        yield from (row_of(number, caption) for caption in values)


def captions_in(value: Any) -> list[Any]:
    """Return the captions of one value; at least one, of any type."""
    if isinstance(value, list):
        return value or [None]
    if isinstance(value, str) and _IS_LIST.match(value) and _LIST.fullmatch(value):
        return [_unquoted(text) for text in _QUOTED.findall(value)]
    return [value]


_IS_LIST = re.compile(r"\s*\[\s*[\"']")
_TEXT = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_QUOTED = re.compile(_TEXT, re.DOTALL)
_LIST = re.compile(rf"\s*\[\s*(?:{_TEXT})(?:[\s,]+(?:{_TEXT}))*\s*\]\s*", re.DOTALL)
"""A list of texts as JSON, Python (with commas), or NumPy (with spaces) writes it."""


def _unquoted(text: str) -> str:
    try:
        return json.loads(text, strict=False)
    except ValueError:
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text[1:-1]


def row_of(number: int, caption: Any) -> Row:
    """Return a row with ``caption``, or with its fault."""
    if caption is None:
        return Row(number, None, "missing_value", "null")
    if not isinstance(caption, str):
        # A text in a list could be of any length, and any depth.
        return Row(number, None, "not_text", type(caption).__name__ if isinstance(caption, list | dict) else repr(caption)[:80])
    if not caption.isascii():
        try:
            caption.encode()
        except UnicodeEncodeError:
            return Row(number, None, "bad_encoding", ascii(caption)[:80])
    return Row(number, caption)
