"""Correct the spelling of region descriptions without changing correct words.

A word is a candidate only if no dictionary has it, nor as an inflected form, nor as two words in one. It is then replaced by the
word of caption English that explains it best, if that explains it well and no other nearly as well. Everything else stays: new
names are more frequent than the misspellings that a bolder correction would fix.
"""

import math
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from symspellpy import SymSpell, Verbosity
from wordfreq import zipf_frequency

from stages.parsing.caption_words import caption_words
from stages.text.lexicon import heads, sections
from stages.text.wordnet import wordnet

KNOWN_ERRORS = heads(sections(Path(__file__).with_suffix(".txt"))["errors"])
"""The right spelling of errors so common that word lists contain them, or of words written together."""
_NUMBER_PLATE = re.compile(r"\bno\. ?(?=plates?\b)", re.IGNORECASE)
_NO_SPACE = re.compile(r"\b([a-z]{2,})([.,;])([a-z]{2,})\b(?![./])")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

_KNOWN_ZIPF = 2.6
"""A word that occurs 0.4 times in a million words of English is known even without a dictionary: names, brands, new things."""
_COST = 3.0
"""The cost of one edit, in powers of ten of a candidate's frequency."""
_LEAD, _LEAD_IN_SHORT = 0.7, 1.0
"""Minimum lead of the likeliest word over the next; larger for short words (:data:`_SHORT`), which are similar to many others."""
_SHORT, _LONG = 6, 8
"""Numbers of letters: up to the first a word is similar to many others; from the second it may have two edits."""
_COMMON_ZIPF = 4.0
"""A word with ten occurrences in a million words of English may be a part of two words written as one."""
_SEEN_ALONE = 20
"""Minimum frequency in captions of a word without the one glued to it."""
_MIN_SCORE = {4: -1.6, 5: -2.0, 6: -3.0, 7: -3.7}
"""Minimum score of a correction, by the word's letters: the longer it is, the fewer words are similar by chance."""
_LONG_SCORE, _TWO_EDITS_SCORE = -4.4, -5.6
"""The minimum score for words of eight letters or more, and for those with two wrong letters."""
_MADE_SCORE = -3.2
"""The minimum score for a word that could consist of known parts ("neckace": neck and ace)."""
_GLUE = ("a", "an", "the", "on", "in", "of", "and", "is", "with", "at")
"""Small words that are often written together with the next or previous word: "atree", "standingon"."""
_SUFFIXES = ("'s", "s", "es", "ed", "d", "ing", "er", "ers", "y", "ish", "like", "less", "ly", "able", "ness")


def correct(text: str) -> str:
    """Return ``text`` with its misspelt words replaced; spaces, marks and capitals stay.

    >>> correct("A prked car, green foilage")
    'A parked car, green foliage'
    """
    text = _NO_SPACE.sub(_spaced, _NUMBER_PLATE.sub("number ", text))
    return WORD.sub(lambda match: _word(match[0], match.start()), text)


def _word(word: str, start: int) -> str:
    # A capital within a sentence marks a name.
    if not word.islower() and (start or not word[1:].islower()):
        return word
    lower = word.lower()
    right = corrected(lower)
    if right == lower:
        return word
    return right if word == lower else right[0].upper() + right[1:]


@cache
def corrected(word: str) -> str:
    """Return the right spelling of a word in lower case: the word itself unless it is clearly wrong."""
    if word in KNOWN_ERRORS:
        return KNOWN_ERRORS[word]
    if len(word) < min(_MIN_SCORE) or "'" in word or "\u2019" in word or in_dictionary(word):
        return word
    if apart := _unglued(word):
        return apart
    scores = sorted(((_score(word, other, edits), other, edits) for other, edits in _near(word)), reverse=True)
    if not scores:
        return word
    best, other, edits = scores[0]
    lead = best - scores[1][0] if len(scores) > 1 else math.inf
    least = _MIN_SCORE.get(len(word), _LONG_SCORE) if edits == 1 else _TWO_EDITS_SCORE
    if lead < (_LEAD if len(word) > _SHORT else _LEAD_IN_SHORT) or best < least:
        return word
    made = _inflected(word) or _compound(word)
    if made and not (_is_slip(word, other) or (best >= _MADE_SCORE and _has_letter_wrong(word, other))):
        return word
    return other


@cache
def in_dictionary(word: str) -> bool:
    """Return whether a dictionary has the word, or English often enough."""
    return in_reference(word) or zipf_frequency(word, "en") >= _KNOWN_ZIPF


def in_reference(word: str) -> bool:
    """Return whether SymSpell's dictionary or WordNet has the word."""
    return word in _dictionary() or bool(wordnet().synsets(word))


@cache
def _dictionary() -> frozenset[str]:
    lines = (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text("utf-8-sig").splitlines()
    return frozenset(line.split()[0] for line in lines)


def _inflected(word: str) -> bool:
    """Return whether it is a regular form of a known word: "sneakered", "longboarders", "tarmacked"."""
    for suffix in _SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem != word and len(stem) >= 3:
            doubled = len(stem) > 3 and stem[-1] == stem[-2] and in_dictionary(stem[:-1])
            if in_dictionary(stem) or doubled or (suffix[0] in "eiy" and in_dictionary(stem + "e")):
                return True
    return False


def _compound(word: str) -> bool:
    """Return whether it is two common words written as one: "clocktower", "snowpants"."""
    return any(_common(word[:i]) and _common(word[i:]) for i in range(3, len(word) - 2))


@cache
def _common(word: str) -> bool:
    return len(word) >= 3 and in_dictionary(word) and (word in caption_words() or zipf_frequency(word, "en") >= _COMMON_ZIPF)


@cache
def _neighbours() -> SymSpell:
    spell = SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
    for word, count in caption_words().items():
        spell.create_dictionary_entry(word, count)
    return spell


def _near(word: str) -> list[tuple[str, int]]:
    """Return words of caption English within one edit, or two for a word of eight letters or more."""
    neighbours = _neighbours().lookup(word, Verbosity.ALL, max_edit_distance=2 if len(word) >= _LONG else 1)
    return [(suggestion.term, suggestion.distance) for suggestion in neighbours]


def _score(word: str, other: str, edits: int) -> float:
    """Return how likely ``other`` was meant, in powers of ten: its frequency in captions less the cost of the edits."""
    cost = edits * _COST - _is_slip(word, other)
    if word[0] != other[0]:
        cost += 1.0  # the first letter is rarely wrong
    return math.log10(caption_words()[other] / caption_words()["the"]) + 3.0 - cost


def _is_slip(word: str, other: str) -> bool:
    """Return whether it is one of the most common slips: letters in another order, or wrongly doubled ("wihte", "carying")."""
    return sorted(word) == sorted(other) or _squeezed(word) == _squeezed(other)


def _squeezed(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word)


def _has_letter_wrong(word: str, other: str) -> bool:
    """Return whether a letter is missing, or too much, inside a longer word; at its end it could be an inflection."""
    missing = len(word) >= _SHORT and len(other) == len(word) + 1
    too_much = len(word) >= _LONG and len(other) == len(word) - 1
    return (missing or too_much) and not (other.startswith(word) or word.startswith(other))


def _unglued(word: str) -> str | None:
    """Return the separated words: "a tree" for "atree", "standing on" for "standingon"."""
    for small in _GLUE:
        before, after = word.removesuffix(small), word.removeprefix(small)
        if after != word and len(after) > 3 and caption_words().get(after, 0) >= _SEEN_ALONE:
            return f"{small} {after}"
        if before != word and len(before) > 3 and caption_words().get(before, 0) >= _SEEN_ALONE and small != "a":
            return f"{before} {small}"
    return None


def _spaced(match: re.Match[str]) -> str:
    first, mark, second = match.groups()
    apart = in_dictionary(first) and in_dictionary(second) and second not in {"com", "org", "net", "jpg"}
    return f"{first}{mark} {second}" if apart else match[0]
