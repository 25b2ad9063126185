"""Which words people use of which things: how many times as often a word is used of similar things as of all things.

Counts of annotations and captions provide it. Most pairs of words are rare, so a noun's own counts are shrunk to those of its
kind: the noun, its last word where WordNet lacks the whole, its sense and the sense's hypernyms, up to everything. Each step is a
Gamma–Poisson shrinkage (DuMouchel, 1999, "Bayesian data mining in large frequency tables"): if a word is counted ``c`` times with a
noun, and is expected ``e`` times by the rate of the kind above, the ratio is that of the kind times (c + K) / (e + K). So
a rare word that was never counted with a noun remains possible, and a common one does not. Words back off as nouns do: "light blue"
to "blue", and that to any colour; "sit atop" to "sit".

Sources: GQA's counts over its training scene graphs (``gqa.parquet``; Hudson and Manning, 2019, CC BY 4.0), the compounds of the
scene graphs that people made of region descriptions (``compounds.parquet``; FACTUAL's training part, Li et al., 2023), the user's
training captions and the user's annotated scene graphs. They have different words for things: where a source never uses a word,
its counts carry no information, so a noun's expected count is summed over the sources by each one's own fraction of the word. They
also follow different rules: GQA calls a tail one "of" a cat and never "on" it. So at each step no source counts for more than K
expected mentions, however large it is.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import sqrt
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from stages.contract import duck, tables
from stages.contract.schemas import TABLES
from stages.graphs.graph import SceneGraph
from stages.parameters.sections import Run
from stages.semantics import attributes, relations, wordnet

GQA = Path(__file__).with_name("gqa.parquet")
COMPOUNDS = Path(__file__).with_name("compounds.parquet")
TABLE = "usage.parquet"
K = 1.0
"""Weight of a noun's kind, in expected mentions, and maximum weight of a source: the unit of the counts
(DuMouchel, 1999)."""
MIN_ASSOCIATION = 0.08
"""Minimum ratio of a combination that is not odd. Of the attributes in one half of FACTUAL's training graphs, one in two hundred
is below it by the counts of GQA and of the other half, and likewise for relations."""
CACHE = 1 << 12
HELD = 1 << 23
"""Maximum ratios in cached columns of each kind: 64 MB."""
ROOT = ""
"""The name of the root node and of the family of all words."""
KINDS = ("attribute", "subject", "object", "together")


class Tree:
    """Nouns below their kinds: the noun, its last word where WordNet lacks the whole, its sense, the sense's hypernyms.

    Attributes:
        nodes: the number of each node. A WordNet node is named by its sense, which has two dots; :data:`ROOT` is 0.
        parents: the number of each node's parent; shape (nodes,). A parent comes before its children.
        levels: the slice of the nodes at each depth below the root.
    """

    def __init__(self, nouns: Iterable[str]):
        parent, depth = {ROOT: ROOT}, {ROOT: 0}
        for noun in nouns:
            for above, below in pairwise(chain(noun)):
                parent.setdefault(below, above)
                depth.setdefault(below, depth[above] + 1)
        # Numbered by depth, so that each level is a slice.
        self.nodes = {name: number for number, name in enumerate(sorted(depth, key=depth.__getitem__))}
        self.parents = np.array([self.nodes[parent[name]] for name in self.nodes])
        ends = np.cumsum(np.bincount([depth[name] for name in self.nodes])).tolist()
        self.levels = [slice(start, end) for start, end in pairwise(ends)]
        paths: list[list[int]] = [[0]]
        for node in range(1, len(self.nodes)):
            paths.append([*paths[self.parents[node]], node])
        self._below = sparse.csr_array(_members(paths, len(self.nodes)).T)
        self.of = lru_cache(CACHE * 16)(self._of)

    def _of(self, noun: str) -> int:
        """Return the most specific node of a noun."""
        return next(self.nodes[name] for name in reversed(chain(noun)) if name in self.nodes)

    def summed(self, counts: pa.Table, words: Mapping[str, int], places: Sequence[Collection[int]]) -> sparse.csr_array:
        """Return the counts of each node, summed over its nouns.

        Args:
            counts: rows of the table ``usage``.
            words: the numbers of the words.
            places: the columns that the count of each word is added to, by the word's number.

        Returns:
            Shape (nodes, words).
        """
        rows, columns = _numbered(counts["noun"], self.nodes), _numbered(counts["word"], words)
        said = sparse.csr_array((counts["count"].to_numpy().astype(float), (rows, columns)), shape=(len(self.nodes), len(places)))
        return self._below @ said @ _members(places, len(words))


def _numbered(texts: pa.ChunkedArray, number: Mapping[str, int]) -> np.ndarray:
    """Return the number of each text; shape (texts,)."""
    encoded = texts.combine_chunks().dictionary_encode()
    numbers = np.array([number[text] for text in encoded.dictionary.to_pylist()], np.int32)
    return numbers[encoded.indices.to_numpy()]


def _members(sets: Sequence[Collection[int]], size: int) -> sparse.csr_array:
    """Return one-hot rows of the numbers below ``size`` in each set; shape (sets, size)."""
    ends = np.cumsum([0, *map(len, sets)], dtype=np.int32)
    columns = np.fromiter((number for members in sets for number in members), np.int32, ends[-1])
    return sparse.csr_array((np.ones(len(columns)), columns, ends), shape=(len(sets), size))


@lru_cache(1 << 16)
def chain(noun: str) -> tuple[str, ...]:
    """Return a noun's kinds, from :data:`ROOT` down to itself.

    >>> chain("school bus")[-3:], chain("garden gnomon")[-2:]
    (('bus.n.01', 'school_bus.n.01', 'school bus'), ('gnomon', 'garden gnomon'))
    """
    names, last = [noun], noun.rsplit(" ", 1)[-1]
    if last != noun and not wordnet.senses(noun, "n"):
        names.append(last)
    synset = wordnet.sense(noun)
    while synset is not None:
        names.append(synset.name())
        # Of several hypernyms the most specific one; NLTK returns them in no order.
        above = sorted(synset.hypernyms(), key=lambda each: (-len(wordnet.ancestors(each)), each.name()))
        synset = next(iter(above), None)
    return (ROOT, *reversed(names))


def families(kind: str, word: str) -> tuple[str, ...]:
    """Return the families that a word backs off to, the narrowest first.

    >>> families("attribute", "light blue"), families("subject", "sit atop"), families("object", "atop")
    (('=blue', '=class colour'), ('=sit on', '=sit'), ('=on',))
    """
    if kind == "attribute":
        head, classes = attributes.head(word), attributes.classes(word)
        return (*((f"={head}",) if head != word or classes else ()), *(f"=class {name}" for name in list(classes)[:1]))
    if kind == "together":
        sense = wordnet.sense(word)
        return (f"={sense.lexname()}",) if sense else ()
    verb, place = relations.read(word)
    return tuple(dict.fromkeys((f"={verb} {place}".replace("= ", "=").strip(), f"={verb or place}")))


class Counted:
    """How often words of one kind are used with nouns, by source.

    Args:
        tree: the nouns and their kinds.
        counts: rows of the table ``usage`` of one kind.

    Attributes:
        number: the index of each word and family; the words come first.
    """

    def __init__(self, kind: str, tree: Tree, counts: pa.Table):
        self.kind, self._tree = kind, tree
        words = sorted(counts["word"].unique().to_pylist())
        names = {word: (*families(kind, word), ROOT) for word in words}
        wider = (name for of_word in names.values() for name in of_word)
        self.number = {w: i for i, w in enumerate(dict.fromkeys([*words, *wider, ROOT]))}
        self._wider = {w: above for word in words for w, above in pairwise((word, *names[word]))}
        above = np.array([self.number[self._wider.get(word, ROOT)] for word in self.number], np.int64)
        places = [{self.number[name] for name in (word, *names[word])} for word in words]
        each = sorted(counts["source"].unique().to_pylist())
        of_sources = (counts.filter(pc.equal(counts["source"], source)) for source in each)
        summed = [tree.summed(rows, self.number, places) for rows in of_sources]
        self._columns = [sparse.csc_array(rows) for rows in summed]
        self._totals = [rows[[0]].toarray()[0] for rows in summed]
        # The fraction of a word in the next wider family, in each source.
        self._shares = [total / np.maximum(total[above], 1) for total in self._totals]
        self.column = lru_cache(max(1, HELD // len(tree.nodes)))(self._column)

    def share(self, word: str) -> float:
        """Return the fraction of a word, or of a family, of all counts; 0 for a word that nobody uses."""
        place, every = self.number.get(word), sum(total[self.number[ROOT]] for total in self._totals)
        return 0.0 if place is None else float(sum(total[place] for total in self._totals) / every)

    def _known(self, word: str) -> str:
        """Return the narrowest family of a word with counts."""
        return next((name for name in (word, *families(self.kind, word)) if name in self.number), ROOT)

    def _column(self, word: str) -> np.ndarray:
        """Return the ratio of a word at each node; shape (nodes,)."""
        ratio = np.ones(len(self._tree.nodes))
        if word == ROOT:
            return ratio
        place, wider = self.number[word], self.number[self._wider[word]]
        counts, expected = (_dense(self._columns, here, len(ratio)) for here in (place, wider))
        expected *= np.array([shares[place] for shares in self._shares])[:, None]
        for level in self._tree.levels:
            ratio[level] = _stepped(ratio[self._tree.parents[level]], counts[:, level], expected[:, level])
        return ratio * self.column(self._wider[word])

    def of(self, noun: str, word: str) -> float:
        """Return how many times as often a word is used of such a noun as of all nouns; 1 without counts."""
        return round(float(self.column(self._known(word))[self._tree.of(noun)]), 6)


def _dense(sources: Sequence[sparse.csc_array], place: int, size: int) -> np.ndarray:
    """Return a column of each array; shape (sources, size).

    SciPy's own slices take ten times as long.
    """
    counts = np.zeros((len(sources), size))
    for row, source in zip(counts, sources, strict=True):
        here = slice(*source.indptr[place : place + 2])
        row[source.indices[here]] = source.data[here]
    return counts


def _stepped(above: np.ndarray, counts: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Return the ratios one step down the tree.

    Args:
        above: the ratios one step up; shape (any,).
        counts: the count of each source here; shape (sources, any).
        expected: the count expected at the rate of everything.
    """
    expected = above * expected
    weight = K / np.maximum(K, expected)
    said, due = (np.einsum("sn,sn->n", weight, each) for each in (counts, expected))
    return above * (said + K) / (due + K)


class Usage:
    """How well words go together in usage.

    Args:
        said: the table ``usage``.
    """

    def __init__(self, said: pa.Table):
        nouns = said["noun"].unique().to_pylist()
        self._nouns, self._tree = frozenset(nouns), Tree(nouns)
        self._of = {kind: Counted(kind, self._tree, said.filter(pc.equal(said["kind"], kind))) for kind in KINDS}
        self.attribute = lru_cache(CACHE * 16)(self._attribute)
        self.relation = lru_cache(CACHE * 16)(self._relation)
        self.together, self._said = lru_cache(CACHE * 16)(self._together), lru_cache(CACHE)(self._sum)

    @classmethod
    def none(cls) -> Usage:
        """Return a usage without counts: every ratio is 1."""
        return cls(TABLES["usage"].schema.empty_table())

    def names(self, noun: str) -> bool:
        """Return whether anybody uses a noun."""
        return noun in self._nouns

    def knows(self, noun: str) -> bool:
        """Return whether there are counts of a noun, or of a kind that it belongs to."""
        return self._tree.of(noun) > 0

    def _attribute(self, noun: str, attribute: str) -> float:
        """Return how many times as often an attribute is used of such a noun as of all nouns; 1 without counts."""
        return self._of["attribute"].of(noun, attribute)

    def _relation(self, subject: str, relation: str, object_: str) -> float:
        """Return the ratio of a relation and its two ends: the geometric mean of the subject's ratio and the object's, or less.

        If the ends are connected by the relation only, the product of ratios says how many times as often as by chance the triple
        is used; its root is on the scale of one word, as an attribute's. But one end does not compensate for the other: however
        often people eat pizzas, a bed that eats one is as odd as a bed that eats anything.
        """
        one, other = self._of["subject"].of(subject, relation), self._of["object"].of(object_, relation)
        return round(sqrt(min(one, other, one * other)), 6)

    def _together(self, name: str, other: str) -> float:
        """Return how many times as often as by chance two things are named in one image; 1 without counts."""
        counted = self._of["together"]
        one, two = sorted((name, other), key=lambda each: (counted.share(each), each))
        return counted.of(one, two)

    def share(self, noun: str, attribute: str) -> float:
        """Return the fraction of such a noun that has an attribute, among the attributes of its class: of trees, the green ones.

        Words of one group count together, because all may be said of one thing: a black computer is a dark one. 0 where nobody uses
        the attribute.
        """
        if not self._said(noun, frozenset([attribute])):
            return 0.0
        name, group = next(iter(attributes.classes(attribute).items()), ("", 0))
        groups: Sequence[frozenset[str]] = attributes.CLASSES.get(name, [frozenset()])
        own = frozenset({attribute, *groups[group]})
        return round(self._said(noun, own) / max(self._said(noun, own.union(*groups)), 1e-12), 6)

    def _sum(self, noun: str, words: frozenset[str]) -> float:
        """Return how often attributes are used of such a noun, as a fraction of all uses of attributes."""
        counted = self._of["attribute"]
        return sum(counted.share(word) * self.attribute(noun, word) for word in sorted(words))

    def fits(self, graph: SceneGraph) -> dict[tuple[str, ...], float]:
        """Return the ratio of each attribute, as (noun, attribute), and relation, as (subject, relation, object), of a graph."""
        attributes_fit = {
            (graph.objects[o], attribute): self.attribute(graph.objects[o], attribute) for o, attribute in graph.attributes
        }
        triples = ((graph.objects[s], relation, graph.objects[o]) for s, relation, o in graph.relations)
        return attributes_fit | {triple: self.relation(*triple) for triple in triples}

    def sensible(self, graph: SceneGraph, least: float, truth: SceneGraph | None = None) -> bool:
        """Return whether nothing in ``graph`` is rarer in usage than ``least`` times chance, or than the rarest part of the truth.

        So next to an odd truth an odd negative does not stand out.
        """
        known = self.fits(truth) if truth else {}
        bar = min([least, *known.values()])
        return all(ratio >= bar for said, ratio in self.fits(graph).items() if said not in known)


def write(folder: Path, training_sets: Sequence[Path], scene_graphs: Path | None, most: int, running: Run) -> None:
    """Sum the usage counts of all sources, and write the ``most`` frequent pairs of each kind and source into ``folder``.

    The sources are the shipped tables, the ``training_sets`` (folders of parse_train) and the table ``scene_graphs``.

    Raises:
        InputError: a table is missing or damaged.
    """
    sources = {
        "usage": [GQA],
        "seen_compounds": [COMPOUNDS],
        "occurrences": [training_set / "occurrences.parquet" for training_set in training_sets],
        "training_graphs": [training_set / "graphs.parquet" for training_set in training_sets],
        "scene_graphs": [scene_graphs] if scene_graphs else [],
    }
    with (
        duck.database(running.memory, running.workers, folder) as connection,
        tables.writer("usage", folder / TABLE) as put,
    ):
        for name, paths in sources.items():
            for path in paths:
                tables.verify(name, path)
            empty = TABLES[name].schema.empty_table()
            table = connection.read_parquet([*map(str, paths)]) if paths else connection.from_arrow(empty)
            table.create_view(name)
        for piece in duck.stream(connection, POOLED, [most]):
            put(piece)


@lru_cache(CACHE * 16)
def is_seen(noun: str) -> bool:
    """Return whether a noun names something visible: annotators named it in pictures, or WordNet's first sense is a visible thing.

    >>> is_seen("tractor"), is_seen("hoodie"), is_seen("shadow"), is_seen("idea"), is_seen("afternoon")
    (True, True, True, False, False)
    """
    senses = wordnet.senses(noun, "n") or wordnet.senses(noun.rsplit(" ", 1)[-1], "n")
    return not senses or senses[0].lexname() not in wordnet.UNSEEN or noun in wordnet.SENSES or shipped().names(noun)


@cache
def shipped() -> Usage:
    """Return the counts that come with the project: GQA's counts and FACTUAL's compounds."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), [], None, sys.maxsize, Run(workers=1, memory="500MB", runner="local", most_dropped=1))
        return read(Path(folder))


POOLED = """
    WITH compounds AS (
        SELECT 'regions' AS source, kind, first, second, third, count FROM seen_compounds
        UNION ALL SELECT 'captions', kind, first, second, third, count FROM occurrences
        UNION ALL SELECT 'graphs', 'attribute_object', a.attribute, objects[a.object + 1], '', 1
            FROM (SELECT unnest(attributes) AS a, objects FROM scene_graphs)
        UNION ALL SELECT 'graphs', 'object_relation_object', objects[r.subject + 1], r.relation, objects[r.object + 1], 1
            FROM (SELECT unnest(relations) AS r, objects FROM scene_graphs)),
    triples AS (SELECT * FROM compounds WHERE kind = 'object_relation_object'),
    named AS (SELECT source, list_distinct(objects) AS names FROM (
        SELECT 'captions' AS source, objects FROM training_graphs UNION ALL SELECT 'graphs', objects FROM scene_graphs)),
    pairs AS (
        SELECT source, a, b, 1 AS count
            FROM (SELECT source, unnest(names) AS a, names FROM named), LATERAL (SELECT unnest(names) AS b)
        UNION ALL SELECT source, first, third, count FROM triples WHERE source = 'regions'
        UNION ALL SELECT source, third, first, count FROM triples WHERE source = 'regions'),
    said AS (
        SELECT kind, word, noun, source, count FROM usage
        UNION ALL SELECT 'attribute', first, second, source, count FROM compounds WHERE kind = 'attribute_object'
        UNION ALL SELECT 'subject', second, first, source, count FROM triples
        UNION ALL SELECT 'object', second, third, source, count FROM triples
        UNION ALL SELECT 'together', a, b, source, count FROM pairs WHERE a <> b),
    summed AS (
        SELECT kind, word, noun, source, sum(count)::BIGINT AS count FROM said WHERE word <> '' AND noun <> '' GROUP BY ALL)
    SELECT * FROM summed QUALIFY row_number() OVER (PARTITION BY kind, source ORDER BY count DESC, word, noun) <= ?
    ORDER BY kind, word, noun, source
"""
"""Usage counts of all sources. Names are together in a caption or an image; in regions, the two ends of a relation are."""


def read(folder: Path) -> Usage:
    """Return what :func:`write` wrote."""
    usage = Usage(tables.read_arrow("usage", folder / TABLE))
    pa.default_memory_pool().release_unused()
    return usage
