"""A caption's words and its dependency tree as lists: reading spaCy's objects costs more than computing the network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spacy.tokens import Doc


class Tokens(NamedTuple):
    """Words as the network's input, with the place of each in the caption.

    Attributes:
        rows: for each word its number in the reader that made them; ``None``: to be looked up.
        begins: whether each word begins a sentence; ``None``: unknown.
    """

    words: Sequence[str]
    start: Sequence[int]
    end: Sequence[int]
    rows: Sequence[int] | None = None
    begins: Sequence[bool] | None = None

    def spaced(self, i: int) -> bool:
        """Return whether a space follows word ``i``, which is not the last."""
        return self.end[i] < self.start[i + 1]

    @classmethod
    def of(cls, doc: Doc) -> Tokens:
        """Return the words of a ``Doc``."""
        tokens = list(doc)
        starts = [token.idx for token in tokens]
        words = [token.text for token in tokens]
        return cls(words, starts, [at + len(word) for at, word in zip(starts, words, strict=True)])


class Tree(NamedTuple):
    """Words in lower case, the place of each in the caption, its tag, dependency label and head (a root is its own head)."""

    low: list[str]
    start: list[int]
    end: list[int]
    tag: list[str]
    dep: list[str]
    head: list[int]

    @classmethod
    def of(cls, doc: Doc, tokens: Tokens | None = None) -> Tree:
        """Return the tree of a tagged and parsed ``Doc``; ``tokens`` have the places of its words, if not as in its text."""
        start, end = (tokens or Tokens.of(doc))[1:3]
        words = list(doc)
        tags, labels = [token.tag_ for token in words], [token.dep_ for token in words]
        return cls([token.lower_ for token in words], list(start), list(end), tags, labels, [token.head.i for token in words])
