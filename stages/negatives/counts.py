"""How often people name things, and how often a thing goes unmentioned.

Many descriptions of one image are many looks at it. From the things that one description mentions, or two, follows how many are
there that none does, as from animals caught once and twice how many were never caught (Chao, 1984, "Nonparametric estimation of the
number of classes in a population"). The user's own annotations are counted; where they are few, the shipped counts of
``counts.json.gz`` stand in: 13,090 images with five captions each and 36,890 descriptions of single regions
(``python -m tests.benchmarks.counts`` makes them).

Five people who describe one image also show which names mean one thing: those that one says and another says, and hardly anybody
says both in one sentence, as "couch" and "sofa".
"""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations
from math import comb, prod
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from stages.contract import tables
from stages.graphs.graph import SceneGraph
from stages.semantics import wordnet

SHIPPED = Path(__file__).with_name("counts.json.gz")
IMAGES = 5000
"""The user's own annotations are counted on at most this many images, drawn by the seed: it bounds memory."""
LEAST = 3
"""Pairs of names are kept that at least this many images have: it bounds the table."""
PRIOR = 20
"""Every estimate here is shrunk to a wider one as if that had been seen this many times (additive smoothing; a guess)."""
UNMENTIONED = 0.3
"""The fraction of the images with a thing in which nobody mentions it, before anything is counted: of the things that fifty
descriptions of ten images of Visual Genome mention, this fraction is mentioned by one alone (Good, 1953)."""
EXCLUDED = 0.005
"""The fraction of things with an attribute that have one that excludes it, before any are counted (a guess)."""


@dataclass
class Counts:
    """What was said of ``images``.

    Attributes:
        said: by name, the images of which it is said, and in how many of them by one description and by two.
        together: by two names in the alphabet's order, the images with both, and those in which they seem to be one thing's.
        described: by attribute, the things that have it (under its own name) and each other attribute as well.
    """

    images: int = 0
    said: dict[str, list[int]] = field(default_factory=dict)
    together: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    described: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, images: Iterable[list[SceneGraph]]) -> Counts:
        """From the graphs of each image's descriptions."""
        counts, said = cls(), defaultdict[str, Counter[int]](Counter)
        both, apart = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        expected = defaultdict[tuple[str, str], float](float)
        for graphs in images:
            counts.images += 1
            names = [set(graph.objects) - wordnet.ANYTHING for graph in graphs]
            times = Counter(name for own in names for name in own)
            for name, n in times.items():
                said[name].update([0, n])
            meet = {pair for own in names for pair in combinations(sorted(own), 2)}
            for pair in combinations(sorted(times), 2):
                both[pair] += 1
                apart[pair] += pair not in meet
                expected[pair] += _expected(len(graphs), *(times[name] for name in pair))
            for graph in graphs:
                counts._describe(graph)
        counts.said = {name: [n[0], n[1], n[2]] for name, n in sorted(said.items())}
        for pair, n in sorted(both.items()):
            if n >= LEAST:
                # Of two things some sentence speaks in one breath; where fewer do than chance would have it, they are one.
                one_thing = apart[pair] * max(0.0, 1.0 - (n - apart[pair]) / max(expected[pair], 1e-9)) ** 2
                counts.together.setdefault(pair[0], {})[pair[1]] = [n, round(one_thing)]
        return counts

    def _describe(self, graph: SceneGraph) -> None:
        for o in range(len(graph.objects)):
            own = set(graph.attributes_of(o))
            for a in own:
                row = self.described.setdefault(a, {})
                for b in own:
                    row[b] = row.get(b, 0) + 1

    @classmethod
    def read(cls, scene_graphs: Path, facts: Path, seed: int) -> Counts:
        """Of the user's own annotations: an image's annotated graph, and what its regions' descriptions say."""
        ids: set[int] = set()
        for table, path in (("scene_graphs", scene_graphs), ("region_facts", facts)):
            for batch in tables.batches(table, path, ["image_id"]):
                ids.update(batch["image_id"].unique().to_pylist())
        chosen = pa.array(random.Random(seed).sample(sorted(ids), min(IMAGES, len(ids))), pa.int64())
        images: defaultdict[int, list[SceneGraph]] = defaultdict(list)
        for table, path in (("scene_graphs", scene_graphs), ("region_facts", facts)):
            for batch in tables.batches(table, path, ["image_id", "objects", "attributes", "relations"]):
                for row in batch.filter(pc.is_in(batch["image_id"], chosen)).to_pylist():
                    images[row["image_id"]].append(SceneGraph.from_columns(row))
        return cls.of(images[image] for image in sorted(images))


def _expected(descriptions: int, one: int, other: int) -> float:
    """The chance that two names, said by so many descriptions each, meet in one, if they have nothing to do with each other."""
    return 1 - comb(descriptions - one, other) / comb(descriptions, other)


@cache
def shipped() -> Counts:
    """The counts that come with the project."""
    return Counts(**json.loads(gzip.decompress(SHIPPED.read_bytes())))


class Habits:
    """What people mention: the user's own counts, and the shipped ones where these are few."""

    def __init__(self, own: Counts, prior: Counts):
        self.own, self.prior = own, prior
        self._common, self._lift, self._hidden = cache(self._fraction), cache(self._times), cache(self._share_hidden)

    def unmentioned(self, name: str, known: Collection[str]) -> float:
        """Return the probability that an image of which ``known`` is said shows a further thing called ``name``."""
        common = self._common(name)
        odds = common / (1 - common) * max((self._lift(*sorted((name, other))) for other in known), default=1.0)
        hidden = odds * self._hidden(name)
        return hidden / (1 + hidden)

    def _fraction(self, name: str) -> float:
        """Return the fraction of images with such a thing: the user's, shrunk to that of the shipped captions' images."""
        said = self.prior.said.get(name, (0,))[0] + self.own.said.get(name, (0,))[0]
        return (said + 0.5) / (self.prior.images + self.own.images + 1)

    def _share_hidden(self, name: str) -> float:
        """Return the fraction of the images with a thing in which nobody mentions it.

        Chao's bias-corrected estimate, shrunk to that of all things of the same lexical file of WordNet, and that to all things.
        """
        kind = _kind(name)
        wider = _shrunk(*self._pooled.get(kind, (0.0, 0)), _shrunk(*self._pooled.get("", (0.0, 0)), UNMENTIONED))
        return _shrunk(*_hidden(self.own.said.get(name, (0, 0, 0))), wider)

    @cached_property
    def _pooled(self) -> dict[str, tuple[float, float]]:
        """Hidden images and all images, by lexical file, and of all names under ""."""
        sums: dict[str, list[float]] = {}
        for name, row in self.own.said.items():
            for kind in (_kind(name), ""):
                for i, value in enumerate(_hidden(row)):
                    sums.setdefault(kind, [0.0, 0.0])[i] += value
        return {kind: (hidden, images) for kind, (hidden, images) in sums.items()}

    def _times(self, first: str, second: str) -> float:
        """Return how many times as common the one thing is where the other is, at least 1; in the alphabet's order."""
        both = expected = 1.0
        for counts in (self.own, self.prior):
            both += counts.together.get(first, {}).get(second, (0,))[0]
            expected += prod(counts.said.get(word, (0,))[0] for word in (first, second)) / max(counts.images, 1)
        return max(1.0, both / expected)

    def one_thing(self, known: str, asked: str) -> float:
        """Return the fraction of what people call ``known`` that others call ``asked``."""
        first, second = sorted((known, asked))
        return self.prior.together.get(first, {}).get(second, (0, 0))[1] / max(self.prior.said.get(known, (0,))[0], 1)

    def looks(self, one: str, other: str) -> int:
        """Return in how many images the rarer of two names was said: so well is it known whether they are one thing's."""
        return min(self.prior.said.get(name, (0,))[0] for name in (one, other))

    def also(self, known: str, asked: str) -> float:
        """Return the fraction of the things with the attribute ``known`` that also have ``asked``, which excludes it."""
        total = sum(counts.described.get(known, {}).get(known, 0) for counts in (self.own, self.prior))
        both = sum(counts.described.get(known, {}).get(asked, 0) for counts in (self.own, self.prior))
        return (both + EXCLUDED * PRIOR) / (total + PRIOR)


def _kind(name: str) -> str:
    sense = wordnet.sense(name)
    return sense.lexname() if sense else "noun.artifact"


def _hidden(row: Collection[int]) -> tuple[float, float]:
    """Return Chao's estimate of the images with a thing that nobody mentions, and of all images with it."""
    images, once, twice = row
    hidden = once * (once - 1) / (2 * (twice + 1))
    return hidden, images + hidden


def _shrunk(part: float, whole: float, prior: float) -> float:
    return (part + PRIOR * prior) / (whole + PRIOR)
