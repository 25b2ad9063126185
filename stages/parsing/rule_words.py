"""Word lists of the parser's rules.

``rule_words.txt`` has each list with an example sentence.
"""

import re
from pathlib import Path

from stages.text.lexicon import heads, sections, words

TABLES = sections(Path(__file__).with_suffix(".txt"))
KINDS = heads(TABLES["kinds"])
BE = words(TABLES["be"])
COLLECTIVES = words(TABLES["collectives"])
VIEWS = words(TABLES["views"])
DEPICTIONS = words(TABLES["depictions"])
PICTURES = words(TABLES["pictures"])
CARRYING = words(TABLES["carrying"])
OF_THINGS = words(TABLES["of things"])
PHOTOS = words(TABLES["photos"])
NO_OBJECT = words(TABLES["no object"])
PERSONAL = words(TABLES["personal"])
NOT_ATTRIBUTES = words(TABLES["not attributes"])
HAVING = words(TABLES["having"])
LINKING = words(TABLES["linking"])
PLACE_ADVERBS = words(TABLES["place adverbs"])
NEGATIONS = words(TABLES["negations"])
PLACING = words(TABLES["placing"])
ADJECTIVES_WITH = words(TABLES["adjectives with"])
COLORS = words(TABLES["colors"])
SHADES = words(TABLES["shades"])
SHADE_NOUNS = words(TABLES["shade nouns"])
PAINTED = words(TABLES["painted"])
ING_NOUNS = words(TABLES["ing nouns"])
POSSESSIVES = words(TABLES["possessives"])
ADVERBS = words(TABLES["adverbs"])
PLACES = words(TABLES["places"])
PEOPLE = words(TABLES["people"])
SAYS_NOTHING = words(TABLES["says nothing"])
INDEFINITE = words(TABLES["indefinite"])
OPINIONS = words(TABLES["opinions"])
ABSTRACT = words(TABLES["abstract"])
NEVER_SEEN = words(TABLES["never seen"])
SEEN = words(TABLES["seen"])
FUNCTION_WORDS = words(TABLES["function words"])
PLACE_NAMES = words(TABLES["place names"])
BEFORE_NAMES = words(TABLES["before names"])
SUBJECT_OF = words(TABLES["subject of"])
SHORT_FORMS = {"w/": "with", "&": "and", "w/o": "without"}


def _any_of(patterns: str) -> re.Pattern[str]:
    """Return any of the patterns, one a line, between spaces."""
    return re.compile(rf"(?<!\S)(?:{'|'.join(patterns.strip().splitlines())})(?!\S)")


OPINION = _any_of(TABLES["opinion"])
NOT_SHOWN = _any_of(TABLES["not shown"])
