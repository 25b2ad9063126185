"""The scene graph: objects, attributes attached to objects, relations between two objects (paper, section 3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Span = tuple[int, int]
"""Start and end of a part of a caption, in characters; the end is exclusive."""


@dataclass(frozen=True, order=True)
class Atom:
    """A singular visual concept; ``kind`` is ``object``, ``attribute`` or ``relation``, ``index`` its index in that column."""

    kind: str
    index: int
    text: str


class Compound(NamedTuple):
    """``attribute_object`` with parts (attribute, object), or ``object_relation_object`` with (subject, relation, object)."""

    kind: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class SceneGraph:
    """Atoms in normal form. Attributes are ``(object index, attribute)``, relations ``(subject index, relation, object index)``."""

    objects: tuple[str, ...] = ()
    attributes: tuple[tuple[int, str], ...] = ()
    relations: tuple[tuple[int, str, int], ...] = ()

    @property
    def n(self) -> int:
        """Return the complexity: the number of atoms."""
        return len(self.objects) + len(self.attributes) + len(self.relations)

    def atoms(self) -> Iterator[Atom]:
        """Yield all atoms: objects, then attributes, then relations."""
        yield from (Atom("object", i, name) for i, name in enumerate(self.objects))
        yield from (Atom("attribute", i, attribute) for i, (_, attribute) in enumerate(self.attributes))
        yield from (Atom("relation", i, relation) for i, (_, relation, _) in enumerate(self.relations))

    def compounds(self) -> Iterator[Compound]:
        """Yield all compounds: attribute–object, then object–relation–object."""
        yield from (Compound("attribute_object", (attribute, self.objects[o])) for o, attribute in self.attributes)
        yield from (
            Compound("object_relation_object", (self.objects[s], relation, self.objects[o])) for s, relation, o in self.relations
        )

    def attributes_of(self, index: int) -> tuple[str, ...]:
        """Return the attributes of the object at ``index``, in the graph's order."""
        return tuple(attribute for o, attribute in self.attributes if o == index)

    def components(self) -> list[frozenset[int]]:
        """Return the connected components, as sets of object indices, ordered by their smallest index."""
        group = list(range(len(self.objects)))
        for s, _, o in self.relations:
            low, high = sorted((group[s], group[o]))
            group = [low if g == high else g for g in group]
        return [frozenset(i for i, g in enumerate(group) if g == c) for c in sorted(set(group))]

    def induced(
        self, objects: Iterable[int], attributes: Iterable[int] | None = None, relations: Iterable[int] | None = None
    ) -> SceneGraph:
        """Return the subgraph of the objects at these indices, which are renumbered in their order.

        It has all their attributes and relations, or only those at the given indices of ``attributes`` and ``relations``.
        """
        place = {o: i for i, o in enumerate(sorted(set(objects)))}
        chosen = range(len(self.attributes)) if attributes is None else sorted(attributes)
        between = range(len(self.relations)) if relations is None else sorted(relations)
        return SceneGraph(
            tuple(self.objects[o] for o in place),
            tuple((place[o], text) for o, text in (self.attributes[i] for i in chosen) if o in place),
            tuple((place[s], text, place[o]) for s, text, o in (self.relations[i] for i in between) if s in place and o in place),
        )

    def without(self, index: int) -> SceneGraph:
        """Return the graph without the object at ``index`` and its attributes and relations."""
        return self.induced(o for o in range(len(self.objects)) if o != index)

    def canonical(self) -> tuple:
        """Return a form that is equal for graphs with the same meaning, for any order of their objects.

        Each object is described by its name and attributes, and then, round by round, by its neighbours' descriptions, until
        distinguishable objects differ (colour refinement, which distinguishes all graphs of this size in practice).
        """
        colour = [repr((name, sorted(self.attributes_of(i)))) for i, name in enumerate(self.objects)]
        for _ in self.objects:
            sides: list[list[tuple]] = [[] for _ in self.objects]
            for s, relation, o in self.relations:
                sides[s].append((">", relation, colour[o]))
                sides[o].append(("<", relation, colour[s]))
            refined = [repr((c, sorted(side))) for c, side in zip(colour, sides, strict=True)]
            rank = {c: i for i, c in enumerate(sorted(set(refined)))}
            stable = len(set(refined)) == len(set(colour))
            colour = [f"{name}#{rank[c]}" for name, c in zip(self.objects, refined, strict=True)]
            if stable:
                break
        return (
            tuple(sorted(Counter(colour).items())),
            tuple(sorted((colour[o], attribute) for o, attribute in self.attributes)),
            tuple(sorted((colour[s], relation, colour[o]) for s, relation, o in self.relations)),
        )

    def columns(self) -> dict[str, Any]:
        """Return the three columns of a table: ``objects``, ``attributes``, ``relations``."""
        return {
            "objects": list(self.objects),
            "attributes": [{"object": o, "attribute": attribute} for o, attribute in self.attributes],
            "relations": [{"subject": s, "relation": relation, "object": o} for s, relation, o in self.relations],
        }

    @classmethod
    def from_columns(cls, row: Mapping[str, Any]) -> SceneGraph:
        """Return the graph of a table's row; the inverse of :meth:`columns`."""
        return cls(
            tuple(row["objects"]),
            tuple((a["object"], a["attribute"]) for a in row["attributes"]),
            tuple((r["subject"], r["relation"], r["object"]) for r in row["relations"]),
        )


@dataclass(frozen=True)
class Spans:
    """The place of each atom of a graph in its caption; ``None`` for an atom that no single span names."""

    objects: tuple[Span | None, ...] = ()
    attributes: tuple[Span | None, ...] = ()
    relations: tuple[Span | None, ...] = ()

    def of(self, atom: Atom) -> Span | None:
        """Return the span of ``atom``."""
        return {"object": self.objects, "attribute": self.attributes, "relation": self.relations}[atom.kind][atom.index]

    def columns(self) -> dict[str, Any]:
        """Return the three span columns of a table."""
        return {
            f"{kind}_spans": [None if span is None else {"start": span[0], "end": span[1]} for span in spans]
            for kind, spans in (("object", self.objects), ("attribute", self.attributes), ("relation", self.relations))
        }

    @classmethod
    def from_columns(cls, row: Mapping[str, Any]) -> Spans:
        """Return the spans of a table's row; the inverse of :meth:`columns`."""
        return cls(
            *(
                tuple(None if span is None else (span["start"], span["end"]) for span in row[f"{kind}_spans"])
                for kind in ("object", "attribute", "relation")
            )
        )
