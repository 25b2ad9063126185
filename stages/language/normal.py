"""The one normal form of atoms, for parsed captions and annotated scene graphs alike.

"Seen" means that the same words were seen. So every atom, wherever it comes from, passes through one of the three functions here:
lower case, single spaces, nouns in the singular, verbs in the base form, one name for each phrasal preposition.
"""

from __future__ import annotations

import re
from functools import lru_cache

from stages.language import phrases
from stages.language.forms import getLemma
from stages.language.lexicon import ALWAYS_PLURAL, NUMBERS, words

CACHE = 1 << 17

ARTICLES = words("a an the some this that these those his her its their my your our")
AUXILIARIES = words("is are was were be been being am 's 're")

# Nouns whose plural form names one thing, or another thing than their singular does.
PLURAL_ONLY = ALWAYS_PLURAL | words("headphones tights series species briefs panties boxers underpants greens chaps")
NOT_PLURAL = words("bus grass glass dress moss canvas cactus tennis us gas lens christmas plus chess")
IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "persons": "person", "leaves": "leaf", "knives": "knife",
    "loaves": "loaf", "shelves": "shelf", "halves": "half", "wolves": "wolf", "calves": "calf", "hooves": "hoof",
    "scarves": "scarf", "feet": "foot", "teeth": "tooth", "geese": "goose", "mice": "mouse", "skis": "ski", "taxis": "taxi",
    "dice": "dice", "graffiti": "graffiti", "graffitti": "graffitti", "broccoli": "broccoli", "pepperoni": "pepperoni",
}  # fmt: skip
# Verb forms that are also forms of another verb, as captions mean them.
VERB_FORMS = {
    "lay": "lie", "lays": "lie", "laying": "lie", "laid": "lie", "lain": "lie", "lying": "lie", "left": "leave", "saw": "see",
    "found": "find", "wound": "wind", "bound": "bind", "felt": "feel", "fell": "fall", "ground": "grind", "'ve": "have",
}  # fmt: skip
WORDS_FOR_DIGITS = {str(number): word for word, number in NUMBERS.items()} | {"both": "two"}
SPELLINGS = {"grey": "gray", "blond": "blonde", "colour": "color", "coloured": "colored", "multicolored": "multi-colored"}


@lru_cache(CACHE)
def object_name(text: str) -> str:
    """The normal form of an object's name: no article, the last word in the singular.

    >>> object_name(" The STOP  signs.")
    'stop sign'
    """
    parts = _parts(text)
    while len(parts) > 1 and parts[0] in ARTICLES:
        parts = parts[1:]
    return " ".join([*(SPELLINGS.get(w, w) for w in parts[:-1]), *(singular(w) for w in parts[-1:])])


@lru_cache(CACHE)
def attribute(text: str) -> str:
    """The normal form of an attribute: spelled one way, numbers in words, participles as they stand.

    >>> attribute("Grey"), attribute("2"), attribute("Sitting down")
    ('gray', 'two', 'sitting down')
    """
    parts = _parts(text)
    while len(parts) > 1 and parts[0] in ARTICLES | AUXILIARIES:
        parts = parts[1:]
    return " ".join(WORDS_FOR_DIGITS.get(w, SPELLINGS.get(w, w)) for w in parts)


@lru_cache(CACHE)
def relation(text: str) -> str:
    """The normal form of a relation: no auxiliary, the verb in its base form, one name for a phrasal preposition.

    >>> relation("is sitting on the top of"), relation("WEARS"), relation("has on")
    ('sit on top of', 'wear', 'have on')
    """
    parts = _parts(text)
    while len(parts) > 1 and parts[0] in AUXILIARIES:
        parts = parts[1:]
    if parts[0] in ("left", "right") and parts[1:] in (["of"], ["side", "of"]):
        return f"to the {parts[0]} of"
    joined = " ".join([verb_base(parts[0]), *parts[1:]])
    for start, end, name in reversed(phrases.find(joined)):
        joined = joined[:start] + name + joined[end:]
    kept = [w for w in joined.split(" ") if w not in ARTICLES] if not _named(joined) else joined.split(" ")
    return " ".join(kept)


def _named(text: str) -> bool:
    """Whether ``text`` ends with a phrasal preposition, whose article belongs to its name."""
    return any(end == len(text) for _, end, _ in phrases.find(text))


@lru_cache(CACHE)
def singular(word: str) -> str:
    """The singular of a lower-case noun.

    >>> [singular(w) for w in ("zebras", "men", "glasses", "bus", "pants")]
    ['zebra', 'man', 'glasses', 'bus', 'pants']
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word in PLURAL_ONLY or word in NOT_PLURAL or len(word) < 3:
        return word
    return SPELLINGS.get(word, getLemma(word, "NOUN")[0])


# Words that end like a verb form and stand first in relations, but are prepositions.
NO_VERB = words("during down to in on near by over under inside outside like around across up")


@lru_cache(CACHE)
def verb_base(word: str) -> str:
    """The base form of a lower-case verb; prepositions come back as they are.

    >>> [verb_base(w) for w in ("riding", "staring", "worn", "has", "laying", "on")]
    ['ride', 'stare', 'wear', 'have', 'lie', 'on']
    """
    if word in VERB_FORMS:
        return VERB_FORMS[word]
    if word in NO_VERB:
        return word
    return getLemma(word, "VERB")[0]


def _parts(text: str) -> list[str]:
    return re.sub(r"[^\w\s'’/&$%.-]|[.](?!\w)", " ", text.lower().replace("’", "'")).split() or [text.strip().lower()]
