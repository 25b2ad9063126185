"""Phrasal prepositions: several words that say one relation, found in the words and not in the tree.

A parser attaches "in front of the house" in three steps, and often one of them wrongly; the words themselves are unmistakable.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple


class Phrase(NamedTuple):
    """``pattern`` matches lower-case words joined by single spaces; ``name`` is the normal form, its ``\\1`` a group."""

    pattern: str
    name: str
    example: str


ARTICLE = r"(?:the |a |an |it 's |its |his |her |their )?"
PREPOSITION = r"(?:in|on|at|to|by|from|along|near|toward|towards|off|of)"

PHRASES: tuple[Phrase, ...] = (
    Phrase(rf"(?:in|on|at) {ARTICLE}(?:very )?front(?: part| side)? of", "in front of", "a bike in front of a house"),
    Phrase(r"in front", "in front of", "birds flying in front a boat"),
    Phrase(r"(?:on|at|to) (?:the )?(?:very )?top(?: part)? of|on top|atop(?: of)?", "on top of", "a bird on the top of a roof"),
    Phrase(rf"{PREPOSITION} {ARTICLE}(left|right)(?: hand)?(?: -)?(?: side)? of", r"to the \1 of", "a lamp to the left of the bed"),
    Phrase(
        rf"{PREPOSITION} {ARTICLE}(?:very )?(?:middle|center|centre)(?: part)? of",
        "in the middle of",
        "a vase in the center of a table",
    ),
    Phrase(rf"{PREPOSITION} {ARTICLE}(?:far |upper |lower )?corner of", "in the corner of", "a chair in the corner of the room"),
    Phrase(r"along ?side(?: of)?", "beside", "a car parked alongside a bus"),
    Phrase(rf"{PREPOSITION} both (?:sides|ends) of", "on both sides of", "trees on both sides of the road"),
    Phrase(rf"{PREPOSITION} (?:the )?(?:other|opposite|far) side of", "on the other side of", "a man on the other side of the net"),
    Phrase(rf"{PREPOSITION} {ARTICLE}sides? of", "on the side of", "a clock on the side of a building"),
    Phrase(rf"{PREPOSITION} {ARTICLE}(?:back|rear) of", "on the back of", "a plate on the back of a car"),
    Phrase(rf"{PREPOSITION} {ARTICLE}(?:bottom|base|foot) of", "at the bottom of", "stones at the base of a tree"),
    Phrase(rf"{PREPOSITION} {ARTICLE}(?:very )?ends? of", "at the end of", "a light at the end of a pole"),
    Phrase(rf"{PREPOSITION} {ARTICLE}edges? of", "on the edge of", "a cup on the edge of a table"),
    Phrase(rf"{PREPOSITION} {ARTICLE}inside of|inside of", "inside", "a dog inside of a car"),
    Phrase(rf"{PREPOSITION} {ARTICLE}outside of|outside of", "outside", "a man outside of a shop"),
    Phrase(r"(?:right |close |just )?next to|adjacent to|nextto", "next to", "a fork next to a plate"),
    Phrase(r"close to|near to|close by", "near", "a tree close to the road"),
    Phrase(r"out of", "out of", "smoke coming out of a chimney"),
    Phrase(r"off of", "off", "a man jumping off of a board"),
    Phrase(r"up against", "against", "a bike up against a wall"),
    Phrase(r"away from", "away from", "a bird flying away from a tree"),
    Phrase(r"in between", "between", "a table in between two beds"),
    Phrase(r"ahead of", "in front of", "a car ahead of a bus"),
    Phrase(r"across from|opposite(?: to| of)?", "across from", "a bench across from a shop"),
    Phrase(r"along with|together with", "with", "a burger along with fries"),
    Phrase(r"instead of", "instead of", "a hat instead of a helmet"),
    Phrase(r"because of", "because of", "a blurry ball because of motion"),
    Phrase(r"such as", "such as", "fruits such as apples"),
    Phrase(rf"in {ARTICLE}background of", "in the background of", "a hill in the background of a photo"),
    Phrase(rf"in {ARTICLE}back of", "behind", "a tree in back of a house"),
)


@cache
def _compiled() -> tuple[re.Pattern, list[tuple[re.Pattern, str]]]:
    anywhere = re.compile("(?<![^ ])(?:" + "|".join(re.sub(r"(?<!\\)\((?!\?)", "(?:", p.pattern) for p in PHRASES) + ")(?![^ ])")
    return anywhere, [(re.compile(f"(?:{p.pattern})$"), p.name) for p in PHRASES]


def find(text: str) -> list[tuple[int, int, str]]:
    """The phrasal prepositions in ``text`` (lower case, words joined by single spaces): start, end in characters, normal form."""
    anywhere, _ = _compiled()
    return [(m.start(), m.end(), name(m.group())) for m in anywhere.finditer(text)]


@lru_cache(1 << 16)
def name(phrase: str) -> str:
    """The normal form of a phrasal preposition; other text comes back as it is.

    >>> name("in the front of")
    'in front of'
    """
    for pattern, normal in _compiled()[1]:
        match = pattern.match(phrase)
        if match:
            return match.expand(normal)
    return phrase
