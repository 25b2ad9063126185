"""Inputs that change while a stage reads them: DVC would record the new ones with what was made of the old."""

import os
from collections.abc import Iterable
from pathlib import Path

from stages.contract.errors import InputError

_WATCHED: dict[Path, tuple[int, ...] | None] = {}


def watch(paths: Iterable[Path]) -> None:
    """Remember how the files are now; :func:`check` stops the stage where one is another at its end."""
    for path in paths:
        place = Path(os.path.abspath(path))  # noqa: PTH100  # a link may lead elsewhere at the end
        _WATCHED.setdefault(place, _told(place))


def forget() -> None:
    """Watch nothing any more."""
    _WATCHED.clear()


def check() -> None:
    """Stop where a file that is watched has changed.

    Raises:
        InputError: it was written to, replaced or removed.
    """
    for path, before in _WATCHED.items():
        if _told(path) != before:
            remedy = "run the same command again when no program writes to it"
            raise InputError(path, "has changed while the stage read it, and its outputs may be of either state", remedy)


def _told(path: Path) -> tuple[int, ...] | None:
    try:
        told = path.stat()
    except OSError:
        return None
    return told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns
