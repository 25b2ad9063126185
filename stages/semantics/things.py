"""What people know of things: how large they are, where they are met, what can be done with them and what they are made of.

The table ``things.tsv`` has a row for each of some two thousand common nouns, written by hand, as people use them in captions of
photographs. Its columns are the noun; its size, from 1, what a hand holds, to 7, a building, and 9, what has no end; the scenes
(:data:`ANYWHERE`) where it would be no surprise, in capitals those where it is at home; what it is and what is true of an ordinary
one; its materials; and other names of such a thing. The words of each column stand in ``tests/semantics/test_things.py``.

A noun without a row is like its last word, or has what most of the nouns share that stand below its nearest hypernym in WordNet.
"""

import csv
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from stages.semantics import wordnet
from stages.wording.word_classes import is_person

FILE = Path(__file__).with_name("things.tsv")
ANYWHERE = frozenset("kblopwisragcfnmtvey")
"""Kitchens, restaurants; bathrooms; living rooms, bedrooms; offices, schools; public rooms; workshops, building sites; the inside
of vehicles; streets; railways; airfields; gardens, porches; parks, fairs; farmland; wilderness; snow; pitches; rivers, lakes; the
sea; the sky."""
CACHE = 1 << 17
PERSON = 3
"""The size of a person."""
UNKNOWN = -1.0
"""The sign of a size that is not known."""
FAR = 4
"""So many steps up in WordNet things have too little in common."""


class Thing(NamedTuple):
    """A row of the table: ``where`` it would be no surprise, and where it is at ``home``; ``kinds`` are what it is and what is true
    of it, ``also`` what it may be called as well."""

    size: int | None
    where: frozenset[str]
    home: frozenset[str]
    kinds: frozenset[str]
    materials: frozenset[str]
    also: frozenset[str]


@cache
def listed() -> dict[str, Thing]:
    """The table."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return {noun: _thing(*columns) for noun, *columns in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def _thing(size: str, where: str, kinds: str, can: str, materials: str, also: str) -> Thing:
    return Thing(
        None if size == "-" else int(size),
        ANYWHERE if "*" in where else frozenset(where.lower()),
        frozenset(letter.lower() for letter in where if letter.isupper()) or ANYWHERE,
        frozenset(f"{kinds} {can}".split()) - {"-"},
        frozenset(materials.split()) - {"-"},
        frozenset(also.split(", ")) - {"-"},
    )


@lru_cache(CACHE)
def of(noun: str) -> Thing | None:
    """What is known of the things that ``noun`` names; ``None`` where neither the table nor WordNet tells.

    >>> "top" in of("kitchen table").kinds, of("dachshund").size, of("quxification")
    (True, 3, None)
    """
    table = listed()
    if thing := table.get(noun):
        return thing
    if is_person(noun):
        return table["person"]
    if thing := table.get(noun.rsplit(" ", 1)[-1]):
        return thing
    steps = wordnet.ancestors(sense) if (sense := wordnet.sense(noun)) else {}
    near = sorted((step, name) for name, step in steps.items() if step < FAR and name in _below())
    return _shared([table[other] for other in _below()[near[0][1]]]) if near else None


def kinds(noun: str) -> frozenset[str]:
    """What is known of a thing's kinds."""
    thing = of(noun)
    return thing.kinds if thing else frozenset()


def size(noun: str) -> int | None:
    """How large a thing is, if that is known."""
    thing = of(noun)
    return thing.size if thing else None


def size_sign(noun: str) -> float:
    """The same as a sign that trees learn from, :data:`UNKNOWN` where it is not known, or where there is no thing."""
    known = size(noun) if noun else None
    return UNKNOWN if known is None else float(known)


def row(noun: str) -> Thing | None:
    """The table's own row of a noun, or of its last word."""
    return listed().get(noun) or listed().get(noun.rsplit(" ", 1)[-1])


@cache
def _below() -> dict[str, list[str]]:
    """The nouns of the table that stand below each of WordNet's senses."""
    below: dict[str, list[str]] = {}
    for noun in listed():
        for name in wordnet.ancestors(sense) if (sense := wordnet.sense(noun)) and noun in wordnet.spellings(sense) else ():
            if name not in wordnet.TOO_WIDE:
                below.setdefault(name, []).append(noun)
    return below


def _shared(kin: list[Thing]) -> Thing:
    """What at least half of some things are."""
    sizes = sorted(thing.size for thing in kin if thing.size is not None)

    def most(column: str) -> frozenset[str]:
        counts = Counter(word for thing in kin for word in getattr(thing, column))
        return frozenset(word for word, n in counts.items() if 2 * n >= len(kin))

    middle = sizes[len(sizes) // 2] if sizes else None
    return Thing(middle, most("where") or ANYWHERE, most("home") or ANYWHERE, most("kinds"), most("materials"), frozenset())


@lru_cache(CACHE)
def meet(one: str, other: str) -> bool:
    """Is either at home where the other would be no surprise? A zebra in a bathroom needs no picture to be false.

    >>> meet("zebra", "keyboard"), meet("dog", "keyboard"), meet("zebra", "idea")
    (False, True, True)
    """
    return at_home(one, frozenset([other])) > 0 or at_home(other, frozenset([one])) > 0


def at_home(noun: str, beside: frozenset[str]) -> float:
    """The share of the scenes where a thing is at home in which none of the others would be a surprise, 1 where nobody knows.

    >>> at_home("bathtub", frozenset(["desk"])), at_home("mug", frozenset(["desk"]))
    (0.0, 1.0)
    >>> at_home("leash", frozenset(["desk"])), at_home("desk", frozenset(["leash"]))
    (0.0, 0.5)
    """
    own, others = of(noun), [thing.where for other in beside if (thing := of(other))]
    return len(own.home.intersection(*others)) / len(own.home) if own else 1.0
