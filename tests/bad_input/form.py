"""The form of the catalogue: a reader of strangers' input, the bad input that it meets, and what each gets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Dropped(NamedTuple):
    """The row is dropped and counted under this reason."""

    code: str


class Rows(NamedTuple):
    """Of the rows of a file each is read (``None``) or dropped for a reason."""

    codes: tuple[str | None, ...]


class Becomes(NamedTuple):
    """It looks bad, is understood, and read as this."""

    text: str


class Stops(NamedTuple):
    """The stage stops before any output, with one line that names the file, says this, and names a remedy."""

    says: str


Gets = Dropped | Rows | Becomes | Stops


class Case(NamedTuple):
    """One bad input: what is wrong with it, the input, what it gets, and in which real files it was seen."""

    what: str
    given: Any
    gets: Gets
    seen: str = ""


class Reader(NamedTuple):
    """What reads strangers' input.

    ``meet`` gives what became of a case's input, which it may put into an empty folder; an error that stops a stage is raised.
    ``names`` must stand in every such error: the file's name, as a rule.
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
