"""The network of spaCy's small pipelines, for thousands of captions at a time.

spaCy pads each caption by four empty rows and computes every word. Here the matrix products, numpy's own, run over the words of
many captions; each distinct word is computed once, and only the padding that reaches a word. The results are the same, up to
rounding.

``python -m tests.benchmarks.parse_speed`` prints the speed-up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stages.parsing.transitions import Transitions

if TYPE_CHECKING:
    from spacy.language import Language

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]

Parsed = tuple[list[str], list[str], list[int]]
"""Tags, dependency labels and heads of a caption's words."""

PIPES = "tok2vec", "tagger", "parser"
EMBEDDING = ["extract_features", "list2ragged", "with_array", "with_array", "ragged2list"]
COLUMNS = ["NORM", "PREFIX", "SUFFIX", "SHAPE"]
DEPTH = 4
"""Number of encoder layers, each of which sees one word to the left and one to the right; as many empty rows separate captions."""
REACH = 2, 1, 0
"""For each layer after the first, the maximum distance from a caption's words of the rows whose output reaches a word."""
ROWS = 1024
"""Number of rows computed together, so that they fit into a processor's cache."""
STATES = 512
"""Number of captions parsed into trees together."""
EPSILON = 1e-8


class Maxout(NamedTuple):
    """A maxout layer with layer normalisation; ``weight`` is (inputs, pieces × outputs), a block of outputs for each."""

    weight: Floats
    bias: Floats
    gain: Floats
    shift: Floats

    @classmethod
    def of(cls, model: Any) -> Maxout:
        """Return the layer made of the two thinc layers in ``model``."""
        maxout, norm = (next(node for node in model.walk() if node.name == name) for name in ("maxout", "layernorm"))
        weight, bias = maxout.get_param("W"), maxout.get_param("b")
        outputs, pieces, inputs = weight.shape
        blocks = weight.transpose(2, 1, 0).reshape(inputs, pieces * outputs)
        return cls(np.ascontiguousarray(blocks), bias.T.ravel().copy(), norm.get_param("G"), norm.get_param("b"))

    def __call__(self, rows: Floats) -> Floats:
        return self.activated(rows @ self.weight)

    def activated(self, sums: Floats) -> Floats:
        """Return the output for ``sums``, the products with the weights, which are overwritten."""
        width = len(self.gain)
        sums += self.bias
        out = sums[:, :width]
        for piece in range(width, sums.shape[1], width):
            np.maximum(out, sums[:, piece : piece + width], out=out)
        out = out - out.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", out, out) / np.float32(width)
        out *= (1 / np.sqrt(variance + np.float32(EPSILON)))[:, None]
        out *= self.gain
        out += self.shift
        return out


class Network:
    """Tagger and parser of a pipeline for which :func:`known` returns true."""

    def __init__(self, nlp: Language):
        tok2vec, tagger, parser = (nlp.get_pipe(name) for name in PIPES)
        embed, encode = tok2vec.model.layers  # type: ignore[attr-defined]
        _, _, self.hashed, mixed, _ = embed.layers
        self.mixed = Maxout.of(mixed)
        self.layers = [Maxout.of(layer) for layer in encode.layers[0].layers]
        output = tagger.model.layers[-1].layers[0]  # type: ignore[attr-defined]
        self.tag_weight, self.tag_bias = output.get_param("W").T.copy(), output.get_param("b")
        self.tags: Any = np.array(tagger.labels, dtype=object)  # type: ignore[attr-defined, type-var]
        self.transitions = Transitions(parser)

    def parse(
        self,
        rows: Sequence[int],
        attributes: Sequence[tuple[int, ...]],
        lengths: Sequence[int],
        begins: Sequence[Sequence[bool] | None],
    ) -> Iterator[Parsed]:
        """Yield tags, labels and heads of non-empty captions; sorting by length is fastest.

        Args:
            rows: all captions' words, as numbers of ``attributes``.
            attributes: norm, prefix, suffix and shape of words, as spaCy's hashes.
            lengths: number of words of each caption.
            begins: for a caption whether each of its words begins a sentence, if known.
        """
        sizes = np.array(lengths)
        vectors = self._encoded(np.array(rows), attributes, sizes)
        tags = self.tags[np.argmax(vectors @ self.tag_weight + self.tag_bias, axis=1)].tolist()
        ends = np.cumsum(sizes)
        for first in range(0, len(sizes), STATES):
            batch = slice(first, first + STATES)
            start, end = int(ends[first] - sizes[first]), int(ends[batch][-1])
            heads, labels = self.transitions.parse(vectors[start:end], sizes[batch], begins[batch])
            heads -= np.repeat(ends[batch] - sizes[batch] - start, sizes[batch])
            of_words, heads_list = tags[start:end], heads.tolist()
            edges = pairwise([0, *(ends[batch] - start).tolist()])
            yield from ((of_words[a:b], labels[a:b], heads_list[a:b]) for a, b in edges)

    # --- The encoder ----

    def _encoded(self, words: Numbers, attributes: Sequence[tuple[int, ...]], lengths: Numbers) -> Floats:
        """Return a vector for each word, of shape (words, width)."""
        distinct, word = np.unique(words, return_inverse=True)
        rows, distance = _padded(lengths)
        nodes = np.zeros(len(distance), np.int64)
        nodes[rows] = word + 1
        embedded = self._embedded(np.array([attributes[row] for row in distinct.tolist()], np.uint64))
        vectors = self._first_layer(embedded, nodes)
        for layer, reach in zip(self.layers[1:], REACH, strict=True):
            vectors = self._layer(layer, vectors, np.flatnonzero(distance <= reach))
        return vectors[rows]

    def _embedded(self, attributes: NDArray[np.uint64]) -> Floats:
        """Return embeddings of words by their attributes, after a row of zeros."""
        from thinc.types import Ragged

        hashed = self.hashed.predict(Ragged(attributes, np.array([len(attributes)], np.int32)))  # type: ignore[arg-type]
        out = np.zeros((len(attributes) + 1, len(self.mixed.gain)), np.float32)
        out[1:] = self.mixed(np.asarray(hashed.dataXd))
        return out

    def _first_layer(self, embedded: Floats, nodes: Numbers) -> Floats:
        """Return the first layer's output for all rows: its products are those of the distinct words."""
        layer, width = self.layers[0], embedded.shape[1]
        products = [embedded @ layer.weight[i * width : (i + 1) * width] for i in range(3)]
        around = np.roll(nodes, 1), nodes, np.roll(nodes, -1)  # the first and the last row are empty
        out = np.empty((len(nodes), width), np.float32)
        for start in range(0, len(nodes), ROWS):
            some = slice(start, start + ROWS)
            sums = products[0][around[0][some]]
            sums += products[1][around[1][some]]
            sums += products[2][around[2][some]]
            out[some] = layer.activated(sums) + embedded[nodes[some]]
        return out

    @staticmethod
    def _layer(layer: Maxout, vectors: Floats, rows: Numbers) -> Floats:
        """Return a further layer's output for some ``rows``; the other rows do not reach a word."""
        width = vectors.shape[1]
        out = np.zeros_like(vectors)
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            around = vectors[(some[:, None] + np.array([-1, 0, 1])).ravel()].reshape(len(some), 3 * width)
            out[some] = layer(around) + around[:, width : 2 * width]
        return out


def _padded(lengths: Numbers) -> tuple[Numbers, NDArray[np.int8]]:
    """Return the rows of all words, with ``DEPTH`` empty rows between captions, and each row's distance from a word."""
    first = DEPTH + np.cumsum(lengths + DEPTH) - lengths - DEPTH
    total = int(lengths.sum()) + DEPTH * (len(lengths) + 1)
    distance = np.full(total, DEPTH, np.int8)
    for step in range(1, DEPTH):
        for edge in (first - step, first + lengths - 1 + step):
            distance[edge] = np.minimum(distance[edge], step)
    rows = np.repeat(first - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))
    distance[rows] = 0
    return rows, distance


def known(nlp: Language) -> bool:
    """Return whether :class:`Network` can compute ``nlp``, as it can ``en_core_web_sm`` and the bundled pipeline."""
    if [name for name in nlp.pipe_names if name in PIPES] != list(PIPES):
        return False
    tok2vec, tagger, parser = (nlp.get_pipe(name).model for name in PIPES)  # type: ignore[attr-defined]
    if len(tok2vec.layers) != 2 or not all("tok2vec-listener" in model.get_ref("tok2vec").name for model in (tagger, parser)):
        return False
    embed, encode = tok2vec.layers
    if [layer.name.partition("(")[0] for layer in embed.layers] != EMBEDDING:
        return False
    columns, residuals = embed.layers[0].attrs["columns"], encode.layers[0].layers
    plain = len(residuals) == DEPTH and all(
        layer.name == "residual(expand_window>>maxout>>layernorm>>dropout)" for layer in residuals
    )
    windows = {node.attrs["window_size"] for node in encode.walk() if node.name == "expand_window"}
    return plain and windows == {1} and columns == COLUMNS and Transitions.known(nlp.get_pipe("parser"))
