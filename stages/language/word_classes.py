"""To which class a noun or an attribute belongs that grammar asks for: a person or a thing, a number, before or after its noun."""

from __future__ import annotations

from functools import lru_cache

from stages.language.inflection import head_position, verb_form
from stages.language.lexicon import AT_LEAST, NUMBERS, PREPOSITIONS, words
from stages.language.normal import verb_base
from stages.language.usage import usage
from stages.language.wordnet import wordnet

# Numbers of things, which ask for a plural and no article.
PLURAL_NUMBERS = (NUMBERS.keys() | AT_LEAST.keys()) - {"one"}
# Things of which an image has one: "the sky" from the first mention on.
UNIQUE = words("sky sun moon ground ocean sea beach horizon air outdoors outside background foreground world")
# Attributes that stand after their noun, though they are one word.
PREDICATIVE = words(
    "on off alone asleep awake afloat apart ajar alight ablaze aloft up down away forward there outdoors indoors outside inside"
)

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
def is_person(noun: str) -> bool:
    """Whether a noun names persons and no artefacts, so that "who" follows it and not "that"."""
    head = noun.split()[head_position(noun.split())]
    senses = [sense.lexname() for sense in wordnet().synsets(head, "n")]
    named = bool(senses) and senses[0] == "noun.person" and "noun.artifact" not in senses
    return named or head in ("people", "man", "woman", "guy", "lady", "kid")


@lru_cache(maxsize=65536)
def is_body_part(noun: str) -> bool:
    """Whether a noun names first of all a part of the body."""
    senses = wordnet().synsets(noun.split()[-1], "n")
    return bool(senses) and senses[0].lexname() == "noun.body"


MOSTLY = 0.75
OFTEN = 20


@lru_cache(maxsize=65536)
def is_definite(noun: str) -> bool:
    """Whether people write "the" before a noun that says where something is, as of the wall and the street."""
    use = usage().nouns.get(noun)
    return use is not None and use.a + use.the >= OFTEN and use.the >= MOSTLY * (use.a + use.the) and not is_person(noun)


ENOUGH = 5
"""Times that people must have written an attribute before their way with it counts."""


@lru_cache(maxsize=65536)
def attribute_place(attribute: str) -> str:
    """``number``, ``before`` or ``after`` the noun.

    >>> [attribute_place(attribute) for attribute in ("two", "light blue", "turned on", "made of brick", "sitting", "on")]
    ['number', 'before', 'after', 'after', 'after', 'after']
    """
    parts = attribute.split()
    if attribute in PLURAL_NUMBERS or attribute.isdigit():
        return "number"
    use = usage().attributes.get(attribute)
    if use is not None and sum(use) >= ENOUGH:
        return "after" if use.after > use.before else "before"
    if attribute in PREDICATIVE or (len(parts) > 1 and any(part in PREPOSITIONS | PREDICATIVE for part in parts)):
        return "after"
    return "before"


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
