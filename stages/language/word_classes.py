"""To which class a noun or an attribute belongs that grammar asks for: a person or a thing, a number, before or after its noun."""

from __future__ import annotations

from functools import lru_cache

from stages.language.inflection import head_position
from stages.language.lexicon import PREPOSITIONS, words
from stages.language.wordnet import wordnet

# Numbers of things, which ask for a plural and no article.
NUMBERS = words("two three four five six seven eight nine ten eleven twelve several many few multiple some various numerous both")
# Things of which an image has one: "the sky" from the first mention on.
UNIQUE = words("sky sun moon ground ocean sea beach horizon air outdoors outside background foreground world")
# Attributes that stand after their noun, though they are one word.
PREDICATIVE = words(
    "on off alone asleep awake afloat apart ajar alight ablaze aloft up down away forward there outdoors indoors outside inside"
)


@lru_cache(maxsize=65536)
def is_person(noun: str) -> bool:
    """Whether a noun names persons and no artefacts, so that "who" follows it and not "that"."""
    head = noun.split()[head_position(noun.split())]
    senses = [sense.lexname() for sense in wordnet().synsets(head, "n")]
    named = bool(senses) and senses[0] == "noun.person" and "noun.artifact" not in senses
    return named or head in ("people", "man", "woman", "guy", "lady", "kid")


@lru_cache(maxsize=65536)
def attribute_place(attribute: str) -> str:
    """``number``, ``before`` or ``after`` the noun.

    >>> [attribute_place(attribute) for attribute in ("two", "light blue", "turned on", "made of brick", "smiling", "on")]
    ['number', 'before', 'after', 'after', 'before', 'after']
    """
    parts = attribute.split()
    if attribute in NUMBERS or attribute.isdigit():
        return "number"
    if attribute in PREDICATIVE or (len(parts) > 1 and any(part in PREPOSITIONS | PREDICATIVE for part in parts)):
        return "after"
    return "before"
