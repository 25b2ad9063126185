"""The class of a noun or an attribute that grammar depends on: a person or a thing, a number, before or after its noun."""

from collections.abc import Sequence
from functools import lru_cache

from stages.text.grammar_words import AT_LEAST, PREPOSITIONS, TABLES
from stages.text.inflection import head_position, singular
from stages.text.lexicon import NUMBERS, words
from stages.text.normal import COLOURS, verb_base
from stages.text.usage import usage
from stages.text.wordnet import wordnet

# Numbers of things, which need a plural and no article.
PLURAL_NUMBERS = (NUMBERS.keys() | AT_LEAST.keys()) - {"one"}
UNIQUE = words(TABLES["unique"])
IN_PAIRS = words(TABLES["in pairs"])
PREDICATIVE = words(TABLES["predicative"])
PERSONS = words(TABLES["persons"])
NO_PERSONS = words(TABLES["no persons"])
THINGS = ("noun.artifact", "noun.food", "noun.animal", "noun.plant")


@lru_cache(maxsize=65536)
def is_person(noun: str) -> bool:
    """Return whether a noun names persons in captions, so that "who" follows it and not "that".

    A noun that may also be a thing, an animal or food must mean a person in most of its uses in texts (WordNet's counts).

    >>> [is_person(noun) for noun in ("person", "bus driver", "surfer", "hotdog", "ostrich", "dog", "monitor", "letter")]
    [True, True, True, False, False, False, False, False]
    """
    head = noun.split()[head_position(noun.split())]
    if head in PERSONS | NO_PERSONS:
        return head in PERSONS
    senses = wordnet().synsets(head, "n")
    if not senses or senses[0].lexname() != "noun.person":
        return False
    uses = [(sense.lexname(), sum(lemma.count() for lemma in sense.lemmas() if lemma.name().lower() == head)) for sense in senses]
    things = [count for kind, count in uses if kind in THINGS]
    return not things or sum(count for kind, count in uses if kind == "noun.person") > 2 * sum(things)


@lru_cache(maxsize=65536)
def is_body_part(noun: str) -> bool:
    """Return whether a noun mainly names a part of the body."""
    senses = wordnet().synsets(noun.split()[-1], "n")
    return bool(senses) and senses[0].lexname() == "noun.body"


# Kinds of things that people say somebody is "in".
COVERS = frozenset(("garment.n.01", "footwear.n.01", "footwear.n.02"))


@lru_cache(maxsize=65536)
def is_worn_in(noun: str) -> bool:
    """Return whether people write "a man in" a worn thing: a shirt or shoes, but not a watch.

    >>> is_worn_in("red shirt"), is_worn_in("sneaker"), is_worn_in("watch")
    (True, True, False)
    """
    head = noun.split()[-1]
    if f"|in|{head}" in usage().pairs and f"|wear|{head}" in usage().pairs:
        return True
    sense = next(iter(wordnet().synsets(head, "n")), None)
    return sense is not None and any(kind.name() in COVERS for kind in sense.closure(lambda kind: kind.hypernyms()))


MOSTLY = 0.75
OFTEN = 20


@lru_cache(maxsize=65536)
def is_definite(noun: str) -> bool:
    """Return whether people write "the" before a noun that is a place, such as the wall and the street."""
    use = usage().nouns.get(noun)
    return use is not None and use.a + use.the >= OFTEN and use.the >= MOSTLY * (use.a + use.the) and not is_person(noun)


@lru_cache(maxsize=65536)
def uncountable(noun: str) -> bool:
    """Return whether people write a noun in the singular without an article, and never with "a" or in the plural.

    >>> uncountable("toilet paper"), uncountable("paper"), uncountable("dog")
    (True, False, False)
    """
    use = usage().nouns.get(noun)
    return use is not None and use.a == use.plural == 0 and use.bare >= BARE


BARE = 4


MIN_USES = 5
"""Minimum number of times that people write an attribute, for their usual place of it to count."""


@lru_cache(maxsize=65536)
def attribute_place(attribute: str) -> str:
    """Return ``number``, or ``before`` or ``after`` the noun.

    >>> [attribute_place(attribute) for attribute in ("two", "group of", "light blue", "made of brick", "sitting", "on")]
    ['number', 'number', 'before', 'after', 'after', 'after']
    >>> [attribute_place(attribute) for attribute in ("3", "several", "for listening", "far away")]
    ['number', 'number', 'after', 'after']
    >>> [attribute_place(attribute) for attribute in ("facing left", "wearing orange", "sliding glass")]
    ['after', 'after', 'before']
    """
    parts = attribute.split()
    if attribute in PLURAL_NUMBERS or attribute.isdigit() or parts[-1:] == ["of"]:
        return "number"
    use = usage().attributes.get(attribute)
    if use is not None and sum(use) >= MIN_USES:
        return "after" if use.after > use.before else "before"
    if attribute in PREDICATIVE or (len(parts) > 1 and any(part in PREPOSITIONS | PREDICATIVE for part in parts)):
        return "after"
    return "after" if len(parts) > 1 and _is_deed(parts) else "before"


def _is_deed(parts: Sequence[str]) -> bool:
    """Return whether several words describe an action, "facing left", and not a kind with a noun, as "sliding glass" does."""
    verb, last = verb_base(parts[0]), parts[-1]
    if not parts[0].endswith("ing") or verb == parts[0] or not wordnet().synsets(verb, "v"):
        return False
    nouns = wordnet().lemmas(singular(last), "n")
    others = [lemma for kind in "ar" for lemma in wordnet().lemmas(last, kind)]
    return not nouns or last in COLOURS or sum(lemma.count() for lemma in nouns) < sum(lemma.count() for lemma in others)
