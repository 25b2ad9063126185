"""Captions to words, and words to dependency trees, by a spaCy pipeline. Its tokeniser runs once for each distinct chunk of text
between spaces, and its network, if of the known kind, on thousands of captions at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from stages.parsing import pipeline
from stages.parsing.network import Network, known
from stages.parsing.trees import Tokens, Tree

CACHED = 1 << 17
"""Maximum number of cached chunks, and of words: a web corpus has millions that occur once."""
BATCH = 256
"""Number of captions that other networks process together."""


class _Chunk(NamedTuple):
    """The words of a chunk of text without spaces, where each begins, and the words' numbers.

    ``joins``: whether the tokeniser could join its first word with words of the chunk before.
    """

    words: tuple[str, ...]
    start: tuple[int, ...]
    rows: tuple[int, ...]
    joins: bool


class Reader:
    """Reads English with the pipeline ``name`` (the parameter ``language.pipeline``)."""

    def __init__(self, name: str = "bundled"):
        self.nlp = pipeline.load(name)
        self.network = Network(self.nlp) if known(self.nlp) else None
        self._joining = _joining_words(self.nlp)
        self.forget()

    def forget(self) -> None:
        """Clear the cached words."""
        self._chunks: dict[str, _Chunk] = {}
        self._rows: dict[tuple[str, int], int] = {}
        self._plain: dict[str, int] = {}
        self._attributes: list[Any] = []

    def zone(self) -> AbstractContextManager[Any]:
        """Let spaCy forget new strings at the end of the block; cached entries here are numbers."""
        if max(len(self._chunks), len(self._attributes)) > CACHED:
            self.forget()
        return self.nlp.memory_zone()

    # --- Words ----

    def tokens(self, caption: str) -> Tokens:
        """Return the words of a caption, in which single spaces separate words; as spaCy's tokeniser splits them."""
        words: list[str] = []
        start: list[int] = []
        rows: list[int] = []
        at = 0
        for text in caption.split(" "):
            chunk = self._chunks.get(text) or self._chunk(text)
            if chunk.joins and at:
                return self._whole(caption)
            words += chunk.words
            start += chunk.start if not at else [at + first for first in chunk.start]
            rows += chunk.rows
            at += len(text) + 1
        return Tokens(words, start, [first + len(word) for first, word in zip(start, words, strict=True)], rows)

    def _chunk(self, text: str) -> _Chunk:
        made = self._whole(text)
        joins = bool(made.words) and made.words[0] in self._joining
        chunk = _Chunk(tuple(made.words), tuple(made.start), tuple(made.rows or ()), joins)
        self._chunks[text] = chunk
        return chunk

    def _whole(self, text: str) -> Tokens:
        doc = self.nlp.make_doc(text)
        made = Tokens.of(doc)
        return made._replace(rows=[self._row(token.text, token.lex, token.norm) for token in doc])

    def _row(self, word: str, lexeme: Any, norm: int) -> int:
        key = word, norm
        if key not in self._rows:
            self._rows[key] = len(self._attributes)
            self._attributes.append((norm, lexeme.prefix, lexeme.suffix, lexeme.shape))
        return self._rows[key]

    def _row_of(self, word: str) -> int:
        if word not in self._plain:
            lexeme = self.nlp.vocab[word]
            self._plain[word] = self._row(word, lexeme, lexeme.norm)
        return self._plain[word]

    # --- Trees ----

    def trees(self, captions: Sequence[Tokens]) -> list[Tree]:
        """Return the tree of each caption, in order."""
        return self._by_network(self.network, captions) if self.network else self._by_pipeline(captions)

    def _by_network(self, network: Network, captions: Sequence[Tokens]) -> list[Tree]:
        order = sorted((i for i in range(len(captions)) if captions[i].words), key=lambda i: len(captions[i].words))
        trees = [Tree([], [], [], [], [], [])] * len(captions)
        if not order:
            return trees
        some = [captions[i] for i in order]
        rows = [row for one in some for row in (one.rows if one.rows is not None else map(self._row_of, one.words))]
        parsed = network.parse(rows, self._attributes, [len(one.words) for one in some], [one.begins for one in some])
        for i, one, (tags, labels, heads) in zip(order, some, parsed, strict=True):
            if any("||" in label for label in labels):
                labels, heads = self._lifted(one, labels, heads)
            trees[i] = Tree([word.lower() for word in one.words], list(one.start), list(one.end), tags, labels, heads)
        return trees

    def _lifted(self, one: Tokens, labels: list[str], heads: list[int]) -> tuple[list[str], list[int]]:
        """Return labels with the right head where they are as "pobj||prep": the word depends on another word than its head."""
        from spacy.pipeline._parser_internals.nonproj import deprojectivize
        from spacy.tokens import Doc

        tree = Doc(self.nlp.vocab, words=list(one.words), heads=heads, deps=labels)
        deprojectivize(tree)
        return [token.dep_ for token in tree], [token.head.i for token in tree]

    def _by_pipeline(self, captions: Sequence[Tokens]) -> list[Tree]:
        docs = self.nlp.pipe(map(self._doc, captions), batch_size=BATCH)
        return [Tree.of(doc, one) for doc, one in zip(docs, captions, strict=True)]

    def _doc(self, one: Tokens) -> Any:
        from spacy.tokens import Doc

        spaces = [one.spaced(i) for i in range(len(one.words) - 1)]
        starts: Any = list(one.begins) if one.begins else None
        doc = Doc(self.nlp.vocab, words=list(one.words), spaces=[*spaces, False][: len(one.words)], sent_starts=starts)
        for token, row in zip(doc, one.rows or (), strict=False):
            norm = self._attributes[row][0]
            if token.norm != norm:  # the tokeniser's norm of "n't" is "not"
                token.norm_ = self.nlp.vocab.strings[norm]
        return doc


def _joining_words(nlp: Any) -> frozenset[str]:
    """Return the words with which a tokeniser exception of several words continues, such as the point of "a.m."."""
    from spacy.tokenizer import Tokenizer

    parts = ("prefix_search", "suffix_search", "infix_finditer", "token_match", "url_match")
    plain = Tokenizer(nlp.vocab, {}, **{part: getattr(nlp.tokenizer, part) for part in parts})
    return frozenset(token.text for text in nlp.tokenizer.rules for token in list(plain(text))[1:])
