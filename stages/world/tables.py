"""How this room's tables of words are written: a head, a colon, and what belongs to it, parted by commas."""

from __future__ import annotations


def table(text: str) -> dict[str, tuple[str, ...]]:
    """What belongs to each head. A row may have several, and a head that stands in several rows has what all of them say.

    >>> table("boy, girl: kid, child\\ngirl: lass")
    {'boy': ('kid', 'child'), 'girl': ('kid', 'child', 'lass')}

    Raises:
        ValueError: a row has no colon, or nothing on one side of it.
    """
    rows: dict[str, tuple[str, ...]] = {}
    for row in filter(None, text.splitlines()):
        heads, items = ([word.strip() for word in part.split(",")] for part in row.partition(":")[::2])
        if not all((*heads, *items)):
            raise ValueError(f"this row is not of the form 'head, head: item, item': {row!r}")
        for head in heads:
            rows[head] = (*rows.get(head, ()), *items)
    return rows


def single(text: str) -> dict[str, str]:
    """The same where one thing belongs to each head."""
    return {head: item for head, (item,) in table(text).items()}


def meanings(text: str) -> dict[str, str]:
    """The table turned round: each item with its head."""
    return {item: head for head, items in table(text).items() for item in items}
