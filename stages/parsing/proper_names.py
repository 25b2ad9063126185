"""Names of people, places or brands, which are no words of English.

``proper_names.txt.gz`` has a line of the words that WordNet writes only with a capital, as nouns ("Finland", "Lucas"), and a
line of its adjectives, verbs and adverbs; its nouns are in :mod:`stages.text.lexnames`. To write them again:
``python -m stages.parser_training.wordnet_words``.
"""

import gzip
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from stages.parsing.caption_words import caption_words
from stages.text import normal
from stages.text.lexicon import words
from stages.text.lexnames import NONE, lexname

TABLE = Path(__file__).with_name("proper_names.txt.gz")
COMMON_NAME = 20
"""Minimum frequency in captions of a name that describes a thing: "Christmas", "Frisbee", "Buddha"; places never do."""

DESCRIBING = tuple(words("able al ant ar ary ed ent ful ial ible ic ing ish ive less ly ous y"))
"""Endings of adjectives, which are not verbs."""

PLURAL_ENDINGS = ("s", "men", "a", "i")
"""Endings of plurals: "windows", "guardsmen", "media", "fungi". To find a rare word's singular takes a neural network."""


@lru_cache(1 << 16)
def is_name(word: str) -> bool:
    """Return whether ``word``, in lower case here and capitalised in a caption, is a proper name.

    >>> [is_name(word) for word in ("finland", "erkki", "christmas", "polynesian", "windows", "nebulizer", "insulated")]
    [True, True, False, False, False, False, False]
    """
    proper, others = _words()
    captions = caption_words()
    count = captions.get(word, 0)
    singular = word.removesuffix("s")
    if word in proper and (singular == word or singular not in captions):
        return lexname(word) == "location" or count < COMMON_NAME
    return not count and not any(lexname(form) != NONE or form in others for form in _forms(word))


@lru_cache(1 << 16)
def is_verb_only(word: str) -> bool:
    """Return whether ``word`` is a verb but no noun, also in the third person: "perform", "performs", not "looks".

    >>> [is_verb_only(word) for word in ("perform", "celebrates", "walks", "dogs", "grass", "seamless")]
    [True, True, False, False, False, False]
    """
    _, others = _words()
    if word in others and lexname(word) == NONE:
        return not word.endswith(DESCRIBING)
    stems = [word.removesuffix(ending) for ending in ("s", "es") if word.endswith(ending)]
    return any(stem in others for stem in stems) and not any(lexname(form) != NONE for form in (word, *stems))


def is_no_noun(word: str) -> bool:
    """Return whether WordNet has ``word`` and never as a noun: "seamless", "bespoke"."""
    return word in _words()[1]


def _forms(word: str) -> Iterator[str]:
    """Yield ``word`` and what it may be a form or a compound of: "insulated", "wider", "snow-capped".

    The most expensive comes last, because most words are found before; a name without a plural ending is not singularised.
    """
    yield word
    yield from (part for part in word.split("-") if len(part) > 3)
    for ending in ("s", "es", "ed", "ing", "er", "est", "ly", "able", "less"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            yield from (stem, stem + "e", stem[:-1])
    if word.endswith(PLURAL_ENDINGS) or not word.isalpha():
        yield normal.singular(word)


@cache
def _words() -> tuple[frozenset[str], frozenset[str]]:
    proper, others = gzip.decompress(TABLE.read_bytes()).decode("utf-8").splitlines()
    return frozenset(proper.split()), frozenset(others.split())
