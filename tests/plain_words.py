"""Compare captions word by word, for :mod:`tests.definitions`; share no code with the stages.

A word is reduced to a stem, so that number and verb forms do not matter ("boys" and "boy", "is wearing" and "wears"). Stems are
cruder than a dictionary's, but all forms of a word have the same one, which suffices.
"""

import re
from collections import Counter
from functools import cache

ARTICLES = frozenset({"a", "an", "the", "some"})
NEGATION = "not"
"""The stem of all negating words."""
FORMS = {
    "be": "is are was were been being am",
    "have": "has had having",
    "do": "does did doing done",
    "this": "these",
    "that": "those who which whom",
    "it": "they them he she him",
    "its": "their his her hers theirs",
    "itself": "themselves himself herself",
    "another": "other others",
    "man": "men",
    "woman": "women",
    "child": "children",
    "person": "people persons",
    "foot": "feet",
    "tooth": "teeth",
    "mouse": "mice",
    "goose": "geese",
    "sheep": "sheeps",
    "ox": "oxen",
    "iris": "irises",
    "hold": "held",
    "wear": "wore worn",
    "stand": "stood",
    "sit": "sat",
    "lie": "lying lay laid lain lays laying",
    "ride": "rode ridden",
    "eat": "ate eaten",
    "hang": "hung",
    "make": "made",
    "build": "built",
    "throw": "threw thrown",
    "drive": "drove driven",
    "fly": "flew flown",
    "write": "wrote written",
    "take": "took taken",
    "see": "saw seen",
    "lead": "led",
    "feed": "fed",
    "catch": "caught",
    "tie": "tying",
    NEGATION: "no never none nobody nothing neither nor nt",
    "and": "or",
    "something": "someone somebody",
}
_BASE = {form: base for base, forms in FORMS.items() for form in forms.split()} | {base: base for base in FORMS}
_WORD = re.compile(r"n['’]t\b|[^\W_]+(?=n['’]t\b)|[^\W_]+")
_VES = re.compile(r"(shel|wol|cal|hal|kni|wi|lea|loa|scar|hoo|thie)ves$")
_VOWEL = re.compile("[aeiouy]")
_SPLIT = {"without": ("with", NEGATION), "cannot": ("can", NEGATION)}


@cache
def stem(word: str) -> str:
    """Return the stem that all forms of a word share.

    >>> [stem(word) for word in ("ties", "TVs", "bookshelves", "gloves", "dishes", "snowmen")]
    ['tie', 'tv', 'bookshelf', 'glov', 'dish', 'snowman']
    >>> [stem(word) for word in ("carrying", "sits", "sitting", "railings", "No")]
    ['carry', 'sit', 'sit', 'rail', 'not']
    """
    word = _base(word.lower().replace("’", "").replace("'", ""))
    if _VES.search(word):
        word = word[:-3] + "f"
    elif word.endswith("men") and len(word) > 5:
        word = word[:-3] + "man"  # "snowmen"
    elif word.endswith(("ied", "ies")):
        word = word[:-1] if len(word) == 4 else word[:-3] + "y"  # "ties"
    elif word.endswith("s") and (len(word) > 3 or not _VOWEL.search(word)) and not word.endswith(("ss", "us")):
        word = word[:-1]
    if word.endswith("ing") and len(word) > 5 and _VOWEL.search(word[:-3]):
        word = word[:-3]
    elif word.endswith("ed") and len(word) > 4 and _VOWEL.search(word[:-2]):
        word = word[:-2]
    word = _base(word)
    word = word[:-1] if word.endswith("e") and len(word) > 3 else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou" else word


def _base(word: str) -> str:
    return _BASE.get(word, word)


def stems(text: str) -> list[str]:
    """Return the stems of a text's words in their order, without articles; a word such as "without" counts as two.

    >>> stems("A boy who isn't on the grass, without hats")
    ['boy', 'that', 'be', 'not', 'on', 'gras', 'with', 'not', 'hat']
    """
    found: list[str] = []
    for word in _WORD.findall(text):
        lower = word.lower()
        if lower not in ARTICLES:
            found.extend(_SPLIT.get(lower, (stem(word),)))
    return found


def bag(text: str) -> Counter[str]:
    """Return how often each stem occurs in a text."""
    return Counter(stems(text))


def key(text: str) -> str:
    """Return a name without spaces and articles, with its last word stemmed: equal for two spellings of one name.

    >>> key("cell phones") == key("cell-phone") == key("the cellphone")
    True
    """
    words = [word.lower() for word in _WORD.findall(text) if word.lower() not in ARTICLES]
    return "".join([*words[:-1], *map(stem, words[-1:])])


def tails(text: str) -> set[str]:
    """Return the keys of a name and of its last words, which are its short forms.

    >>> tails("the white dinner plates") == {key("white dinner plate"), key("dinner plate"), key("plate")}
    True
    """
    words = _WORD.findall(text)
    return {key(" ".join(words[start:])) for start in range(len(words))}


def without(texts: list[str]) -> list[list[str]]:
    """Return the differing stems of each text, without those that all texts share at the beginning and the end.

    >>> without(["a cup, with no plate in sight", "a cup, with no hot dog in sight"])
    [['plat'], ['hot', 'dog']]
    """
    split = [stems(text) for text in texts]
    start = 0
    while all(len(words) > start for words in split) and len({words[start] for words in split}) == 1:
        start += 1
    split = [words[start:] for words in split]
    end = 0
    while all(len(words) > end for words in split) and len({words[-1 - end] for words in split}) == 1:
        end += 1
    return [words[: len(words) - end] for words in split]
