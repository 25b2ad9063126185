"""Tar files in which the files of a sample share a name (WebDataset): ``a.jpg`` with ``a.txt`` or ``a.json``."""

import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from stages.captions.objects import loaded, objects
from stages.captions.rows import Column, Row, row_of
from stages.contract.errors import InputError, one_line

LARGEST_TEXT = 1 << 20
"""Maximum bytes of a caption's file in a tar."""

Entry = tuple[int, int]
"""Offset and number of the bytes of a tar's member."""


def tar_rows(path: Path, column: Column) -> Iterator[Row]:
    """Yield the captions of a shard: those in ``.txt``, or in ``.json`` under the key that ``column`` names."""
    ending = "txt" if column.key is None else "json"

    def items() -> Iterator[Any]:
        for number, members in enumerate(samples(path, file).values(), 1):
            if ending not in members:
                yield Row(number, None, "no_caption", f"no .{ending} among {', '.join(members)}"[:80])
            elif (text := text_of_member(file, members[ending])) is None:
                yield Row(number, None, "row_too_long")
            else:
                yield row_of(number, text) if ending == "txt" else loaded(number, text)

    with path.open("rb") as file:
        yield from objects(path, column, items())


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
