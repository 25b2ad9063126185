"""FACTUAL's files: captions with scene graphs by people."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from stages.contract.errors import InputError

Fact = tuple[str, ...]
"""``(object,)``, ``(object, "is", attribute)`` or ``(subject, relation, object)``."""


def read_gold(path: str | Path) -> Iterator[tuple[str, list[Fact]]]:
    """Yield captions with their annotated facts, from a CSV file with columns ``caption`` and ``scene_graph``.

    Raises:
        InputError: a column is missing, or a graph cannot be read.
    """
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        for column in ("caption", "scene_graph"):
            if column not in (rows.fieldnames or ()):
                raise InputError(path, f"has no column '{column}'", "give a file in FACTUAL's format", row=1)
        for number, row in enumerate(rows, start=1):
            facts = facts_of_text(row["scene_graph"])
            if not facts:
                raise InputError(
                    path, f"has no facts in {row['scene_graph']!r}", "write ( man , hold , umbrella ) , ( ... )", row=number
                )
            yield row["caption"], facts


def facts_of_text(text: str) -> list[Fact]:
    """Return the facts of a graph in FACTUAL's notation, without its marks for verbs and repeated objects.

    >>> facts_of_text("( man:1 , v:hold , cup ) , ( cup , is , white )")
    [('man', 'hold', 'cup'), ('cup', 'is', 'white')]
    >>> facts_of_text("( cups:1 , pv:put on , cups )"), facts_of_text("( dog )"), facts_of_text("")
    ([('cups', 'put on', 'cups')], [('dog',)], [])
    """
    plain = re.sub(r"\bp?v:|:\d+\b", "", text.strip()).strip("() ")
    return [tuple(part.strip() for part in fact.split(",")) for fact in re.split(r"\)\s*,\s*\(", plain) if fact.strip()]
