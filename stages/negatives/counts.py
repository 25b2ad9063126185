"""How often people name things, and how often a thing in a picture goes unmentioned.

Several descriptions of one image are repeated observations of it. From the numbers of things that one description mentions, and
that two mention, follows the number that none mentions, as the numbers of animals caught once and twice tell how many were never
caught (Chao, 1984, "Nonparametric estimation of the number of classes in a population"). The user's own annotations are counted;
where they are few, the shipped counts of ``counts.json.gz`` are used: 13,090 images with five captions each and 36,890 descriptions
of single regions (``python -m tests.benchmarks.counts`` makes them).

Several descriptions of one image also show which names mean the same thing: some people say the one, some the other, and hardly
anybody says both in one sentence, as with "couch" and "sofa".
"""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from stages.contract import tables
from stages.graphs.graph import SceneGraph
from stages.negatives.name_pairs import PairCounter, Pairs
from stages.semantics import wordnet

SHIPPED = Path(__file__).with_name("counts.json.gz")
IMAGES = 5000
"""Maximum number of images, drawn by the seed, on which the user's own annotations are counted: it bounds memory."""
CACHE = 1 << 12
PRIOR = 20
"""Every estimate here is shrunk to a broader one as if that had been observed this many times (additive smoothing; a guess)."""
UNMENTIONED = 0.3
"""Prior fraction of the images with a thing in which nobody mentions it: of the things that fifty descriptions of each of ten
Visual Genome images mention, this fraction is mentioned only once (Good, 1953)."""
RULED_OUT = 0.01
"""Prior that an attribute or a relation holds although a known one, or the boxes, exclude it: one annotation in a hundred is
wrong (a guess)."""


@dataclass
class Counts:
    """What people say of ``images``.

    Attributes:
        said: by name, the number of images whose descriptions mention it, and in how many of them one description does, and two do.
            Last, in the user's, those with a single description.
        together: pairs of names in one image.
        described: by attribute, the number of things that have it (under its own name) and each other attribute as well.
    """

    images: int = 0
    said: dict[str, list[int]] = field(default_factory=dict)
    together: Pairs = field(default_factory=lambda: Pairs.of({}))
    described: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, images: Iterable[list[SceneGraph]]) -> Counts:
        """Return the counts of images, from the graphs of each image's descriptions."""
        counts, said, pairs = cls(), defaultdict[str, Counter[int | str]](Counter), PairCounter()
        for graphs in images:
            counts.images += 1
            names = [set(graph.objects) - wordnet.ANYTHING for graph in graphs]
            times = Counter(name for names_here in names for name in names_here)
            for name, n in times.items():
                said[name].update(["images", n if len(graphs) > 1 else "alone"])
            pairs.add(names, times)
            for graph in graphs:
                counts._describe(graph)
        counts.said = {name: [n["images"], n[1], n[2], n["alone"]] for name, n in sorted(said.items())}
        counts.together = pairs.common()
        return counts

    def _describe(self, graph: SceneGraph) -> None:
        for o in range(len(graph.objects)):
            attributes = set(graph.attributes_of(o))
            for a in attributes:
                row = self.described.setdefault(a, {})
                for b in attributes:
                    row[b] = row.get(b, 0) + 1

    @classmethod
    def read(cls, scene_graphs: Path, facts: Path, seed: int) -> Counts:
        """Return the counts of the user's own annotations: the annotated graph of each image, and its regions' descriptions."""
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


@cache
def shipped() -> Counts:
    """Return the counts that come with the project."""
    counts = json.loads(gzip.decompress(SHIPPED.read_bytes()))
    return Counts(**counts | {"together": Pairs.of(counts["together"])})


class Habits:
    """What people mention, by the user's own counts and, where these are few, the shipped ones."""

    def __init__(self, users: Counts, prior: Counts):
        self.own, self.prior = users, prior
        self._common, self._hidden = cache(self._fraction), cache(self._share_hidden)
        both = (users.together, prior.together)
        self._number = {name: i for i, name in enumerate(sorted({name for pairs in both for name in pairs.names}))}
        self._met = _either_way(both, self._number)
        self._said = [np.array([counts.said.get(name, (0,))[0] for name in self._number], float) for counts in (users, prior)]
        # Every candidate asks for many.
        self._lifts, self._numbers = lru_cache(CACHE)(self._times), lru_cache(2)(self._numbered)
        names, pairs = prior.together.names, np.flatnonzero(prior.together.one_thing)
        ends = ([names[i] for i in place[pairs].tolist()] for place in (prior.together.first, prior.together.second))
        self._one_thing = dict(zip(zip(*ends, strict=True), prior.together.one_thing[pairs].tolist(), strict=True))

    def unmentioned(self, name: str, known: frozenset[str]) -> float:
        """Return the probability that an image with the things ``known`` shows a further thing called ``name``."""
        common, here, (partners, times) = self._common(name), self._numbers(known), self._lifts(name)
        place = np.searchsorted(partners, here)
        odds = common / (1 - common) * float(times[place[partners[place] == here]].max(initial=1.0))
        hidden = self._hidden(name)
        unmentioned = odds * hidden / (1 - hidden)
        return unmentioned / (1 + unmentioned)

    def _fraction(self, name: str) -> float:
        """Return the fraction of images with the thing: the user's, shrunk to the shipped captions' fraction.

        That the user's annotators never use a name tells nothing: it may be none of theirs.
        """
        prior = (self.prior.said.get(name, (0,))[0] + 1) / (self.prior.images + 2)  # the rule of succession (Laplace, 1814)
        return _shrunk(self.own.said[name][0], self.own.images, prior) if name in self.own.said else prior

    def _share_hidden(self, name: str) -> float:
        """Return the fraction of the images with a thing in which nobody mentions it, less than 1.

        Chao's bias-corrected estimate, shrunk to that of all things in the same lexical file of WordNet, which is shrunk to that of
        all things.
        """
        kind = _kind(name)
        wider = _shrunk(*self._pooled.get(kind, (0.0, 0)), _shrunk(*self._pooled.get("", (0.0, 0)), UNMENTIONED))
        return _shrunk(*_hidden(self.own.said.get(name, (0, 0, 0))), wider)

    @cached_property
    def _pooled(self) -> dict[str, tuple[float, float]]:
        """Return the numbers of hidden images and of all images by lexical file, and for all names under ""."""
        sums: dict[str, list[float]] = {}
        for name, row in self.own.said.items():
            for kind in (_kind(name), ""):
                for i, value in enumerate(_hidden(row)):
                    sums.setdefault(kind, [0.0, 0.0])[i] += value
        return {kind: (hidden, images) for kind, (hidden, images) in sums.items()}

    def _numbered(self, names: frozenset[str]) -> np.ndarray:
        return np.array([number for name in names if (number := self._number.get(name)) is not None], np.int32)

    def _times(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the names that a name was counted with, and how many times more common it is where each of them is, at least 1.

        With others it is no more common than by chance. Names are given by their numbers, in order; the last number is none's.
        """
        row = self._number.get(name)
        here = slice(*self._met.indptr[row : row + 2]) if row is not None else slice(0)
        partners, expected = self._met.indices[here], 1.0
        for counts, said in zip((self.own, self.prior), self._said, strict=True):
            expected = expected + counts.said.get(name, (0,))[0] * said[partners] / max(counts.images, 1)
        times = np.maximum(1.0, (1.0 + self._met.data[here]) / expected)
        return np.append(partners, np.int32(len(self._number))), np.append(times, 1.0)

    def one_thing(self, known: str, asked: str) -> float:
        """Return the fraction of the things called ``known`` that others call ``asked``."""
        pair = (known, asked) if known < asked else (asked, known)
        return self._one_thing.get(pair, 0) / max(self.prior.said.get(known, (0,))[0], 1)

    @cached_property
    def partners(self) -> dict[str, set[str]]:
        """Return the other names that some images have for the same things, by name."""
        found = defaultdict[str, set[str]](set)
        for one, other in self._one_thing:
            found[one].add(other)
            found[other].add(one)
        return dict(found)

    def looks(self, one: str, other: str) -> int:
        """Return the number of images that mention the rarer of two names, a measure of how well their relation is known."""
        return min(self.prior.said.get(name, (0,))[0] for name in (one, other))

    def also(self, known: str, asked: str) -> float:
        """Return the fraction of the things with the attribute ``known`` that also have ``asked``, which excludes it."""
        total = sum(counts.described.get(known, {}).get(known, 0) for counts in (self.own, self.prior))
        both = sum(counts.described.get(known, {}).get(asked, 0) for counts in (self.own, self.prior))
        return (both + RULED_OUT * PRIOR) / (total + PRIOR)


def _either_way(several: Iterable[Pairs], number: Mapping[str, int]) -> sparse.csr_array:
    """Return the number of images with two names, each with the other; shape (names, names)."""
    ends, n = list[np.ndarray](), list[np.ndarray]()
    for pairs in several:
        place = np.array([number[name] for name in pairs.names], np.int32)
        both = np.stack([place[pairs.first], place[pairs.second]])
        ends += [both, both[::-1]]
        n += [pairs.n, pairs.n]
    met = sparse.csr_array((np.concatenate(n), tuple(np.concatenate(ends, axis=1))), shape=(len(number), len(number)))
    met.sum_duplicates()
    return met


def _kind(name: str) -> str:
    sense = wordnet.sense(name)
    return sense.lexname() if sense else "noun.artifact"


def _hidden(row: Collection[int]) -> tuple[float, float]:
    """Return Chao's estimates of the number of images with a thing that nobody mentions, and of all images with it.

    Images with a single description do not count.
    """
    images, once, twice, *alone = row
    hidden = once * (once - 1) / (2 * (twice + 1))
    return hidden, images - sum(alone) + hidden


def _shrunk(part: float, whole: float, prior: float) -> float:
    return (part + PRIOR * prior) / (whole + PRIOR)
