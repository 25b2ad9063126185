"""How people write atoms in captions: the words of a relation, the place of an attribute, the article of a noun.

The counts in ``usage.json.gz`` (100 kB) were taken from 36,890 Visual Genome captions, FACTUAL's training part, as our parser reads
them; ``python -m stages.parser_training.usage TRAIN.csv`` takes them again. What people never wrote is not to be said.
"""

from __future__ import annotations

import gzip
import json
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).with_name("usage.json.gz")


class NounUse(NamedTuple):
    """How often a noun that is not a caption's first stands there with "a", "the", a possessive, or bare; and in the plural."""

    a: int
    the: int
    own: int
    bare: int
    plural: int


class AttributeUse(NamedTuple):
    """How often an attribute stands before its noun, and after it."""

    before: int
    after: int


class Usage(NamedTuple):
    """Counts by the atoms' normal form."""

    nouns: dict[str, NounUse]
    attributes: dict[str, AttributeUse]
    relations: dict[str, tuple[str, int]]
    """The words that mostly stand for a relation after a noun ("attached to", "sitting on"), and how often it is said."""
    modifiers: dict[str, int]
    """How often an attribute that is no adjective is said of a noun, by both: "office chair"."""
    pairs: dict[str, int]
    """How often a relation is said of a subject or of an object: "cup on _", "_ on table"."""


@cache
def usage() -> Usage:
    """The counts."""
    read = json.loads(gzip.decompress(DATA.read_bytes()))
    return Usage(
        {name: NounUse(*counts) for name, counts in read["nouns"].items()},
        {name: AttributeUse(*counts) for name, counts in read["attributes"].items()},
        {name: (words, count) for name, (words, count) in read["relations"].items()},
        read["modifiers"],
        read["pairs"],
    )


@lru_cache(1 << 16)
def after_noun(relation: str) -> str | None:
    """The words of ``relation`` as people write them after a noun; None where they do not write it.

    >>> [after_noun(relation) for relation in ("attach to", "sit on", "see in", "on", "eat from the")]
    ['attached to', 'sitting on', 'seen in', 'on', None]
    """
    found = usage().relations.get(relation)
    return found[0] if found else None


OFTEN = 25
"""How often a noun must be written before what is never said of it is not to be said."""
PLACES = frozenset(
    (
        "on", "on top of", "near", "next to", "by", "behind", "in front of", "beside", "under", "above", "below", "between",
        "against",
        "along", "around", "at", "over", "beneath", "underneath", "on the side of", "to the left of", "to the right of", "inside",
    )
)  # fmt: skip
"""Relations that any two things may have."""
# The forms of one fact: "a chair has a leg", "a chair with a leg", "a leg of a chair". "{}" is the noun.
OWNER = ("{}|have|", "{}|with|", "|of|{}")
OWNED = ("|have|{}", "|with|{}", "{}|of|")
SIDES = {"have": (OWNER, OWNED), "with": (OWNER, OWNED), "of": (("{}|of|",), OWNER)}


@lru_cache(1 << 16)
def fits(subject: str, relation: str, object_: str) -> bool:
    """Whether people say the relation of such a subject and of such an object; of nouns that they rarely write we cannot know.

    A preposition must be said of both, a verb of one of the two.

    >>> fits("man", "wear", "shirt"), fits("man", "wear", "tree"), fits("counter", "of", "apple"), fits("dog", "next to", "wall")
    (True, False, False, True)
    """
    if relation in PLACES:
        return True
    ends = zip((subject, object_), SIDES.get(relation, ((f"{{}}|{relation}|",), (f"|{relation}|{{}}",))), strict=True)
    said = [_said(noun.split()[-1], forms) for noun, forms in ends]
    return any(said) if relation not in SIDES and " " in relation else all(said)


def _said(noun: str, forms: tuple[str, ...]) -> bool:
    use = usage().nouns.get(noun)
    often = use is not None and use.a + use.the + use.own + use.bare >= OFTEN
    return not often or any(form.format(noun) in usage().pairs for form in forms)


@lru_cache(1 << 16)
def uncountable(noun: str) -> bool:
    """Whether people write a noun in the singular without an article, and never with "a" or in the plural.

    >>> uncountable("toilet paper"), uncountable("paper"), uncountable("dog")
    (True, False, False)
    """
    use = usage().nouns.get(noun)
    return use is not None and use.a == use.plural == 0 and use.bare >= BARE


BARE = 4


@lru_cache(1 << 16)
def weight(subject: str, relation: str, object_: str) -> int:
    """How often people say the relation of such a subject or such an object."""
    pairs = usage().pairs
    return pairs.get(f"{subject.split()[-1]}|{relation}|", 0) + pairs.get(f"|{relation}|{object_.split()[-1]}", 0)
