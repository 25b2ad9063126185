"""The one normal form of atoms, for parsed captions and annotated scene graphs alike.

"Seen" means that the same words were seen. So every atom, wherever it comes from, passes through one of the three functions here:
lower case, single spaces, nouns in the singular, verbs in the base form, one name for each phrasal preposition.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lemminflect import getLemma

from stages.language import phrases

CACHE = 1 << 17

ARTICLES = {"a", "an", "the", "some", "this", "that", "these", "those", "his", "her", "its", "their", "my", "your", "our"}
AUXILIARIES = {"is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re"}

# Nouns whose plural form names one thing, or another thing than their singular does.
PLURAL_ONLY = {
    *("pants", "jeans", "shorts", "trousers", "glasses", "sunglasses", "eyeglasses", "goggles", "scissors", "tongs", "binoculars"),
    *("headphones", "clothes", "tights", "leggings", "pajamas", "overalls", "pliers", "tweezers", "stairs", "series", "species"),
    *("khakis", "sweatpants", "slacks", "briefs", "panties", "boxers", "suspenders", "underpants", "greens", "chaps"),
}
NOT_PLURAL = {
    "bus",
    "grass",
    "glass",
    "dress",
    "moss",
    "canvas",
    "cactus",
    "tennis",
    "us",
    "gas",
    "lens",
    "christmas",
    "plus",
    "chess",
}
IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "people": "people", "persons": "person", "leaves": "leaf", "knives": "knife",
    "loaves": "loaf", "shelves": "shelf", "halves": "half", "wolves": "wolf", "calves": "calf", "hooves": "hoof", "scarves": "scarf",
    "feet": "foot", "teeth": "tooth", "geese": "goose", "mice": "mouse", "skis": "ski", "taxis": "taxi", "dice": "dice",
}  # fmt: skip
# Verb forms that are also forms of another verb, as captions mean them.
VERB_FORMS = {
    "lay": "lie", "lays": "lie", "laying": "lie", "laid": "lie", "lain": "lie", "lying": "lie", "left": "leave", "saw": "see",
    "found": "find", "wound": "wind", "bound": "bind", "felt": "feel", "fell": "fall", "ground": "grind", "'ve": "have",
}  # fmt: skip
NUMBERS = {
    "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine", "10": "ten",
    "11": "eleven", "12": "twelve", "both": "two",
}  # fmt: skip
SPELLINGS = {"grey": "gray", "blond": "blonde", "colour": "color", "coloured": "colored", "multicolored": "multi-colored"}


@lru_cache(CACHE)
def object_name(text: str) -> str:
    """The normal form of an object's name: no article, the last word in the singular.

    >>> object_name(" The STOP  signs.")
    'stop sign'
    """
    words = _words(text)
    while len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return " ".join([*(SPELLINGS.get(w, w) for w in words[:-1]), *(singular(w) for w in words[-1:])])


@lru_cache(CACHE)
def attribute(text: str) -> str:
    """The normal form of an attribute: spelled one way, numbers in words, participles as they stand.

    >>> attribute("Grey"), attribute("2"), attribute("Sitting down")
    ('gray', 'two', 'sitting down')
    """
    words = _words(text)
    while len(words) > 1 and words[0] in ARTICLES | AUXILIARIES:
        words = words[1:]
    return " ".join(NUMBERS.get(w, SPELLINGS.get(w, w)) for w in words)


@lru_cache(CACHE)
def relation(text: str) -> str:
    """The normal form of a relation: no auxiliary, the verb in its base form, one name for a phrasal preposition.

    >>> relation("is sitting on the top of"), relation("WEARS"), relation("has on")
    ('sit on top of', 'wear', 'have on')
    """
    words = _words(text)
    while len(words) > 1 and words[0] in AUXILIARIES:
        words = words[1:]
    if words[0] in ("left", "right") and words[1:] in (["of"], ["side", "of"]):
        return f"to the {words[0]} of"
    words = [*(verb_base(w) if i == 0 else w for i, w in enumerate(words))]
    joined = " ".join(words)
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
NO_VERB = {"during", "down", "to", "in", "on", "near", "by", "over", "under", "inside", "outside", "like", "around", "across", "up"}


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


def _words(text: str) -> list[str]:
    return re.sub(r"[^\w\s'’/&$%.-]|[.](?!\w)", " ", text.lower().replace("’", "'")).split() or [text.strip().lower()]
