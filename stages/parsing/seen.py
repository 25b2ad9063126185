"""How visual a word is: how much more frequent it is in captions of pictures than in English."""

import math
from functools import cache, lru_cache

from wordfreq import get_frequency_dict

from stages.parsing.caption_words import caption_words
from stages.parsing.rule_words import ABSTRACT, NEVER_SEEN, SEEN
from stages.text import normal
from stages.text.lexnames import lexname

RAREST = 1e-6
"""Minimum frequency of a word in English: wordfreq's list ends there."""
UNSEEN = -2
"""Abstract nouns below this value are invisible: "idea", "season", "success"; but not "sunset", "wedding", "design"."""


@lru_cache(1 << 16)
def abstract(noun: str, most: int = UNSEEN) -> bool:
    """Return whether the noun names something invisible: an abstract first sense in WordNet, and rare in captions.

    >>> [abstract(noun) for noun in ("importance", "ideas", "game", "ruin", "actor", "bowls", "sunset")]
    [True, True, False, False, False, False, False]
    """
    return noun in NEVER_SEEN or (noun not in SEEN and lexname(noun) in ABSTRACT and visual(noun) <= most)


@lru_cache(1 << 16)
def visual(word: str) -> int:
    """Return how much more frequent the word is in captions of pictures than in English, in powers of ten from -3 to 2.

    >>> [visual(word) for word in ("skateboard", "cake", "office", "beauty", "idea")]
    [2, 1, 0, -1, -3]
    """
    forms = word, normal.singular(word)
    captions = max(caption_words().get(form, 0) for form in forms)
    english = max(get_frequency_dict("en", "small").get(form, RAREST) for form in forms)
    return max(-3, min(2, round(math.log10((captions + 0.5) / _total() / english))))


@lru_cache(1 << 16)
def frequency(word: str) -> int:
    """Return how often captions have the word, in powers of ten: 0 for never, at most 4."""
    return min(4, power(caption_words().get(word, 0) or caption_words().get(normal.singular(word), 0)))


def power(count: int) -> int:
    """Return the number of digits; 0 for 0."""
    return len(str(count)) if count else 0


@cache
def _total() -> int:
    return sum(caption_words().values())
