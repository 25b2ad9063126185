"""Which words are names of somebody, some place or some brand, and no words of English.

The words stand in ``names.txt.gz``: a line of those that WordNet writes only with a capital, as nouns ("Finland", "Lucas"), and a
line of its adjectives, verbs and adverbs; its nouns stand in :mod:`stages.language.lexnames`. To write them again:
``python -m stages.parser_training.wordnet_words``.
"""

import gzip
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from stages.english.caption_words import caption_words
from stages.language import normal
from stages.language.lexicon import words
from stages.language.lexnames import NONE, sort

TABLE = Path(__file__).with_name("names.txt.gz")
COMMON_NAME = 20
"""How often captions have a name that says what a thing is: "Christmas", "Frisbee", "Buddha"; a place never does."""

DESCRIBING = tuple(words("able al ant ar ary ed ent ful ial ible ic ing ish ive less ly ous y"))
"""How adjectives end, which are no verbs."""

PLURAL_ENDINGS = ("s", "men", "a", "i")
"""How plurals end: "windows", "guardsmen", "media", "fungi". To find a rare word's singular takes a neural network."""


@lru_cache(1 << 16)
def is_name(word: str) -> bool:
    """Whether ``word``, in lower case and written with a capital in a caption, names somebody or something.

    >>> [is_name(word) for word in ("finland", "erkki", "christmas", "polynesian", "windows", "nebulizer", "insulated")]
    [True, True, False, False, False, False, False]
    """
    proper, others = _words()
    captions = caption_words()
    count = captions.get(word, 0)
    singular = word.removesuffix("s")
    if word in proper and (singular == word or singular not in captions):
        return sort(word) == "location" or count < COMMON_NAME
    return not count and not any(sort(form) != NONE or form in others for form in _forms(word))


@lru_cache(1 << 16)
def is_verb_only(word: str) -> bool:
    """Whether ``word`` is a verb that is no noun, as it is or in the third person: "perform", "performs", not "looks".

    >>> [is_verb_only(word) for word in ("perform", "celebrates", "walks", "dogs", "grass", "seamless")]
    [True, True, False, False, False, False]
    """
    _, others = _words()
    if word in others and sort(word) == NONE:
        return not word.endswith(DESCRIBING)
    stems = [word.removesuffix(ending) for ending in ("s", "es") if word.endswith(ending)]
    return any(stem in others for stem in stems) and not any(sort(form) != NONE for form in (word, *stems))


def is_no_noun(word: str) -> bool:
    """Whether WordNet has ``word`` and never as a noun: "seamless", "bespoke"."""
    return word in _words()[1]


def _forms(word: str) -> Iterator[str]:
    """``word`` and what it may be a form or a compound of: "insulated", "wider", "snow-capped".

    What costs most comes last, for most words are known before; a name that ends like no plural is not asked for its singular.
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
