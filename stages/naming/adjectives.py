"""Which words are adjectives, and of what kind."""

from __future__ import annotations

from functools import lru_cache

from stages.language.lexicon import words
from stages.language.normal import verb_base
from stages.wording.inflection import verb_form
from stages.wording.lexicon import PREPOSITIONS
from stages.wording.word_classes import PLURAL_NUMBERS
from stages.wordnet.reader import wordnet

# The order in which English puts adjectives: size, age and shape, colour, material, what it is doing.
SIZES = words("large big small little tiny huge tall short long wide narrow thin thick giant tiny high low")
LOOKS = words("old young new round square flat open closed empty full clean dirty bright dark light shiny wet dry curved straight")
COLOURS = words(
    """red orange yellow green blue purple pink brown black white gray grey silver gold golden beige tan cream maroon teal turquoise
    violet lavender blonde navy bronze khaki burgundy ivory peach mustard aqua"""
)
MATERIALS = words(
    "wooden wood metal plastic glass brick stone concrete leather paper steel ceramic cotton denim rubber marble chrome granite "
    "iron cork"
)


@lru_cache(maxsize=65536)
def is_adjective(attribute: str) -> bool:
    """Whether an attribute is a colour, a number, a material, or an adjective that WordNet knows, or ends with one: "light brown".

    >>> [is_adjective(attribute) for attribute in ("red", "light brown", "wooden", "brick", "utensil", "on")]
    [True, True, True, True, False, False]
    """
    last = attribute.split()[-1] if attribute.strip() else ""
    if last in COLOURS | SIZES | LOOKS | MATERIALS | PLURAL_NUMBERS:
        return True
    return last not in PREPOSITIONS and any(sense.pos() in "as" for sense in wordnet().synsets(last))


@lru_cache(maxsize=65536)
def is_participle(attribute: str) -> bool:
    """Whether an attribute is a verb's passive participle, "locked", and a right one: no "hanged"."""
    base = verb_base(attribute)
    return (
        attribute.endswith("ed")
        and base != attribute
        and verb_form(base, "done") == attribute
        and bool(wordnet().synsets(base, "v"))
    )
