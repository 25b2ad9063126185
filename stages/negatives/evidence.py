"""How probable it is that a caption is true of a crop although nobody wrote it.

Annotations are incomplete: that no annotation names a thing is strong evidence against a dog and weak evidence against a wall. So
every answer is a probability. What is known may rule a statement out (a known attribute or relation excludes it, or the boxes do);
otherwise it is as probable as such statements are in general.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import sqrt

from stages.graphs.graph import SceneGraph
from stages.negatives.counts import RULED_OUT
from stages.negatives.known_things import KnownThings
from stages.negatives.meanings import LIKELY, OPEN, may_be_part
from stages.semantics import attributes, relations
from stages.text.inflection import is_verbal
from stages.text.lexicon import words
from stages.text.word_classes import is_person, is_worn_in

HOLDING = words("have with wear hold carry")
"""What one thing has, its neighbour need not have."""


@dataclass
class Evidence(KnownThings):
    """What is known of an image or a crop of it, and what that says of a statement."""

    enough: float = LIKELY
    """A statement that is more probable than this counts as true: how far above is not computed."""
    _asked: dict[SceneGraph, float] = field(default_factory=dict, init=False, repr=False)
    _mains: dict[str, dict[int, float]] = field(default_factory=dict, init=False, repr=False)
    _said_of: dict[str, frozenset[str]] = field(default_factory=dict, init=False, repr=False)

    def probability(self, graph: SceneGraph) -> float:
        """Return an upper bound of the probability that all that ``graph`` says is true of the crop: that of one of its parts.

        It is the least probable part, or the first that is no more probable than ``enough``. Nothing that a graph without objects
        says can be true.
        """
        if not graph.objects:
            return 0.0
        if graph not in self._asked:
            bound = 1.0
            for part in self.parts(graph):
                bound = min(bound, part)
                if bound <= self.enough:
                    break
            self._asked[graph] = bound
        return self._asked[graph]

    def parts(self, graph: SceneGraph) -> Iterator[float]:
        """Yield the probability of every attribute, every relation, and every object that has neither."""
        yield from (self.attribute(graph.objects[o], attribute) for o, attribute in graph.attributes)
        yield from (self.triple(graph.objects[s], relation, graph.objects[o]) for s, relation, o in graph.relations)
        spoken_of = {o for o, _ in graph.attributes} | {i for s, _, o in graph.relations for i in (s, o)}
        yield from (self.object(name) for i, name in enumerate(graph.objects) if i not in spoken_of)

    def object(self, name: str) -> float:
        """Return the probability that the crop shows anything that may be called ``name``."""
        return 1 - (1 - max(self.named(name).values(), default=0.0)) * (1 - self.unmentioned(name))

    def unmentioned(self, name: str) -> float:
        """Return the probability that the crop shows a thing called ``name`` other than those that are known.

        A crop of a quarter of the image shows half of what its image does: most things are neither points nor everywhere.
        """
        return LIKELY if name in self._said_by_attributes else self.hidden(name) * sqrt(self.share)

    @cached_property
    def _said_by_attributes(self) -> frozenset[str]:
        """The words of attributes of several words: what is "covered in snow" shows some snow."""
        several = (a.split() for thing in self.things for a in thing.attributes if " " in a)
        return frozenset(word for own in several for word in own)

    def attribute(self, name: str, attribute: str) -> float:
        """Return the probability that a thing that may be called ``name`` has ``attribute``."""
        named, has = self.named(name), self.meanings.has
        if (number := self.meanings.number(attribute)) > 1:
            return 1.0 if self.count(name) >= number else self.unmentioned(name)
        distinct = [i for i in self.called(name) if self.things[i].distinct]
        # What is said of a thing that may be the only one is said of it.
        pooled = {distinct[0]: self._pooled(name)} if len(distinct) == 1 else {}
        fails = 1 - self.unmentioned(name) * has(frozenset(), attribute, name)
        for i, p in named.items():
            if fails < 1 - self.enough:
                break
            holds = has(pooled.get(i, self.known_of[i]), attribute, name)
            # What is only described is mostly one of the known things: then it tells no more than that it has the attribute.
            if self.things[i].distinct or holds >= LIKELY or not distinct:
                fails *= 1 - p * holds
            elif p >= LIKELY:
                fails *= 1 - p * holds * self._another(i, distinct)
        return 1 - fails

    def _pooled(self, name: str) -> frozenset[str]:
        """Return the attributes of all things that are likely called ``name``."""
        if name not in self._said_of:
            self._said_of[name] = frozenset().union(*(self.known_of[i] for i in self.called(name)))
        return self._said_of[name]

    @cached_property
    def known_of(self) -> list[frozenset[str]]:
        """Return the attributes of each thing."""
        return [frozenset(thing.attributes) for thing in self.things]

    def _another(self, described: int, known: Iterable[int]) -> float:
        """Return the probability that a description speaks of none of the ``known`` things: "a leafless tree", where those are
        green.

        It does not if it says nothing that is new of all of them; else the less so, the more of its box it shares with one.
        """
        thing, others = self.things[described], [self.things[i] for i in known]
        said = {own for other in others for own in other.attributes}
        new = (a for a in thing.attributes if self.meanings.number(a) == 1 and not any(attributes.implies(own, a) for own in said))
        if not any(new):
            return 0.0
        return 1.0 - max(max(thing.box.covered_by(o.box), o.box.covered_by(thing.box)) for o in others)

    def triple(self, subject: str, relation: str, object_: str) -> float:
        """Return the probability that ``relation`` holds between two things of these names."""
        subjects, objects = self.named(subject), self.named(object_)
        one, other = self._main(subject), self._main(object_)
        usual = self._usual(subject, relation, object_)
        there = self.unmentioned(subject) * max(other.values(), default=self.unmentioned(object_))
        there += self.unmentioned(object_) * max(one.values(), default=0.0)
        # What nobody mentions is mostly where such things are; a further thing of a known name may be anywhere.
        fails = 1 - min(1.0, there) * usual * (OPEN if self.called(subject) and self.called(object_) else 1.0)
        if self._may_be_part(subject, relation, object_):
            fails *= 1 - OPEN
        against = set[tuple[int, int]]()
        for s in subjects if objects else ():
            for o, said in self.between.get(s, {}).items():
                if o in objects:
                    if any(relations.implies(known, relation, turned) for known, turned in said):
                        fails = min(fails, 1 - subjects[s] * objects[o])
                    elif any(self._excludes(known, relation, turned, object_) for known, turned in said):
                        against.add((s, o))
        for s, o in product(one, other):
            if fails < 1 - self.enough:
                break
            if s != o:
                out = (s, o) in against or self.placed_otherwise(s, relation, o) or self._taken(s, relation, o)
                fails *= 1 - one[s] * other[o] * usual * (RULED_OUT if out else OPEN)
        return 1 - fails

    def _usual(self, subject: str, relation: str, object_: str) -> float:
        """Return how many times as often as by chance people say a relation of such things, at most 1: no mountain wears a hat.

        Other places than a contact ("behind", "walk near") hold far more often than anybody says so: their usage tells nothing.
        """
        place = relations.read(relation).place
        if place not in relations.TOUCHING_PLACES | HOLDING and (place or not is_verbal(relation)):
            return 1.0
        return min(1.0, self.meanings.usage.relation(subject, relation, object_) ** 2)

    @cached_property
    def between(self) -> dict[int, dict[int, list[tuple[str, bool]]]]:
        """Return the known relations of each two different things, each with whether it is meant from the second to the first."""
        found: dict[int, dict[int, list[tuple[str, bool]]]] = {}
        for s, relation, o in self.relations:
            if s != o:
                relation = "wear" if relation in ("in", "with") and self._may_wear(s, o) else relation
                found.setdefault(s, {}).setdefault(o, []).append((relation, False))
                found.setdefault(o, {}).setdefault(s, []).append((relation, True))
        return found

    def _may_wear(self, s: int, o: int) -> bool:
        """Return whether one thing is a person and the other a garment: who is in a shirt, or with it, wears it."""
        return any(map(is_person, self.things[s].names)) and any(map(is_worn_in, self.things[o].names))

    def _may_be_part(self, subject: str, relation: str, object_: str) -> bool:
        """Return whether a relation says that a known thing has such a part: a car has a roof, though nobody says so."""
        verb, place = relations.read(relation)
        if verb == "have" or (not verb and place == "with"):
            return bool(self.called(subject)) and may_be_part(object_, subject)
        return not verb and place == "of" and bool(self.called(object_)) and may_be_part(subject, object_)

    @staticmethod
    def _excludes(known: str, relation: str, turned: bool, object_: str) -> bool:
        return relations.excludes(known, relation, turned) and not relations.leaves_open(known, relation, object_)

    def _taken(self, s: int, relation: str, o: int) -> bool:
        """Return whether a thing is known to be on, in or against another thing, or another is known to hold, wear or have it.

        A cup that is on the table is not on the shelf, and one man's hat is not another's.
        """
        verb, place = relations.read(relation)
        if verb in HOLDING or (not verb and place in HOLDING):
            holders = self._held.get(o, ())
            return bool(holders) and s not in holders
        at = self._at.get((s, place), ()) if place in relations.TOUCHING_PLACES else ()
        return bool(at) and o not in at and not any(self.things[b].box.shared(self.things[o].box) > 0 for b in at)

    @cached_property
    def _held(self) -> dict[int, set[int]]:
        """What holds, wears or has each thing."""
        found: dict[int, set[int]] = {}
        for s, relation, o in self.relations:
            if not HOLDING.isdisjoint(relations.read(relation)):
                found.setdefault(o, set()).add(s)
        return found

    @cached_property
    def _at(self) -> dict[tuple[int, str], set[int]]:
        """What each thing is on, in or against, by the place."""
        found: dict[tuple[int, str], set[int]] = {}
        for s, relation, o in self.relations:
            found.setdefault((s, relations.read(relation).place), set()).add(o)
        return found

    def _main(self, name: str) -> dict[int, float]:
        """Return the distinct ones of the things that may be called ``name``, or all where none is, with their probabilities."""
        if name not in self._mains:
            named = self.named(name)
            self._mains[name] = {i: p for i, p in named.items() if self.things[i].distinct} or named
        return self._mains[name]
