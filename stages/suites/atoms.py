"""The atoms that HN-Atom's negatives replace: their kind, their place in the caption, and the nearness of the foils.

A model that knows the objects of a caption may not know its relations, or its end. So R@1 is given by kind and place, next to
the kinds that the captions contain: where kinds are replaced in other proportions, R@1 over all sets does not measure
whole captions. And a foil that is far from the replaced atom is easy.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stages.contract import tables
from stages.evaluation.figures import percent, recalls, share
from stages.evaluation.summary import Ranked

KINDS = {"object": "objects", "attribute": "attributes", "relation": "relations"}
"""Kinds of atoms, with their columns."""
PLACES = ("first", "middle", "last")
"""Thirds of a caption's words."""
SEVERAL = "several"
"""The value for a set whose negatives differ in kind, or place."""
NEARNESS = ("antonym", "sibling", "grand_hypernym", "further")
"""How foils are related to the replaced atom, from near to far, as in the column ``nearness``."""
COLUMNS = ["protocol", "query_id", "type", "truth", *KINDS.values()]
COLUMNS += [f"negatives.list.element.{name}" for name in ("edit", "spans", "nearness")]
WORD = re.compile(r"\S+")


class AtomQuery(NamedTuple):
    """The replaced atoms of a set."""

    kind: str
    """One of :data:`KINDS`, or :data:`SEVERAL`."""
    place: str
    """One of :data:`PLACES`, or :data:`SEVERAL`; empty if unknown."""
    named: tuple[float, ...]
    """The fractions of :data:`KINDS` among the atoms of the truth."""
    nearness: tuple[str, ...] = ()
    """One of :data:`NEARNESS` for each negative; empty if unknown for any."""

    @property
    def furthest(self) -> str:
        return max(self.nearness, key=NEARNESS.index, default="")


Asked = Mapping[tuple[str | None, str], AtomQuery]
"""The replaced atoms of each set, by protocol and query."""


def read(queries: Path) -> dict[tuple[str | None, str], AtomQuery]:
    """Return the replaced atoms of the sets of HN-Atom in the table ``queries``."""
    rows = tables.read("queries", queries, COLUMNS)
    return {(row["protocol"], row["query_id"]): _of(row) for row in rows if row["type"] == "HN-Atom"}


def _of(row: Mapping[str, Any]) -> AtomQuery:
    # An atom with several mentions is replaced in all of them; its first mention is its place.
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
    """Return the third of the caption's words that contains the middle of the characters from ``start`` to before ``end``.

    >>> third("a dog on a mat", 2, 5), third("a dog on a mat", 6, 8), third("a dog on a mat", 9, 14)
    ('first', 'middle', 'last')
    """
    words = [word.span() for word in WORD.finditer(caption)]
    inside = [i for i, (first, last) in enumerate(words) if first < end and start < last]
    # Twice the middle, so that it is a whole number: word i goes from 2 i to 2 i + 2.
    middle = inside[0] + inside[-1] + 1
    return PLACES[3 * middle // (2 * len(words))]


def figures(ranked: Ranked, asked: Asked) -> dict[str, dict[str, Any]]:
    """Return for ``kind``, ``place``, ``nearness``, by group, :func:`stages.evaluation.figures.recalls` and further values.

    ``asked`` is the group's fraction of the sets. Shortcuts may depend on the kind: ``shortcut_r1`` is the R@1 of the best
    text-only scorer in this group, ``scorer`` its name, and ``trained_r1`` the adversary's. Kinds also have

    ``named``, the mean of their fractions among the atoms of a caption, the value of ``asked`` if each caption's atom was drawn
    evenly; all kinds are present, even with 0 sets. A set counts by the farthest of its negatives, and ``negatives`` is the
    fraction of all negatives with exactly that nearness.
    """
    atoms_asked = [asked[s.protocol, s.query.query_id] for s in ranked.sets]
    kinds = _groups(ranked, [one.kind for one in atoms_asked], KINDS)
    for kind, named in zip(KINDS, np.mean([one.named for one in atoms_asked], axis=0), strict=True):
        kinds[kind]["named"] = percent(named)
    nearness = [name for one in atoms_asked for name in one.nearness]
    nears = _groups(ranked, [one.furthest for one in atoms_asked], set(nearness))
    for name in nears:
        nears[name]["negatives"] = percent(nearness.count(name) / len(nearness))
    return {"kind": kinds, "place": _groups(ranked, [one.place for one in atoms_asked]), "nearness": nears}


def _groups(ranked: Ranked, labels: Sequence[str], always: Iterable[str] = ()) -> dict[str, Any]:
    groups: dict[str, Any] = {}
    for name in sorted({*labels, *always} - {""}):
        ranked_here = ranked.take(np.flatnonzero(np.array(labels) == name))
        groups[name] = recalls(ranked_here.ranks, ranked_here.clusters) | {"asked": percent(len(ranked_here.sets) / len(labels))}
        others = ranked_here.others() if ranked_here.sets else {}
        if "shortcut" in others:
            groups[name] |= {"scorer": others["shortcut"][0]}
        for key in ("shortcut", "trained"):
            if key in others:
                groups[name] |= share(f"{key}_r1", others[key][1], ranked_here.clusters)
    return groups
