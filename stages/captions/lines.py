"""The lines of a file, decompressed, and their faults."""

import bz2
import gzip
import io
import lzma
import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa

from stages.captions.rows import Column, Fault, Row, row_of
from stages.contract.errors import InputError

LONGEST_LINE = 1 << 20
"""Bytes. A longer line is a fault of its row; at most this much of a file without line ends is ever in memory."""

PACKINGS: dict[str, tuple[bytes, Callable[[Path], Any]]] = {
    "": (b"", lambda path: path.open("rb")),
    ".gz": (b"\x1f\x8b", gzip.open),
    ".bz2": (b"BZh", bz2.open),
    ".xz": (b"\xfd7zXZ\0", lzma.open),
    ".zst": (b"\x28\xb5\x2f\xfd", lambda path: io.BufferedReader(pa.input_stream(path, compression="zstd"))),
}
"""Extension of a compression, its first bytes, and the function that opens it."""


def opened(path: Path) -> BinaryIO:
    """Return the file's decompressed bytes; the first bytes decide the compression, not the name."""
    with path.open("rb") as stream:
        first = stream.read(8)
    return cast(BinaryIO, next(opened for start, opened in reversed(PACKINGS.values()) if first.startswith(start))(path))


def lines(path: Path) -> Iterator[str]:
    """Yield lines without their ends. Invalid UTF-8 becomes lone surrogates, which :func:`row_of` finds."""
    with opened(path) as stream:
        first = True
        while line := stream.readline(LONGEST_LINE):
            if first:
                if line.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in line[:4096]:
                    raise InputError(path, "is not UTF-8 text, it looks like UTF-16 or a binary file", "save it as UTF-8", row=1)
                if b"\n" not in line and b"\r" in line.rstrip(b"\r"):
                    raise InputError(path, "has the line ends of an old Mac", "save it with those of Unix or Windows", row=1)
                line, first = line.removeprefix(b"\xef\xbb\xbf"), False
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                    pass
                yield TOO_LONG
            else:
                yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")


TOO_LONG = "\0row too long"


def fault_of(line: str) -> Fault | None:
    """Return the fault of a line that is a row, if it has one.

    Where lines end as on Unix or Windows, a carriage return within one may separate two rows, or be part of one.
    """
    if line is TOO_LONG:
        return Fault("row_too_long")
    return Fault("stray_return", "a line end of an old Mac within the line: two rows, or one?") if "\r" in line else None


_COLUMNS = re.compile(r"[^\t]*\t|\S+\.(?:jpe?g|png|webp)\S*[ ,;|]|\{.*\}\s*$", re.IGNORECASE)
"""A line of a table: a tab, a picture's name first, or a JSON object."""
FIRST = 100
"""Number of first rows that decide the form of a file: a single one may be faulty."""


def text(path: Path, column: Column) -> Iterator[Row]:
    """Yield each line as a caption.

    Raises:
        InputError: most of the first lines have columns; names of pictures would become words of captions.
    """
    every = lines(path)
    first = list(islice(every, FIRST))
    columns = sum(_COLUMNS.match(line) is not None for line in first)
    if 2 * columns > len(first):
        wrong = f"has columns, and format txt has one caption a line: {first[0][:60]!a}"
        raise InputError(path, wrong, "set the format tsv, csv or jsonl, and the captions' column", row=1)
    for number, line in enumerate(chain(first, every), 1):
        yield Row(number, None, *fault) if (fault := fault_of(line)) else row_of(number, line)
