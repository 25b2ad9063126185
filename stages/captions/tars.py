"""Tar files in which the files of a sample share a name (WebDataset): ``a.jpg`` with ``a.txt`` or ``a.json``."""

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from stages.captions.rows import OTHER_COLUMNS, Column, Row, row_of, rows_of
from stages.contract.errors import InputError, one_line

LARGEST_TEXT = 1 << 20
"""Maximum bytes of a caption's file in a tar."""

Entry = tuple[int, int]
"""Offset and number of the bytes of a tar's member."""


def tar_rows(path: Path, column: Column) -> Iterator[Row]:
    """Yield the captions of a shard: those in ``.txt``, or in ``.json`` under the key that ``column`` names."""
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
        yield from rows_of(number, found[column.key], *(found.get(name) for name in OTHER_COLUMNS))


def text_of_member(file: BinaryIO, entry: Entry) -> str | None:
    """Return the text of a member; ``None`` where it is too long for a caption."""
    offset, size = entry
    if size > LARGEST_TEXT:
        return None
    file.seek(offset)
    return file.read(size).decode("utf-8", "surrogateescape")


def samples(path: Path, file: BinaryIO) -> dict[str, dict[str, Entry]]:
    """Return the samples of a shard by name, each with the place of every extension (in lower case, without the dot).

    Raises:
        InputError: it is not a complete tar file, or is compressed: pictures cannot be read from parts of a compressed file.
    """
    found: dict[str, dict[str, Any]] = {}
    try:
        with tarfile.open(fileobj=file, mode="r:") as tar:
            for member in tar:
                stem, _, ending = member.name.rpartition(".")
                if member.isfile():
                    found.setdefault(stem, {})[ending.lower()] = (member.offset_data, member.size)
            file.seek(tar.offset)
            end = file.read(tarfile.BLOCKSIZE)  # tarfile stops silently at an invalid header, and at the end
            if end.strip(b"\0") or len(end) < tarfile.BLOCKSIZE:
                what = "is not a file header" if end else "should be its end"
                raise tarfile.ReadError(f"the block at byte {tar.offset:,} {what}")
    except tarfile.TarError as error:
        raise InputError(path, f"is not a complete tar file ({one_line(error)})", "fetch it again, or unpack it (.tar)") from None
    return found
