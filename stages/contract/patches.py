"""Patches of a whole process that make it faster without changing results; no other module has any.

``python -m tests.benchmarks.patches`` prints what each saves, in seconds of a processor: imports without optional packages
that nobody here uses, unchecked arguments, and a garbage collector that ignores permanent objects.
"""

import atexit
import gc
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
            raise ModuleNotFoundError(f"{name} is not used here", name=name)


@contextmanager
def without(*packages: str) -> Iterator[None]:
    """Hide ``packages`` during the block, unless imported already; imports in the block must work without them."""
    absent = _Absent(packages)
    sys.meta_path.insert(0, absent)
    try:
        yield
    finally:
        sys.meta_path.remove(absent)


@contextmanager
def unchecked() -> Iterator[None]:
    """Disable typeguard during the block: inflect has its functions rewritten to check their arguments."""
    import typeguard

    checking = typeguard.typechecked
    setattr(typeguard, "typechecked", lambda function: function)  # noqa: B010
    try:
        yield
    finally:
        setattr(typeguard, "typechecked", checking)  # noqa: B010


def freeze() -> None:
    """Exclude what is loaded from garbage collection, and collect seldom: word lists stay, and have millions of objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    atexit.register(gc.unfreeze)  # otherwise DuckDB's modules outlive Python, and each run prints a hundred lines
