"""How probable it is that a caption is true of a crop although nobody wrote it.

Annotations are incomplete: that no annotation names a thing is strong evidence against a dog and weak evidence against a wall. So
every answer is a probability. What is known may rule a statement out (a known attribute or relation excludes it, or the boxes do);
otherwise it is as probable as such statements are in general.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from math import prod, sqrt
from typing import Any

from stages.graphs.graph import SceneGraph
from stages.language.lexicon import words
from stages.negatives.known_things import KnownThings
from stages.negatives.meanings import LIKELY, PART, may_be_part
from stages.semantics import attributes, relations
from stages.wording.word_classes import is_person

RULED_OUT = 0.01
"""That a relation holds although a known one, or the boxes, exclude it: one annotation in a hundred is wrong (a guess)."""
OPEN = 0.25
"""That a relation holds of two things of which nothing is known, or an attribute that has no exclusive class (a guess; high, so
that what nothing rules out is refused)."""
HOLDING = words("have with wear hold carry")
"""What one thing has, its neighbour need not have."""


@dataclass
class Evidence(KnownThings):
    """What is known of an image or a crop of it, and what that says of a statement."""

    _asked: dict[SceneGraph, float] = field(default_factory=dict, repr=False)

    def _empty(self) -> dict[str, Any]:
        return {"_asked": {}}

    def probability(self, graph: SceneGraph) -> float:
        """Return the probability that all that ``graph`` says is true of the crop: that of its least probable part.

        Nothing that a graph without objects says can be true.
        """
        if not graph.objects:
            return 0.0
        if graph not in self._asked:
            self._asked[graph] = min(self.parts(graph))
        return self._asked[graph]

    def parts(self, graph: SceneGraph) -> Iterator[float]:
        """Yield the probability of every attribute, every relation, and every object that has neither."""
        yield from (self.attribute(graph.objects[o], attribute) for o, attribute in graph.attributes)
        yield from (self.triple(graph.objects[s], relation, graph.objects[o]) for s, relation, o in graph.relations)
        spoken_of = {o for o, _ in graph.attributes} | {i for s, _, o in graph.relations for i in (s, o)}
        yield from (self.object(name) for i, name in enumerate(graph.objects) if i not in spoken_of)

    def object(self, name: str) -> float:
        """Return the probability that the crop shows anything that may be called ``name``."""
        return _either([max(self.named(name).values(), default=0.0), self.unmentioned(name)])

    def unmentioned(self, name: str) -> float:
        """Return the probability that the crop shows a thing called ``name`` other than those that are known.

        A crop of a quarter of the image shows half of what its image does: most things are neither points nor everywhere.
        """
        if name in self._said_by_attributes:
            return LIKELY
        return self.meanings.unmentioned(name, self.said) * sqrt(self.share)

    @cached_property
    def _said_by_attributes(self) -> frozenset[str]:
        """The words of attributes of several words: what is "covered in snow" shows some snow."""
        several = (a.split() for thing in self.things for a in thing.attributes if " " in a)
        return frozenset(word for own in several for word in own)

    def attribute(self, name: str, attribute: str) -> float:
        """Return the probability that a thing that may be called ``name`` has ``attribute``."""
        named = self.named(name)
        if (number := self.meanings.number(attribute)) > 1:
            return 1.0 if self.count(name) >= number else self.unmentioned(name)
        distinct = [i for i in named if self.things[i].distinct and named[i] >= LIKELY]
        # What is said of a thing that may be the only one is said of it.
        pooled = {distinct[0]: set().union(*(self.things[i].attributes for i in self.called(name)))} if len(distinct) == 1 else {}
        found = [self.unmentioned(name) * self._usual(name, attribute)]
        for i, p in named.items():
            has = self._has(pooled.get(i, self.things[i].attributes), attribute, name)
            # What is only described is mostly one of the known things: then it tells no more than that it has the attribute.
            if self.things[i].distinct or has >= LIKELY or not distinct:
                found.append(p * has)
            elif p >= LIKELY:
                found.append(p * has * self._another(i, distinct))
        return _either(found)

    def _another(self, described: int, known: Iterable[int]) -> float:
        """Return the probability that a description speaks of none of the ``known`` things: a leafless tree, of green ones.

        It does not if it says nothing that is new of all of them; else the less so, the more of its box it shares with one.
        """
        thing, others = self.things[described], [self.things[i] for i in known]
        said = {own for other in others for own in other.attributes}
        new = (a for a in thing.attributes if self.meanings.number(a) == 1 and not any(attributes.implies(own, a) for own in said))
        if not any(new):
            return 0.0
        return 1.0 - max(max(thing.box.covered_by(o.box), o.box.covered_by(thing.box)) for o in others)

    def _has(self, known: Iterable[str], asked: str, name: str) -> float:
        """Return the probability that a thing with the attributes ``known`` has ``asked``."""
        own = sorted(known)
        if any(attributes.implies(k, asked) for k in own):
            return 1.0
        # A person's colours are those of clothes, skin and hair, and nobody says which.
        if "colour" in attributes.classes(asked) and is_person(name):
            return OPEN
        against = [k for k in own if attributes.excludes(k, asked) and not attributes.leaves_open(k, asked)]
        # Silver is a colour of most things, and says nothing of what they are made of; what is of two colours may have a third.
        if attributes.classes(asked).keys() == {"material"}:
            against = [k for k in against if "colour" not in attributes.classes(k)]
        if any(attributes.excludes(one, other) for one, other in combinations(against, 2)):
            against = []
        return max((self.meanings.habits.also(k, asked) for k in against), default=self._usual(name, asked))

    def _usual(self, name: str, attribute: str) -> float:
        """Return the probability of an attribute of a thing of which nothing is known; a word that nobody says may be any."""
        share = self.meanings.usage.share(name, attribute) if attributes.classes(attribute) else OPEN
        return min(OPEN, share or OPEN)

    def triple(self, subject: str, relation: str, object_: str) -> float:
        """Return the probability that ``relation`` holds between two things of these names."""
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
        there = self.unmentioned(subject) * max(other.values(), default=self.unmentioned(object_))
        there += self.unmentioned(object_) * max(one.values(), default=0.0)
        # What nobody mentions is mostly where such things are; a further thing of a known name may be anywhere.
        fails = (1 - holds) * (1 - min(1.0, there) * (OPEN if self.called(subject) and self.called(object_) else 1.0))
        if self._may_be_part(subject, relation, object_):
            fails *= 1 - PART
        for s, o in product(one, other):
            if fails <= 1 - LIKELY:
                break
            if s != o:
                out = (s, o) in against or self.placed_otherwise(s, relation, o) or self._taken(s, relation, o)
                fails *= 1 - one[s] * other[o] * (RULED_OUT if out else OPEN)
        return 1 - fails

    def _may_be_part(self, subject: str, relation: str, object_: str) -> bool:
        """Return whether a relation says that a known thing has such a part: a car has a roof, though nobody says so."""
        verb, place = relations.read(relation)
        if verb == "have" or (not verb and place == "with"):
            return bool(self.called(subject)) and may_be_part(object_, subject)
        return not verb and place == "of" and bool(self.called(object_)) and may_be_part(subject, object_)

    def _taken(self, s: int, relation: str, o: int) -> bool:
        """Return whether a thing is known to be on, in or against another thing, or another is known to hold, wear or have it.

        A cup that is on the table is not on the shelf, and one man's hat is not another's.
        """
        verb, place = relations.read(relation)
        if verb in HOLDING or (not verb and place in HOLDING):
            held = {(a, b) for a, r, b in self.relations if b == o and not HOLDING.isdisjoint(relations.read(r))}
            return bool(held) and (s, o) not in held
        if place not in relations.TOUCHING_PLACES:
            return False
        at = {b for a, r, b in self.relations if a == s and relations.read(r).place == place}
        return bool(at) and o not in at and not any(self.things[b].box.shared(self.things[o].box) > 0 for b in at)

    def _main(self, named: Mapping[int, float]) -> dict[int, float]:
        """Return the distinct ones of the things that may be called so, or all where none is."""
        return {i: p for i, p in named.items() if self.things[i].distinct} or dict(named)


def _either(probabilities: Iterable[float]) -> float:
    """Return the probability that at least one of several independent statements holds."""
    return 1 - prod(1 - p for p in probabilities)
