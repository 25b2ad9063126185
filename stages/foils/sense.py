"""What goes with what: whether people would say such a thing of any picture at all, learned from the user's training captions.

A negative must be false, not silly: nobody needs a picture to see that a bed does not eat. A thing has sense if people say it, or
something like it (:mod:`stages.foils.vectors`): "laptop" stands beside "computer" and far from "leash". A noun of which captions
say too little has the vector of those that stand with it in WordNet.

How well a compound goes together is how near it is to the nearest one that captions say: the product of its words' likenesses to
that one's. An attribute is compared with all others, as far as they are like it; a relation with its own captions and, for less
(:data:`KINDRED`), with those of the same verb and of the same place, of which the worse decides. It is worth less where captions
say it rather the other way round or hardly ever say it of such things. 1 is what captions say in these very words. How acceptable a
negative is, :mod:`stages.foils.acceptability` makes of this and more.

``python -m tests.benchmarks.sense`` measures it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa

from stages.contract import tables
from stages.contract.schemas import TABLES
from stages.database import duck
from stages.foils.compounds import EVERYTHING, NONE, Compounds, both
from stages.foils.scenes import Scenes
from stages.foils.vectors import Said, Vectors, compounds_of, families, of_length_one, vectors
from stages.graphs.graph import SceneGraph
from stages.parameters.sections import Run
from stages.semantics import relations, selection, wordnet

KINDRED = 0.7
"""What captions of the same verb and place are worth, compared with those of the very relation."""
KIN = 3
"""So many known nouns below one of WordNet's senses tell what any noun there is like."""
SHARP = 5
"""The power of a likeness by which like compounds vote for what is said of two nouns."""
FEW = 1.0
"""So many votes are worth as much as what is said of all nouns."""
SELDOM = 0.3
"""What is said of like nouns less than so many times as often as of all nouns does not go with them (Resnik, 1996)."""
SHIPPED = Path(__file__).parents[1] / "semantics/compounds.parquet"
"""The compounds of scene graphs that people made of region descriptions (``python -m tests.benchmarks.compounds``): few training
captions say what goes with what in a picture, and a web caption's parse is not always right."""
CACHE = 1 << 11
OF_EVERYTHING = frozenset({"class:colour", "class:material"})
"""The classes of attributes of which everything has one."""
TABLE, VECTORS = "compounds.parquet", "vectors.npz"


class Sense:
    """How well words go together, by the compounds that captions say.

    Args:
        compounds: the table ``seen_compounds``.
        vectors: of its nouns, as :func:`vectors` makes them.
        floor: what fits worse is senseless; 0 refuses nothing.
        scenes: what is seen together.
    """

    def __init__(self, compounds: pa.Table, vectors: Vectors, floor: float, scenes: Scenes):
        self.floor, self.vectors, self.scenes = floor, vectors, scenes
        self._row = {noun: i for i, noun in enumerate(vectors.nouns)}
        self._attribute = {attribute: i for i, attribute in enumerate(vectors.attributes)}
        said = [*zip(compounds_of(compounds), compounds["count"].to_pylist(), strict=True)]
        self._said = {kind: self._compounds(kind, said) for kind in ("attribute", "relation")}
        self._attribute_of = np.array([self._attribute[word] for word in self._said["attribute"].words], np.int64)
        self._kin_rows: dict[str, list[int]] | None = None
        self._like_attributes = lru_cache(CACHE)(self._attributes_like)
        self._of_noun = lru_cache(CACHE)(self._alike)
        self._sharp = lru_cache(CACHE // 4)(lambda noun: self._of_noun(noun) ** SHARP)
        self._all_votes, self._of_subjects = lru_cache(1 << 18)(self._vote), lru_cache(CACHE // 4)(self._subjects)
        self.weighed, self.said = lru_cache(1 << 18)(self._fit), lru_cache(1 << 18)(self._share)
        self.of_class = lru_cache(1 << 18)(self._class_share)

    def _compounds(self, kind: str, said: Iterable[tuple[Said, int]]) -> Compounds:
        """Those of which the vectors know all words."""
        own = [
            (word, [self._row[name] for name in names], count)
            for (of, word, names), count in said
            if of == kind and self._row.keys() >= {*names} and (kind != "attribute" or word in self._attribute)
        ]
        nouns = np.array([nouns for _, nouns, _ in own], np.int64).reshape(len(own), 1 + (kind == "relation"))
        return Compounds(kind, [word for word, *_ in own], nouns, np.array([count for *_, count in own], np.float32))

    @classmethod
    def of(cls, compounds: pa.Table, floor: float, scenes: Scenes | None = None) -> Sense:
        """From a table of compounds alone."""
        return cls(compounds, vectors(compounds), floor, scenes or Scenes.none())

    @classmethod
    def none(cls) -> Sense:
        """One that knows nothing and lets everything pass."""
        return cls.of(TABLES["seen_compounds"].schema.empty_table(), 0.0)

    def knows(self, noun: str) -> bool:
        """Do captions say enough of a noun, or of its last word, to tell what goes with it?"""
        return self._known(noun) is not None

    def senseless(self, graph: SceneGraph) -> bool:
        """Does ``graph`` say something that nobody would say of any picture?"""
        return self.floor > 0 and self.fit(graph) < self.floor

    def fit(self, graph: SceneGraph) -> float:
        """The lowest fit of all that ``graph`` says; 1 where it has no compound."""
        return min((self.weighed(*each) for each in compounds(graph)), default=1.0)

    def _known(self, noun: str) -> int | None:
        return self._row.get(noun, self._row.get(noun.rsplit(" ", 1)[-1]))

    def _alike(self, noun: str) -> np.ndarray:
        """How alike all nouns are to ``noun``, from 0 to 1; a noun of which nothing is known may be any of them."""
        row = self._known(noun)
        like = self._kin(noun) if row is None else self.vectors.of_nouns[row]
        return np.ones(len(self._row), np.float32) if like is None else np.maximum(self.vectors.of_nouns @ like, 0)

    def _kin(self, noun: str) -> np.ndarray | None:
        """The mean of the known nouns below the nearest sense of WordNet, above ``noun``, that has enough of them."""
        if self._kin_rows is None:
            self._kin_rows = defaultdict(list)
            for known, row in self._row.items():
                for name in wordnet.ancestors(synset) if (synset := wordnet.sense(known)) else ():
                    self._kin_rows[name].append(row)
        own = wordnet.sense(noun)
        steps = wordnet.ancestors(own) if own else {}
        for name in sorted(steps.keys() - wordnet.TOO_WIDE, key=lambda name: (steps[name], name)):
            if len(rows := self._kin_rows.get(name, [])) >= KIN:
                return of_length_one(self.vectors.of_nouns[rows].mean(axis=0, keepdims=True))[0]
        return None

    def _fit(self, kind: str, word: str, nouns: tuple[str, ...]) -> float:
        possible = selection.can_be(*nouns, word) if kind == "attribute" else selection.can_relate(nouns[0], word, nouns[1])
        if not possible or not len(self._said[kind]):
            return float(possible)
        often = min(1.0, self._association(kind, word, nouns) / SELDOM)
        if kind == "attribute":
            return round(self._near(kind, EVERYTHING, word, nouns) * often, 4)
        best = max(self._near(kind, word, word, nouns), KINDRED * self._kindred(word, nouns))
        return round(best * often * min(1.0, 2 * self._direction(word, nouns)), 4)

    def prior(self, kind: str, word: str) -> float:
        """The share of an attribute, or a relation, of all that captions say."""
        return self._said[kind].prior(word)

    def _kindred(self, relation: str, nouns: tuple[str, ...]) -> float:
        """The same verb's captions and the same place's, the worse of the two; all relations', where neither is ever said."""
        known = [name for name in families("relation", relation)[1:] if len(self._said["relation"].rows(name))]
        return min(self._near("relation", name, relation, nouns) for name in known or [EVERYTHING])

    def _near(self, kind: str, family: str, word: str, nouns: tuple[str, ...]) -> float:
        """How near the second nearest caption is: one alone may have been misread."""
        rows = self._said[kind].rows(family)
        if not len(rows):
            return 0.0
        of_rows = self._said[kind].nouns[rows]
        likeness = np.prod([self._of_noun(noun)[of_rows[:, place]] for place, noun in enumerate(nouns)], axis=0)
        if kind == "attribute":
            likeness = likeness * self._like_attributes(word)[self._attribute_of]
        nearest = int(likeness.argmax())
        if self._said[kind].counts[rows[nearest]] < 2:
            likeness[nearest] = 0
        return float(likeness.max())

    def _attributes_like(self, attribute: str) -> np.ndarray:
        """How alike all attributes are to one, from 0 to 1; one of which nothing is known may be any of them."""
        row = self._attribute.get(attribute)
        if row is None:
            return np.ones(len(self._attribute), np.float32)
        likeness = np.maximum(self.vectors.of_attributes @ self.vectors.of_attributes[row], 0)
        likeness[row] = 1
        return likeness

    def _direction(self, relation: str, nouns: tuple[str, ...]) -> float:
        """The share of this direction among what is said of like nouns either way: a cup is on a table, and no table on a cup."""
        says = self._said["relation"].rows(relation)
        so, turned = (self._votes("relation", names, says) for names in (nouns, nouns[::-1]))
        return (so + FEW) / (so + turned + 2 * FEW)

    def _association(self, kind: str, word: str, nouns: tuple[str, ...]) -> float:
        """How many times as often as of all nouns an attribute, or a verb, is said of such: trees are clean, and kites walked,
        hardly ever. Places are said of everything."""
        if kind == "relation" and not relations.read(word).verb:
            return 1.0
        return self.said(kind, word, nouns) / self._said[kind].prior(word)

    def _share(self, kind: str, word: str, nouns: tuple[str, ...]) -> float:
        """The share of an attribute, or a relation, of all that captions say of such nouns; 1 where no captions are known."""
        said = self._said[kind]
        if not len(said):
            return 1.0
        votes, all_votes = self._votes(kind, nouns, said.saying(word)), self._all_votes(kind, nouns)
        return round((votes + FEW * said.prior(word)) / (all_votes + FEW), 6)

    def _class_share(self, attribute: str, noun: str) -> float:
        """The share of a colour, or a material, among all that captions say of such a noun; 0 of any other attribute."""
        said, names = self._said["attribute"], OF_EVERYTHING.intersection(families("attribute", attribute))
        beside = np.unique(np.concatenate([NONE, *map(said.rows, sorted(names))]))
        if not len(beside):
            return 0.0
        says = both(beside, said.saying(attribute))
        prior = float(said.counts[says].sum() + 1) / float(said.counts[beside].sum() + 1)
        votes, all_votes = (self._votes("attribute", (noun,), rows) for rows in (says, beside))
        return round((votes + FEW * prior) / (all_votes + FEW), 6)

    def _votes(self, kind: str, nouns: tuple[str, ...], rows: np.ndarray) -> float:
        """What some rows count for together when it is asked what is said of ``nouns``."""
        said = self._said[kind]
        weights = [said.counts[rows], *(self._sharp(noun)[said.nouns[rows, place]] for place, noun in enumerate(nouns))]
        return float(np.prod(weights, axis=0).sum())

    def _vote(self, kind: str, nouns: tuple[str, ...]) -> float:
        """What all rows count for."""
        if kind == "attribute":
            return self._votes(kind, nouns, self._said[kind].rows(EVERYTHING))
        return float(self._sharp(nouns[0]) @ self._of_subjects(nouns[1]))

    def _subjects(self, object_: str) -> np.ndarray:
        """What all relations to an object count for, by their subjects; shape (nouns,)."""
        said = self._said["relation"]
        weights = said.counts * self._sharp(object_)[said.nouns[:, 1]]
        return np.bincount(said.nouns[:, 0], weights, len(self._row)).astype(np.float32)


def compounds(graph: SceneGraph) -> Iterator[Said]:
    """All attributes and relations of a graph, in words."""
    yield from (("attribute", attribute, (graph.objects[o],)) for o, attribute in graph.attributes)
    yield from (("relation", relation, (graph.objects[s], graph.objects[o])) for s, relation, o in graph.relations)


def write(folder: Path, training_sets: Sequence[Path], most: int, running: Run) -> None:
    """Sum the compounds of the ``training_sets``, folders of parse_train, and of :data:`SHIPPED`; write the ``most`` frequent into
    ``folder``, and the vectors of their nouns.

    Raises:
        InputError: a training set is not there.
    """
    occurrences = [training_set / "occurrences.parquet" for training_set in training_sets]
    for each in occurrences:
        tables.verify("occurrences", each)
    query = """SELECT kind, first, second, third, sum(count)::BIGINT AS count FROM read_parquet(?)
        WHERE kind IN ('attribute_object', 'object_relation_object') GROUP BY ALL
        ORDER BY count DESC, kind, first, second, third LIMIT ?"""
    with (
        duck.database(running.memory, running.workers, folder) as connection,
        tables.writer("seen_compounds", folder / TABLE) as put,
    ):
        for piece in duck.stream(connection, query, [[*map(str, occurrences), str(SHIPPED)], most]):
            put(piece)
    made = vectors(tables.read_arrow("seen_compounds", folder / TABLE))
    nouns, attributes_ = np.array(made.nouns), np.array(made.attributes)
    np.savez(folder / VECTORS, nouns=nouns, of_nouns=made.of_nouns, attributes=attributes_, of_attributes=made.of_attributes)


def load(folder: Path, floor: float, scenes: Scenes) -> Sense:
    """What :func:`write` wrote."""
    with np.load(folder / VECTORS) as of:
        made = Vectors(of["nouns"].tolist(), of["of_nouns"], of["attributes"].tolist(), of["of_attributes"])
    return Sense(tables.read_arrow("seen_compounds", folder / TABLE), made, floor, scenes)
