"""Outputs that appear complete or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def complete(path: str | Path) -> Iterator[Path]:
    """Yield a path beside ``path`` to write to; move it there when the block ends well, remove it when it does not.

    The name beside is always the same, so that what a killed run left behind is overwritten by the next one.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    _remove(partial)
    try:
        yield partial
        if path.is_dir():
            shutil.rmtree(path)
        partial.replace(path)
    finally:
        _remove(partial)


@contextmanager
def scratch(path: str | Path) -> Iterator[Path]:
    """Yield an empty folder beside the output ``path`` for intermediate files; it is gone when the block ends.

    Its name is always the same, so that what a killed run left behind goes with the next one.
    """
    path = Path(path)
    folder = path.with_name(f".{path.name}.scratch")
    _remove(folder)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        _remove(folder)


def write_json(path: str | Path, value: Any) -> None:
    """Write ``value`` as JSON with sorted keys, whole or not at all."""
    with complete(path) as partial:
        partial.write_text(
            json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8"
        )


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
