"""What is known of an image, and how likely it is that a caption is true of a crop of it although nobody wrote it.

Annotations are incomplete: that no annotation says a thing is weak evidence against what goes without saying, and strong evidence
against what people name when they see it. So every answer is a probability. A statement is true if its words can be given to things
of the crop, known or not: a known thing may have another name, another attribute, be in another relation; and beside the known
things there may be one that nobody mentioned. What words say of each other is :class:`stages.foils.meanings.Meanings`' business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod, sqrt
from typing import Any

import numpy as np

from stages.foils.meanings import Meanings
from stages.geometry.box import Box, covered
from stages.graphs.graph import SceneGraph
from stages.language.lexicon import words
from stages.semantics import attributes, relations
from stages.semantics.relation_table import POSTURES, TOUCHING_PLACES
from stages.wording.word_classes import is_person

LIKELY = 0.5
"""What is as probable as this is taken to be true, and a name as probable as this to be a thing's."""
RULED_OUT = 0.003
"""That two things are in a relation though another one is known of them that rules it out."""
APART = 0.01
"""That two things are in a relation although their boxes speak against it: boxes are drawn loosely."""
OPEN = {"attribute": 0.3, "relation": 0.25}
"""That a thing has an attribute, or that two are in a relation, of which nothing is known, at most."""
SAID = {"attribute": 3.0, "relation": 0.5}
"""How many times as often as people say it, of all that they say of such things, it holds of things of which nobody says it."""
UNSEEN = {"attribute": 0.1, "relation": 0.03}
"""The same of a further thing, which nobody mentioned."""
SOMEWHERE = 0.7
"""That a thing which nobody mentioned is to a known one what most such things are: a cup that is in an office is on the desk."""
WITHIN = 0.25
"""Things so much of whose box lies in another's, a pen's in a desk's, may well be on it or in it, whatever people say of such."""
HOLDING = words("have with wear hold carry")
"""What one thing has, its neighbour need not have."""
REACH = 1.0
"""Things are not next to each other if more than so many times the larger one's width or height lies between their boxes."""
NEIGHBOUR = 0.5
"""That what one person calls red another calls orange."""
MIXED = 5.0
"""How many times as often as other things those have a further colour of which two are known, or a pattern."""
MARGIN = 0.1
"""The margin of a box on each side, as a share of its width or height."""
SHOWN = 0.7
"""A region shows an annotated object if this share of the object's box lies in the region's."""


@dataclass
class Thing:
    """An object of an image.

    ``distinct``: it is none of the other things, because the scene graph lists it, or because it is described where none of its
    name is known. ``described``: its box is that of the region which speaks of it, and it may be anywhere in there.

    The words before a name's last one count as attributes, too: one's "orange box" is another's orange box.
    """

    names: tuple[str, ...]
    box: Box | None
    distinct: bool
    attributes: set[str] = field(default_factory=set)
    described: bool = False

    def __post_init__(self) -> None:
        self.attributes.update(word for name in self.names for word in name.split()[:-1])


@dataclass
class Evidence:
    """What is known of an image, or of a crop of it (:meth:`within`).

    Attributes:
        size: of the image, in pixels squared; 0 where it is not known.
        share: of the image that the crop shows.
        said, ascribed: all names, and all attributes, that are known of the image.
    """

    things: list[Thing]
    relations: list[tuple[int, str, int]]
    meanings: Meanings
    size: float = 0.0
    share: float = 1.0
    said: frozenset[str] = frozenset()
    ascribed: frozenset[str] = frozenset()
    _called: dict[str, dict[int, float]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        scene_graph: Mapping[str, Any] | None,
        facts: Iterable[Mapping[str, Any]],
        meanings: Meanings,
    ) -> Evidence:
        """From a row of ``scene_graphs`` (or ``None``) and the rows of ``region_facts`` of one image."""
        known = cls([], [], meanings)
        if scene_graph is not None:
            graph = SceneGraph.from_columns(scene_graph)
            for name, others, box in zip(graph.objects, scene_graph["aliases"], scene_graph["boxes"], strict=True):
                known.things.append(Thing((name, *others), Box.of(box), distinct=True))
            known._add(graph, list(range(len(graph.objects))))
            known.size = scene_graph["image_width"] * scene_graph["image_height"]
        annotated = len(known.things)
        facts = list(facts)
        regions = [Box.of(row["box"]) for row in facts]
        inside = covered([thing.box for thing in known.things if thing.box], regions)
        for row, box, shares in zip(facts, regions, inside, strict=True):
            graph, shown = SceneGraph.from_columns(row), np.flatnonzero(shares >= SHOWN).tolist()
            known._add(graph, [known._thing(name, box, shown, annotated) for name in graph.objects])
        known.said = frozenset(name for thing in known.things for name in thing.names).union(*(row["objects"] for row in facts))
        known.ascribed = frozenset(attribute for thing in known.things for attribute in thing.attributes)
        return known

    def _thing(self, name: str, box: Box, shown: Iterable[int], annotated: int) -> int:
        """The one of that name among the annotated things that a region shows, or what was described there, or else a new one.

        A new one is ``distinct`` if the region meets nothing else of that name.
        """
        called = [i for i in shown if self._may_be(i, name)]
        if len(called) == 1:
            return called[0]
        near = [i for i, thing in enumerate(self.things) if thing.box and box.shared(thing.box) and self._may_be(i, name)]
        before = [i for i in near if i >= annotated and self.things[i].names == (name,) and self.things[i].box == box]
        if before:
            return before[0]
        self.things.append(Thing((name,), box, distinct=not near, described=True))
        return len(self.things) - 1

    def _may_be(self, thing: int, name: str) -> bool:
        return any(self.meanings.one_thing(known, name) >= LIKELY for known in self.things[thing].names)

    def _add(self, graph: SceneGraph, places: list[int]) -> None:
        for o, attribute in graph.attributes:
            self.things[places[o]].attributes.add(attribute)
        self.relations.extend((places[s], relation, places[o]) for s, relation, o in graph.relations)

    def within(self, crop: Box) -> Evidence:
        """What is known of the things that show in ``crop``, however little of them."""
        kept = [i for i, thing in enumerate(self.things) if thing.box is None or thing.box.shared(crop) > 0]
        new = {i: n for n, i in enumerate(kept)}
        found = [(new[s], relation, new[o]) for s, relation, o in self.relations if s in new and o in new]
        share = min(1.0, crop.area / self.size) if self.size else 1.0
        return replace(self, things=[self.things[i] for i in kept], relations=found, share=share, _called={})

    # --- Things -------------------------------------------------------------------------------------------------------------------

    def called(self, name: str, least: float = LIKELY) -> tuple[int, ...]:
        """The things that are as likely as that to be called ``name``, as places in ``things``."""
        return tuple(i for i, p in self._named(name).items() if p >= least)

    def _named(self, name: str) -> dict[int, float]:
        """The things that may be called ``name``, each with how probable that is."""
        if name not in self._called:
            one_thing = self.meanings.one_thing
            of = {known: p for known in self._names if (p := one_thing(known, name)) > 0}
            found: dict[int, float] = {}
            for known, p in of.items():
                for i in self._names[known]:
                    found[i] = max(p, found.get(i, 0.0))
            self._called[name] = dict(sorted(found.items()))
        return self._called[name]

    @cached_property
    def _names(self) -> dict[str, list[int]]:
        """The places of the things of each name: many things share one, and it is asked about once."""
        named: dict[str, list[int]] = {}
        for i, thing in enumerate(self.things):
            for name in thing.names:
                named.setdefault(name, []).append(i)
        return named

    def count(self, name: str) -> int:
        """How many things, at least, are called ``name``: the distinct ones, or as many as a description counts."""
        called = self.called(name)
        counted = (self.meanings.number(a) for i in called for a in self.things[i].attributes)
        return max(sum(self.things[i].distinct for i in called), max(counted, default=0), min(len(called), 1))

    def unsaid(self, name: str) -> float:
        """The probability that the crop shows a thing called ``name`` beside those that are known."""
        habits = self.meanings.habits
        known = any(self.meanings.one_thing(other, name) >= LIKELY for other in self.said)
        return (habits.another(name) if known else self.meanings.unsaid(name, self.said)) * sqrt(self.share)

    # --- Statements ---------------------------------------------------------------------------------------------------------------

    def probability(self, graph: SceneGraph) -> float:
        """How probable it is that all that ``graph`` says is true of the crop: no more than the least probable of its parts."""
        return min(self.parts(graph), default=1.0)

    def parts(self, graph: SceneGraph) -> Iterator[float]:
        """The same of each part: every attribute, every relation, and every object that has neither."""
        yield from (self.attribute(graph.objects[o], attribute) for o, attribute in graph.attributes)
        yield from (self.triple(graph.objects[s], relation, graph.objects[o]) for s, relation, o in graph.relations)
        spoken_of = {o for o, _ in graph.attributes} | {i for s, _, o in graph.relations for i in (s, o)}
        yield from (self.object(name) for i, name in enumerate(graph.objects) if i not in spoken_of)

    def object(self, name: str) -> float:
        """Is there anything that may be called ``name``?"""
        return _either([max(self._named(name).values(), default=0.0), self.unsaid(name)])

    def attribute(self, name: str, attribute: str) -> float:
        """Does a thing that may be called ``name`` have ``attribute``?"""
        named = self._named(name)
        if (number := self.meanings.number(attribute)) > 1:
            return 1.0 if self.count(name) >= number else self.unsaid(name)
        distinct = [i for i in named if self.things[i].distinct and named[i] >= LIKELY]
        # What is said of a thing that may be the only one is said of it.
        pooled = {distinct[0]: set().union(*(self.things[i].attributes for i in self.called(name)))} if len(distinct) == 1 else {}
        open_ = self._open("attribute", attribute, name)
        found = [self.unsaid(name) * (min(open_, UNSEEN["attribute"]) if named else open_)]
        for i, p in named.items():
            has = self._has(pooled.get(i, self.things[i].attributes), attribute, name)
            if self.things[i].distinct or has >= NEIGHBOUR or not distinct:
                found.append(p * has)
            elif p >= LIKELY:
                found.append(p * has * self._another(i, distinct))
        return _either(found)

    def _another(self, described: int, known: Iterable[int]) -> float:
        """The probability that a description speaks of none of the known things: of a leafless tree, where those known are green.

        Only what is told of none of them tells it from them, and the less so, the more of its box it has in common with one.
        """
        thing, others = self.things[described], [self.things[i] for i in known]
        told = {own for other in others for own in other.attributes}
        new = (a for a in thing.attributes if self.meanings.number(a) == 1 and not any(attributes.implies(own, a) for own in told))
        if thing.box is None or not any(new):
            return 0.0
        alike = (max(thing.box.covered_by(o.box), o.box.covered_by(thing.box)) for o in others if o.box is not None)
        return 1.0 - max(alike, default=1.0)

    def _open(self, kind: str, word: str, *nouns: str) -> float:
        """The probability that things called so have an attribute, or are in a relation, if nothing is known of them.

        What people say of such things tells who rides whom, but not who stands to the left of whom; and which colours there are,
        but not what is clean, large or empty, which they seldom say.
        """
        if kind == "relation" and relations.stands(word):
            return OPEN[kind]
        sense = self.meanings.sense
        least = 0.0
        if kind == "attribute":
            # Everything has a colour and a material: one that nobody tells is as probable as among all that are told of such.
            least = sense.of_class(word, nouns[0]) if attributes.told(word) else UNSEEN[kind]
        return min(OPEN[kind], max(least, SAID[kind] * sense.said(kind, word, nouns)))

    def _has(self, known: Iterable[str], asked: str, name: str) -> float:
        """The probability that a thing with the attributes ``known`` has ``asked``."""
        own = sorted(known)
        if any(attributes.implies(k, asked) for k in own):
            return 1.0 if any(attributes.head(k) == attributes.head(asked) for k in own) else NEIGHBOUR
        if "colour" in attributes.classes(asked) and is_person(name):
            return self._open("attribute", asked, name)
        # Silver, copper and bronze are colours of most things, and say nothing of what these are made of.
        of_matter = attributes.classes(asked).keys() == {"material"}
        against = [k for k in own if attributes.excludes(k, asked) and not (of_matter and "colour" in attributes.classes(k))]
        if not against:
            return self._open("attribute", asked, name)
        mixed = "colour" in attributes.classes(asked) and (
            len({attributes.classes(k)["colour"] for k in own if "colour" in attributes.classes(k)}) > 1
            or any(attributes.leaves_open(k, asked) for k in own)
        )
        return min(1.0, max(self.meanings.habits.also(k, asked, name) for k in against) * (MIXED if mixed else 1.0))

    def triple(self, subject: str, relation: str, object_: str) -> float:
        """Does ``relation`` hold between two things of these names? Boxes settle relations such as "left of"."""
        subjects, objects = self._named(subject), self._named(object_)
        against: set[tuple[int, int]] = set()
        holds = 0.0
        for s, known, o in self.relations:
            for (a, b), turned in (((s, o), False), ((o, s), True)):
                if a in subjects and b in objects and a != b:
                    if relations.implies(known, relation, turned):
                        holds = max(holds, subjects[a] * objects[b])
                    elif relations.excludes(known, relation, turned):
                        against.add((a, b))
        one, other = self._main(subjects), self._main(objects)
        unseen = self.unsaid(subject) * max(other.values(), default=0.0) + self.unsaid(object_) * max(one.values(), default=0.0)
        open_ = self._open("relation", relation, subject, object_)
        usual = SOMEWHERE * self.meanings.sense.said("relation", relation, (subject, object_))
        fits = min(open_, UNSEEN["relation"]) if self.called(subject) and self.called(object_) else max(open_, usual)
        fails = (1 - holds) * (1 - min(1.0, unseen) * fits)
        for s, o in product(one, other):
            if fails <= 1 - LIKELY:
                break
            if s != o:
                p = RULED_OUT if (s, o) in against else self._pair(s, relation, o, open_)
                fails *= 1 - one[s] * other[o] * p
        return 1 - fails

    def _pair(self, s: int, relation: str, o: int, open_: float) -> float:
        """The probability that two things are in a relation, by their boxes, or else ``open_``, by what people say of such."""
        if self.placed_otherwise(s, relation, o):
            return APART
        one, other = self.things[s].box, self.things[o].box
        within = one is not None and other is not None and one.covered_by(other) >= WITHIN
        near = (within and relations.touches(relation, self.things[o].names[0])) or self._as_well(s, relation, o)
        # What lies on a plate that is on a desk is on the desk.
        at_last = relations.read(relation).place in TOUCHING_PLACES and s in self.at(self.at([o]))
        return OPEN["relation"] if near or at_last else open_

    def at(self, places: Iterable[int]) -> set[int]:
        """The things that are on, in or against any of the things ``places``."""
        return set().union(*(self._at.get(o, ()) for o in places))

    @cached_property
    def _at(self) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {}
        for s, r, o in self.relations:
            if relations.read(r).place in TOUCHING_PLACES:
                found.setdefault(o, set()).add(s)
        return found

    def _as_well(self, s: int, relation: str, o: int) -> bool:
        """Who works on a computer works on the desk that it touches, and sits at it, too: one is a posture, the other is none."""
        verb = relations.read(relation).verb
        if not verb or verb in HOLDING:
            return False
        own = [(relations.read(r).verb, b) for a, r, b in self.relations if a == s]
        at_once = (b == o and other and (other in POSTURES) != (verb in POSTURES) for other, b in own)
        return any(at_once) or any(other == verb and self._meet(b, o) for other, b in own)

    def _meet(self, a: int, b: int) -> bool:
        one, other = self.things[a].box, self.things[b].box
        return one is not None and other is not None and one.shared(other) > 0

    def _main(self, named: Mapping[int, float]) -> dict[int, float]:
        """Of the things that may be called so, the distinct ones, or all where none is."""
        return {i: p for i, p in named.items() if self.things[i].distinct} or dict(named)

    def placed_otherwise(self, s: int, relation: str, o: int) -> bool:
        """Whether the boxes of two things speak against ``relation``, because they lie apart, or their centres the other way."""
        one, other = self.things[s], self.things[o]
        if one.box is None or other.box is None:
            return False
        if relations.touches(relation, other.names[0]) and not one.box.grown(MARGIN).shared(other.box):
            return True
        direction = relations.direction(relation)
        if not (one.distinct and other.distinct):
            return False
        if relations.close(relation) and one.box.gap(other.box) > REACH * max(*one.box[2:], *other.box[2:]):
            return True
        return direction is not None and _on_the_other_side(one.box, other.box, *direction)


def _either(probabilities: Iterable[float]) -> float:
    """That at least one holds of things that have nothing to do with each other."""
    return 1 - prod(1 - p for p in probabilities)


def _on_the_other_side(a: Box, b: Box, axis: int, sign: int) -> bool:
    """Whether the centre of ``a`` lies, by more than a margin, not on the side of ``b`` that ``sign`` says."""
    least = min((a.width, a.height)[axis], (b.width, b.height)[axis])
    return (a.centre[axis] - b.centre[axis]) * sign < -MARGIN * least
