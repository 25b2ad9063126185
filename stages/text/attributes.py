"""Attributes: their kinds, pairs with the same meaning or a contradiction, and the nouns that they modify."""

from functools import lru_cache
from pathlib import Path

from stages.text.grammar_words import PREPOSITIONS
from stages.text.inflection import verb_form
from stages.text.lexicon import groups, sections, words
from stages.text.normal import COLOURS, verb_base
from stages.text.usage import usage
from stages.text.word_classes import PLURAL_NUMBERS, PREDICATIVE
from stages.text.wordnet import wordnet

TABLES = sections(Path(__file__).with_suffix(".txt"))
SIZES = words(TABLES["sizes"])
LOOKS = words(TABLES["looks"])
MATERIALS = words(TABLES["materials"])
ALIKE = groups(TABLES["alike"])
NEAR_COLOURS = groups(TABLES["near colours"])
# Synonyms of the states of switched things.
SWITCHED = {f"{verb} {state}": state for verb in ("turned", "switched", "powered") for state in ("on", "off")}
COMMON_SENSES = 2
SHADES = words(TABLES["shades"])


@lru_cache(maxsize=65536)
def is_adjective(attribute: str) -> bool:
    """Return whether an attribute is a colour, a number, a material, or an adjective in WordNet, or ends with one: "light brown".

    >>> [is_adjective(attribute) for attribute in ("red", "light brown", "wooden", "brick", "utensil", "on")]
    [True, True, True, True, False, False]
    """
    last = attribute.split()[-1] if attribute.strip() else ""
    if last in COLOURS | SIZES | LOOKS | MATERIALS | PLURAL_NUMBERS:
        return True
    return last not in PREPOSITIONS and any(sense.pos() in "as" for sense in wordnet().synsets(last))


@lru_cache(maxsize=65536)
def is_participle(attribute: str) -> bool:
    """Return whether an attribute is a verb's regular passive participle, "locked"; not "hanged"."""
    base = verb_base(attribute)
    return (
        attribute.endswith("ed")
        and base != attribute
        and verb_form(base, "done") == attribute
        and bool(wordnet().synsets(base, "v"))
    )


@lru_cache(1 << 16)
def say_the_same(one: str, other: str) -> bool:
    """Return whether an attribute repeats another one, or a part of it.

    >>> [say_the_same(*pair) for pair in (("green", "greenish"), ("turned off", "off"), ("tan", "light tan"), ("clean", "white"))]
    [True, True, True, False]
    """
    a, b = _plain(one), _plain(other)
    if a == b or any(a in group and b in group for group in ALIKE):
        return True
    short, long = sorted((a.split(), b.split()), key=len)
    return long[-len(short) :] == short or bool(_senses(a) & _senses(b))


@lru_cache(1 << 16)
def near_colours(one: str, other: str) -> bool:
    """Return whether two different colours of one thing are probably two people's words for one: no thing is "white and cream".

    >>> [near_colours(*pair) for pair in (("cream", "white"), ("light brown", "tan"), ("red", "white"), ("black", "white"))]
    [True, True, False, False]
    """
    a, b = one.split()[-1], other.split()[-1]
    return any(a in group and b in group for group in NEAR_COLOURS)


def _plain(attribute: str) -> str:
    attribute = SWITCHED.get(attribute, attribute)
    attribute = attribute.removesuffix(" colored").removesuffix(" color").removesuffix("-colored")
    stem = attribute.removesuffix("ish")
    return next((known for known in (stem, stem[:-1]) if stem != attribute and is_adjective(known)), attribute)


@lru_cache(1 << 16)
def _senses(attribute: str) -> frozenset[str]:
    names = [sense.name() for sense in wordnet().synsets(attribute.replace(" ", "_")) if sense.pos() in "as"]
    return frozenset(names[:COMMON_SENSES])


@lru_cache(1 << 16)
def contradict(one: str, other: str) -> bool:
    """Return whether no thing can have both attributes: on and off, open and closed, one and two.

    >>> [contradict(*pair) for pair in (("on", "turned off"), ("open", "closed"), ("two", "three"), ("red", "white"))]
    [True, True, True, False]
    """
    a, b = _plain(one), _plain(other)
    if (a in PLURAL_NUMBERS and b in PLURAL_NUMBERS) or {a, b} == {"on", "off"}:
        return True
    if a in COLOURS:
        return False
    lemmas = (lemma for sense in wordnet().synsets(a) if sense.pos() in "as" for lemma in sense.lemmas())
    return any(b == antonym.name() for lemma in lemmas for antonym in lemma.antonyms())


@lru_cache(1 << 16)
def pile_up(one: str, other: str) -> bool:
    """Return whether people do not use both of one thing: two that merely describe it, or a shade and a colour.

    >>> [pile_up(*pair) for pair in (("blank", "empty"), ("dark", "white"), ("empty", "brown"), ("tall", "leaning"))]
    [True, True, False, False]
    """
    if {one, other} & SHADES:
        return bool({one.split()[-1], other.split()[-1]} & COLOURS)
    return _describes(one) and _describes(other)


def _describes(attribute: str) -> bool:
    last = attribute.split()[-1]
    return last not in COLOURS | SIZES | MATERIALS | PLURAL_NUMBERS and (is_adjective(attribute) or last.endswith(("ing", "ed")))


@lru_cache(1 << 16)
def modifies(attribute: str, noun: str) -> bool:
    """Return whether people use the attribute with the noun: any adjective or participle; a noun where the two occur together.

    >>> [modifies(*pair) for pair in (("red", "car"), ("office", "chair"), ("utensil", "fork"), ("water", "bottle"))]
    [True, True, False, True]
    """
    if is_adjective(attribute) or is_participle(attribute) or attribute in PREDICATIVE:
        return True
    known = usage().attributes.get(attribute)
    # "sleeping", "on": an attribute after its noun is not part of a name.
    behind = known is not None and (known.after > known.before or attribute.endswith(("ing", "ed")))
    no_noun = known is not None and not wordnet().synsets(attribute.replace(" ", "_"), "n")
    return behind or no_noun or makes_a_name(attribute, noun)


@lru_cache(1 << 16)
def makes_a_name(attribute: str, noun: str) -> bool:
    """Return whether the two together name a thing, so that nothing may come between: "office chair", "sticky note"."""
    pair = f"{attribute} {noun}"
    return pair in usage().modifiers or pair in usage().nouns or bool(wordnet().synsets(pair.replace(" ", "_"), "n"))
