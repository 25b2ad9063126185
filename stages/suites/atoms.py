"""What each set of HN-Atom asks: what kind of atom its negatives replace, where in the caption it stands, and how near they are.

A model that keeps the objects of a caption need not keep its relations, nor what it says last. So R@1 goes by kind and place, and
next to the kinds that are asked stand those that the captions name: where kinds are asked in other shares, R@1 over all is not of
whole captions. And a foil that is far from what it replaces is seen at a glance.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stages.contract import tables
from stages.retrieval.figures import percent, recalls, share
from stages.retrieval.summary import Ranked

KINDS = {"object": "objects", "attribute": "attributes", "relation": "relations"}
"""Kinds of atoms, with the columns that have them."""
PLACES = ("first", "middle", "last")
"""Thirds of a caption's words."""
SEVERAL = "several"
"""Of a set whose negatives are not all of one kind, or place."""
NEARNESS = ("antonym", "sibling", "grand_hypernym", "further")
"""How foils are related to what they replace, from near to far, as the column ``nearness`` names it."""
COLUMNS = ["protocol", "query_id", "type", "truth", *KINDS.values()]
COLUMNS += [f"negatives.list.element.{name}" for name in ("edit", "spans", "nearness")]
WORD = re.compile(r"\S+")


class AtomQuery(NamedTuple):
    """What a set asks."""

    kind: str
    """One of :data:`KINDS`, or :data:`SEVERAL`."""
    place: str
    """One of :data:`PLACES`, or :data:`SEVERAL`; empty where it is not known."""
    named: tuple[float, ...]
    """The shares of :data:`KINDS` among the atoms of the truth."""
    nearness: tuple[str, ...] = ()
    """Of each negative one of :data:`NEARNESS`; empty where it is not known of all."""

    @property
    def furthest(self) -> str:
        return max(self.nearness, key=NEARNESS.index, default="")


Asked = Mapping[tuple[str | None, str], AtomQuery]
"""What each set asks, by protocol and query."""


def read(queries: Path) -> dict[tuple[str | None, str], AtomQuery]:
    """Return what the sets of HN-Atom in the table ``queries`` ask."""
    rows = tables.read("queries", queries, COLUMNS)
    return {(row["protocol"], row["query_id"]): _of(row) for row in rows if row["type"] == "HN-Atom"}


def _of(row: Mapping[str, Any]) -> AtomQuery:
    # An atom that is named again is replaced there, too: it is asked where the caption names it first.
    firsts = [negative["spans"][0] for negative in row["negatives"] if negative["spans"]]
    nearness = tuple(negative["nearness"] for negative in row["negatives"])
    counts = [len(row[column]) for column in KINDS.values()]
    return AtomQuery(
        _only(negative["edit"] for negative in row["negatives"]),
        _only(third(row["truth"], span["start"], span["end"]) for span in firsts),
        tuple(count / max(sum(counts), 1) for count in counts),
        nearness if all(nearness) else (),
    )


def _only(values: Iterable[str]) -> str:
    names = set(values)
    return SEVERAL if len(names) > 1 else next(iter(names), "")


def third(caption: str, start: int, end: int) -> str:
    """Which third of the caption's words has the middle of the characters' words from ``start`` to before ``end``.

    >>> third("a dog on a mat", 2, 5), third("a dog on a mat", 6, 8), third("a dog on a mat", 9, 14)
    ('first', 'middle', 'last')
    """
    words = [word.span() for word in WORD.finditer(caption)]
    inside = [i for i, (first, last) in enumerate(words) if first < end and start < last]
    # Twice the middle, so that it is a whole number: word i goes from 2 i to 2 i + 2.
    middle = inside[0] + inside[-1] + 1
    return PLACES[3 * middle // (2 * len(words))]


def figures(ranked: Ranked, asked: Asked) -> dict[str, dict[str, Any]]:
    """``kind``, ``place``, ``nearness``: by group :func:`stages.retrieval.figures.recalls` and ``asked``, its share of the sets.

    Words may tell more in one kind than in another: next to the model stand ``shortcut_r1`` of the text-only scorer that is best in
    this very group, its name ``scorer``, and ``trained_r1``. Kinds have
    ``named``, the mean of their shares among the atoms of a caption, which is what drawing each caption's atom evenly would ask;
    all of them are there, if only with 0 sets. A set goes by the furthest of its negatives, and ``negatives`` is the share of all
    negatives that are just so near.
    """
    of = [asked[s.protocol, s.query.query_id] for s in ranked.sets]
    kinds = _groups(ranked, [one.kind for one in of], KINDS)
    for kind, named in zip(KINDS, np.mean([one.named for one in of], axis=0), strict=True):
        kinds[kind]["named"] = percent(named)
    nearness = [name for one in of for name in one.nearness]
    nears = _groups(ranked, [one.furthest for one in of], set(nearness))
    for name in nears:
        nears[name]["negatives"] = percent(nearness.count(name) / len(nearness))
    return {"kind": kinds, "place": _groups(ranked, [one.place for one in of]), "nearness": nears}


def _groups(ranked: Ranked, labels: Sequence[str], always: Iterable[str] = ()) -> dict[str, Any]:
    groups: dict[str, Any] = {}
    for name in sorted({*labels, *always} - {""}):
        own = ranked.take(np.flatnonzero(np.array(labels) == name))
        groups[name] = recalls(own.ranks, own.clusters) | {"asked": percent(len(own.sets) / len(labels))}
        others = own.others() if own.sets else {}
        if "shortcut" in others:
            groups[name] |= {"scorer": others["shortcut"][0]}
        for key in ("shortcut", "trained"):
            if key in others:
                groups[name] |= share(f"{key}_r1", others[key][1], own.clusters)
    return groups
