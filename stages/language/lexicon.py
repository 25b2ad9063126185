"""Words that no library knows: numbers, and what is plural by nature."""

from __future__ import annotations

import re
from pathlib import Path


def words(text: str) -> frozenset[str]:
    """The words of a text, for tables that read like prose."""
    return frozenset(text.split())


def sections(path: Path) -> dict[str, str]:
    """The tables of a text file, each under its name in brackets. Lines that begin with "#" are for people."""
    rows = re.sub(r"^#.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(re.findall(r"^\[([^]]+)\]$(.*?)(?=^\[|\Z)", rows, flags=re.MULTILINE | re.DOTALL))


# Numbers in words.
_IN_ORDER = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: number for number, word in enumerate(_IN_ORDER, 1)}

# Plural by nature: "a pair of pants", never "a pants".
ALWAYS_PLURAL = words(
    """
    binoculars cattle clothes earphones eyeglasses furnishings glasses goggles groceries headphones jeans khakis leggings
    overalls pajamas pants people pliers police pyjamas scissors shorts slacks stairs sunglasses surroundings suspenders
    sweatpants tights tongs trousers tweezers
    """
)
