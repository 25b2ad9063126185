"""The form of the catalogue: readers of outside input, the bad input they meet, and its outcomes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Dropped(NamedTuple):
    """The row is dropped and counted under this reason."""

    code: str


class Rows(NamedTuple):
    """Each row of the file is read (``None``) or dropped for a reason."""

    codes: tuple[str | None, ...]


class Becomes(NamedTuple):
    """The input looks bad, but is understood and read as this."""

    text: str


class Stops(NamedTuple):
    """The stage stops before any output, with one line that names the file, this fault and a remedy."""

    says: str


Gets = Dropped | Rows | Becomes | Stops


class Case(NamedTuple):
    """One bad input: its fault, the input, its outcome, and the real files in which it was seen."""

    what: str
    given: Any
    gets: Gets
    seen: str = ""


class Reader(NamedTuple):
    """A reader of outside input.

    ``meet`` returns the outcome of a case's input, for which it may use an empty folder; an error that stops a stage is raised.
    ``names`` must occur in every such error: usually the file's name.
    """

    name: str
    names: str
    meet: Callable[[Any, Path], Gets]
    cases: list[Case]


VG = "Visual Genome"
HVG = "Hindi Visual Genome"
LAION = "LAION"
CC3M = "CC3M"
YFCC = "YFCC15M"
FLICKR = "Flickr8k"
CREPE = "CREPE's release"
