"""Which words before a noun are a part of its name: "football player", "bald eagle".

A noun before a thing says what kind of thing it is, and is no attribute ("the player is football"), but for what things are made
of ("brick wall") and for adjectives that are nouns too ("dark hair"). Of adjectives those are a part of the name that WordNet has
as one noun with it ("bald eagle", "sewing machine"). All three stand in ``compounds.txt.gz``, in a line each; to write them again:
``python -m stages.parser_training.wordnet_words``.
"""

import gzip
from functools import cache
from pathlib import Path

from stages.language import normal
from stages.language.lexnames import NONE, sort
from stages.parsing.rule_words import COLORS
from stages.parsing.words import NOUN_TAGS, Words

TABLE = Path(__file__).with_name("compounds.txt.gz")


def says_what_kind(w: Words, i: int, head: int) -> bool:
    """Whether noun ``i`` says what kind of thing ``head`` is, and not how it is or what it is made of, as persons never are."""
    word = w.low[i]
    if w.tag[i] not in NOUN_TAGS or word in COLORS or sort(word) == NONE:
        return False
    qualities, materials, _ = _tables()
    if word in qualities:
        return False
    return sort(w.low[head]) == "person" or not (word in materials or sort(word) == "substance")


def is_one_noun(first: str, noun: str) -> bool:
    """Whether WordNet has an adjective with a noun as one noun.

    >>> [is_one_noun(*pair) for pair in (("bald", "eagles"), ("swimming", "pool"), ("red", "fox"), ("wet", "dog"))]
    [True, True, False, False]
    """
    return f"{first}_{normal.singular(noun)}" in _tables()[2]


@cache
def _tables() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Adjectives that are nouns too; materials that WordNet has among things and plants; names of two words."""
    qualities, materials, names = gzip.decompress(TABLE.read_bytes()).decode("utf-8").splitlines()
    return frozenset(qualities.split()), frozenset(materials.split()), frozenset(names.split())
