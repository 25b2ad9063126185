"""Tells captions in other languages from English, by whose words they are (frequencies from the package wordfreq)."""

import math
import re
from functools import cache, lru_cache

from wordfreq import get_frequency_dict

LANGUAGES = ("cs", "da", "de", "es", "fi", "fr", "hu", "id", "it", "nb", "nl", "pl", "pt", "ro", "sv", "tr")
"""Languages in Latin letters that captions from the web come in, as ISO 639-1 codes."""

_UNKNOWN = -7.0
"""log10 of the frequency of a word that a language's list lacks; the lists end at -6."""
_MARGIN = 2.05
"""How much likelier, in powers of ten, another language must be in sum."""
_MOST = 2.0
"""What one word can add to that: a name or a word that is English too ("hat") decides nothing alone."""
_SEVERAL = 5
"""Languages that know a word with a capital, if it is a name."""
_PLAIN = -4.6
"""log10: where the words of a text have this mean frequency in English, it is English and no other language is asked."""
_NOT_LATIN = re.compile(r"[^\W\d_a-zA-Z\u00aa-\u024f\u1e00-\u1eff\u2100-\u214f]")


@cache
def _logarithms(language: str) -> dict[str, float]:
    return {word: math.log10(frequency) for word, frequency in get_frequency_dict(language, "small").items()}


def foreign(text: str, words: list[str]) -> str | None:
    """The code of the language, not English, that ``text`` with its ``words`` is in; ``None`` for English and for the unclear.

    A text that has as many letters of other scripts as Latin ones is foreign: ``other_script``. Otherwise each language is scored
    by the sum of its words' log frequencies, and English must be beaten by more than one word, because brands, towns and menus have
    no language. Of LAION's captions that are refused as of another Latin language 95 % are (120 of 126 in 10,000, by reading).
    """
    if not text.isascii() and len(_NOT_LATIN.findall(text)) * 2 >= sum(map(str.isalpha, text)):
        return "other_script"
    english = _logarithms("en")
    if sum(english.get(word.lower(), _UNKNOWN) for word in words) >= _PLAIN * len(words):
        return None
    # A word that comes again ("de" in a name) says no more than once.
    distinct = {word.lower(): word[0].isupper() for word in words}
    sums = [sum(column) for column in zip(*(_gains(*word) for word in distinct.items()), strict=True)]
    most, best = max(zip(sums, LANGUAGES, strict=True))
    return best if most > _MARGIN else None


@lru_cache(1 << 16)
def _gains(word: str, capital: bool) -> list[float]:
    """By how many powers of ten each language explains the word better than English does.

    A word with a capital that several languages know is a name or part of one ("Barcelona", "Marx", "La") and speaks for none.
    """
    english = _logarithms("en").get(word, _UNKNOWN)
    theirs = [_logarithms(language).get(word, _UNKNOWN) for language in LANGUAGES]
    most = 0.0 if capital and sum(logarithm > _UNKNOWN for logarithm in theirs) >= _SEVERAL else _MOST
    return [min(most, logarithm - english) for logarithm in theirs]
