"""Tells captions in other languages from English, by whose words they are (frequencies from the package wordfreq)."""

from __future__ import annotations

import math
import re
from functools import cache

from wordfreq import get_frequency_dict

LANGUAGES = ("cs", "da", "de", "es", "fi", "fr", "hu", "id", "it", "nb", "nl", "pl", "pt", "ro", "sv", "tr")
"""Languages in Latin letters that captions from the web come in, as ISO 639-1 codes."""

_UNKNOWN = -7.0
"""log10 of the frequency of a word that a language's list lacks; the lists end at -6."""
_MARGIN = 2.5
"""How much likelier, in powers of ten, another language must be in sum."""
_MOST = 2.0
"""What one word can add to that: a name or a word that is English too ("hat") decides nothing alone."""
_PLAIN = -4.6
"""log10: where the words of a text have this mean frequency in English, it is English and no other language is asked."""
_NOT_LATIN = re.compile(r"[^\W\d_a-zA-Z\u00aa-\u024f\u1e00-\u1eff\u2100-\u214f]")


@cache
def _logarithms(language: str) -> dict[str, float]:
    return {word: math.log10(frequency) for word, frequency in get_frequency_dict(language, "small").items()}


def foreign(text: str, words: list[str]) -> str | None:
    """The code of the language, not English, that ``text`` with its ``words`` is in; ``None`` for English and for the unclear.

    A text that has as many letters of other scripts as Latin ones is foreign: ``other_script``. Otherwise each language is scored
    by the sum of its words' log frequencies, and English must be beaten by far, because brands, towns and menus have no language.
    """
    if not text.isascii() and len(_NOT_LATIN.findall(text)) * 2 >= sum(map(str.isalpha, text)):
        return "other_script"
    lower = [word.lower() for word in words]
    english = _logarithms("en")
    own = [english.get(word, _UNKNOWN) for word in lower]
    if sum(own) >= _PLAIN * len(own):
        return None
    gains = {language: _gain(lower, own, _logarithms(language)) for language in LANGUAGES}
    best = max(gains, key=lambda language: (gains[language], language))
    return best if gains[best] > _MARGIN else None


def _gain(words: list[str], own: list[float], theirs: dict[str, float]) -> float:
    """By how many powers of ten another language explains the ``words`` better than English, which explains each by ``own``."""
    return sum(min(_MOST, theirs.get(word, _UNKNOWN) - logarithm) for word, logarithm in zip(words, own, strict=True))
