"""Detection of inputs that change while a stage reads them: DVC would record the new ones with outputs of the old."""

import os
from collections.abc import Iterable
from pathlib import Path

from stages.contract.errors import InputError

_WATCHED: dict[Path, tuple[int, ...] | None] = {}


def watch(paths: Iterable[Path]) -> None:
    """Remember the state of the files; at the stage's end :func:`check` stops where one has changed."""
    for path in paths:
        place = Path(os.path.abspath(path))  # noqa: PTH100  # a link may lead elsewhere at the end
        _WATCHED.setdefault(place, _state(place))


def forget() -> None:
    """Stop watching all files."""
    _WATCHED.clear()


def check() -> None:
    """Raise an InputError where a watched file was written to, replaced or removed."""
    for path, before in _WATCHED.items():
        if _state(path) != before:
            remedy = "run the same command again when no program is writing to it"
            raise InputError(path, "has changed while the stage read it, so its outputs may mix two states", remedy)


def _state(path: Path) -> tuple[int, ...] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
