"""What is known of an image: its annotated scene graph and what its regions' descriptions say, asked with one voice.

Annotations are incomplete, so an answer has four values (:class:`Verdict`): a statement that no annotation carries may still be
true. A negative caption is safe where the answer is ``FALSE`` (something known rules it out) or ``ABSENT`` (nothing of that name is
known in the crop). What words say of each other (synonyms, colours that exclude each other, converse relations) is handed in as
:class:`Meanings`, so that this room needs no dictionary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import product
from typing import Any, Protocol

import numpy as np

from stages.graphs.box import Box, covered
from stages.graphs.graph import SceneGraph


class Verdict(Enum):
    """What is known of a statement about an image."""

    TRUE = "true"
    """It holds, or follows from something that holds, or may well be another way to say so."""
    FALSE = "false"
    """Something that is known rules it out."""
    ABSENT = "absent"
    """A thing that it speaks of is known nowhere in the crop."""
    UNKNOWN = "unknown"
    """It speaks of known things, and nothing settles it."""


SAFE = frozenset({Verdict.FALSE, Verdict.ABSENT})
"""The verdicts under which a negative may be offered."""


class Meanings(Protocol):
    """What the words of captions, in normal form, say of each other."""

    def may_name(self, known: str, asked: str) -> bool:
        """May a thing that is called ``known`` also be called ``asked`` (the same, a synonym, a wider or a narrower name)?"""

    def implies(self, known: str, asked: str) -> bool:
        """May an object with the attribute ``known`` be said to have the attribute ``asked``?"""

    def excludes(self, known: str, asked: str) -> bool:
        """Can no object have both attributes?"""

    def leaves_open(self, known: str, asked: str) -> bool:
        """Does ``known`` leave ``asked`` open whatever else is known, as "striped" does with every colour?"""

    def in_part(self, name: str, asked: str) -> bool:
        """May what is called ``name`` be said to be ``asked`` for a part of it, as a tree for its brown trunk?"""

    def number(self, attribute: str) -> int:
        """How many things an attribute counts ("two" counts 2); 1 for any other word."""

    def relation_implies(self, known: str, asked: str, turned: bool) -> bool:
        """Does "A known B" say "A asked B", or, if ``turned``, "B asked A"?"""

    def relation_excludes(self, known: str, asked: str, turned: bool) -> bool:
        """Does "A known B" rule out "A asked B", or, if ``turned``, "B asked A"?"""

    def touches(self, relation: str, object_: str) -> bool:
        """Can it hold only where the two boxes meet, as "on a table" and "holding a cup" do?"""

    def direction(self, relation: str) -> tuple[int, int] | None:
        """The axis (0 horizontal, 1 vertical) and sign (-1 left or up) of a relation that says where in the picture a thing is."""


class Literal:
    """Words that mean themselves and nothing else, for tests and for graphs whose words are controlled."""

    def may_name(self, known: str, asked: str) -> bool:
        return known == asked

    def implies(self, known: str, asked: str) -> bool:
        return known == asked

    def excludes(self, known: str, asked: str) -> bool:
        return False

    def leaves_open(self, known: str, asked: str) -> bool:
        return False

    def in_part(self, name: str, asked: str) -> bool:
        return False

    def number(self, attribute: str) -> int:
        return 1

    def relation_implies(self, known: str, asked: str, turned: bool) -> bool:
        return known == asked and not turned

    def relation_excludes(self, known: str, asked: str, turned: bool) -> bool:
        return False

    def touches(self, relation: str, object_: str) -> bool:
        return False

    def direction(self, relation: str) -> tuple[int, int] | None:
        return None


@dataclass
class Thing:
    """An object of an image.

    ``distinct``: it is none of the other things, because the scene graph lists it; a thing that only a region's description names
    may be one that is listed already. The words before a name's last one count as attributes, too, for one annotator's "orange box"
    is another's orange box.
    """

    names: tuple[str, ...]
    box: Box | None
    distinct: bool
    attributes: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.attributes.update(word for name in self.names for word in name.split()[:-1])


@dataclass
class Evidence:
    """What is known of an image, or of a crop of it (:meth:`within`)."""

    things: list[Thing]
    relations: list[tuple[int, str, int]]
    meanings: Meanings
    _called: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        scene_graph: Mapping[str, Any] | None,
        facts: Iterable[Mapping[str, Any]],
        meanings: Meanings | None = None,
    ) -> Evidence:
        """From a row of ``scene_graphs`` (or ``None``) and the rows of ``region_facts`` of one image."""
        truth = cls([], [], meanings or Literal())
        if scene_graph is not None:
            graph = SceneGraph.from_columns(scene_graph)
            for name, others, box in zip(graph.objects, scene_graph["aliases"], scene_graph["boxes"], strict=True):
                truth.things.append(Thing((name, *others), Box.of(box), distinct=True))
            truth._add(graph, list(range(len(graph.objects))))
        facts = list(facts)
        regions = [Box.of(row["box"]) for row in facts]
        shares = covered([thing.box for thing in truth.things if thing.box], regions)
        for row, box, share in zip(facts, regions, shares, strict=True):
            shown = np.flatnonzero(share >= SHOWN).tolist()
            graph = SceneGraph.from_columns(row)
            truth._add(graph, [truth._thing(name, box, shown) for name in graph.objects])
        return truth

    @classmethod
    def of_graph(cls, graph: SceneGraph, meanings: Meanings | None = None) -> Evidence:
        """From one graph without boxes, each object of which is a thing of its own."""
        truth = cls([Thing((name,), None, distinct=True) for name in graph.objects], [], meanings or Literal())
        truth._add(graph, list(range(len(graph.objects))))
        return truth

    def _thing(self, name: str, box: Box, shown: Iterable[int]) -> int:
        """The one of that name among the annotated things that a region shows, or else a new thing that is only mentioned."""
        called = [i for i in shown if any(self.meanings.may_name(known, name) for known in self.things[i].names)]
        if len(called) == 1:
            return called[0]
        self.things.append(Thing((name,), box, distinct=False))
        return len(self.things) - 1

    def _add(self, graph: SceneGraph, places: list[int]) -> None:
        for o, attribute in graph.attributes:
            self.things[places[o]].attributes.add(attribute)
        self.relations.extend((places[s], relation, places[o]) for s, relation, o in graph.relations)

    def within(self, crop: Box) -> Evidence:
        """What is known of the things that show in ``crop``, however little of them."""
        kept = [i for i, thing in enumerate(self.things) if thing.box is None or thing.box.covered_by(crop) > 0]
        new = {i: n for n, i in enumerate(kept)}
        relations = [(new[s], relation, new[o]) for s, relation, o in self.relations if s in new and o in new]
        return Evidence([self.things[i] for i in kept], relations, self.meanings)

    def called(self, name: str) -> tuple[int, ...]:
        """The things that may be called ``name``, as places in ``things``."""
        if name not in self._called:
            may_name = self.meanings.may_name
            found = {i for known, places in self._named.items() if may_name(known, name) for i in places}
            self._called[name] = tuple(sorted(found))
        return self._called[name]

    @cached_property
    def _named(self) -> dict[str, list[int]]:
        """The places of the things of each name: many things share one, and it is asked about once."""
        named: dict[str, list[int]] = {}
        for i, thing in enumerate(self.things):
            for name in thing.names:
                named.setdefault(name, []).append(i)
        return named

    def count(self, name: str) -> int:
        """How many things, at least, may be called ``name``: the distinct ones, or as many as a description counts."""
        called = self.called(name)
        counted = (self.meanings.number(a) for i in called for a in self.things[i].attributes)
        return max(sum(self.things[i].distinct for i in called), max(counted, default=0), min(len(called), 1))

    def object(self, name: str) -> Verdict:
        """Is there anything that may be called ``name``?"""
        return Verdict.TRUE if self.called(name) else Verdict.ABSENT

    def attribute(self, name: str, attribute: str) -> Verdict:
        """Does a thing that may be called ``name`` have ``attribute``? ``FALSE`` where each of them has one that excludes it."""
        called = self.called(name)
        if not called:
            return Verdict.ABSENT
        known = [self.things[i].attributes for i in called]
        if any(self.meanings.implies(a, attribute) for attributes in known for a in attributes):
            return Verdict.TRUE
        if self.meanings.in_part(name, attribute):
            return Verdict.UNKNOWN
        excluded = [self._excluded(attributes, attribute) for attributes in known]
        distinct = sum(self.things[i].distinct and e for i, e in zip(called, excluded, strict=True))
        # A description that rules it out settles it for the only thing of that name, though its annotation is silent.
        settled = any(excluded) and self.count(name) <= max(distinct, 1)
        return Verdict.FALSE if settled else Verdict.UNKNOWN

    def _excluded(self, known: set[str], asked: str) -> bool:
        excluded = any(self.meanings.excludes(a, asked) for a in known)
        return excluded and not any(self.meanings.leaves_open(a, asked) for a in known)

    def triple(self, subject: str, relation: str, object_: str) -> Verdict:
        """Does ``relation`` hold between two things of these names? Boxes settle relations such as "left of"."""
        subjects, objects = self.called(subject), self.called(object_)
        pairs = [(s, o) for s, o in product(subjects, objects) if s != o]
        if not pairs:
            return Verdict.ABSENT
        asked, excluded = set(pairs), set[tuple[int, int]]()
        for s, known, o in self.relations:
            for pair, turned in (((s, o), False), ((o, s), True)):
                if pair not in asked:
                    continue
                if self.meanings.relation_implies(known, relation, turned):
                    return Verdict.TRUE
                if self.meanings.relation_excludes(known, relation, turned):
                    excluded.add(pair)
        excluded |= self._placed_otherwise(pairs, relation)
        distinct = {(s, o) for s, o in pairs if self.things[s].distinct and self.things[o].distinct}
        settled = bool(excluded) and (len(distinct) <= 1 or distinct <= excluded)
        return Verdict.FALSE if settled else Verdict.UNKNOWN

    def _placed_otherwise(self, pairs: Iterable[tuple[int, int]], relation: str) -> set[tuple[int, int]]:
        """The pairs whose boxes show that ``relation`` does not hold, because they lie apart, or their centres the other way."""
        direction = self.meanings.direction(relation)
        touched = {o for o in {o for _, o in pairs} if self.meanings.touches(relation, self.things[o].names[0])}
        found = set()
        for s, o in pairs if direction or touched else ():
            one, other = self.things[s], self.things[o]
            if one.box is None or other.box is None or not (one.distinct and other.distinct):
                continue
            apart = o in touched and not one.box.grown(MARGIN).shared(other.box.grown(MARGIN))
            if apart or (direction and _on_the_other_side(one.box, other.box, *direction)):
                found.add((s, o))
        return found

    def verdict(self, graph: SceneGraph) -> Verdict:
        """What is known of all that ``graph`` says: ``TRUE`` only if each part is, ``FALSE`` or ``ABSENT`` if any part is."""
        parts = [self.object(name) for name in graph.objects]
        parts += [self.attribute(graph.objects[o], attribute) for o, attribute in graph.attributes]
        parts += [self.triple(graph.objects[s], relation, graph.objects[o]) for s, relation, o in graph.relations]
        for worst in (Verdict.FALSE, Verdict.ABSENT, Verdict.UNKNOWN):
            if worst in parts:
                return worst
        return Verdict.TRUE


MARGIN = 0.1
"""The margin of a box on each side, as a share of its width or height."""
SHOWN = 0.7
"""A region shows an annotated object if this share of the object's box lies in the region's."""


def _on_the_other_side(a: Box, b: Box, axis: int, sign: int) -> bool:
    """Whether the centre of ``a`` lies, by more than a margin, not on the side of ``b`` that ``sign`` says."""
    least = min((a.width, a.height)[axis], (b.width, b.height)[axis])
    return (a.centre[axis] - b.centre[axis]) * sign < -MARGIN * least
