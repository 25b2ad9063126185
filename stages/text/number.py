"""Whether a caption means one thing or several, where the noun does not show it: "the sheep are white", "a deer"."""

import re
from functools import lru_cache

from stages.graphs.graph import Span
from stages.text.grammar_words import AT_LEAST, PREPOSITIONS, TABLES
from stages.text.inflection import head_position, number_of, same_in_plural
from stages.text.lexicon import NUMBERS, words

SEVERAL = (NUMBERS.keys() | AT_LEAST.keys() | words(TABLES["of several"])) - {"one"}
ONE = words(TABLES["of one"])
GROUPS = words(TABLES["groups"])
DEFINITE = words(TABLES["definite"])
VERBS = {"is": "singular", "was": "singular", "has": "singular", "does": "singular"}
VERBS |= {"are": "plural", "were": "plural", "have": "plural", "do": "plural"}


@lru_cache(maxsize=65536)
def number_in(caption: str, span: Span) -> str:
    """Return ``plural``, ``singular`` or ``mass``, for the noun at ``span`` of ``caption``.

    Where singular and plural are one word, the words before it show it ("two", "a", "a herd of"), or its verb. A bare noun is
    several things; without evidence, as for "the sheep on a hill", either is possible.

    >>> [number_in(caption, (caption.index("sheep"), caption.index("sheep") + 5)) for caption in (
    ...     "the sheep are white", "a white sheep", "a herd of sheep", "sheep on a hill", "the sheep on a hill is white")]
    ['plural', 'singular', 'plural', 'plural', 'singular']
    """
    noun = caption[slice(*span)].lower()
    noun_number = number_of(noun)
    head = noun.split()[head_position(noun.split())] if noun.split() else ""
    if noun_number != "singular" or not same_in_plural(head):
        return noun_number
    return _before(caption[: span[0]].lower()) or _after(caption[span[1] :].lower()) or "singular"


def _before(text: str) -> str | None:
    """Return what is said of the number before a noun, from the nearest word on; None of "the sheep", whose verb may say it."""
    parts = re.findall(r"[\w'’-]+|[.,;:]", text)
    for place in range(len(parts) - 1, -1, -1):
        word = parts[place]
        if word in SEVERAL or (word.isdigit() and word != "1"):
            return "plural"
        if word in ONE:
            return "singular"
        if word in DEFINITE or word.endswith(("'s", "s'")):
            return None
        if word == "of" and place and parts[place - 1].removesuffix("s") in GROUPS:
            return "plural"
        if word in PREPOSITIONS or word in ("of", "and", "or", "with", "is", "are") or not word[0].isalnum():
            break
        if word.endswith("ing"):
            break
    return "plural"


def _after(text: str) -> str | None:
    """Return what the first finite verb behind a noun says of it."""
    for word in re.findall(r"[\w'’-]+|[.;]", text):
        if word in VERBS:
            return VERBS[word]
        if word in (".", ";"):
            return None
    return None
