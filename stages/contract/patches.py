"""What is changed in a whole process so that it is faster, and finds the same; no other module does such.

``python -m tests.benchmarks.patches`` prints what each buys, in seconds of a processor: packages that are imported without optional
ones, which they bring along for what nobody here uses, and a garbage collector that leaves alone what stays.
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


@contextmanager
def unchecked() -> Iterator[None]:
    """Inside, typeguard leaves functions as they are: inflect has each of its own rewritten, to check what it is given."""
    import typeguard

    checking = typeguard.typechecked
    setattr(typeguard, "typechecked", lambda function: function)  # noqa: B010
    try:
        yield
    finally:
        setattr(typeguard, "typechecked", checking)  # noqa: B010


def freeze() -> None:
    """The pipeline and the word lists stay: the garbage collector need not look through their millions of objects again."""
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # else DuckDB's modules outlive Python, of which each run would write a hundred lines
