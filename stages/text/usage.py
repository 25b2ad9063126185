"""How people write atoms in captions: the words of a relation, the place of an attribute, the article of a noun.

The counts in ``usage.json.gz`` (100 kB) come from 36,890 Visual Genome captions, FACTUAL's training part, as this project's parser
reads them; ``python -m stages.parser_training.usage TRAIN.csv`` counts them again.
"""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).with_name("usage.json.gz")


class NounUse(NamedTuple):
    """How often a noun, not the caption's first, has "a", "the", a possessive, or no article; and how often it is in the plural."""

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
    """The usual words of a relation after a noun ("attached to", "sitting on"), and its frequency."""
    modifiers: dict[str, int]
    """How often an attribute that is no adjective is used with a noun, by both: "office chair"."""
    pairs: dict[str, int]
    """How often a relation is used with a subject or with an object: "cup on _", "_ on table"."""


@cache
def usage() -> Usage:
    """Return the counts."""
    read = json.loads(gzip.decompress(DATA.read_bytes()))
    return Usage(
        {name: NounUse(*counts) for name, counts in read["nouns"].items()},
        {name: AttributeUse(*counts) for name, counts in read["attributes"].items()},
        {name: (words, count) for name, (words, count) in read["relations"].items()},
        read["modifiers"],
        read["pairs"],
    )
