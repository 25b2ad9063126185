"""Vectors of words, by what captions say of them or with them: words are alike if captions say like things.

The truncated singular value decomposition of the positive pointwise mutual information of nouns and their contexts (Bullinaria and
Levy, 2012; Levy and others, 2015); of nouns beside what texts at large know of them (:mod:`stages.foils.word_vectors`).
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import log, log2
from typing import NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import svds

from stages.foils import word_vectors
from stages.semantics import attributes, relations

DIMENSIONS = 100
LEAST = 2
"""Nouns count from so many distinct compounds on, and what is said of them from so many times."""
SMOOTHING = 0.75
"""The power that keeps what is rarely said from looking telling (Levy and others, 2015)."""

Context = TypeVar("Context", bound=Hashable)
Said = tuple[str, str, tuple[str, ...]]
"""A compound: its kind (attribute or relation), the word, and its noun or nouns."""


def compounds_of(compounds: pa.Table) -> list[Said]:
    kinds, *words = (compounds[name].to_pylist() for name in ("kind", "first", "second", "third"))
    return [
        ("attribute", first, (second,)) if kind == "attribute_object" else ("relation", second, (first, third))
        for kind, first, second, third in zip(kinds, *words, strict=True)
    ]


def families(kind: str, word: str) -> tuple[str, ...]:
    """What speaks for an attribute or a relation: the word itself, then its verb and its place, or its class.

    >>> families("relation", "sit on top of"), families("attribute", "dark red")
    (('sit on top of', 'verb:sit', 'place:on'), ('dark red', 'class:colour'))
    """
    if kind == "attribute":
        return (word, *(f"class:{name}" for name in sorted(attributes.classes(word))))
    verb, place = relations.read(word)
    return (word, *([f"verb:{verb}"] if verb else []), *([f"place:{place}"] if place else []))


def _contexts(kind: str, word: str, nouns: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a compound says of each of its nouns: the word, and the noun beside it."""
    for place, noun in enumerate(nouns):
        yield from ((noun, (kind, str(place), name)) for name in families(kind, word))
        yield from ((noun, ("beside", other)) for other in nouns[:place] + nouns[place + 1 :])


class Vectors(NamedTuple):
    """Nouns and attributes, each with a vector of length 1: shape (words, dimensions)."""

    nouns: list[str]
    of_nouns: np.ndarray
    attributes: list[str]
    of_attributes: np.ndarray


def vectors(compounds: pa.Table) -> Vectors:
    """Of the nouns that enough is said of, and of the attributes that are said often enough."""
    weights: defaultdict[tuple[str, tuple[str, ...]], float] = defaultdict(float)
    of_context = defaultdict[tuple[str, ...], float](float)
    entries = compounds_of(compounds)
    for each, count in zip(entries, compounds["count"].to_pylist(), strict=True):
        for noun, context in _contexts(*each):
            weight = log2(1 + count)
            weights[noun, context] += weight
            of_context[context] += weight
    times = Counter(noun for *_, names in entries for noun in names)
    nouns = sorted(noun for noun, n in times.items() if n >= LEAST)
    contexts = sorted(context for context, weight in of_context.items() if weight >= LEAST)
    called = {context[-1]: i for i, context in enumerate(contexts) if context[0] == "attribute"}
    decomposition = decomposed(weights, nouns, contexts)
    if decomposition is None:
        return Vectors(nouns, np.zeros((len(nouns), 1), np.float32), [], np.zeros((0, 1), np.float32))
    left, scale, right = decomposition
    of_attributes = of_length_one(right.T[list(called.values())] * scale)
    return Vectors(nouns, _beside_texts(nouns, of_length_one(left * scale)), list(called), of_attributes)


def _beside_texts(nouns: Sequence[str], by_captions: np.ndarray) -> np.ndarray:
    """Captions' vectors and texts' side by side: two nouns are as alike as both say on the average."""
    return of_length_one(np.hstack([by_captions, [word_vectors.of(noun) for noun in nouns]]))


def decomposed(
    weights: Mapping[tuple[str, Context], float], nouns: Sequence[str], contexts: Sequence[Context]
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """The truncated singular value decomposition of the positive pointwise mutual information of nouns and their contexts.

    Returns:
        What ``svd`` does, of shapes (nouns, d), (d,), (d, contexts); ``None`` where nothing tells anything.
    """
    row, column = {name: i for i, name in enumerate(nouns)}, {name: i for i, name in enumerate(contexts)}
    of_noun, of_context = defaultdict[str, float](float), defaultdict[Context, float](float)
    for (noun, context), weight in weights.items():
        of_noun[noun] += weight
        of_context[context] += weight
    total = sum(n**SMOOTHING for n in of_context.values())
    cells = [
        (information, row[noun], column[context])
        for (noun, context), weight in sorted(weights.items())  # type: ignore[type-var]
        if noun in row and context in column
        if (information := log(weight * total / (of_noun[noun] * of_context[context] ** SMOOTHING))) > 0
    ]
    if not cells:
        return None
    values, rows, columns = zip(*cells, strict=True)
    matrix = csr_matrix((values, (rows, columns)), shape=(len(nouns), len(contexts)))
    if min(matrix.shape) <= DIMENSIONS:
        return np.linalg.svd(matrix.toarray(), full_matrices=False)
    return svds(matrix, DIMENSIONS, v0=np.ones(min(matrix.shape)))  # type: ignore[no-any-return]


def of_length_one(rows: np.ndarray) -> np.ndarray:
    return (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)
