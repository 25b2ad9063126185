"""The kinds of objects, and the places where they occur: ``kinds.txt`` and ``themes.txt``, which explain their own rows."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.text.lexicon import groups, lines, sections, table

Point = tuple[float, float]
CENTRE = (0.5, 0.5)

TABLES = sections(Path(__file__).with_suffix(".txt"))


@dataclass(frozen=True)
class Kind:
    """One kind of object, as ``kinds.txt`` describes it. Points and heights are fractions of its box from the upper left corner,
    or None."""

    name: str
    group: str
    width: float
    height: float
    top: float | None = None
    hollow: float | None = None
    shelter: bool = False
    seat: Point | None = None
    grip: Point | None = None
    mouth: Point | None = None
    unpatterned: bool = False


def kind(row: str) -> Kind:
    """Return the kind that a row of ``kinds.txt`` describes.

    >>> kind("umbrella thing 196 172 shelter grip=0.5,0.86").grip
    (0.5, 0.86)

    Raises:
        ValueError: the row is not in the format of ``kinds.txt``.
    """
    try:
        name, group, width, height, *places = row.split()
        return Kind(name, group, float(width), float(height), **dict(_place(place) for place in places))
    except (TypeError, ValueError) as error:
        raise ValueError(f"this row describes no kind: {row!r} ({error})") from None


def _place(text: str) -> tuple[str, Any]:
    name, _, at = text.partition("=")
    if name in ("shelter", "unpatterned"):
        return name, True
    if name in ("top", "hollow"):
        return name, float(at)
    x, y = at.split(",")
    return name, (float(x), float(y))


KINDS: dict[str, Kind] = {made.name: made for made in map(kind, filter(None, TABLES["kinds"].splitlines()))}
PEOPLE = tuple(made.name for made in KINDS.values() if made.group == "person")
LIKELY = dict(lines(TABLES["likely colours"]))
STUFF = table(TABLES["stuff"])
FAMILIES = groups(TABLES["families"])


@dataclass(frozen=True)
class Theme:
    """A place, as ``themes.txt`` describes it: its backdrop and ground, and the kinds that occur there, by their part in an
    arrangement."""

    backdrop: str
    ground: str
    horizon: int
    share: float
    zoom: float
    people: tuple[str, ...]
    animals: tuple[str, ...]
    large: tuple[str, ...]
    small: tuple[str, ...]
    floating: tuple[str, ...]


def _theme(text: str) -> Theme:
    rows = table(text)
    [backdrop], [ground], [horizon], [share], [zoom] = (rows[head] for head in ("backdrop", "ground", "horizon", "share", "zoom"))
    kinds = {part: rows.get(part, ()) for part in ("people", "animals", "large", "small", "floating")}
    return Theme(backdrop, ground, int(horizon), float(share), float(zoom), **kinds)


THEMES = {name: _theme(text) for name, text in sections(Path(__file__).with_name("themes.txt")).items()}
