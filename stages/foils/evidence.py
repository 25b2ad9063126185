"""How likely it is that a caption is true of a crop although nobody wrote it.

Annotations are incomplete: that no annotation says a thing is weak evidence against what goes without saying, and strong evidence
against what people name when they see it. So every answer is a probability. A statement is true if its words can be given to things
of the crop, known or not: a known thing may have another name, another attribute, be in another relation; and beside the known
things there may be one that nobody mentioned.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from math import prod

from stages.foils.known_things import LIKELY, KnownThings
from stages.foils.sorts import part_and_whole
from stages.graphs.graph import SceneGraph
from stages.language.lexicon import words
from stages.semantics import attributes, relations, things
from stages.wording.word_classes import is_person

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
NEIGHBOUR = 0.5
"""That what one person calls red another calls orange."""
MIXED = 5.0
"""How many times as often as other things those have a further colour of which two are known, or a pattern."""


class Evidence(KnownThings):
    """What is known of an image or a crop of it, and what that says of a statement."""

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
        return _either([max(self.named(name).values(), default=0.0), self.unsaid(name)])

    def attribute(self, name: str, attribute: str) -> float:
        """Does a thing that may be called ``name`` have ``attribute``?"""
        named = self.named(name)
        if (number := self.meanings.number(attribute)) > 1:
            return 1.0 if self.count(name) >= number else self.unsaid(name)
        distinct = [i for i in named if self.things[i].distinct and named[i] >= LIKELY]
        # What is said of a thing that may be the only one is said of it.
        pooled = {distinct[0]: set().union(*(self.things[i].attributes for i in self.called(name)))} if len(distinct) == 1 else {}
        open_ = self._open("attribute", attribute, name)
        found = [self.unsaid(name) * (min(open_, UNSEEN["attribute"]) if named else open_)]
        for i, p in named.items():
            has = max(
                self._has(pooled.get(i, self.things[i].attributes), attribute, name), NEIGHBOUR * self._of_whole(i, attribute)
            )
            if self.things[i].distinct or has >= NEIGHBOUR or not distinct:
                found.append(p * has)
            elif p >= LIKELY:
                found.append(p * has * self._another(i, distinct))
        return _either(found)

    def _of_whole(self, thing: int, asked: str) -> bool:
        """Is ``asked`` one of several colours of what the thing is a part of? Which part has which colour nobody tells."""
        if "colour" not in attributes.classes(asked):
            return False
        several = (_colours(self.things[whole].attributes) for whole in self._wholes.get(thing, ()))
        return any(len(own) > 1 and any(attributes.implies(a, asked) for a in own) for own in several)

    @cached_property
    def _wholes(self) -> dict[int, set[int]]:
        """What each thing is said to be a part of."""
        found: dict[int, set[int]] = {}
        for s, relation, o in self.relations:
            one, other = self.things[s].names[0], self.things[o].names[0]
            for part, _ in part_and_whole(one, relation, other):
                found.setdefault(s if part == one else o, set()).add(o if part == one else s)
        return found

    def _another(self, described: int, known: Iterable[int]) -> float:
        """The probability that a description speaks of none of the known things: of a leafless tree, where those known are green.

        Only what is told of none of them tells it from them, and the less so, the more of its box it has in common with one.
        """
        thing, others = self.things[described], [self.things[i] for i in known]
        told = {own for other in others for own in other.attributes}
        new = (a for a in thing.attributes if self.meanings.number(a) == 1 and not any(attributes.implies(own, a) for own in told))
        if not any(new):
            return 0.0
        return 1.0 - max(max(thing.box.covered_by(o.box), o.box.covered_by(thing.box)) for o in others)

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
        # A person is of no colour that is told, and through a window one sees what is behind it.
        if "colour" in attributes.classes(asked) and (is_person(name) or "window" in things.kinds(name)):
            return self._open("attribute", asked, name)
        # Silver, copper and bronze are colours of most things, and say nothing of what these are made of.
        of_matter = attributes.classes(asked).keys() == {"material"}
        against = [k for k in own if attributes.excludes(k, asked) and not (of_matter and "colour" in attributes.classes(k))]
        if not against:
            return self._open("attribute", asked, name)
        mixed = "colour" in attributes.classes(asked) and (
            len({attributes.classes(k)["colour"] for k in _colours(own)}) > 1 or any(attributes.leaves_open(k, asked) for k in own)
        )
        return min(1.0, max(self.meanings.habits.also(k, asked, name) for k in against) * (MIXED if mixed else 1.0))

    def triple(self, subject: str, relation: str, object_: str) -> float:
        """Does ``relation`` hold between two things of these names? Boxes settle relations such as "left of"."""
        subjects, objects = self.named(subject), self.named(object_)
        against: set[tuple[int, int]] = set()
        holds = 0.0
        for s, known, o in self.relations:
            for (a, b), turned in (((s, o), False), ((o, s), True)):
                if a in subjects and b in objects and a != b:
                    if relations.implies(known, relation, turned):
                        holds = max(holds, subjects[a] * objects[b])
                    elif relations.excludes(known, relation, turned) and not relations.leaves_open(known, relation, object_):
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
        within = self.things[s].box.covered_by(self.things[o].box) >= WITHIN
        near = (within and relations.touches(relation, self.things[o].names[0])) or self._as_well(s, relation, o)
        # What lies on a plate that is on a desk is on the desk.
        at_last = relations.read(relation).place in relations.TOUCHING_PLACES and s in self.at(self.at([o]))
        return OPEN["relation"] if near or at_last else open_

    def _as_well(self, s: int, relation: str, o: int) -> bool:
        """Who works on a computer works on the desk that it touches, and sits at it, too: one is a posture, the other is none."""
        verb = relations.read(relation).verb
        if not verb or verb in HOLDING:
            return False
        own = [(relations.read(r).verb, b) for a, r, b in self.relations if a == s]
        at_once = (b == o and other and (other in relations.POSTURES) != (verb in relations.POSTURES) for other, b in own)
        here, others = self.things[o].box, [self.things[b].box for other, b in own if other == verb]
        return any(at_once) or any(box.shared(here) > 0 for box in others)

    def _main(self, named: Mapping[int, float]) -> dict[int, float]:
        """Of the things that may be called so, the distinct ones, or all where none is."""
        return {i: p for i, p in named.items() if self.things[i].distinct} or dict(named)


def _colours(told: Iterable[str]) -> list[str]:
    return [attribute for attribute in told if "colour" in attributes.classes(attribute)]


def _either(probabilities: Iterable[float]) -> float:
    """That at least one holds of things that have nothing to do with each other."""
    return 1 - prod(1 - p for p in probabilities)
