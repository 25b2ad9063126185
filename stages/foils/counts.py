"""How often people say things of images, and what follows for what nobody said: it may be there all the same.

Many descriptions of one image are many looks at it. From the things that one description mentions, or two, follows how many are
there that none does, as from animals that were caught once and twice how many were never caught (Chao, 1984, "Nonparametric
estimation of the number of classes in a population"). The user's own annotations are counted; where they are few, the shipped
counts of ``counts.json.gz`` stand in: of 13,090 images with five captions each and of 36,890 descriptions of single regions
(``python -m tests.benchmarks.counts`` makes them anew).

Five people who describe one image also tell which names mean one thing: those that one says and another says, and hardly anybody
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
from math import comb, prod, sqrt
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from stages.contract import tables
from stages.graphs.graph import SceneGraph
from stages.semantics import attributes, things, wordnet

SHIPPED = Path(__file__).with_name("counts.json.gz")
IMAGES = 5000
"""Of so many images the user's own annotations are counted, at most: more would tell the same."""
LEAST = 3
"""Pairs of names are kept that so many images have."""

OWN_IMAGES = 10
"""The user's images that weigh as much as the shipped counts when it is asked how common a thing is."""
OWN_FOUND = 40
"""The user's images with a thing that weigh as much as its sort's habit when it is asked how often it goes without saying."""
UNMENTIONED = {
    "noun.animal": 0.05, "noun.person": 0.07, "noun.artifact": 0.1, "noun.plant": 0.1, "noun.food": 0.15, "noun.substance": 0.2,
    "noun.body": 0.5, "noun.object": 0.4,
}  # fmt: skip
"""The share of the images with a thing, by its WordNet sort, in which none of fifty descriptions mentions it: of ten images of
Visual Genome the share of mentions that are the only one (Good, 1953), by which the next look finds something new."""
OTHERWISE = 0.3
SMALL = 1
"""The size of what a hand holds, in the table of things."""
OWN_SMALL, ONCE = 10, 0.4
"""So many small things of the user's weigh as much as Visual Genome's habit, and how many of its are mentioned once."""
ANOTHER, ANOTHER_SIGN, SIGN = 0.5, 3.0, {"text", "wall"}
"""How often there is one more of a thing that is spoken of, and unmentioned, beside how often it goes unmentioned altogether; and
of what is read on walls, as signs are: where one is, streets are full of them."""
NEVER, MOST = 0.5, 0.9
"""So many times a name that was never counted counts, and no thing is in a greater share of images before any is looked at."""
MENTIONS, REGIONS = 4, 50
"""How many of an image's descriptions, of so many, mention a thing that any mentions."""


@dataclass
class Counts:
    """What was said of ``images``.

    Attributes:
        said: by name, the images of which it is said, and in how many of them by one description and by two.
        together: by two names in the alphabet's order, the images with both, and those in which they seem to be one thing's.
        described: by attribute, the things that have it (under its own name) and each other attribute as well.
        mixed: by name, the things that have a colour, and those that have two which exclude each other.
        regions: by name, how many descriptions of single regions of ``drawn`` say it.
    """

    images: int = 0
    said: dict[str, list[int]] = field(default_factory=dict)
    together: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    described: dict[str, dict[str, int]] = field(default_factory=dict)
    mixed: dict[str, list[int]] = field(default_factory=dict)
    regions: dict[str, int] = field(default_factory=dict)
    drawn: int = 0

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
        for o, name in enumerate(graph.objects):
            own = set(graph.attributes_of(o))
            for a in own:
                row = self.described.setdefault(a, {})
                for b in own:
                    row[b] = row.get(b, 0) + 1
            colours = {place for a in own for kind, place in attributes.classes(a).items() if kind == "colour"}
            if colours:
                mixed = self.mixed.setdefault(name, [0, 0])
                mixed[0] += 1
                mixed[1] += len(colours) > 1

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
    """What people say and leave unsaid: the user's own counts, and the shipped ones where these are few."""

    def __init__(self, own: Counts, prior: Counts):
        self.own, self.prior = own, prior
        self._common, self._lift = cache(self._share), cache(self._times)

    def unsaid(self, name: str, known: Collection[str]) -> float:
        """The probability that there is such a thing in an image of which ``known`` is said, and ``name`` is not."""
        common = self._common(name)
        odds = common / (1 - common) * max((self._lift(*sorted((name, other))) for other in known), default=1.0)
        unsaid = odds * self._unmentioned(name)
        return unsaid / (1 + unsaid)

    @cached_property
    def overlooked(self) -> float:
        """The share of the small things that are named of which one description alone speaks: so rare is the next look that finds
        nothing new (Good, 1953). Small is what a hand holds."""
        small = [row for name, row in self.own.said.items() if things.size(name) == SMALL]
        images, once = sum(row[0] for row in small), sum(row[1] for row in small)
        return (once + OWN_SMALL * ONCE) / (images + OWN_SMALL)

    def another(self, name: str) -> float:
        """The probability that beside what is called ``name`` there is another such thing that nobody mentions."""
        return (ANOTHER_SIGN if things.kinds(name) >= SIGN else ANOTHER) * self._unmentioned(name)

    def _share(self, name: str) -> float:
        """The share of images with such a thing."""
        captions = max(self.prior.said.get(name, (0,))[0], NEVER) / max(self.prior.images, 1)
        regions = REGIONS / MENTIONS * (self.prior.regions.get(name, 0) + NEVER) / max(self.prior.drawn, 1)
        # Captions leave out what goes without saying, and regions name over and over what stands out: it lies between.
        prior = min(MOST, sqrt(captions * regions))
        return (self.own.said.get(name, (0,))[0] + OWN_IMAGES * prior) / (self.own.images + OWN_IMAGES)

    def _unmentioned(self, name: str) -> float:
        """The share of the images with such a thing of which nobody says it: Chao's bias-corrected estimate."""
        images, once, twice = self.own.said.get(name, (0, 0, 0))
        hidden = once * (once - 1) / (2 * (twice + 1))
        share = hidden / max(images + hidden, 1)
        sense = wordnet.sense(name)
        habit = UNMENTIONED.get(sense.lexname(), OTHERWISE) if sense else OTHERWISE
        return (images * share + OWN_FOUND * habit) / (images + OWN_FOUND)

    def _times(self, first: str, second: str) -> float:
        """How many times as common the one thing is where the other is, at least 1; in the alphabet's order."""
        both = expected = 1.0
        for counts in (self.own, self.prior):
            both += counts.together.get(first, {}).get(second, (0,))[0]
            expected += prod(counts.said.get(word, (0,))[0] for word in (first, second)) / max(counts.images, 1)
        return max(1.0, both / expected)

    def one_thing(self, known: str, asked: str) -> float:
        """The share of what people call ``known`` that others call ``asked``."""
        first, second = sorted((known, asked))
        return self.prior.together.get(first, {}).get(second, (0, 0))[1] / max(self.prior.said.get(known, (0,))[0], 1)

    def looks(self, one: str, other: str) -> int:
        """In how many images the rarer of two names was said: so well is it known whether they are one thing's."""
        return min(self.prior.said.get(name, (0,))[0] for name in (one, other))

    def also(self, known: str, asked: str, name: str) -> float:
        """The share of the things with the attribute ``known`` that have ``asked`` as well, though one excludes the other.

        Of a colour it depends on the thing: a cow is white and black more often than a wall.
        """
        total = both = 0.0
        for counts in (self.own, self.prior):
            total += counts.described.get(known, {}).get(known, 0)
            both += counts.described.get(known, {}).get(asked, 0)
        share = (both + EXCLUDED * DESCRIBED) / (total + DESCRIBED)
        return min(1.0, share * self._mixture(name)) if "colour" in attributes.classes(asked) else share

    def _mixture(self, name: str) -> float:
        """How many times as often as other things a thing has two colours."""
        ratio = self._usual_mixture
        coloured, mixed = (sum(n) for n in zip(*(c.mixed.get(name, (0, 0)) for c in (self.own, self.prior)), strict=True))
        return (mixed + MIXED * ratio) / (coloured + MIXED) / ratio

    @cached_property
    def _usual_mixture(self) -> float:
        rows = [row for counts in (self.own, self.prior) for row in counts.mixed.values()]
        return (sum(row[1] for row in rows) + 1) / (sum(row[0] for row in rows) + 10)


EXCLUDED, DESCRIBED = 0.005, 40
"""The share of things with an attribute that have one which excludes it, before any are counted, and how many that counts as."""
MIXED = 20
"""So many things of a name are as good as all things when it is asked whether such a thing has two colours."""
