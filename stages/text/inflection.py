"""Inflection: from the normal form of an atom to the form that its place in a caption needs.

The forms come from lemminflect (verbs, nouns, comparatives) and inflect (a or an); ``lexicon`` has the words without a
plural, singular or active form. This module applies the form of a slot to a foil.
"""

import re
from functools import cache, lru_cache

from wordfreq import word_frequency

from stages.contract.patches import unchecked
from stages.text import normal
from stages.text.forms import getInflection, getLemma
from stages.text.grammar_words import INITIALISMS, MASS, NOT_VERBS, PASSIVE, PREPOSITIONS, SAME_IN_PLURAL, STATIVE
from stages.text.lexicon import ALWAYS_PLURAL

with unchecked():
    import inflect

FORMS = {"ing": "VBG", "done": "VBN", "does": "VBZ", "do": "VBP", "did": "VBD"}

IRREGULAR = {"chili": "chilis", "passer-by": "passers-by", "penny": "pennies", "person": "people"}
"""Plurals that the libraries lack, or give in a rarer form."""

_engine = inflect.engine()


def indefinite_article(words: str) -> str:
    """Return ``a`` or ``an``, by the sound of the first word.

    >>> [indefinite_article(words) for words in ("hour", "unicycle", "old hat", "8 year old", "SUV", "red hat")]
    ['an', 'a', 'an', 'an', 'an', 'a']
    >>> [indefinite_article(words) for words in ("STOP sign", "SCHOOL bus", "UK flag", "rv", "nfl logo", "M&M", "N95 mask", "TV")]
    ['a', 'a', 'a', 'an', 'an', 'an', 'an', 'a']
    """
    return _article(words.split(maxsplit=1)[0]) if words.strip() else "a"


@lru_cache(maxsize=65536)
def _article(first: str) -> str:
    if re.match(r"8|1[18](?!\d)", first):
        return "an"
    if _SPELLED.match(first) or first.lower() in INITIALISMS or (first.isupper() and not re.search("[AEIOUY]", first)):
        return "an" if first[0].upper() in "AEFHILMNORSX" else "a"
    return str(_engine.a(first.lower()).split()[0])


_SPELLED = re.compile(r"[A-Za-z](?:\d|&[A-Za-z]|-|'|$)")
"""A word that begins with a spelled letter: "M&M", "N95", "X-ray", "S"."""


# --- Nouns ------------------------------------------------------------


def head_position(words: list[str]) -> int:
    """Return the position of a compound noun's head: the last word, or the one before a preposition ("cup of coffee")."""
    return next((i - 1 for i, word in enumerate(words) if i and word in ("of", "in", "with", "on", "for")), len(words) - 1)


@lru_cache(maxsize=65536)
def number_of(words: str) -> str:
    """Return ``plural``, ``singular`` or ``mass``, for a noun with its compound modifiers.

    >>> [number_of(words) for words in ("stop signs", "bus", "tennis shoes", "pants", "grass", "men", "cups of tea", "glasses")]
    ['plural', 'singular', 'plural', 'plural', 'mass', 'plural', 'plural', 'plural']
    >>> [number_of(words) for words in ("glass", "lens", "canvas", "tennis racket", "orange juice", "people")]
    ['singular', 'singular', 'singular', 'singular', 'mass', 'plural']
    """
    parts = words.lower().split()
    if not parts:
        return "singular"
    head = parts[head_position(parts)]
    if head in ALWAYS_PLURAL:
        return "plural"
    if head in MASS or "-".join(parts) in MASS:
        return "mass"
    singulars = [lemma for lemma in getLemma(head, "NOUN") if lemma != head]
    if any(head in (*getInflection(lemma, "NNS"), _plural_word(lemma)) for lemma in singulars):
        return "plural"
    return "singular"


@lru_cache(maxsize=65536)
def plural(words: str) -> str:
    """Return the plural of a noun with its compound modifiers; a mass or plural noun is returned as it is.

    >>> [plural(words) for words in ("stop sign", "cup of tea", "man", "sheep", "t-shirt", "shelf", "water", "jeans")]
    ['stop signs', 'cups of tea', 'men', 'sheep', 't-shirts', 'shelves', 'water', 'jeans']
    """
    if number_of(words) != "singular":
        return words
    parts = words.split()
    position = head_position([part.lower() for part in parts])
    parts[position] = _plural_word(parts[position])
    return " ".join(parts)


@cache
def _plural_word(word: str) -> str:
    """Return the form that is most frequent in English, of those that the libraries have and a regular one."""
    if same_in_plural(word.lower()):
        return word
    if word.lower() in IRREGULAR:
        return IRREGULAR[word.lower()]
    known = [form for form in getInflection(word, "NNS", inflect_oov=False) if form != word and " " not in form]
    # inflect forms the plurals of unknown words well, lemminflect has the irregular ones.
    forms = known or [str(_engine.plural_noun(word)), f"{word}s"]
    return max(forms, key=lambda form: word_frequency(form.lower(), "en"))


@cache
def same_in_plural(word: str) -> bool:
    """Return whether a noun in small letters is its own plural: "sheep"."""
    return word in SAME_IN_PLURAL or getInflection(word, "NNS", inflect_oov=False) == (word,)


@lru_cache(maxsize=65536)
def singular(words: str) -> str:
    """Return the singular of a noun with its compound modifiers; a mass noun or one without a singular is returned as it is.

    >>> [singular(words) for words in ("stop signs", "leaves", "cookies", "pants", "glass")]
    ['stop sign', 'leaf', 'cookie', 'pants', 'glass']
    """
    if number_of(words) != "plural":
        return words
    parts = words.split()
    position = head_position([part.lower() for part in parts])
    parts[position] = normal.singular_at([part.lower() for part in parts], position)
    return " ".join(parts)


def can_take(noun: str, number: str) -> bool:
    """Return whether ``noun`` (normal form) can stand in a slot of this ``number``: no "two grasses", no "a pants".

    >>> can_take("dog", "plural"), can_take("grass", "plural"), can_take("pants", "singular")
    (True, False, False)
    """
    noun_number = number_of(noun)
    return noun_number == number or (noun_number == "singular" and number == "plural")


# --- Verbs and relations ------------------------------------------------------------


@cache
def verb_form(lemma: str, form: str) -> str:
    """Return a verb's ``ing``, ``done``, ``does``, ``do`` or ``did`` form."""
    if lemma == "be":
        return {"ing": "being", "done": "been", "does": "is", "do": "are", "did": "was"}[form]
    regular = {"ski": {"done": "skied", "did": "skied"}, "lie": {"done": "lain", "did": "lay"}, "lean": {"done": "leaned"}}
    if form in regular.get(lemma, {}):
        return regular[lemma][form]
    return (getInflection(lemma, FORMS[form]) or (lemma,))[0]


@cache
def is_verbal(relation: str) -> bool:
    """Return whether a relation begins with a verb.

    >>> [is_verbal(relation) for relation in ("sit on", "attached to", "play with", "next to", "left at")]
    [True, True, True, False, False]
    """
    first = relation.split()[0].lower() if relation.split() else ""
    if not first or first in NOT_VERBS or not first.isalpha():
        return False
    return bool(getLemma(first, "VERB", lemmatize_oov=False)) or first.endswith(("ing", "ed"))


@lru_cache(maxsize=65536)
def participle(relation: str) -> str:
    """Return a relation as it follows a noun, or "is".

    >>> [participle(relation) for relation in ("sit on", "attach to", "wear", "on top of", "attached to", "cut", "have")]
    ['sitting on', 'attached to', 'wearing', 'on top of', 'attached to', 'cutting', 'having']
    """
    words = relation.split()
    if not is_verbal(relation):
        return relation
    if words[0].endswith("ing") and len(words[0]) > 4 and getLemma(words[0], "VERB")[0] != words[0]:
        return relation
    form = "done" if is_passive(relation) else "ing"
    lemma = getLemma(words[0], "VERB")[0]
    return " ".join([verb_form(lemma, form), *words[1:]])


@cache
def is_passive(relation: str) -> bool:
    """Return whether captions say a verbal relation in the passive.

    >>> [is_passive(relation) for relation in ("attach to", "fill with", "park on", "hung on", "made from", "hang on", "cut")]
    [True, True, True, True, False, False, False]
    """
    words = relation.split()
    if not words or not is_verbal(relation):
        return False
    lemma = getLemma(words[0], "VERB")[0]
    before_preposition = len(words) > 1 and words[1] in PREPOSITIONS
    if words[0] != lemma and words[0] == verb_form(lemma, "done") and before_preposition:
        return True
    return before_preposition and (lemma in PASSIVE or (lemma in ("cover", "surround") and words[1] in ("in", "with", "by")))


@lru_cache(maxsize=65536)
def clause_form(relation: str, number: str = "singular") -> tuple[str, str]:
    """Return a relation as the verb of a clause: its auxiliary ("" where there is none) and the words of the relation.

    >>> clause_form("sit on"), clause_form("have"), clause_form("next to", "plural"), clause_form("attach to")
    (('is', 'sitting on'), ('', 'has'), ('are', 'next to'), ('is', 'attached to'))

    A clause cannot say "is with", so "with" becomes "has".
    """
    relation = "have" if relation == "with" else relation
    words = relation.split()
    lemma = getLemma(words[0], "VERB")[0] if is_verbal(relation) else ""
    if lemma in STATIVE and not is_passive(relation):
        return "", " ".join([verb_form(lemma, "do" if number == "plural" else "does"), *words[1:]])
    return ("are" if number == "plural" else "is"), participle(relation)


def _slot_form(slot: str) -> str:
    """Return the form of the relation in a slot: ``participle`` (or a preposition), or the finite ``does``, ``do``, ``did``."""
    word = slot.split()[0].lower()
    if not is_verbal(slot):
        return "participle"
    lemma = getLemma(word, "VERB")[0]
    if word == lemma:
        return "do"
    if word == verb_form(lemma, "does"):
        return "does"
    # "sat" is a past tense; "attached", with the same form, is a participle in nearly every caption.
    past = word == verb_form(lemma, "did") and (word != verb_form(lemma, "done") or lemma in ("sit", "stand", "sleep"))
    return "did" if past else "participle"


def _relation_like(foil: str, slot: str) -> str:
    form = _slot_form(slot)
    if form == "participle":
        return "with" if foil == "have" else participle(foil)
    if not is_verbal(foil) or is_passive(foil):
        return f"{verb_form('be', form)} {participle(foil)}"
    words = foil.split()
    return " ".join([verb_form(getLemma(words[0], "VERB")[0], form), *words[1:]])


def _attribute_like(foil: str, slot: str) -> str:
    # Only one-word gradable adjectives have their own degrees: "smaller" needs "larger".
    for tag, end in (("JJR", "er"), ("JJS", "est")):
        lemma = getLemma(slot.lower(), "ADJ")
        if slot.lower().endswith(end) and lemma and lemma[0] != slot.lower() and " " not in foil:
            graded = getInflection(foil, tag, inflect_oov=False)
            return graded[0] if graded else foil
    return foil


# --- Slots ------------------------------------------------------------


@lru_cache(maxsize=262144)
def inflect_like(foil: str, slot: str, kind: str, number: str | None = None) -> str:
    """Return ``foil`` (an atom in normal form) in the form of the words in ``slot`` (as in the caption).

    Objects take the slot's number, relations its verb form, attributes its degree, and all of them its capital letters.

    Args:
        number: that of an object's slot, where the caption shows it (:func:`stages.text.number.number_in`).

    >>> inflect_like("cat", "Dogs", "object"), inflect_like("stand on", "sits on", "relation")
    ('Cats', 'stands on')
    >>> inflect_like("hold", "on", "relation"), inflect_like("under", "sits on", "relation")
    ('holding', 'is under')
    """
    foil = foil.replace("_", " ").strip()
    if not foil or not slot.strip():
        return foil
    if kind == "object":
        ending = "'s" if slot.lower().endswith("'s") else ""
        noun = slot.removesuffix(slot[-2:]) if ending else slot
        form = (plural(foil) if (number or number_of(noun)) == "plural" else singular(foil)) + ending
    elif kind == "relation":
        form = _relation_like(foil, slot)
    else:
        form = _attribute_like(foil, slot)
    return capitals_like(form, slot)


def capitals_like(words: str, slot: str) -> str:
    """Return ``words`` with the capital letters of ``slot``, one a word or the first; those of "TV" are kept."""
    letters = [c for c in slot if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return words
    parts = slot.split()
    if len(parts) > 1 and all(part[0].isupper() for part in parts):
        return " ".join(part[:1].upper() + part[1:] for part in words.split())
    if letters and letters[0].isupper():
        return words[:1].upper() + words[1:]
    return words
