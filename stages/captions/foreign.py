"""Separate captions in other languages from English, by their words (frequencies from the package wordfreq)."""

import math
import re
from functools import cache, lru_cache

from wordfreq import get_frequency_dict

LANGUAGES = ("cs", "da", "de", "es", "fi", "fr", "hu", "id", "it", "nb", "nl", "pl", "pt", "ro", "sv", "tr")
"""Languages in Latin letters in which web captions occur, as ISO 639-1 codes."""

_UNKNOWN = -7.0
"""log10 of the frequency of a word that is not in a language's list; the lists end at -6."""
_MARGIN = 2.05
"""Minimum lead of another language over English, in powers of ten."""
_MAX_GAIN = 2.0
"""Maximum contribution of one word: a name or a word that is also English ("hat") decides nothing alone."""
_SEVERAL = 5
"""Number of languages with a capitalised word that make it a name."""
_PLAIN = -4.6
"""log10: a text whose words have at least this mean frequency in English is English, whatever other languages say."""
_NOT_LATIN = re.compile(r"[^\W\d_a-zA-Z\u00aa-\u024f\u1e00-\u1eff\u2100-\u214f]")


@cache
def _logarithms(language: str) -> dict[str, float]:
    return {word: math.log10(frequency) for word, frequency in get_frequency_dict(language, "small").items()}


def foreign(text: str, words: list[str]) -> str | None:
    """Return the code of the language, if not English, of ``text`` with its ``words``; ``None`` for English and if unclear.

    A text with as many letters of other scripts as Latin ones is ``other_script``. Otherwise each language's score is the sum of
    its words' log frequencies, and more than one word must be in favour of it, because brands, towns and menus have no language. Of
    LAION captions refused as another Latin language, 95 % are one (120 of 126 in 10,000, by reading).
    """
    if not text.isascii() and len(_NOT_LATIN.findall(text)) * 2 >= sum(map(str.isalpha, text)):
        return "other_script"
    english = _logarithms("en")
    if sum(english.get(word.lower(), _UNKNOWN) for word in words) >= _PLAIN * len(words):
        return None
    # A repeated word ("de" in a name) counts once.
    distinct = {word.lower(): word[0].isupper() for word in words}
    sums = [sum(column) for column in zip(*(_gains(*word) for word in distinct.items()), strict=True)]
    most, best = max(zip(sums, LANGUAGES, strict=True))
    return best if most > _MARGIN else None


@lru_cache(1 << 16)
def _gains(word: str, capital: bool) -> list[float]:
    """Return by how many powers of ten each language explains the word better than English does.

    A capitalised word that several languages have is a name or part of one ("Barcelona", "Marx", "La") and does not count.
    """
    english = _logarithms("en").get(word, _UNKNOWN)
    theirs = [_logarithms(language).get(word, _UNKNOWN) for language in LANGUAGES]
    most = 0.0 if capital and sum(logarithm > _UNKNOWN for logarithm in theirs) >= _SEVERAL else _MAX_GAIN
    return [min(most, logarithm - english) for logarithm in theirs]
