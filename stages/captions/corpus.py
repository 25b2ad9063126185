"""Read the captions of a training set, row by row, from the common formats of web training sets.

A faulty *file* (missing, empty, cut off, without the named column) raises :class:`InputError`, because its rows would be
silently lost; a faulty *row* comes out with a fault's code instead of a caption, because of 400 million rows some always
are faulty. No format is loaded as a whole.
"""

import gzip
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import ijson
import pyarrow as pa

from stages.captions.columns import by_commas, by_tabs, table
from stages.captions.lines import PACKINGS, text
from stages.captions.objects import json_array, json_lines
from stages.captions.parquet import parquet_rows
from stages.captions.rows import LEFT_OUT, REMEDY, TRIAL_ROWS, Column, Row
from stages.captions.tars import tar_rows
from stages.contract.errors import CrepeError, InputError, one_line


def files(path: str | Path, kind: str) -> list[Path]:
    """Return the files of a corpus in a stable order: ``path`` itself, or the files of a folder with ``kind``'s extensions.

    Subfolders are searched, also through links; hidden files are skipped.

    Raises:
        InputError: nothing is there, the folder has no such file, it has one twice (linked, or compressed and uncompressed), or one
        that cannot be read: a broken link, or a shard in an unknown compression (``captions.tsv.lz4``).
    """
    path = Path(path)
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(path, "there is no such file or folder", "correct the path in params.yaml, training_sets.*")
    endings = FORMATS[kind].endings
    whole = tuple(ending + packing for ending in endings for packing in (PACKINGS if FORMATS[kind].packed else ("",)))
    listed = []
    for file in _walk(path):
        if file.is_symlink() and not file.exists():
            raise InputError(file, "is a broken link", "fix the link, or move it out of the folder")
        # A shard's extension comes last, or before its compression's: "notes.md" has none, "a.tsv.part" is an incomplete download.
        suffixes = Path(file.name.lower()).suffixes
        attached = _CHECKSUMS.intersection(suffixes[-1:]) or file.name.endswith(STATISTICS)
        if file.is_file() and not attached and any(ending in suffixes for ending in endings):
            if not file.name.lower().endswith(whole):
                wrong = f"does not end in {', '.join(whole)}"
                raise InputError(file, wrong, "unpack or rename it, or take it out of the folder")
            listed.append(file)
    if not listed:
        wrong = f"has no file that ends in {', '.join(whole)}"
        raise InputError(path, wrong, "correct the path or the format in params.yaml")
    _check_once(listed := sorted(listed))
    return listed


def _check_once(listed: list[Path]) -> None:
    """Refuse files that would be counted twice: a second link to a file, or a compressed and an uncompressed copy."""
    known: dict[Any, Path] = {}
    for file in listed:
        status, packing = file.stat(), next((ending for ending in PACKINGS if ending and file.name.lower().endswith(ending)), "")
        for key in ((status.st_dev, status.st_ino), file.with_name(file.name[: len(file.name) - len(packing)])):
            if (other := known.setdefault(key, file)) != file:
                wrong = f"is the same as {other.name}, and would be counted twice"
                raise InputError(file, wrong, "move one of the two out of the folder")


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the files in ``folder`` and below, through links, each folder once; hidden ones are skipped."""
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


_CHECKSUMS = frozenset((".md5", ".sha1", ".sha256", ".sha512", ".crc", ".asc", ".sig"))
"""Extensions of other files next to a shard with its name."""
STATISTICS = "_stats.json"
"""Suffix of img2dataset's files of download statistics."""


def read(path: Path, kind: str, column: Column) -> Iterator[Row]:
    """Yield the rows of one file of the format ``kind``.

    Raises:
        InputError: the file is empty, cut off, not of this format, or lacks the column; the message lists those it has.
    """
    if path.stat().st_size == 0:
        raise InputError(path, "is empty", "fetch it again, or remove it from the training set")
    with path.open("rb") as file:
        if file.read(4) == b"PK\3\4":
            raise InputError(path, "is a zip archive", "unpack it, and name its content")
    n, readable, first = 0, False, None
    try:
        for row in FORMATS[kind].rows(path, column):
            n = row.number
            readable = readable or row.fault is None or row.fault in LEFT_OUT
            first = first or row
            if not readable and n > TRIAL_ROWS:
                break
            yield row
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise InputError(path, f"is not a complete compressed file ({error})", "fetch it again", row=n + 1) from None
    except (pa.ArrowException, ijson.JSONError, UnicodeDecodeError, OSError) as error:
        if getattr(error, "errno", None):  # of the machine: no permission, or the file is gone
            raise
        remedy = "correct the format in params.yaml, if it is of another, or fetch it again"
        raise InputError(path, f"is not a complete {kind} file ({one_line(error)})", remedy, row=n + 1) from None
    if first is None:
        raise InputError(path, "has no rows", "fetch it again, or remove it from the training set")
    if not readable:
        raise InputError(path, f"none of its rows can be read as {kind}: {first.fault} ({first.detail})", REMEDY, row=first.number)


@contextmanager
def naming(section: str) -> Iterator[None]:
    """Add the section of ``params.yaml`` to errors of readers that know files only."""
    try:
        yield
    except CrepeError as error:
        error.args = (str(error).replace("training_sets.*", section),)
        raise


class Format(NamedTuple):
    """A format: the extensions of its files, its reader, and whether files may be compressed (:data:`PACKINGS`)."""

    endings: tuple[str, ...]
    rows: Callable[[Path, Column], Iterator[Row]]
    packed: bool = True


FORMATS = {
    "tsv": Format((".tsv",), table(by_tabs)),
    "csv": Format((".csv",), table(by_commas)),
    "jsonl": Format((".jsonl", ".ndjson"), json_lines),
    "json": Format((".json",), json_array),
    "parquet": Format((".parquet",), parquet_rows, packed=False),
    "txt": Format((".txt",), text),
    "webdataset": Format((".tar",), tar_rows, packed=False),
}
