"""Phrasal prepositions: several words for one relation, found in the words and not in the tree.

A parser attaches "in front of the house" in three steps, often one of them wrongly; the words themselves are unambiguous.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from stages.text.lexicon import lines, sections


class Phrase(NamedTuple):
    """``pattern`` matches lower-case words joined by single spaces; ``name`` is the normal form, its ``\\1`` a group."""

    pattern: str
    name: str
    example: str


def _read() -> Iterator[Phrase]:
    tables = sections(Path(__file__).with_suffix(".txt"))
    for name, row in lines(tables["phrases"]):
        for part, pattern in lines(tables["parts"]):
            row = row.replace(part, pattern)
        pattern, _, example = row.partition(" e.g. ")
        yield Phrase(pattern, name, example)


PHRASES = tuple(_read())


@cache
def _compiled() -> tuple[re.Pattern, list[tuple[re.Pattern, str]]]:
    anywhere = re.compile("(?<![^ ])(?:" + "|".join(re.sub(r"(?<!\\)\((?!\?)", "(?:", p.pattern) for p in PHRASES) + ")(?![^ ])")
    return anywhere, [(re.compile(f"(?:{p.pattern})$"), p.name) for p in PHRASES]


def find(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and normal form of the phrasal prepositions in ``text`` (lower case, single spaces)."""
    anywhere, _ = _compiled()
    return [(m.start(), m.end(), name(m.group())) for m in anywhere.finditer(text)]


@lru_cache(1 << 16)
def name(phrase: str) -> str:
    """Return the normal form of a phrasal preposition; other text is returned unchanged.

    >>> name("in the front of")
    'in front of'
    """
    for pattern, normal in _compiled()[1]:
        match = pattern.match(phrase)
        if match:
            return match.expand(normal)
    return phrase
