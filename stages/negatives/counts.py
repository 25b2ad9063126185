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
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import comb, prod
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stages.contract import tables
from stages.graphs.graph import SceneGraph
from stages.semantics import wordnet

SHIPPED = Path(__file__).with_name("counts.json.gz")
IMAGES = 5000
"""Maximum number of images, drawn by the seed, on which the user's own annotations are counted: it bounds memory."""
AT_ONCE = 1_000_000
"""Pairs of names that wait to be summed: it bounds memory."""
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
        together: by two names in alphabetical order, the number of images with both, and of those in which they seem to be one
        thing.
        described: by attribute, the number of things that have it (under its own name) and each other attribute as well.
    """

    images: int = 0
    said: dict[str, list[int]] = field(default_factory=dict)
    together: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    described: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, images: Iterable[list[SceneGraph]]) -> Counts:
        """Return the counts of images, from the graphs of each image's descriptions."""
        counts, said, pairs = cls(), defaultdict[str, Counter[int | str]](Counter), _Pairs()
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
        for one, other, n, apart, expected in pairs.common():
            # Some sentence mentions two different things together; where fewer sentences do than by chance, the names mean one
            # thing.
            one_thing = apart * max(0.0, 1.0 - (n - apart) / max(expected, 1e-9)) ** 2
            counts.together.setdefault(one, {})[other] = [n, round(one_thing)]
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


class _Pairs:
    """The pairs of names in images, as arrays: 24 bytes each, where dictionaries take hundreds."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._keys = np.zeros(0, np.int64)
        self._sums = np.zeros((3, 0))
        self._waiting: list[tuple[np.ndarray, np.ndarray]] = []

    def add(self, names: Sequence[Collection[str]], times: Mapping[str, int]) -> None:
        """Count an image's pairs, from the names in each description, and the number of descriptions with each name."""
        every = sorted(times)
        place = {name: i for i, name in enumerate(every)}
        has = np.zeros((len(names), len(every)), np.float32)
        for row, names_here in zip(has, names, strict=True):
            row[[place[name] for name in names_here]] = 1
        first, second = np.triu_indices(len(every), 1)
        n, said = len(names), np.array([times[name] for name in every], np.int64)
        cases, case = np.unique(said[first] * (n + 1) + said[second], return_inverse=True)
        expected = np.array([_expected(n, *divmod(int(each), n + 1)) for each in cases])
        number = np.array([self.numbers.setdefault(name, len(self.numbers)) for name in every], np.int64)
        sums = np.stack([np.ones(len(first)), (has.T @ has)[first, second] == 0, expected[case]])
        self._waiting.append((number[first] << 32 | number[second], sums))
        if sum(len(keys) for keys, _ in self._waiting) > AT_ONCE:
            self._merge()

    def _merge(self) -> None:
        """Add up the waiting pairs, in the order of the images, so that sums are the same however many wait."""
        keys, sums = zip((self._keys, self._sums), *self._waiting, strict=True)
        self._waiting.clear()
        self._keys, place = np.unique(np.concatenate(keys), return_inverse=True)
        self._sums = np.stack([np.bincount(place, np.concatenate(each), len(self._keys)) for each in zip(*sums, strict=True)])

    def common(self) -> list[tuple[str, str, int, int, float]]:
        """Return the pairs that several images have: a single one may be chance.

        With the number of these images, of those in which no description has both, and of those expected by chance to have one.
        """
        self._merge()
        several, names = self._sums[0] > 1, list(self.numbers)
        pairs = zip(self._keys[several].tolist(), *self._sums[:, several].tolist(), strict=True)
        return sorted((names[key >> 32], names[key & 0xFFFFFFFF], int(n), int(apart), due) for key, n, apart, due in pairs)


def _expected(descriptions: int, one: int, other: int) -> float:
    """Return the probability that two unrelated names, each in so many descriptions, meet in one of them."""
    return 1 - comb(descriptions - one, other) / comb(descriptions, other)


@cache
def shipped() -> Counts:
    """Return the counts that come with the project."""
    return Counts(**json.loads(gzip.decompress(SHIPPED.read_bytes())))


class Habits:
    """What people mention, by the user's own counts and, where these are few, the shipped ones."""

    def __init__(self, users: Counts, prior: Counts):
        self.own, self.prior = users, prior
        self._common, self._hidden = cache(self._fraction), cache(self._share_hidden)
        # Every candidate asks for many.
        self._lifts = cache(lambda name: cache(lambda other: self.times(name, other)))

    def unmentioned(self, name: str, known: Collection[str]) -> float:
        """Return the probability that an image with the things ``known`` shows a further thing called ``name``."""
        common = self._common(name)
        met = self._met.get(name, set()).intersection(known)
        odds = common / (1 - common) * max(map(self._lifts(name), met), default=1.0)
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

    @cached_property
    def _met(self) -> dict[str, set[str]]:
        """Return the names that each name was ever counted with; with others it is no more common than by chance."""
        rows = (row for counts in (self.own, self.prior) for row in counts.together.items())
        return _either_way((one, other) for one, others in rows for other in others)

    def times(self, name: str, other: str) -> float:
        """Return how many times more common one thing is where the other is, at least 1."""
        first, second = sorted((name, other))
        both = expected = 1.0
        for counts in (self.own, self.prior):
            both += counts.together.get(first, {}).get(second, (0,))[0]
            expected += prod(counts.said.get(word, (0,))[0] for word in (first, second)) / max(counts.images, 1)
        return max(1.0, both / expected)

    def one_thing(self, known: str, asked: str) -> float:
        """Return the fraction of the things called ``known`` that others call ``asked``."""
        first, second = sorted((known, asked))
        return self.prior.together.get(first, {}).get(second, (0, 0))[1] / max(self.prior.said.get(known, (0,))[0], 1)

    @cached_property
    def partners(self) -> dict[str, set[str]]:
        """Return the other names that some images have for the same things, by name."""
        together = self.prior.together.items()
        return _either_way((one, other) for one, row in together for other, (_, one_thing) in row.items() if one_thing)

    def looks(self, one: str, other: str) -> int:
        """Return the number of images that mention the rarer of two names, a measure of how well their relation is known."""
        return min(self.prior.said.get(name, (0,))[0] for name in (one, other))

    def also(self, known: str, asked: str) -> float:
        """Return the fraction of the things with the attribute ``known`` that also have ``asked``, which excludes it."""
        total = sum(counts.described.get(known, {}).get(known, 0) for counts in (self.own, self.prior))
        both = sum(counts.described.get(known, {}).get(asked, 0) for counts in (self.own, self.prior))
        return (both + RULED_OUT * PRIOR) / (total + PRIOR)


def _either_way(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Return the partners of each name in any of ``pairs``."""
    found = defaultdict[str, set[str]](set)
    for one, other in pairs:
        found[one].add(other)
        found[other].add(one)
    return dict(found)


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
