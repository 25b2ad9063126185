"""What goes with what: whether people would say such a thing of any picture at all, learned from the user's training captions.

A negative must be false, not silly: nobody needs a picture to see that a bed does not eat. How well words go together is the
ratio of how often training captions say them together to how often they would if words met by chance: of an attribute with its
noun; of a relation with its subject, with its object, with both, and with both this way round. Most pairs of words are too rare to
judge, so a rare word is judged by its hypernyms, and a rare relation by its verb and its place: each step from the wide to the
narrow corrects the ratio of the one before by what was counted there, the more the more was to be expected (:func:`corrected`).
This is the class-based association of Resnik (1996, "Selectional constraints"), shrunk level by level.

How another type of negative asks::

    sense.write(path, training_sets, foils.sense.max_compounds, running, spill)   # once, in the stage
    model = sense.load(path, foils.sense.floor)                                       # in each worker, which keeps it
    model.senseless(edits.changed(graph, atom))     # is a negative to be refused as ``senseless``?
    model.fit(graph)                                # the lowest ratio of all that ``graph`` says; 1 is chance

``graph`` is what the edit made the caption say: the part that is new is enough, and quicker.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from stages.contract import duck, tables
from stages.contract.param_schema import Run
from stages.contract.schemas import TABLES
from stages.foils import attributes, relations, wordnet
from stages.graphs.graph import SceneGraph

ANY = ""
"""The class of all nouns."""
EVERYTHING = ""
"""The group of all relations, or of all attributes."""
STEPS = (4, 2, 1, 0)
"""The hypernyms of a noun that are asked, so many steps above it; above them all stands WordNet's sort ("noun.food")."""
WEIGHT = 2.5
"""How many expected captions make what was counted at a level weigh as much as all that is known from the wider ones."""
COMMON = 0.1
"""A noun's senses of which texts have at least this share of its commonest visible one's uses are what captions may mean."""
ATTESTED = 3
"""What so many captions say in these very words has sense, however much rarer it is than chance would have it."""
SHIPPED = Path(__file__).with_name("compounds.parquet")
"""The compounds of scene graphs that people made of region descriptions (``python -m tests.benchmarks.compounds``): few training
captions say what goes with what in a picture, and a web caption's parse is not always right."""
CACHE = 1 << 18
NONE = np.zeros(0, np.int64)


def corrected(ratio: float, found: float, expected: float) -> float:
    """The ratio of a wider class after a narrower one was counted: the mean of a gamma prior's posterior for Poisson counts.

    >>> corrected(1.0, 0, 0), corrected(1.0, 0, 30) < 0.1, corrected(0.1, 60, 30) > 1.5
    (1.0, True, True)
    """
    return (found + WEIGHT * ratio) / (expected + WEIGHT)


@lru_cache(CACHE)
def classes(noun: str) -> tuple[tuple[str, ...], ...]:
    """For each sense that captions may mean by a noun the classes that it is in, from the widest to the noun itself."""
    return tuple((ANY, *(_chain(synset)), noun) for synset in _common_senses(noun)) or ((ANY, *([ANY] * (len(STEPS) + 1)), noun),)


def _common_senses(noun: str) -> list[Any]:
    if noun in wordnet.SENSES:
        return [wordnet.sense(noun)]
    visible = [s for s in wordnet.senses(noun, "n") if s.lexname() in wordnet.VISIBLE]
    if not visible and " " in noun:
        return _common_senses(noun.rsplit(" ", 1)[1])
    if len(visible) < 2:
        return visible
    uses = [sum(lemma.count() for lemma in s.lemmas() if lemma.name() == noun.replace(" ", "_")) for s in visible]
    return [s for s, n in zip(visible, uses, strict=True) if n >= COMMON * max(uses)]


def _chain(synset: Any) -> Iterator[str]:
    """The sort of a sense and its hypernyms at :data:`STEPS`; a step that leads too high stays at the level above."""
    yield (last := synset.lexname())
    steps: dict[int, str] = {}
    # In the order of their names: of two hypernyms WordNet's reader gives now the one first and now the other.
    for name, step in sorted(wordnet.ancestors(synset).items()):
        if name not in wordnet.TOO_WIDE:
            steps.setdefault(step, name)
    for step in STEPS:
        yield (last := steps.get(step, last))


class Group:
    """How often captions say some relations, or some attributes, of which nouns.

    Args:
        nouns: numbers of nouns; shape (rows, 2) for relations (subject, object) and (rows, 1) for attributes.
        counts: how many captions say each row; shape (rows,).
        members: the numbers of the nouns of each class.
    """

    def __init__(self, nouns: np.ndarray, counts: np.ndarray, members: Mapping[str, np.ndarray]):
        self.counts, self.members, self.total = counts, members, float(counts.sum())
        self.orders = [np.argsort(column, kind="stable") for column in nouns.T]
        self.sorted = [column[order] for column, order in zip(nouns.T, self.orders, strict=True)]
        self.count = lru_cache(CACHE)(self._count)
        self.rows = lru_cache(CACHE)(self._rows)

    def _count(self, names: tuple[str, ...]) -> float:
        """How many captions say one of the rows whose nouns are of these classes."""
        narrow = [self.rows(column, name) for column, name in enumerate(names) if name != ANY]
        if not narrow:
            return self.total
        rows = narrow[0] if len(narrow) == 1 else np.intersect1d(narrow[0], narrow[1], assume_unique=True)
        return float(self.counts[rows].sum())

    def _rows(self, column: int, name: str) -> np.ndarray:
        """The rows, ascending, whose noun in ``column`` is of the class ``name``."""
        members = self.members.get(name, NONE)
        starts, ends = (np.searchsorted(self.sorted[column], members, side) for side in ("left", "right"))
        pieces = [self.orders[column][a:b] for a, b in zip(starts, ends, strict=True) if a < b]
        return np.sort(np.concatenate(pieces)) if pieces else NONE


class Sense:
    """How well words go together, by the counts of compounds.

    Args:
        compounds: the table ``seen_compounds``.
        floor: what fits worse is senseless; 0 refuses nothing.
    """

    def __init__(self, compounds: pa.Table, floor: float):
        self.floor = floor
        kinds, *words = (compounds[name].to_pylist() for name in ("kind", "first", "second", "third"))
        rows = [
            ("attribute", first, (second,)) if kind == "attribute_object" else ("relation", second, (first, third))
            for kind, first, second, third in zip(kinds, *words, strict=True)
        ]
        numbers = {noun: i for i, noun in enumerate(sorted({noun for _, _, nouns in rows for noun in nouns}))}
        self._nouns = [[numbers[noun] for noun in nouns] for _, _, nouns in rows]
        self._counts, self._members = np.asarray(compounds["count"], np.float64), _members(numbers)
        self._places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for i, (kind, word, _) in enumerate(rows):
            for name in families(kind, word):
                self._places[kind, name].append(i)
        self._group = lru_cache(None)(self._of)
        self._fits = lru_cache(CACHE)(self._fit)
        self._shares = lru_cache(CACHE)(self._share)

    @classmethod
    def none(cls) -> Sense:
        """One that knows nothing and lets everything pass."""
        return cls(TABLES["seen_compounds"].schema.empty_table(), 0.0)

    def senseless(self, graph: SceneGraph) -> bool:
        """Does ``graph`` say something that nobody would say of any picture?"""
        return self.floor > 0 and self.fit(graph) < self.floor

    def fit(self, graph: SceneGraph) -> float:
        """The lowest ratio of all that ``graph`` says; 1 where it has no compound."""
        ratios = [self.attribute(attribute, graph.objects[o]) for o, attribute in graph.attributes]
        ratios += [self.relation(graph.objects[s], relation, graph.objects[o]) for s, relation, o in graph.relations]
        return min(ratios, default=1.0)

    def attribute(self, attribute: str, noun: str) -> float:
        """How well an attribute goes with a noun: 1 is chance, below it the two avoid each other."""
        return self._fits("attribute", attribute, (noun,))

    def relation(self, subject: str, relation: str, object_: str) -> float:
        """How well a relation goes with its subject, its object, both, and both this way round: the lowest of the four."""
        return self._fits("relation", relation, (subject, object_))

    def _of(self, kind: str, name: str) -> Group:
        rows = self._places[kind, name]
        return Group(np.array([self._nouns[i] for i in rows]), self._counts[rows], self._members)

    def share(self, graph: SceneGraph) -> list[float]:
        """Of each attribute and relation of ``graph``: its share of all that captions say of such nouns, or pairs of nouns."""
        said: list[tuple[str, str, tuple[str, ...]]]
        said = [("attribute", attribute, (graph.objects[o],)) for o, attribute in graph.attributes]
        said += [("relation", relation, (graph.objects[s], graph.objects[o])) for s, relation, o in graph.relations]
        return [min(1.0, self._fits(*each) * self._of_all(*each[:2])) for each in said]

    def _of_all(self, kind: str, word: str) -> float:
        """The share of a word of all attributes, or relations, that captions say."""
        if (kind, EVERYTHING) not in self._places:
            return 1.0
        found = self._group(kind, word).total if (kind, word) in self._places else 0.0
        return (found + 1) / (self._group(kind, EVERYTHING).total + 1)

    def _fit(self, kind: str, word: str, nouns: tuple[str, ...]) -> float:
        """Of the meanings that the nouns may have, those count that go together best."""
        groups = [self._group(kind, name) for name in families(kind, word) if (kind, name) in self._places]
        attested = (kind, word) in self._places and self._group(kind, word).count(nouns) >= ATTESTED
        fit = max(self._meant(kind, groups, chains) for chains in product(*map(classes, nouns)))
        return max(fit, 1.0) if attested else fit

    def _meant(self, kind: str, groups: Sequence[Group], chains: Sequence[tuple[str, ...]]) -> float:
        """The lowest of the ratios: of each noun alone, of both together, and of this direction, where the other is commoner."""
        if len(chains) == 1:
            return self._ratio(kind, groups, chains)
        subject, object_ = chains
        anything = (ANY,) * len(subject)
        ratios = [self._ratio(kind, groups, each) for each in ((subject, anything), (anything, object_), chains)]
        return min(*ratios, self._direction(groups, subject, object_))

    def _direction(self, groups: Sequence[Group], subject: tuple[str, ...], object_: tuple[str, ...]) -> float:
        """How often the two stand so and not the other way round, by what either would be if both were as common."""
        ratio = 1.0
        for group in groups:
            for names in dict.fromkeys(zip(subject, object_, strict=True)):
                so, turned = group.count(names), group.count(names[::-1])
                ratio = corrected(ratio, so, (so + turned) / 2)
        return ratio

    def _ratio(self, kind: str, groups: Sequence[Group], chains: Sequence[tuple[str, ...]]) -> float:
        """From the widest group and classes to the narrowest, each step corrected by what was counted there."""
        ratio = 1.0
        for group in groups:
            for names in dict.fromkeys(zip(*chains, strict=True)):
                shares = (self._shares(kind, column, name) for column, name in enumerate(names) if name != ANY)
                ratio = corrected(ratio, group.count(names), group.total * prod(shares))
        return ratio

    def _share(self, kind: str, column: int, name: str) -> float:
        """The share of all relations, or attributes, that have a noun of this class in ``column``."""
        everything = self._group(kind, EVERYTHING)
        places = (ANY,) * column + (name,) + (ANY,) * (len(everything.sorted) - column - 1)
        return everything.count(places) / everything.total


def _members(numbers: Mapping[str, int]) -> dict[str, np.ndarray]:
    """The numbers of the nouns of each class, ascending; a noun is in the classes of all that it may mean."""
    members: defaultdict[str, set[int]] = defaultdict(set)
    for noun, i in numbers.items():
        for name in {name for chain in classes(noun) for name in chain} - {ANY}:
            members[name].add(i)
    return {name: np.array(sorted(own)) for name, own in members.items()}


def families(kind: str, word: str) -> tuple[str, ...]:
    """The groups that speak for an attribute or a relation, from the widest: its class or its place, its verb, the word itself.

    >>> families("relation", "sit on top of"), families("attribute", "dark red")
    (('', 'place:on', 'verb:sit', 'sit on top of'), ('', 'class:colour', 'dark red'))
    """
    if kind == "attribute":
        return (EVERYTHING, *(f"class:{name}" for name in sorted(attributes.classes(word))), word)
    verb, place = relations.read(word)
    return (EVERYTHING, *([f"place:{place}"] if place else []), *([f"verb:{verb}"] if verb else []), word)


def write(path: Path, training_sets: Sequence[Path], most: int, running: Run, spill: Path) -> None:
    """Sum the compounds of the ``training_sets``, folders of parse_train, and of :data:`SHIPPED`; write the ``most`` frequent.

    Raises:
        InputError: a training set is not there.
    """
    found = [folder / "occurrences.parquet" for folder in training_sets]
    for each in found:
        tables.verify("occurrences", each)
    query = """SELECT kind, first, second, third, sum(count)::BIGINT AS count FROM read_parquet(?)
        WHERE kind IN ('attribute_object', 'object_relation_object') GROUP BY ALL
        ORDER BY count DESC, kind, first, second, third LIMIT ?"""
    with duck.database(running.memory, running.workers, spill) as connection, tables.writer("seen_compounds", path) as put:
        for piece in duck.stream(connection, query, [[*map(str, found), str(SHIPPED)], most]):
            put(piece)


@lru_cache(1)
def load(path: Path, floor: float) -> Sense:
    """What :func:`write` wrote, once in each process."""
    return Sense(tables.read_arrow("seen_compounds", path), floor)
