"""The one normal form of atoms, for parsed captions and annotated scene graphs alike.

"Seen" means that the same words were seen. So every atom, from any source, passes through one of the three functions here:
lower case, single spaces, nouns in the singular, verbs in the base form, one name for each phrasal preposition. Words that
libraries handle wrongly are in ``normal.txt``.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from stages.text import phrases
from stages.text.forms import getLemma
from stages.text.lexicon import ALWAYS_PLURAL, NUMBERS, heads, sections, words

CACHE = 1 << 17

TABLES = sections(Path(__file__).with_suffix(".txt"))
ARTICLES = words(TABLES["articles"])
AUXILIARIES = words(TABLES["auxiliaries"])
PLURAL_ONLY = ALWAYS_PLURAL | words(TABLES["plural only"])
NOT_PLURAL = words(TABLES["not plural"])
GLASSES = words(TABLES["glasses"])
IRREGULAR = heads(TABLES["plurals"])
VERB_FORMS = heads(TABLES["verb forms"])
SPELLINGS = heads(TABLES["spellings"])
COLOURS = words(TABLES["colours"])
NO_VERB = words(TABLES["no verb"])
WORDS_FOR_DIGITS = {str(number): word for word, number in NUMBERS.items()} | {"both": "two"}


@lru_cache(CACHE)
def object_name(text: str) -> str:
    """Return the normal form of an object's name: no article, the last word in the singular.

    >>> object_name(" The STOP  signs.")
    'stop sign'
    """
    parts = _parts(text)
    while len(parts) > 1 and parts[0] in ARTICLES:
        parts = parts[1:]
    return " ".join([*(SPELLINGS.get(w, w) for w in parts[:-1]), singular_at(parts, len(parts) - 1)])


@lru_cache(CACHE)
def attribute(text: str) -> str:
    """Return the normal form of an attribute: one spelling, numbers as words, participles unchanged, a color by its name alone.

    >>> attribute("Grey"), attribute("2"), attribute("Sitting down"), attribute("dark red coloured"), attribute("light colored")
    ('gray', 'two', 'sitting down', 'dark red', 'light colored')
    """
    parts = color_alone(" ".join(_parts(text))).split()
    while len(parts) > 1 and parts[0] in ARTICLES | AUXILIARIES:
        parts = parts[1:]
    return " ".join(WORDS_FOR_DIGITS.get(w, SPELLINGS.get(w, w)) for w in parts)


def color_alone(text: str) -> str:
    """Return the text without words that only mark a color.

    >>> color_alone("gray-colored"), color_alone("red and white in color"), color_alone("multi-colored")
    ('gray', 'red and white', 'multi-colored')
    """
    coloured = _COLOURED.fullmatch(text)
    return coloured[1] if coloured and coloured[1].split()[-1] in COLOURS else text


_COLOURED = re.compile(r"(.*?\S)(?:[ -](?:in )?colou?r(?:ed|s)?)+")


@lru_cache(CACHE)
def relation(text: str) -> str:
    """Return the normal form of a relation: no auxiliary, the verb in its base form, one name for a phrasal preposition.

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
    """Return whether ``text`` ends with a phrasal preposition, whose article belongs to its name."""
    return any(end == len(text) for _, end, _ in phrases.find(text))


def singular_at(parts: Sequence[str], place: int) -> str:
    """Return the singular of the lower-case noun at ``place`` of a name or a caption; wine glasses are no spectacles.

    >>> singular_at(["wine", "glasses"], 1), singular_at(["glasses", "of", "wine"], 0), singular_at(["red", "glasses"], 1)
    ('glass', 'glass', 'glasses')
    """
    holds = parts[place] == "glasses" and (
        parts[place + 1 : place + 2] == ["of"] or (place > 0 and SPELLINGS.get(parts[place - 1], parts[place - 1]) in GLASSES)
    )
    return "glass" if holds else singular(parts[place])


@lru_cache(CACHE)
def singular(word: str) -> str:
    """Return the singular of a lower-case noun.

    >>> [singular(w) for w in ("zebras", "men", "glasses", "bus", "pants", "bow-ties")]
    ['zebra', 'man', 'glasses', 'bus', 'pants', 'bow-tie']
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word in PLURAL_ONLY or word in NOT_PLURAL or len(word) < 3:
        return word
    first, hyphen, last = word.rpartition("-")
    if hyphen:
        return first + hyphen + singular(last)
    # lemminflect strips anything that looks like an ending from unknown words: it has "corgus" for a corgi.
    plural = word.endswith("s")
    lemmas = getLemma(word, "NOUN", lemmatize_oov=plural)
    name = lemmas[0] if lemmas and (plural or word not in lemmas) else word
    return SPELLINGS.get(word, SPELLINGS.get(name, name))


@lru_cache(CACHE)
def verb_base(word: str) -> str:
    """Return the base form of a lower-case verb; prepositions are returned unchanged.

    >>> [verb_base(w) for w in ("riding", "staring", "worn", "has", "laying", "on")]
    ['ride', 'stare', 'wear', 'have', 'lie', 'on']
    """
    if word in VERB_FORMS:
        return VERB_FORMS[word]
    if word in NO_VERB:
        return word
    known = getLemma(word, "VERB", lemmatize_oov=word.endswith(("s", "ed", "ing")))
    return known[0] if known else word


def _parts(text: str) -> list[str]:
    return re.sub(r"[^\w\s'’/&$%.-]|[.](?!\w)", " ", text.lower().replace("’", "'")).split() or [text.strip().lower()]
