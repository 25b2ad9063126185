"""The kinds of objects, and the places where they occur: ``kinds.yaml``, which explains its own rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

Point = tuple[float, float]
CENTRE = (0.5, 0.5)

TABLES = YAML(typ="safe").load(Path(__file__).with_suffix(".yaml"))


@dataclass(frozen=True)
class Kind:
    """One kind of object. Points and heights are fractions of its box from the upper left corner, or None."""

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


KINDS = {name: Kind(name, **about) for name, about in TABLES["kinds"].items()}
PEOPLE = tuple(made.name for made in KINDS.values() if made.group == "person")
LIKELY: dict[str, str] = TABLES["likely colours"]
STUFF: dict[str, Sequence[str]] = TABLES["stuff"]
FAMILIES = tuple(map(frozenset[str], TABLES["families"]))


@dataclass(frozen=True)
class Theme:
    """A place: its backdrop and ground, and the kinds that occur there, by their part in an arrangement."""

    backdrop: str
    ground: str
    horizon: int
    share: float
    zoom: float
    people: list[str]
    animals: list[str]
    large: list[str]
    small: list[str]
    floating: list[str]


THEMES = {name: Theme(**about) for name, about in TABLES["themes"].items()}
