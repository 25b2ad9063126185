"""Reads the captions of a training set, row by row, from the formats in which the web's training sets are passed on.

A *file* that is wrong (missing, empty, cut off, without the named column) raises :class:`InputError`, because its rows would be
lost in silence; a *row* that is wrong comes out with a fault's code instead of a caption, because in 400 million rows some always
are. Nothing is loaded whole, whatever the format.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import os
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import ijson
import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from stages.contract.errors import CrepeError, InputError, ParameterError

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


def files(path: str | Path, kind: str) -> list[Path]:
    """The files of a corpus in a stable order: ``path`` itself, or the files of a folder that end as ``kind``'s files do.

    Folders within are looked through, also those that are links; hidden files are passed over.

    Raises:
        InputError: nothing is there, the folder has no such file, or it has one that cannot be read: a link to nothing, or a
            shard in a packing that is not known (``captions.tsv.lz4``).
        ParameterError: ``kind`` is none of :data:`FORMATS`.
    """
    path = Path(path)
    if kind not in FORMATS:
        raise ParameterError("training_sets.*.format", f"there is no format {kind!r}", f"name one of {', '.join(sorted(FORMATS))}")
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(path, "there is no such file or folder", "correct training_sets.*.path in params.yaml")
    endings, packings = FORMATS[kind].endings, tuple(PACKINGS) if FORMATS[kind].packed else ("",)
    found = []
    for file in _walk(path):
        if file.is_symlink() and not file.exists():
            raise InputError(file, "is a link to nothing", "mend the link, or take it out of the folder")
        # A format's ending is a shard's last, or before its packing's: "notes.md" is none, "a.tsv.part" is one that was lost.
        if file.is_file() and any(ending in _suffixes(file) for ending in endings) and file.suffix.lower() not in _BESIDE:
            if not file.name.lower().endswith(tuple(ending + packing for ending in endings for packing in packings)):
                wrong = f"does not end in {_either(endings, packings)}"
                raise InputError(file, wrong, "unpack or rename it, or take it out of the folder")
            found.append(file)
    if not found:
        wrong = f"has no file that ends in {_either(endings, packings)}"
        raise InputError(path, wrong, "correct the path or the format in params.yaml")
    return sorted(found)


def _walk(folder: Path) -> Iterator[Path]:
    """The files in ``folder`` and in those below it, through links, each folder once; hidden ones are left out."""
    seen: set[Path] = set()

    def fail(error: OSError) -> None:
        raise error

    for place, folders, names in os.walk(folder, followlinks=True, onerror=fail):
        if (real := Path(place).resolve()) in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in names if not name.startswith("."))


_BESIDE = frozenset((".md5", ".sha1", ".sha256", ".sha512", ".crc", ".asc", ".sig"))
"""Endings of what may lie beside a shard and bear its name."""


def _suffixes(file: Path) -> list[str]:
    return Path(file.name.lower()).suffixes


def _either(endings: tuple[str, ...], packings: tuple[str, ...]) -> str:
    return ", ".join(ending + packing for ending in endings for packing in packings)


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
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise InputError(path, f"is not a whole packed file ({error})", "fetch it again", row=n + 1) from None
    except (pa.ArrowException, ijson.JSONError, UnicodeDecodeError, OSError) as error:
        if getattr(error, "errno", None):  # the machine's: no permission, no file any more
            raise
        raise InputError(path, f"is not a whole {kind} file ({_short(error)})", "fetch it again", row=n + 1) from None
    if first is None:
        raise InputError(path, "has no rows", "fetch it again, or take it out of the training set")
    if not readable:
        raise InputError(path, f"none of its rows can be read as {kind}: {first.fault} ({first.detail})", _REMEDY, row=first.number)


_REMEDY = "correct the format, column or header of this training set in params.yaml"


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


# --- Lines ----


def _zstd(path: Path) -> io.BufferedReader:
    return io.BufferedReader(pa.CompressedInputStream(pa.OSFile(str(path)), "zstd"))


PACKINGS: dict[str, tuple[bytes, Callable[[Path], Any]]] = {
    "": (b"", lambda path: path.open("rb")),
    ".gz": (b"\x1f\x8b", gzip.open),
    ".bz2": (b"BZh", bz2.open),
    ".xz": (b"\xfd7zXZ\0", lzma.open),
    ".zst": (b"\x28\xb5\x2f\xfd", _zstd),
}
"""How a packed file's name ends, its first bytes, and what opens it."""


def _open(path: Path) -> BinaryIO:
    """The file's bytes, unpacked by what they begin with, whatever its name."""
    with path.open("rb") as stream:
        first = stream.read(8)
    return cast(BinaryIO, next(opened for start, opened in reversed(PACKINGS.values()) if first.startswith(start))(path))


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
        # A list's own text could be of any length, and of any depth.
        return Row(number, None, "not_text", type(caption).__name__ if isinstance(caption, list | dict) else repr(caption)[:80])
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
        if names.count(column.key) > 1:
            raise InputError(
                path, f"has {names.count(column.key)} columns {column.key!r}", f"give the column's number; {has}", row=1
            )
        return names.index(column.key)
    if isinstance(column.key, int) and 0 <= column.key < width:
        return column.key
    raise InputError(path, f"has no column {column.key!r}", f"correct training_sets.*.column in params.yaml; {has}", row=1)


def _table(split: Callable[[Iterator[str], Column], Iterator[list[str] | Fault]]) -> Callable[[Path, Column], Iterator[Row]]:
    """A reader of lines that ``split`` divides into columns; every row must have as many as the first."""

    def rows(path: Path, column: Column) -> Iterator[Row]:
        position = width = -1
        for number, fields in enumerate(split(_lines(path), column), 1):
            if isinstance(fields, Fault):
                yield Row(number, None, *fields)
                continue
            if position < 0:
                width = len(fields)
                position = _position(path, fields if column.header else None, width, column)
                if column.header:
                    continue
            if len(fields) != width:
                yield Row(number, None, "wrong_number_of_columns", f"{len(fields)} instead of {width}: {ascii(fields)[:60]}")
            else:
                yield _row(number, fields[position])

    return rows


def _by_tabs(lines: Iterator[str], _: Column) -> Iterator[list[str] | Fault]:
    # No quoting: in the web's tab-separated corpora a quotation mark is a quotation mark.
    return (Fault("row_too_long") if line is _TOO_LONG else line.split("\t") for line in lines)


class _Record:
    """Gives csv's reader the lines of one record: a reader asks for another while a quotation mark is open."""

    def __init__(self, lines: Iterator[str], max_lines: int):
        self.lines, self.max_lines = lines, max_lines
        self.again: deque[str] = deque()
        self.taken: list[str] = []

    def __iter__(self) -> _Record:
        return self

    def __next__(self) -> str:
        if len(self.taken) == self.max_lines:
            raise StopIteration
        line = self.again.popleft() if self.again else next(self.lines)
        self.taken.append(line)
        return line + "\n"

    def give_up(self) -> None:
        """Let the lines after the record's first be read as records of their own."""
        self.again.extendleft(reversed(self.taken[1:]))


def _by_commas(lines: Iterator[str], column: Column) -> Iterator[list[str] | Fault]:
    record, width = _Record(lines, column.max_lines), None
    reader = csv.reader(record, strict=True)  # strict: what ends before its quotation mark is closed is an error
    while True:
        record.taken.clear()
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            record.give_up()
            yield _loosely(record.taken[0], str(error))
            continue
        if len(record.taken) > 1 and len(fields) != (width or len(fields)):
            # A mark that the next record's closes: what lies between are records, and no caption.
            record.give_up()
            yield Fault("unclosed_quote", record.taken[0][:80])
            continue
        width = width or len(fields)
        yield fields


def _loosely(line: str, wrong: str) -> list[str] | Fault:
    """The fields of a line that quotes as it likes (``"a" dog,…``), if no quotation mark is left open in it."""
    if line is _TOO_LONG or len(line) > csv.field_size_limit():
        return Fault("row_too_long", wrong)
    reader = csv.reader([line + "\n", "\n"])
    try:
        fields = next(reader)
    except csv.Error as error:
        return Fault("broken_csv", _short(error))
    return fields if reader.line_num == 1 else Fault("unclosed_quote", line[:80])


# --- JSON and Parquet ----


def _objects(path: Path, column: Column, items: Iterable[Any]) -> Iterator[Row]:
    """A row for each JSON object; ``column`` must stand in at least one of the first."""
    known: dict[str, None] = {}
    found = False
    for number, item in enumerate(items, 1):
        if isinstance(item, Row):
            yield item
        elif not isinstance(item, dict):
            yield Row(number, None, "not_an_object", type(item).__name__ if isinstance(item, list) else repr(item)[:80])
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
        yield from _objects(path, column, _elements(stream))


def _elements(stream: BinaryIO) -> Iterator[Any]:
    """The elements of a JSON array, or of the array ``annotations`` of a JSON object; what their values hold is left empty.

    Not by ijson's own ``items``, which keeps a path for each level: lists in one another would fill any memory.
    """
    depth, array, key, item = 0, -1, "", None  # array: the depth at which the elements stand
    for event, value in ijson.basic_parse(stream, use_float=True):
        if event in ("end_map", "end_array"):
            depth -= 1
            if depth == array:
                yield item
            elif depth == array - 1:
                array = -1
        elif event == "map_key":
            key = value if depth == (1 if array < 0 else array + 1) else key
        else:
            made = {"start_map": {}, "start_array": []}.get(event, value)
            if depth == array:
                item = made
            elif depth == array + 1 and isinstance(item, dict):
                item[key] = made
            if event in ("start_map", "start_array"):
                depth += 1
                if event == "start_array" and array < 0 and (depth == 1 or (depth == 2 and key == "annotations")):
                    array = depth
            elif depth == array:
                yield item


def _parquet(path: Path, column: Column) -> Iterator[Row]:
    with pq.ParquetFile(path) as parquet:
        schema = parquet.schema_arrow
        position = _position(path, schema.names, len(schema.names), column)
        kind = schema.field(position).type
        held = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not (pa.types.is_string(held) or pa.types.is_large_string(held) or pa.types.is_string_view(held)):
            raise InputError(path, f"its column {schema.names[position]!r} holds {kind}, not text", _REMEDY)
        number = 0
        name = schema.names[position]
        same = schema.names[:position].count(name)  # a column is asked for by its name, and all of that name come
        for batch in parquet.iter_batches(columns=[name], batch_size=4096):
            for caption in _texts(batch.column(same)):
                number += 1
                yield _row(number, caption)


def _texts(column: pa.Array) -> list[str | None]:
    """The texts of a column. Bytes that are no UTF-8 become lone surrogates, which :func:`_row` finds."""
    try:
        return column.to_pylist()
    except UnicodeDecodeError:
        column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        held = column.cast(pa.large_binary(), safe=False).to_pylist()
        return [None if text is None else text.decode("utf-8", "surrogateescape") for text in held]


@contextmanager
def told_as(training_set: str) -> Iterator[None]:
    """Name the training set in errors, whose readers know files and not what they are called in ``params.yaml``."""
    try:
        yield
    except CrepeError as error:
        error.args = (str(error).replace("training_sets.*", f"training_sets.{training_set}"),)
        raise


class Format(NamedTuple):
    """How a format's files end in a folder of shards, how one is read, and whether it may be packed (:data:`PACKINGS`)."""

    endings: tuple[str, ...]
    rows: Callable[[Path, Column], Iterator[Row]]
    packed: bool = True


FORMATS = {
    "tsv": Format((".tsv",), _table(_by_tabs)),
    "csv": Format((".csv",), _table(_by_commas)),
    "jsonl": Format((".jsonl", ".ndjson"), _json_lines),
    "json": Format((".json",), _json_array),
    "parquet": Format((".parquet",), _parquet, packed=False),
    "txt": Format((".txt",), _text),
}
