"""The known things of an image, with their names, boxes, attributes and relations.

The scene graph lists some things; descriptions of regions mention the same ones and others.
:class:`stages.negatives.meanings.Meanings` says which names may mean one thing, and :class:`stages.negatives.evidence.Evidence` how
probable a statement is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log, prod
from typing import Any, Self

import numpy as np
from scipy.special import betainc

from stages.graphs.box import Box, covered
from stages.graphs.graph import SceneGraph
from stages.negatives.counts import RULED_OUT
from stages.negatives.meanings import LIKELY, Index, Meanings, similar
from stages.semantics import relations

SHOWN = 0.7
"""A crop shows a thing if it contains this fraction of the thing's box: people name what they mostly see (a
guess)."""
MARGIN = 0.1
"""Boxes are drawn loosely: each may be off by this fraction of its width or height on each side (a guess)."""


@dataclass
class Thing:
    """An object of an image.

    Attributes:
        distinct: it is none of the other things, because the scene graph lists it, or because it is described where none of its
            name is known.
        described: its box is that of the region whose description mentions it; the thing may be anywhere inside.

    The words before a name's last one also count as attributes: what one person calls an "orange box" another calls an orange box.
    """

    names: tuple[str, ...]
    box: Box
    distinct: bool
    attributes: set[str] = field(default_factory=set)
    described: bool = False

    def __post_init__(self) -> None:
        self.attributes.update(word for name in self.names for word in name.split()[:-1])


@dataclass
class KnownThings:
    """The known things of an image, or of a crop of it (:meth:`within`).

    Attributes:
        size: of the image, in pixels squared; 0 where it is not known.
        said: all names known in the image.
        descriptions: the region and the names of each description of the image.

    For a crop, ``_whole`` is the image and ``_place`` maps the image's things to the crop's, so that names are looked up once an
    image.
    """

    things: list[Thing]
    relations: list[tuple[int, str, int]]
    meanings: Meanings
    size: float = 0.0
    said: frozenset[str] = frozenset()
    descriptions: list[tuple[Box, tuple[str, ...]]] = field(default_factory=list, repr=False)
    crop: Box | None = None
    _called: dict[str, dict[int, float]] = field(default_factory=dict, init=False, repr=False)
    _likely: dict[str, tuple[int, ...]] = field(default_factory=dict, init=False, repr=False)
    _hidden: dict[str, float] = field(default_factory=dict, repr=False)
    _described: dict[Box, list[tuple[str, ...]]] = field(default_factory=dict, repr=False)
    _whole: Self | None = field(default=None, repr=False)
    _place: dict[int, int] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, scene_graph: Mapping[str, Any] | None, facts: Iterable[Mapping[str, Any]], meanings: Meanings, **options: Any
    ) -> Self:
        """Return the things in a row of ``scene_graphs`` (or ``None``) and in the rows of ``region_facts`` of the same image."""
        known = cls([], [], meanings, **options)
        if scene_graph is not None:
            graph = SceneGraph.from_columns(scene_graph)
            for name, others, box in zip(graph.objects, scene_graph["aliases"], scene_graph["boxes"], strict=True):
                known._put(Thing((name, *others), Box.of(box), distinct=True))
            known._add(graph, list(range(len(graph.objects))))
            known.size = scene_graph["image_width"] * scene_graph["image_height"]
        annotated = len(known.things)
        facts = list(facts)
        regions = [Box.of(row["box"]) for row in facts]
        known.descriptions = [(box, tuple(row["objects"])) for row, box in zip(facts, regions, strict=True)]
        inside = covered([thing.box for thing in known.things], regions)
        for row, box, shares in zip(facts, regions, inside, strict=True):
            graph, shown = SceneGraph.from_columns(row), np.flatnonzero(shares >= SHOWN).tolist()
            known._add(graph, [known._thing(name, box, shown, annotated) for name in graph.objects])
        known.said = frozenset(name for thing in known.things for name in thing.names).union(*(row["objects"] for row in facts))
        return known

    def _thing(self, name: str, box: Box, shown: Iterable[int], annotated: int) -> int:
        """Return the one annotated thing of that name that a region shows, or the thing described there, or else a new one.

        A new one is ``distinct`` if the region meets nothing else of that name.
        """
        likely = sorted(i for i, p in self._may_be_called(name).items() if p >= LIKELY)
        called = set(likely).intersection(shown)
        if len(called) == 1:
            return called.pop()
        near = [i for i in likely if box.shared(self.things[i].box)]
        before = [i for i in near if i >= annotated and self.things[i].names == (name,) and self.things[i].box == box]
        return before[0] if before else self._put(Thing((name,), box, distinct=not near, described=True))

    def _put(self, thing: Thing) -> int:
        """Add a thing, and return its index."""
        place = len(self.things)
        self._index.add(thing.names, place)
        self.things.append(thing)
        return place

    def _add(self, graph: SceneGraph, places: list[int]) -> None:
        for o, attribute in graph.attributes:
            self.things[places[o]].attributes.add(attribute)
        self.relations.extend((places[s], relation, places[o]) for s, relation, o in graph.relations)

    def within(self, crop: Box) -> Self:
        """Return the things of which any part shows in ``crop``."""
        shown = [i for i, thing in enumerate(self.things) if thing.box.shared(crop) > 0]
        new = {i: n for n, i in enumerate(shown)}
        found = [(new[s], relation, new[o]) for s, relation, o in self.relations if s in new and o in new]
        return replace(self, things=[self.things[i] for i in shown], relations=found, crop=crop, _whole=self, _place=new)

    @property
    def share(self) -> float:
        """Return the fraction of the image that the crop shows; 1 where it is not known."""
        return min(1.0, self.crop.area / self.size) if self.crop and self.size else 1.0

    def called(self, name: str) -> tuple[int, ...]:
        """Return the indices in ``things`` of those that are likely called ``name``."""
        if name not in self._likely:
            self._likely[name] = tuple(i for i, p in self.named(name).items() if p >= LIKELY)
        return self._likely[name]

    def named(self, name: str) -> dict[int, float]:
        """Return the things that may be called ``name``, each with the probability of that."""
        if name not in self._called:
            if self._whole is not None:
                found = {self._place[i]: p for i, p in self._whole.named(name).items() if i in self._place}
            else:
                found = self._may_be_called(name)
            self._called[name] = dict(sorted(found.items()))
        return self._called[name]

    def _may_be_called(self, name: str) -> dict[int, float]:
        """Return :meth:`named` of the whole image, from the things that are known so far."""
        found: dict[int, float] = {}
        for known, places in self._index.related(name).items():
            if (p := self.meanings.one_thing(known, name)) > 0:
                found |= {i: max(p, found.get(i, 0.0)) for i in places}
        return found

    def hidden(self, name: str) -> float:
        """Return the probability that the whole image shows a thing called ``name`` other than the known ones."""
        if name not in self._hidden:
            self._hidden[name] = self.meanings.unmentioned(name, self.said)
        return self._hidden[name]

    @cached_property
    def _index(self) -> Index:
        index = Index(self.meanings.habits)
        for place, thing in enumerate(self.things):
            index.add(thing.names, place)
        return index

    def count(self, name: str) -> int:
        """Return the minimum number of things called ``name``: the distinct ones, or as many as a description counts."""
        called = self.called(name)
        counted = (self.meanings.number(a) for i in called for a in self.things[i].attributes)
        return max(sum(self.things[i].distinct for i in called), max(counted, default=0), min(len(called), 1))

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """Return the names in descriptions whose region meets the crop, also without their first words; things may lie outside."""
        here = (names for region, names in self.descriptions if self.crop is None or region.shared(self.crop) > 0)
        words = [name.split() for names in here for name in names]
        return frozenset(" ".join(name[first:]) for name in words for first in range(len(name)))

    def missing(self, name: str) -> float:
        """Return the probability that the crop shows no listed thing that most people would call ``name``."""
        return prod(1 - self._in_view(i) * (1 - self._misnamed(i, name)) for i in self.called(name) if not self.things[i].described)

    def _in_view(self, i: int) -> float:
        """Return the probability that the crop shows a thing: 1 from :data:`SHOWN` of its box on."""
        return 1.0 if self.crop is None else min(1.0, self.things[i].box.covered_by(self.crop) / SHOWN)

    def _misnamed(self, i: int, name: str) -> float:
        """Return the probability that most people would not call a listed thing ``name``.

        By the descriptions whose regions show it: some say ``name``, others a similar name that nothing listed has, "sweater" where
        the scene graph has a jacket. The fraction who say ``name`` has a beta distribution, of which this is the part below a half;
        without any description it is :data:`RULED_OUT`.
        """
        shown = self._describing(self.things[i].box)
        called = [any(self.meanings.one_thing(other, name) >= LIKELY for other in names) for names in shown]
        otherwise = [
            any(similar(other, name) and all(self.things[j].described for j in self.called(other)) for other in names)
            for names, so in zip(shown, called, strict=True)
            if not so
        ]
        agreed = log(RULED_OUT) / log(LIKELY)
        return round(float(betainc(agreed + sum(called), 1 + sum(otherwise), LIKELY)), 9)

    def _describing(self, box: Box) -> list[tuple[str, ...]]:
        """Return the names in each description whose region shows a box."""
        if box not in self._described:
            shares = covered([box], [region for region, _ in self.descriptions])
            self._described[box] = [names for (_, names), own in zip(self.descriptions, shares, strict=True) if own[0] >= SHOWN]
        return self._described[box]

    def placed_otherwise(self, s: int, relation: str, o: int) -> bool:
        """Return whether the boxes of two things contradict ``relation``: they are apart, or their centres are reversed."""
        one, other = self.things[s], self.things[o]
        if relations.touches(relation, other.names[0]) and not one.box.grown(MARGIN).shared(other.box):
            return True
        if not (one.distinct and other.distinct):
            return False
        if relations.close(relation) and one.box.gap(other.box) > max(*one.box[2:], *other.box[2:]):
            return True
        if (direction := relations.direction(relation)) is None:
            return False
        axis, sign = direction
        least = min(one.box[2 + axis], other.box[2 + axis])
        return (one.box.centre[axis] - other.box.centre[axis]) * sign < -MARGIN * least
