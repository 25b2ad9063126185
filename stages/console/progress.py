"""Progress of long work: a bar with rate and time left on a terminal, plain lines elsewhere."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from tqdm import tqdm

T = TypeVar("T")


def progress(items: Iterable[T], what: str, unit: str, total: int | None = None) -> Iterator[T]:
    """Yield ``items`` and show how many of ``total`` are done; a line every 10 seconds without a terminal."""
    return iter(tqdm(items, desc=what, unit=f" {unit}", total=total, **_style()))


def progress_bar(what: str, unit: str, total: int | None = None, done: int = 0) -> tqdm:
    """Return a progress bar for steps of unequal size: call its ``update(n)``. ``done`` was done by an earlier run."""
    return tqdm(desc=what, unit=f" {unit}", total=total, initial=done, **_style())


def _style() -> dict:
    if sys.stderr.isatty():
        return {"dynamic_ncols": True, "leave": False}
    return {"ncols": 0, "mininterval": 10, "miniters": 1, "delay": 10, "file": _Lines()}


class _Lines:
    """A file for tqdm that turns its carriage returns into lines, for logs."""

    def write(self, text: str) -> None:
        text = text.replace("\r", "").strip()
        if text:
            print(text, file=sys.stderr)

    def flush(self) -> None:
        sys.stderr.flush()
