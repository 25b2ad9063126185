"""Comparison of names: whether two names can mean one thing."""

import re
from functools import lru_cache
from typing import Any

from stages.text.wordnet import wordnet

WORD = 3
"""Minimum letters of a word within a compound; WordNet has most shorter ones."""
NEAR = 0.2
"""Minimum path similarity of two senses: at most four steps between them."""


@lru_cache(1 << 16)
def name_one_thing(one: str, other: str) -> bool:
    """Return whether two names in normal form are similar enough to name one thing, as annotators give a thing several.

    >>> [name_one_thing(*pair) for pair in (("girl", "woman"), ("bookshelf", "shelf"), ("apple", "milk"), ("headphones", "man"))]
    [True, True, False, False]
    """
    if _one_ends_the_other(one, other):
        return True
    return any((a.path_similarity(b) or 0) >= NEAR for a in _senses(one) for b in _senses(other))


def _one_ends_the_other(one: str, other: str) -> bool:
    """Return whether one name ends the other, as a word or in a compound: "corkboard" ends with "board"; "woman" is not a "man"."""
    (short, a), (long, b) = sorted(((name, re.sub("[ -]", "", name)) for name in (one, other)), key=lambda name: len(name[1]))
    before = long.rpartition(" ")[2].removesuffix(short)
    apart = long.endswith((f" {short}", f"-{short}")) or (len(before) >= WORD and bool(wordnet().synsets(before)))
    return b.endswith(a) and (a == b or apart)


def _senses(name: str) -> list[Any]:
    synsets = wordnet().synsets(name.replace(" ", "_"), "n")
    return synsets or wordnet().synsets(name.split()[-1], "n")


@lru_cache(1 << 16)
def sound_alike(one: str, other: str) -> bool:
    """Return whether a reader takes two different names for one thing's.

    They are one word in two spellings, a longer name of the thing or of its part, or synonyms.

    >>> pairs = ("corkboard", "cork board"), ("shelf", "bookshelf"), ("curtain", "drape"), ("table top", "table"), ("woman", "man")
    >>> [sound_alike(*pair) for pair in pairs]
    [True, True, True, True, False]
    """
    if _one_ends_the_other(one, other) or one.startswith(f"{other} ") or other.startswith(f"{one} "):
        return True
    first, second = _senses(one)[:1], _senses(other)[:1]
    return bool(first) and first == second


@lru_cache(1 << 16)
def is_a_kind_of(one: str, other: str) -> bool:
    """Return whether one of two names means the other, or a kind of it, at most two steps below.

    >>> [is_a_kind_of(*pair) for pair in (("jeans", "pants"), ("coat", "jacket"), ("shirt", "jacket"), ("man", "woman"))]
    [True, True, False, False]
    """
    return any(a in _above(b) or b in _above(a) for a in _senses(one) for b in _senses(other))


def _above(sense: Any) -> set[Any]:
    parents = set(sense.hypernyms())
    return {sense} | parents | {grand for parent in parents for grand in parent.hypernyms()}
