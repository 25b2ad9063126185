"""The words before a noun that are part of its name: "football player", "bald eagle".

A noun before a thing gives its kind, and is no attribute ("the player is football"), except for materials ("brick wall") and
adjectives that are also nouns ("dark hair"). Adjectives are part of the name if WordNet has both words as one noun ("bald eagle",
"sewing machine"). ``compounds.txt.gz`` has all three lists, a line each; to write it again: ``python -m
stages.parser_training.wordnet_words``.
"""

import gzip
from functools import cache
from pathlib import Path

from stages.parsing.rule_words import COLORS
from stages.parsing.words import NOUN_TAGS, Words
from stages.text import normal
from stages.text.lexnames import NONE, lexname

TABLE = Path(__file__).with_name("compounds.txt.gz")


def says_what_kind(w: Words, i: int, head: int) -> bool:
    """Return whether noun ``i`` gives the kind of ``head``, and not its property or material; persons have no material."""
    word = w.low[i]
    if w.tag[i] not in NOUN_TAGS or word in COLORS or lexname(word) == NONE:
        return False
    qualities, materials, _ = _tables()
    if word in qualities:
        return False
    return lexname(w.low[head]) == "person" or not (word in materials or lexname(word) == "substance")


def is_one_noun(first: str, noun: str) -> bool:
    """Return whether WordNet has the adjective and the noun as one noun.

    >>> [is_one_noun(*pair) for pair in (("bald", "eagles"), ("swimming", "pool"), ("red", "fox"), ("wet", "dog"))]
    [True, True, False, False]
    """
    return f"{first}_{normal.singular(noun)}" in _tables()[2]


@cache
def _tables() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return adjectives that are also nouns; materials that WordNet lists among things and plants; names of two words."""
    qualities, materials, names = gzip.decompress(TABLE.read_bytes()).decode("utf-8").splitlines()
    return frozenset(qualities.split()), frozenset(materials.split()), frozenset(names.split())
