"""The surface of a caption before parsing: its capitals, marks and stock phrases.

Web captions are titles of products, news and pictures as often as sentences. Names and model numbers name nothing visible
and mislead the tagger ("Keith Earls evades", "Edge LED Commercial Lite"); so do the capitals of titles, and stock phrases
("Free Shipping"). The network gets a caption without them, split at its marks.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from stages.parsing.caption_words import caption_words
from stages.parsing.proper_names import is_name
from stages.parsing.rule_words import BEFORE_NAMES, FUNCTION_WORDS, NOT_SHOWN, OPINION, PLACE_NAMES, SHORT_FORMS, SUBJECT_OF
from stages.parsing.trees import Tokens
from stages.text.lexnames import NONE, lexname
from stages.text.normal import COLOURS

TITLE_SHARE = 0.6
"""Minimum fraction of capitalised content words, after the first, of a title, whose capitals mark no names."""
RARE = 20
"""A capitalised word in a sentence is part of a name if it is less frequent in captions than this."""
ACRONYM = 3
"""Maximum number of letters of a word in capitals that is no name: "LED", "USB"."""
CLOSE_UPS = ("close-ups", "closeup", "closeups")
"""Other spellings of "close-up", besides those in two words."""
PLACEHOLDER = "he"
"""The network's input in place of a person's name: it is the subject of a verb, and the rules make no object of it."""

# "110cm", "HB955", "6/12/2015", "@paper", "sea-sun-and-sand_02": letters and digits in one word, and other non-words;
# "1950s" and "3d" are words. Then numbers that do not count things.
_CODE = re.compile(
    r"(?!\d{2,4}s$|3d$)(?:(?=.*\d)(?:\w*[a-z]\w*|\d+[./-]\d.*)|[@#].*|https?:.*|.*_.*|(?:\w+-){3,}.*|.*[^\W\d_\u0000-\u024f].*)$"
)
_MISLEADING = re.compile(f"{OPINION.pattern}|{NOT_SHOWN.pattern}")
_COLOR = re.compile("colou?rs?$")  # "a chair that is purple in color"
_NUMBER = re.compile(r"\d[\d,.]*$")
MAX_COUNT = 20
"""Greater numbers are years, models and prices: "2017 New Year", "Plan 51"."""
_PARTS = frozenset({".", "!", "?", ":", ";", "|", "/", "-", "–", "—", "(", ")", "[", "]", "•", "»", "~", "--"})
_JOINING = frozenset({"/", "-", "–"})
_QUOTES = frozenset("'\"`‘’“”")


class Surface(NamedTuple):
    """A caption's words as the network's input.

    Attributes:
        title: whether the caption's capitals are a title's.
        capitals: whether each word has a capital in the caption; ``None``: only the first has one.
        unread: number of the caption's words that the network does not read.
        plain: whether nothing in it belongs to a title or a name: an ordinary sentence.
    """

    tokens: Tokens
    title: bool = False
    capitals: Sequence[bool] | None = None
    unread: int = 0
    plain: bool = True


def surface(tokens: Tokens, text: str) -> Surface:
    """Return the words ``tokens`` of the caption ``text`` as the network's input: unchanged, where nothing in them misleads."""
    simple = text.isascii() and text[1:].islower() and text.replace(" ", "").isalpha()
    if simple and "lose up" not in text and "loseup" not in text and " in colo" not in text and not _MISLEADING.search(text):
        return Surface(tokens)
    words = list(tokens.words)
    low = [word.lower() for word in words]
    title = _is_title(words)
    unread = _unread(words, low, title)
    read = [PLACEHOLDER if unread.get(i) else SHORT_FORMS.get(low[i], low[i]) for i in range(len(low))]
    close_ups = [i for i in range(len(low) - 1) if low[i] == "close" and low[i + 1] in ("up", "ups")]
    for i in [*close_ups, *(i for i, word in enumerate(low) if word in CLOSE_UPS)]:
        read[i] = "close-up"
    in_color = (i for i in range(1, len(low) - 1) if low[i - 1] in COLOURS and low[i] == "in" and _COLOR.match(low[i + 1]))
    said_twice = {i + 1 for i in close_ups} | {k for i in in_color for k in (i, i + 1)}
    remaining = [i for i in range(len(low)) if unread.get(i, True) and i not in said_twice]
    marks = {i for i, word in enumerate(low) if word in _PARTS and (word not in _JOINING or tokens.spaced(i - 1))}
    starts = [not new or not marks.isdisjoint(range(remaining[new - 1], i)) for new, i in enumerate(remaining)]
    plain = not title and not unread and starts.count(True) == 1 and not OPINION.search(" ".join(low))
    if read == words and plain and not said_twice:
        return Surface(tokens)
    start, end = ([edges[i] for i in remaining] for edges in (tokens.start, tokens.end))
    made = Tokens([read[i] for i in remaining], start, end, None, starts if starts.count(True) > 1 else None)
    plain = plain and all(not _capital(word) or _is_thing(word) for word in words[1:])
    left_out = len(low) - len(remaining) - len(said_twice)
    return Surface(made, title, [words[i][0].isupper() for i in remaining], left_out, plain)


def _is_title(words: list[str]) -> bool:
    """Return whether the capitals do not mark names: "Red Leather Handbag with Chain"."""
    content = [word for word in words[1:] if word[0].isalpha() and word.lower() not in FUNCTION_WORDS]
    return sum(word[0].isupper() for word in content) >= max(1, TITLE_SHARE * len(content))


def _unread(words: list[str], low: list[str], title: bool) -> dict[int, bool]:
    """Return the words that the network does not read, and whether a placeholder replaces them."""
    unread = dict.fromkeys([i for i, word in enumerate(low) if _is_code(word) or _counts_nothing(low, i)], False)
    unread |= dict.fromkeys(_stock_phrases(low), False)
    unread |= dict.fromkeys(_quoted(words), False)
    for run in _names(words, low, title):
        unread |= dict.fromkeys(run, False)
        after = run[-1] + 1
        if after < len(low) and low[after] in ("'s", "’s"):
            unread[after] = False
        if after < len(low) and not title and _said_of_somebody(low[after]):
            unread[run[0]] = True
    for first, after in _parts(low):
        # "Anne of the Island": a part that begins with a name and "of" is a title.
        of_name = first + 1 < after and first in unread and low[first + 1] == "of"
        if of_name or (title and OPINION.search(" ".join(low[first:after]))):
            unread |= dict.fromkeys(range(first, after), False)
    return unread


@lru_cache(1 << 16)
def _is_code(word: str) -> bool:
    return bool(_CODE.match(word))


def _counts_nothing(low: list[str], i: int) -> bool:
    if i and low[i - 1] == "#":
        return True
    if not _NUMBER.match(low[i]):
        return False
    counted = i + 1 < len(low) and low[i + 1].isalpha() and low[i].isdigit() and int(low[i]) <= MAX_COUNT
    return not counted


def _said_of_somebody(word: str) -> bool:
    """Return whether a verb follows a name, as in "Keith Earls evades", "Sarah blowing out candles", "Mary is"."""
    return word in SUBJECT_OF or (len(word) > 3 and word.endswith(("s", "ing", "ed")))


def _parts(low: list[str]) -> Iterator[tuple[int, int]]:
    """Return the index of the first word of each part between marks, and the one after its last."""
    edges = [-1, *(i for i, word in enumerate(low) if word in _PARTS), len(low)]
    return ((a + 1, b) for a, b in pairwise(edges) if b > a + 1)


def _stock_phrases(low: list[str]) -> Iterator[int]:
    text = " ".join(low)
    for match in NOT_SHOWN.finditer(text):
        first = text.count(" ", 0, match.start())
        yield from range(first, first + match.group().count(" ") + 1)


def _quoted(words: list[str]) -> Iterator[int]:
    """Return the titles in quotation marks, as in "a film called 'The River and the Wall'"."""
    marks = [i for i, word in enumerate(words) if word in _QUOTES]
    for first, last in zip(marks[::2], marks[1::2], strict=False):
        if last > first + 2 and words[first + 1][0].isupper():
            yield from range(first, last + 1)


def _names(words: list[str], low: list[str], title: bool) -> Iterator[list[int]]:
    """Yield the names, as runs of words.

    In a sentence: capitals next to a rare word; in a title: unknown words and those around them.
    """
    i = 0
    while i < len(words):
        run = []
        while i < len(words) and _capital(words[i]) and (title or i or is_name(low[0])):
            run.append(i)
            i += 1
        i += not run
        if title:
            unknown = [k for k in run if is_name(low[k]) and not _is_thing(words[k])]
            yield from (_with_neighbours(k, run, low) for k in unknown)
            continue
        unknown = [k for k in run if is_name(low[k]) and not (words[k].isupper() and len(words[k]) <= ACRONYM)]
        if unknown or (run and all(caption_words().get(low[k], 0) < RARE and len(words[k]) > ACRONYM for k in run)):
            yield run


def _capital(word: str) -> bool:
    return word[0].isupper() and not _is_code(word.lower())


def _is_thing(word: str) -> bool:
    """Return whether an acronym is a common noun, as in "A CPU is on the floor"."""
    return word.isupper() and len(word) <= ACRONYM and lexname(word.lower()) not in (NONE, "location", "group", "person")


def _with_neighbours(k: int, run: list[int], low: list[str]) -> list[int]:
    """Return the whole name around a part: "New Kensington", "Jack Baldwin", "Lexington Avenue", "University of Pittsburgh"."""
    first, last = k, k
    if k - 1 in run and low[k - 1] in BEFORE_NAMES:
        first = k - 1
    if k > 1 and low[k - 1] == "of" and low[k - 2] in PLACE_NAMES:
        first = k - 2
    if k - 1 == run[0] and caption_words().get(low[run[0]], 0) < RARE:
        first = run[0]
    while last + 1 in run and low[last + 1] in PLACE_NAMES:
        last += 1
    return list(range(first, last + 1))
