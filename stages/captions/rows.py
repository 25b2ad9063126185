"""A row of a corpus, whatever the format: its caption, or what is wrong with it."""

from typing import Any, NamedTuple

REMEDY = "correct the format, column or header in params.yaml, training_sets.*"
TRIAL_ROWS = 1000
"""A file whose first rows, so many, all are faulty is a faulty file."""

NO_IMAGE, HELD_OUT = LEFT_OUT = ("no_image", "held_out")
"""Rows that are whole and no part of what a model was trained on: the image could not be fetched, or is for testing. They are no
sign of a faulty file."""


class Row(NamedTuple):
    """A row of a corpus: its 1-based number in its file, and the caption as it came or the code of what is wrong with the row."""

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
