"""What words ask of the things that they are said of: tables of selectional restrictions.

They stand in ``restrictions.txt``. A row is a word, or several, and what it asks: alternatives, parted by commas, each of kinds
(``things.tsv``) that must all hold of one thing and, after "!", of kinds that must not. :mod:`stages.semantics.selection` asks
them.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from stages.language.lexicon import sections
from stages.semantics.lexicon import lines, table
from stages.semantics.things import Thing


class Kinds(NamedTuple):
    """Kinds of which a thing has to be all, and kinds of which it may be none."""

    asked: frozenset[str]
    barred: frozenset[str]

    def hold(self, thing: Thing) -> bool:
        return self.asked <= thing.kinds and self.barred.isdisjoint(thing.kinds)


Asked = tuple[Kinds, ...]
"""Alternatives; one is enough."""


def _asked(text: str) -> Asked:
    """
    >>> _asked("top, wall !room")[1].barred
    frozenset({'room'})
    """
    alternatives = []
    for alternative in text.split(","):
        names = [name for name in alternative.split() if name != "any"]
        alternatives.append(Kinds(frozenset(n for n in names if n[0] != "!"), frozenset(n[1:] for n in names if n[0] == "!")))
    return tuple(alternatives)


def _of_things(text: str) -> dict[str, Asked]:
    return {word.strip(): _asked(", ".join(items)) for words, items in table(text).items() for word in words.split(",")}


def _of_pairs(text: str) -> dict[str, list[tuple[Asked, Asked]]]:
    """A row: what it asks of the subject and, after ">", of the object. A word may have several; one is enough."""
    rows: dict[str, list[tuple[Asked, Asked]]] = {}
    for head, asked in lines(text):
        subject, _, object_ = asked.partition(">")
        for word in head.split(","):
            rows.setdefault(word.strip(), []).append((_asked(subject), _asked(object_)))
    return rows


TABLES = sections(Path(__file__).with_suffix(".txt"))
BEARERS = _of_things(TABLES["bearers"])
"""What an attribute, or a class of attributes, asks of a thing."""
MATERIALS = {word: material for material, words in table(TABLES["materials"]).items() for word in words}
"""Of what something is that an attribute calls so."""
PARTNERS = _of_pairs(TABLES["partners"])
"""Which things can be in a relation, by all its words, its verb, or its place."""
PLACES = _of_pairs(TABLES["places"])
"""The same of a place, whatever the verb."""
