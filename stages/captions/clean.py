"""Clean a caption, as the web or an annotator wrote it, to plain text, and give the reason why a training caption is unusable."""

import html
import re
import unicodedata
from urllib.parse import unquote_plus

import ftfy

from stages.captions.foreign import foreign

_WHITE = re.compile(r"\s")
# Of addresses: two plus signs, one between words, a space or a mark of ASCII, or a letter beyond it. "100%cotton" is not one.
_ENCODED = re.compile(r"\+[^+]+\+|^[^\W\d_]{2,}\+[^\W\d_]{2,}\n?$|%2[0-9A-F]|%[C-F][0-9A-F]%[89AB][0-9A-F]")
# CC12M's replacement of names: a person, not a tag.
_PERSON = re.compile("<person>", re.IGNORECASE)
# As in HTML, an unclosed comment goes to the end; searching for the end from each beginning would take quadratic time.
_TAG = re.compile(r"(?s:<!--.*?(?:-->|\Z))|</?[A-Za-z][^<>]*>")
_INVISIBLE = re.compile("[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
# A zero-width space is a place where a line may end: words end there too.
_SPACE_WITHOUT_WIDTH = "\u200b"
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
# "a dog , two cats ." and "the man 's hat", as tokenised corpora have it.
_SPACE_BEFORE_MARK = re.compile(r"(?<=\w) (?=[,.;:!?](?: |$))")
_SPACE_BEFORE_CLITIC = re.compile(r"(?<=\w) (?='(?:s|re|ve|ll|d|m)\b)|(?<=\w) (?=n't\b)", re.IGNORECASE)
# "a polka - dotted dress", "a t - shirt": not every hyphen between spaces parts two phrases ("a street - photo by person").
_SPACED_HYPHEN = re.compile(
    r"\b(self|half|middle|mid|semi|multi|non|pre|ex|anti|well|low|high|single|[tvx]|two|three|four|short|long|full) - (?=[a-z])"
    r"|(?<=[a-z]) - (?=(?:up|down|out|off|year|old|[a-z]{2,}ed|like|style|free|sleeves?|length|winning|medal)\b)"
    r"|(?<=[a-z]) - (?=(?:in|on|to)\b(?! (?:an?|the|all|some|my|your|his|her|its|our|their|this|that|these|those)\b))"
)
# "black - and - white", "state - of - the - art"
_BETWEEN_HYPHENS = re.compile("(?<=[a-z]) - (?:in|on|to|of|by|and)(?: - the)? - (?=[a-z])")
# "gas_station", and no name of a file: "dog_park.jpg", "IMG_2041"
_UNDERSCORED = re.compile(r"(?<!\S)[^\W\d_]+(?:_+[^\W\d_]+)+(?=[,.;:!?)\"']*(?:\s|$))")
_DOUBLED_QUOTE = re.compile(r'"{2,}')
_LAST_MARKS = " .,;:\u2026\u2013\u2014|-_\\"
_FIRST_MARKS = " .,;:\u2026\u2013\u2014|-_\\*\u2022"

ROUNDS = 4
"""Maximum number of rounds of cleaning: no known text needs more."""
LETTERS = 12
"""Letters a word, above which a text with the allowed number of words is too long all the same."""


def clean(text: str) -> str:
    """Return ``text`` without what does not belong to its words.

    Entities, tags, control characters, broken encodings, stray quotation marks, the final period and a tokeniser's spaces
    are fixed; text in capitals becomes lower case. Cleaning a clean text changes nothing.

    >>> clean('  "A red&nbsp;bus &amp; two <b>MEN</b> ."  ')
    'A red bus & two MEN'
    """
    # One round may uncover a fault (an entity in an entity, a mark behind a quotation mark) that the next fixes.
    for _ in range(ROUNDS):
        cleaned = _clean_once(text)
        if cleaned == text:
            break
        text = cleaned
    return text


def _clean_once(text: str) -> str:
    # "a%20red%20bus", "Red+bus", "caf%C3%A9": YFCC's encoding of titles. A text with white space is not encoded.
    if ("+" in text or "%" in text) and _ENCODED.search(text) and not _WHITE.search(text.removesuffix("\n")):
        text = unquote_plus(text)
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = ftfy.fix_text(text).replace(_SPACE_WITHOUT_WIDTH, " ")
        text = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    if "<" in text:
        text = _TAG.sub(" ", _PERSON.sub("person", text))
    text = _SPACE.sub(" ", text)
    if "_" in text:
        text = _UNDERSCORED.sub(lambda found: found[0].replace("_", " "), text)
    text = _without_stray_quotes(text)
    text = _SPACE_BEFORE_CLITIC.sub("", _SPACE_BEFORE_MARK.sub("", text))
    text = _SPACED_HYPHEN.sub(r"\1-", _BETWEEN_HYPHENS.sub(lambda found: found[0].replace(" ", ""), text))
    return _without_capitals(text.lstrip(_FIRST_MARKS).rstrip(_LAST_MARKS))


def _without_stray_quotes(text: str) -> str:
    """Return the text without quotation marks around it, unpaired marks and doubled marks; inches stay: 10.5"."""
    if '"' not in text and not text.startswith(("'", "`")):
        return text
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'`" and text[0] not in text[1:-1].replace('""', ""):
        text = text[1:-1].replace('""', '"')  # as CSV writes a field: "a 10.5"" plate"
    text = _DOUBLED_QUOTE.sub('"', text)
    marks = [i for i, c in enumerate(text) if c == '"' and not (i and text[i - 1].isdigit())]
    if len(marks) % 2 == 0:
        return text
    stray = marks[0] if marks[0] == 0 else marks[-1]
    return text[:stray] + text[stray + 1 :]


def _without_capitals(text: str) -> str:
    """Return lower case for two words or more in capitals, also with an inverted caps lock ("tHE MAN"); "STOP" is kept."""
    if text.islower() or " " not in text:
        return text
    upper = sum(map(str.isupper, text))
    return text.lower() if upper * 2 > sum(map(str.isalpha, text)) else text


def shortened(text: str, max_words: int) -> str:
    """Return the cleaned ``text``, if too long only the whole sentences in its first ``max_words`` words, or else these words.

    >>> shortened("A dog runs. It is wet. Behind it stands a tree", 7), shortened("a dog, a cat, a cow", 4)
    ('A dog runs. It is wet', 'a dog, a cat')
    """
    words = text.split(" ", max_words)
    if len(words) <= max_words:
        return text
    cut = " ".join(words[:max_words])
    ends = [match.end() for match in _SENTENCE_END.finditer(cut)]
    return clean(cut[: ends[-1]] if ends else cut)


_SENTENCE_END = re.compile(r"[.!?][\"')\]]*(?= |$)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_URL = re.compile(r"(?:https?://|www\.)\S+|\b[\w-]+\.(?:com|net|org|info|co\.uk|html?|php|aspx?)\b\S*", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"^\S*\.(?:jpe?g|png|gif|bmp|tiff?|webp|svg|pdf)$|^(?:img|dsc|dscn|dscf|image|photo|pict?)[-_ ]?\d+$", re.IGNORECASE
)


def unusable(text: str, *, min_words: int = 1, max_words: int = 100) -> str | None:
    """Return the reason code why the cleaned caption ``text`` cannot be parsed as English; ``None`` if it may.

    Codes: ``empty``, ``url_only``, ``file_name``, ``no_letters``, ``too_short``, ``too_long``, ``not_english``.
    """
    if not text:
        return "empty"
    if not any(map(str.isalpha, text)):
        return "no_letters"
    # A long run of anything is no caption, and not worth a search for words or addresses.
    if len(text) > LETTERS * max_words:
        return "too_long"
    if "." in text and not _WORD.search(_URL.sub(" ", text)):
        return "url_only"
    if _FILE_NAME.match(text):
        return "file_name"
    words = _WORD.findall(text)
    if len(words) < min_words:
        return "too_short"
    if len(words) > max_words:
        return "too_long"
    return "not_english" if foreign(text, words) else None
