"""Numbers, plural-only nouns and other words that libraries lack; and the reader of the packages' text files of words."""

import re
from pathlib import Path


def words(text: str) -> frozenset[str]:
    """Return the words of a text, so that tables can be written as prose."""
    return frozenset(text.split())


def sections(path: Path) -> dict[str, str]:
    """Return the tables of a text file, by their names in brackets. Lines that begin with "#" are comments."""
    rows = re.sub(r"^#.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(re.findall(r"^\[([^]]+)\]$(.*?)(?=^\[|\Z)", rows, flags=re.MULTILINE | re.DOTALL))


def lines(text: str) -> list[tuple[str, str]]:
    """Return the rows of a table, in order: the head and the text after its colon.

    A line that ends with a comma or a colon continues in the next.

    Raises:
        ValueError: a line has no head, no colon or nothing after it.
    """
    rows = []
    for line in filter(str.strip, _GOES_ON.sub(r"\1 ", text).splitlines()):
        head, _, items = (part.strip() for part in line.partition(":"))
        if not head or not items:
            raise ValueError(f"this line is not of the form 'head: items': {line!r}")
        rows.append((head, items))
    return rows


_GOES_ON = re.compile(r"([,:])\s*\n\s*")


def table(text: str) -> dict[str, tuple[str, ...]]:
    """Return the rows of a table whose items are separated by commas.

    >>> table("on: on, on top of")
    {'on': ('on', 'on top of')}
    """
    return {head: tuple(item.strip() for item in items.split(",")) for head, items in lines(text)}


def heads(text: str) -> dict[str, str]:
    """Return for each item of a table the head of its row.

    >>> heads("man: men")
    {'men': 'man'}
    """
    return {item: head for head, items in table(text).items() for item in items}


def groups(text: str) -> tuple[frozenset[str], ...]:
    """Return one group a line, its members separated by commas.

    >>> [sorted(group) for group in groups("cup, mug")]
    [['cup', 'mug']]
    """
    return tuple(frozenset(item.strip() for item in line.split(",")) for line in text.strip().splitlines() if line.strip())


# Numbers in words.
_IN_ORDER = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: number for number, word in enumerate(_IN_ORDER, 1)}

# Plural-only: "a pair of pants", never "a pants".
ALWAYS_PLURAL = words(sections(Path(__file__).with_suffix(".txt"))["always plural"])
