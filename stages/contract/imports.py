"""Packages imported without optional ones, which they would bring along for what nobody here uses: seconds of every process."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from types import ModuleType


class _Absent(MetaPathFinder):
    def __init__(self, packages: Sequence[str]):
        self.packages = packages

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name.partition(".")[0] in self.packages:
            raise ModuleNotFoundError(f"{name} is not wanted here", name=name)


@contextmanager
def without(*packages: str) -> Iterator[None]:
    """Inside, ``packages`` are found only if they are imported already; what is imported here must be able to go without."""
    absent = _Absent(packages)
    sys.meta_path.insert(0, absent)
    try:
        yield
    finally:
        sys.meta_path.remove(absent)
