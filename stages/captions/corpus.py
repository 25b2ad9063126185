"""Reads the captions of a training set, row by row, from the formats in which the web's training sets are passed on.

A *file* that is wrong (missing, empty, cut off, without the named column) raises :class:`InputError`, because its rows would be
lost in silence; a *row* that is wrong comes out with a fault's code instead of a caption, because in 400 million rows some always
are. Nothing is loaded whole, whatever the format.
"""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import ijson
import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from stages.contract.errors import InputError, ParameterError

LONGEST_LINE = 1 << 20
"""Bytes. A longer line is a fault of its row; only so much of a file without line ends is ever in memory."""
TRIAL_ROWS = 1000
"""A file whose first rows, so many, all are faulty is a faulty file."""


class Row(NamedTuple):
    """A row of a corpus: its 1-based number in its file, and the caption as it came or the code of what is wrong with the row."""

    number: int
    caption: str | None
    fault: str | None = None
    detail: str = ""


class Column(NamedTuple):
    """Which column holds the captions: a name, or a 0-based number; whether the file's first row names the columns."""

    key: str | int | None = None
    header: bool = True


def files(path: str | Path, kind: str) -> list[Path]:
    """The files of a corpus in a stable order: ``path`` itself, or the files of a folder that end as ``kind``'s files do.

    Raises:
        InputError: nothing is there, or the folder has no such file.
        ParameterError: ``kind`` is none of :data:`FORMATS`.
    """
    path = Path(path)
    if kind not in FORMATS:
        raise ParameterError("training_sets.*.format", f"there is no format {kind!r}", f"name one of {', '.join(sorted(FORMATS))}")
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(path, "there is no such file or folder", "correct training_sets.*.path in params.yaml")
    endings = FORMATS[kind].endings
    found = sorted(p for p in path.rglob("*") if p.is_file() and p.name.lower().endswith(endings) and not p.name.startswith("."))
    if not found:
        raise InputError(path, f"has no file that ends in {', '.join(endings)}", "correct the path or the format in params.yaml")
    return found


def read(path: Path, kind: str, column: Column) -> Iterator[Row]:
    """The rows of one file of the format ``kind``.

    Raises:
        InputError: the file is empty, cut off, no file of this format, or lacks the column; the message lists those it has.
    """
    if path.stat().st_size == 0:
        raise InputError(path, "is empty", "fetch it again, or take it out of the training set")
    n, readable, first = 0, False, None
    try:
        for row in FORMATS[kind].rows(path, column):
            n = row.number
            readable = readable or row.fault is None
            first = first or row
            if not readable and n > TRIAL_ROWS:
                break
            yield row
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(path, f"is not a whole gzip file ({error})", "fetch it again", row=n + 1) from None
    except (pa.ArrowException, ijson.JSONError, OSError) as error:
        raise InputError(path, f"is not a whole {kind} file ({_short(error)})", "fetch it again", row=n + 1) from None
    if first is None:
        raise InputError(path, "has no rows", "fetch it again, or take it out of the training set")
    if not readable:
        raise InputError(path, f"none of its rows can be read as {kind}: {first.fault} ({first.detail})", _REMEDY, row=first.number)


_REMEDY = "correct the format, column or header of this training set in params.yaml"


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


# --- Lines ----


def _open(path: Path) -> BinaryIO:
    """The file's bytes, unpacked where they are gzip's, whatever its name."""
    with path.open("rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
    return cast(BinaryIO, gzip.open(path, "rb")) if packed else path.open("rb")


def _lines(path: Path) -> Iterator[str]:
    """Lines without their ends. Bytes that are no UTF-8 become lone surrogates, which :func:`_row` finds."""
    with _open(path) as stream:
        first = True
        while line := stream.readline(LONGEST_LINE):
            if first:
                if line.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in line[:4096]:
                    raise InputError(path, "is not UTF-8 text, it looks like UTF-16 or a binary file", "save it as UTF-8", row=1)
                line, first = line.removeprefix(b"\xef\xbb\xbf"), False
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                    pass
                yield _TOO_LONG
            else:
                yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")


_TOO_LONG = "\0row too long"


def _row(number: int, caption: Any) -> Row:
    """A row with ``caption``, or with what is wrong with it."""
    if caption is None:
        return Row(number, None, "missing_value", "null")
    if not isinstance(caption, str):
        return Row(number, None, "not_text", repr(caption)[:80])
    if not caption.isascii():
        try:
            caption.encode()
        except UnicodeEncodeError:
            return Row(number, None, "bad_encoding", ascii(caption)[:80])
    return Row(number, caption)


def _text(path: Path, column: Column) -> Iterator[Row]:
    for number, line in enumerate(_lines(path), 1):
        yield Row(number, None, "row_too_long") if line is _TOO_LONG else _row(number, line)


# --- Columns ----


def _position(path: Path, names: list[str] | None, width: int, column: Column) -> int:
    """The 0-based number of the caption's column."""
    has = f"the columns are {', '.join(names)}" if names else f"it has {width} columns, numbered from 0"
    if isinstance(column.key, str) and names is None:
        raise InputError(path, f"has no header row to find {column.key!r} in", f"give the column's number; {has}", row=1)
    if isinstance(column.key, str) and names is not None and column.key in names:
        return names.index(column.key)
    if isinstance(column.key, int) and 0 <= column.key < width:
        return column.key
    raise InputError(path, f"has no column {column.key!r}", f"correct training_sets.*.column in params.yaml; {has}", row=1)


def _table(split: Callable[[Iterable[str]], Iterator[list[str]]]) -> Callable[[Path, Column], Iterator[Row]]:
    """A reader of lines that ``split`` divides into columns; every row must have as many as the first."""

    def rows(path: Path, column: Column) -> Iterator[Row]:
        position = width = -1
        for number, fields in enumerate(split(_lines(path)), 1):
            if position < 0:
                width = len(fields)
                position = _position(path, fields if column.header else None, width, column)
                if column.header:
                    continue
            if fields == [_TOO_LONG]:
                yield Row(number, None, "row_too_long")
            elif len(fields) != width:
                yield Row(number, None, "wrong_number_of_columns", f"{len(fields)} instead of {width}: {ascii(fields)[:60]}")
            else:
                yield _row(number, fields[position])

    return rows


def _by_tabs(lines: Iterable[str]) -> Iterator[list[str]]:
    # No quoting: in the web's tab-separated corpora a quotation mark is a quotation mark.
    return (line.split("\t") for line in lines)


def _by_commas(lines: Iterable[str]) -> Iterator[list[str]]:
    reader = csv.reader(line + "\n" for line in lines)
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error:
            # A field beyond csv's limit: a quotation mark that nothing closes.
            yield [_TOO_LONG]


# --- JSON and Parquet ----


def _objects(path: Path, column: Column, items: Iterable[Any]) -> Iterator[Row]:
    """A row for each JSON object; ``column`` must stand in at least one of the first."""
    known: dict[str, None] = {}
    found = False
    for number, item in enumerate(items, 1):
        if isinstance(item, Row):
            yield item
        elif not isinstance(item, dict):
            yield Row(number, None, "not_an_object", repr(item)[:80])
        elif column.key in item:
            found = True
            yield _row(number, item[column.key])
        else:
            known |= dict.fromkeys(item)
            if not found and number > TRIAL_ROWS:
                break
            yield Row(number, None, "missing_column", ", ".join(item)[:80])
    if known and not found:
        names = ", ".join(list(known)[:40])
        raise InputError(
            path, f"has no column {column.key!r}", f"correct training_sets.*.column in params.yaml; it has {names}", row=1
        )


def _json_lines(path: Path, column: Column) -> Iterator[Row]:
    def items() -> Iterator[Any]:
        for number, line in enumerate(_lines(path), 1):
            try:
                yield orjson.loads(line.encode("utf-8", "surrogateescape"))
            except orjson.JSONDecodeError as error:
                yield Row(number, None, "broken_json", _short(error))

    yield from _objects(path, column, items())


def _json_array(path: Path, column: Column) -> Iterator[Row]:
    """``[{…}, …]``, or COCO's own ``{"annotations": [{…}, …], …}``."""
    with _open(path) as stream:
        start = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    with _open(path) as stream:
        yield from _objects(path, column, ijson.items(stream, "annotations.item" if start == b"{" else "item", use_float=True))


def _parquet(path: Path, column: Column) -> Iterator[Row]:
    with pq.ParquetFile(path) as parquet:
        schema = parquet.schema_arrow
        position = _position(path, schema.names, len(schema.names), column)
        kind = schema.field(position).type
        held = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not (pa.types.is_string(held) or pa.types.is_large_string(held) or pa.types.is_string_view(held)):
            raise InputError(path, f"its column {schema.names[position]!r} holds {kind}, not text", _REMEDY)
        number = 0
        for batch in parquet.iter_batches(columns=[schema.names[position]], batch_size=4096):
            for caption in batch.column(0).to_pylist():
                number += 1
                yield _row(number, caption)


class Format(NamedTuple):
    """How a format's files end in a folder of shards, and how one is read."""

    endings: tuple[str, ...]
    rows: Callable[[Path, Column], Iterator[Row]]


FORMATS = {
    "tsv": Format((".tsv", ".tsv.gz"), _table(_by_tabs)),
    "csv": Format((".csv", ".csv.gz"), _table(_by_commas)),
    "jsonl": Format((".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"), _json_lines),
    "json": Format((".json", ".json.gz"), _json_array),
    "parquet": Format((".parquet",), _parquet),
    "txt": Format((".txt", ".txt.gz"), _text),
}
