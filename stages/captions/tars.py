"""Tar files in which what belongs together has one name (WebDataset): ``a.jpg`` with ``a.txt`` or ``a.json``."""

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from stages.captions.rows import BESIDE, Column, Row, row_of, rows_of
from stages.contract.errors import InputError, one_line

LARGEST_TEXT = 1 << 20
"""Bytes of a caption's file in a tar; a larger one is no caption."""

Entry = tuple[int, int]
"""Where the bytes of a tar's member begin, and how many they are."""


def tar_rows(path: Path, column: Column) -> Iterator[Row]:
    """The captions of a shard: of each ``.txt``, or of each ``.json`` the value of the key that ``column`` names."""
    ending, number = "txt" if column.key is None else "json", 0
    with path.open("rb") as file:
        for members in samples(path, file).values():
            number += 1
            if ending not in members:
                yield Row(number, None, "no_caption", f"no .{ending} among {', '.join(members)}"[:80])
                continue
            text = text_of_member(file, members[ending])
            if ending == "txt" or text is None:
                yield Row(number, None, "row_too_long") if text is None else row_of(number, text)
            else:
                yield from _of_object(number, text, column)


def _of_object(number: int, text: str, column: Column) -> Iterator[Row]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield Row(number, None, "broken_json", one_line(error))
        return
    if not isinstance(found, dict):
        yield Row(number, None, "not_an_object", type(found).__name__)
    elif column.key not in found:
        yield Row(number, None, "missing_column", f"it has {', '.join(found)}".encode("utf-8", "replace").decode()[:200])
    else:
        yield from rows_of(number, found[column.key], *(found.get(name) for name in BESIDE))


def text_of_member(file: BinaryIO, entry: Entry) -> str | None:
    """The text of a member; ``None`` where it is too long for a caption."""
    offset, size = entry
    if size > LARGEST_TEXT:
        return None
    file.seek(offset)
    return file.read(size).decode("utf-8", "surrogateescape")


def samples(path: Path, file: BinaryIO) -> dict[str, dict[str, Entry]]:
    """What lies in a shard, by the names that belong together, each with the place of every ending (in small letters, no dot).

    Raises:
        InputError: it is no whole tar file, or is packed: of a packed one no piece is a picture.
    """
    found: dict[str, dict[str, Any]] = {}
    try:
        with tarfile.open(fileobj=file, mode="r:") as tar:
            for member in tar:
                stem, _, ending = member.name.rpartition(".")
                if member.isfile():
                    found.setdefault(stem, {})[ending.lower()] = (member.offset_data, member.size)
            file.seek(tar.offset)
            end = file.read(tarfile.BLOCKSIZE)  # tarfile ends without a word at a head that it cannot read, and where nothing comes
            if end.strip(b"\0") or len(end) < tarfile.BLOCKSIZE:
                what = "is no head of a file" if end else "should be its end"
                raise tarfile.ReadError(f"what begins at byte {tar.offset:,} {what}")
    except tarfile.TarError as error:
        raise InputError(path, f"is no whole tar file ({one_line(error)})", "fetch it again, or unpack it (.tar)") from None
    return found
