"""The kind of thing that a noun names, by WordNet and by usage: a person, an animal, clothing, a part, or something visible."""

from functools import lru_cache

from stages.semantics import usage, wordnet
from stages.semantics.usage import Usage
from stages.text import word_classes

CACHE = 1 << 16
UNSEEN = frozenset(
    f"noun.{kind}"
    for kind in ("act", "attribute", "cognition", "event", "feeling", "motive", "process", "relation", "state", "time")
)
"""WordNet's lexicographer files of invisible things."""


@lru_cache(CACHE)
def is_person(noun: str) -> bool:
    """Return whether a noun names a person.

    >>> is_person("tall surfer"), is_person("dog")
    (True, False)
    """
    return word_classes.is_person(noun)


@lru_cache(CACHE)
def is_body_part(noun: str) -> bool:
    """Return whether a noun names a part of a body.

    >>> is_body_part("left arm"), is_body_part("armchair")
    (True, False)
    """
    sense = wordnet.sense(noun)
    return sense is not None and sense.lexname() == "noun.body"


@lru_cache(CACHE)
def is_seen(noun: str) -> bool:
    """Return whether a noun names something visible: annotators named it in pictures, or WordNet's first sense is a visible thing.

    >>> is_seen("tractor"), is_seen("hoodie"), is_seen("shadow"), is_seen("idea"), is_seen("afternoon")
    (True, True, True, False, False)
    """
    senses = wordnet.senses(noun, "n") or wordnet.senses(noun.rsplit(" ", 1)[-1], "n")
    return not senses or senses[0].lexname() not in UNSEEN or noun in wordnet.SENSES or usage.shipped().names(noun)


def part_of(part: str, whole: str, said: Usage | None = None) -> bool:
    """Return whether a thing is a part of another: WordNet says so, or people join the two by "of" more often than other nouns.

    And more often in this order than in the other.

    Args:
        said: the usage counts; by default those that come with the project.

    >>> part_of("window", "building"), part_of("tail", "cat"), part_of("cat", "tail"), part_of("cup", "table")
    (True, True, False, False)
    """
    if wordnet.part_of(part, whole):
        return True
    said = said or usage.shipped()
    often = said.relation(part, "of", whole)
    return often > 1 and often > said.relation(whole, "of", part)
