"""Rows of columns: separated by tabs, or by commas with quotation marks."""

from __future__ import annotations

import csv
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path

from stages.captions.lines import FIRST, TOO_LONG, fault_of, lines
from stages.captions.rows import OTHER_COLUMNS, Column, Fault, Row, rows_of
from stages.contract.errors import InputError, one_line


def position_of(path: Path, names: list[str] | None, width: int, column: Column) -> int:
    """Return the 0-based number of the caption's column."""
    has = f"the columns are {', '.join(names)}" if names else f"it has {width} columns, numbered from 0"
    if isinstance(column.key, str) and names is None:
        raise InputError(path, f"has no header row to find {column.key!r} in", f"give the column's number; {has}", row=1)
    if isinstance(column.key, str) and names is not None and column.key in names:
        if names.count(column.key) > 1:
            raise InputError(
                path, f"has {names.count(column.key)} columns {column.key!r}", f"give the column's number; {has}", row=1
            )
        return names.index(column.key)
    if isinstance(column.key, int) and 0 <= column.key < width:
        return column.key
    raise InputError(path, f"has no column {column.key!r}", f"correct it in params.yaml, training_sets.*; {has}", row=1)


def table(split: Callable[[Iterator[str], Column], Iterator[list[str] | Fault]]) -> Callable[[Path, Column], Iterator[Row]]:
    """Return a reader of lines that ``split`` divides into columns; rows need as many as the header, or as most first rows."""

    def rows(path: Path, column: Column) -> Iterator[Row]:
        position, width = -1, 0
        others: list[int] = []  # columns of the row's part of the data set, and of its image's download
        records: Iterator[tuple[int, list[str] | Fault]] = enumerate(split(lines(path), column), 1)
        if not column.header:
            first = list(islice(records, FIRST))
            widths = Counter(len(fields) for _, fields in first if not isinstance(fields, Fault))
            width, records = max(widths, key=widths.__getitem__, default=0), chain(first, records)
            _check_separator(path, widths)
        for number, fields in records:
            if isinstance(fields, Fault):
                yield Row(number, None, *fields)
                continue
            if position < 0:
                width = width or len(fields)
                position = position_of(path, fields if column.header else None, width, column)
                if column.header:
                    others = [fields.index(name) if fields.count(name) == 1 else -1 for name in OTHER_COLUMNS]
                    continue
            if len(fields) != width:
                yield Row(number, None, "wrong_number_of_columns", f"{len(fields)} instead of {width}: {ascii(fields)[:60]}")
            else:
                said = (fields[i] if i not in (-1, position) else None for i in others)
                yield from rows_of(number, fields[position], *said)

    return rows


SEPARATORS = {";": "semicolons", "|": "pipes", "\t": "tabs"}


def _check_separator(path: Path, widths: Counter[int]) -> None:
    """Refuse a file without a header in which every line has the same number of another separator, and none of its own."""
    if len(widths) == 1 and max(widths) > 1:
        return
    first = [line for line in islice(lines(path), FIRST) if line]
    for separator, name in SEPARATORS.items():
        counts = {line.count(separator) for line in first}
        if len(first) > 1 and len(counts) == 1 and counts != {0}:
            raise InputError(path, f"has columns separated by {name}", "save it with tabs, as tsv, or with commas, as csv", row=1)


def by_tabs(lines: Iterator[str], _: Column) -> Iterator[list[str] | Fault]:
    # No quoting: in the web's tab-separated corpora a quotation mark is an ordinary character.
    return (fault_of(line) or line.split("\t") for line in lines)


def by_commas(lines: Iterator[str], column: Column) -> Iterator[list[str] | Fault]:
    again: deque[str] = deque()  # the lines after the first of a faulty record, to be read as separate records
    width = 0

    def record(taken: list[str]) -> Iterator[str]:
        """Yield, and note, lines for csv's reader, which asks for another while a quotation mark is open."""
        while len(taken) < column.max_lines and (line := again.popleft() if again else next(lines, None)) is not None:
            taken.append(line)
            yield line + "\n"

    while True:
        taken: list[str] = []
        try:
            row: list[str] | Fault = next(csv.reader(record(taken), strict=True))  # strict: an unclosed mark is an error
        except StopIteration:
            return
        except csv.Error as error:
            row = _loosely(taken[0], str(error))
        else:
            if any(line is TOO_LONG for line in taken):
                row = Fault("row_too_long")
            elif len(taken) > 1 and len(row) != (width or len(row)):
                # A mark that the next record's mark closes: the lines between are records, not a caption.
                row = Fault("unclosed_quote", taken[0][:80])
            else:
                width = width or len(row)
                yield row
                continue
        again.extendleft(reversed(taken[1:]))
        yield row


def _loosely(line: str, wrong: str) -> list[str] | Fault:
    """Return the fields of a line with irregular quotes (``"a" dog,…``), if no quotation mark is left open."""
    if line is TOO_LONG or len(line) > csv.field_size_limit():
        return Fault("row_too_long", wrong)
    if '\\"' in line:  # Spark's form of a quotation mark within quotation marks
        escaped = csv.reader([line + "\n", "\n"], strict=True, doublequote=False, escapechar="\\")
        with suppress(csv.Error):
            if (fields := next(escaped)) and escaped.line_num == 1:
                return fields
    reader = csv.reader([line + "\n", "\n"])
    try:
        fields = next(reader)
    except csv.Error as error:
        return Fault("broken_csv", one_line(error))
    return fields if reader.line_num == 1 else Fault("unclosed_quote", line[:80])
