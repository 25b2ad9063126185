"""Which words are adjectives, and of what kind."""

from functools import lru_cache
from pathlib import Path

from stages.language.lexicon import sections, words
from stages.language.normal import COLOURS, verb_base
from stages.wording.inflection import verb_form
from stages.wording.lexicon import PREPOSITIONS
from stages.wording.word_classes import PLURAL_NUMBERS
from stages.wordnet.reader import wordnet

TABLES = sections(Path(__file__).with_name("attributes.txt"))
SIZES = words(TABLES["sizes"])
LOOKS = words(TABLES["looks"])
MATERIALS = words(TABLES["materials"])


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
