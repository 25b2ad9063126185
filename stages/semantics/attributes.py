"""Relations between attributes: classes in which only one can hold, and pairs of a class that may both hold.

A foil colour is false only if the thing's colour is known and the thing cannot have both. So a class lists groups: the
members of one group may hold of one thing together, members of different groups of the same class may not. Words in no
class exclude only their WordNet antonyms: "white" never excludes "furry" (the paper's own example of a wrong negative).

``attributes.txt`` has the classes, one group a line, then the neighbours, which may both hold. Colours whose names people give to
similar shades are also neighbours: one person writes tan, another cream.
"""

from functools import cache, lru_cache
from math import dist
from pathlib import Path
from typing import cast

from matplotlib.colors import is_color_like, to_hex
from PIL import Image, ImageCms

from stages.semantics import wordnet
from stages.text.lexicon import groups, sections, table

CACHE = 1 << 16
TABLES = sections(Path(__file__).with_suffix(".txt"))
CLASSES = {name.removeprefix("class "): groups(text) for name, text in TABLES.items() if name.startswith("class ")}
NEIGHBOURS = table(TABLES["neighbours"])

_PLACES: dict[str, dict[str, int]] = {}
for _name, _groups in CLASSES.items():
    for _i, _group in enumerate(_groups):
        for _word in _group:
            _PLACES.setdefault(_word, {})[_name] = _i
_NEIGHBOURS = {frozenset((head, other)) for head, others in NEIGHBOURS.items() for other in others}

LIGHTNESS = 100 / 255
"""L* of one step of an 8-bit picture's lightness."""
_TO_LAB = ImageCms.buildTransform(ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB")


@lru_cache(CACHE)
def _lab(colour: str) -> list[float] | None:
    """Return the L*a*b* values that people most often give a colour's name, by xkcd's survey (Munroe, 2010)."""
    name = f"xkcd:{colour.replace('gray', 'grey')}"
    if "colour" not in _PLACES.get(colour, {}) or not is_color_like(name):
        return None
    lightness, *hue = cast("tuple[int, ...]", _TO_LAB.apply(Image.new("RGB", (1, 1), to_hex(name))).getpixel((0, 0)))
    return [lightness * LIGHTNESS, *hue]


@cache
def _like_shades() -> float:
    """Return the maximum distance of neighbouring colours: that of tan and white, which two people may call the same wall."""
    return dist(_lab("tan") or (), _lab("white") or ())


def _neighbours(one: str, other: str) -> bool:
    """Return whether people may use either of two words that classes contain for the same thing."""
    shade, another = _lab(one), _lab(other)
    alike = shade is not None and another is not None and dist(shade, another) <= _like_shades()
    return alike or frozenset((one, other)) in _NEIGHBOURS


@lru_cache(CACHE)
def head(attribute: str) -> str:
    """Return the word of an attribute that a class contains: "light blue" is a blue, "very tall" a tall one."""
    return attribute if attribute in _PLACES or " " not in attribute else attribute.rsplit(" ", 1)[1]


def classes(attribute: str) -> dict[str, int]:
    """Return the classes of an attribute, each with the number of the attribute's group."""
    return _PLACES.get(head(attribute), {})


@lru_cache(CACHE)
def same_class(known: str, other: str) -> bool:
    """Return whether two attributes are in one class, whether or not they exclude each other."""
    return bool(classes(known).keys() & classes(other).keys())


@lru_cache(CACHE)
def excludes(known: str, asked: str) -> bool:
    """Return whether no thing can have both attributes.

    >>> excludes("red", "blue"), excludes("tan", "cream"), excludes("white", "furry"), excludes("tall", "short")
    (True, False, False, True)
    """
    a, b = head(known), head(asked)
    if a == b:
        return {known.split()[0], asked.split()[0]} == {"light", "dark"}
    if _neighbours(a, b):
        return False
    shared = _PLACES.get(a, {}).keys() & _PLACES.get(b, {}).keys()
    if shared:
        # A word of several classes ("silver" is a colour and a metal) excludes another only where all shared classes agree.
        return all(_PLACES[a][name] != _PLACES[b][name] for name in shared)
    return known in wordnet.antonyms(asked, "a") or asked in wordnet.antonyms(known, "a")


@lru_cache(CACHE)
def implies(known: str, asked: str) -> bool:
    """Return whether a thing that is ``known`` may be called ``asked``: the same, a shade of it, a synonym, or a neighbour."""
    a, b = head(known), head(asked)
    if a == b:
        return not excludes(known, asked)
    shared = _PLACES.get(a, {}).keys() & _PLACES.get(b, {}).keys()
    if any(_PLACES[a][name] == _PLACES[b][name] for name in shared) or _neighbours(a, b):
        return True
    return not shared and (asked in wordnet.synonyms(known, "a") or wordnet.alike(known, asked))


@lru_cache(CACHE)
def candidates(attribute: str) -> tuple[str, ...]:
    """Return attributes that exclude this one: its antonyms first, then the members of the other groups of its classes.

    A greenish thing cannot be told from an aqua one, nor that from a blue one: greenish is no foil for blue.
    """
    others = sorted(wordnet.antonyms(attribute, "a"))
    for name, own_group in sorted(classes(attribute).items()):
        others += [word for i, group in enumerate(CLASSES[name]) if i != own_group for word in sorted(group)]
    loose = {word for word in others if word.endswith("ish") and "colour" in classes(word)}
    return tuple(dict.fromkeys(word for word in others if word not in loose and excludes(attribute, word)))
