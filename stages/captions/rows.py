"""The rows of a corpus, whatever the format: captions, or what is wrong with them."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

REMEDY = "correct the format, column or header in params.yaml, training_sets.*"
TRIAL_ROWS = 1000
"""A file whose first rows, so many, all are faulty is a faulty file."""

NO_IMAGE, HELD_OUT = LEFT_OUT = ("no_image", "held_out")
"""Rows that are whole and no part of what a model was trained on: the image could not be fetched, or is for testing. They are no
sign of a faulty file."""
SPLIT, STATUS = BESIDE = ("split", "status")
"""Columns that say of a row which part of a data set it is of, and what became of its image (img2dataset's)."""
HELD_OUT_SPLITS = frozenset(("val", "valid", "validation", "dev", "test"))
FAILED = "failed_to_"
"""How img2dataset's status begins (``failed_to_download``) where there is no image."""


class Row(NamedTuple):
    """A caption of a row, as it came, or the code of what is wrong with it; with the row's 1-based number in its file."""

    number: int
    caption: str | None
    fault: str | None = None
    detail: str = ""


class Fault(NamedTuple):
    """What is wrong with a row: a reason's code, and what a person wants to see of it."""

    code: str
    detail: str = ""


class Column(NamedTuple):
    """Where a file's captions stand.

    Attributes:
        key: the column's name, or its 0-based number.
        header: whether the file's first row names the columns.
        max_lines: most lines of a CSV's record; more are a quotation mark that nothing closes.
    """

    key: str | int | None = None
    header: bool = True
    max_lines: int = 100


def rows_of(number: int, value: Any, split: Any = None, status: Any = None) -> Iterator[Row]:
    """A row for each caption of ``value``: a text, a list of texts, or such a list written as text (Flickr30k's ``raw``).

    Args:
        split: which part of a data set the row is of; captions of a part that models are tested on are held out.
        status: img2dataset's word on the row's image.
    """
    values = captions_in(value)
    if isinstance(split, str) and split.strip().lower() in HELD_OUT_SPLITS:
        yield from (Row(number, None, HELD_OUT, split[:80]) for _ in values)
    elif isinstance(status, str) and status.startswith(FAILED):
        yield from (Row(number, None, NO_IMAGE, ascii(status)[:80]) for _ in values)
    else:
        yield from (row_of(number, caption) for caption in values)


def captions_in(value: Any) -> list[Any]:
    """The captions of one value; at least one, which may be anything."""
    if isinstance(value, list):
        return value or [None]
    if isinstance(value, str) and _IS_LIST.match(value) and _LIST.fullmatch(value):
        return [_unquoted(text) for text in _QUOTED.findall(value)]
    return [value]


_IS_LIST = re.compile(r"\s*\[\s*[\"']")
_TEXT = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_QUOTED = re.compile(_TEXT, re.DOTALL)
_LIST = re.compile(rf"\s*\[\s*(?:{_TEXT})(?:[\s,]+(?:{_TEXT}))*\s*\]\s*", re.DOTALL)
"""As JSON writes a list of texts, or Python (with commas), or NumPy (with spaces)."""


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
    """A row with ``caption``, or with what is wrong with it."""
    if caption is None:
        return Row(number, None, "missing_value", "null")
    if not isinstance(caption, str):
        # A list's own text could be of any length, and of any depth.
        return Row(number, None, "not_text", type(caption).__name__ if isinstance(caption, list | dict) else repr(caption)[:80])
    if not caption.isascii():
        try:
            caption.encode()
        except UnicodeEncodeError:
            return Row(number, None, "bad_encoding", ascii(caption)[:80])
    return Row(number, caption)
