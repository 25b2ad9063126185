"""How the tables of this room are written: a head, a colon, and what belongs to it, separated by commas."""

from __future__ import annotations

import re

_GOES_ON = re.compile(r"([,:])\s*\n\s*")


def lines(text: str) -> list[tuple[str, str]]:
    """The rows of a table, in their order: the head and what stands behind its colon. A line that ends with a comma or a colon goes
    on in the next."""
    rows = (line.partition(":") for line in _GOES_ON.sub(r"\1 ", text).strip().splitlines() if line.strip())
    return [(head.strip(), items.strip()) for head, _, items in rows]


def table(text: str) -> dict[str, tuple[str, ...]]:
    """
    >>> table("on: on, on top of")
    {'on': ('on', 'on top of')}
    """
    return {head: tuple(item.strip() for item in items.split(",")) for head, items in lines(text)}


def groups(text: str) -> tuple[frozenset[str], ...]:
    """One group a line, its members separated by commas.

    >>> [sorted(group) for group in groups("cup, mug")]
    [['cup', 'mug']]
    """
    return tuple(frozenset(item.strip() for item in line.split(",")) for line in text.strip().splitlines() if line.strip())
