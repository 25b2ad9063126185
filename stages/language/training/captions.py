"""Trees as training examples, in the treebank's own style and in that of captions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from stages.language.training.treebank import Node, convert, read

ARTICLES = {"a", "an", "the", "this", "that", "some"}


def treebank_docs(nlp: Language, paths: Iterable[str]) -> Iterator[Doc]:
    """The sentences of CoNLL-U files with the labels of ``en_core_web_*``."""
    for path in paths:
        for sentence in read(path):
            nodes = convert(sentence)
            if nodes:
                yield doc(nlp, nodes)


def doc(nlp: Language, nodes: list[Node]) -> Doc:
    """A tree as spaCy holds it."""
    return Doc(
        nlp.vocab,
        words=[n.form for n in nodes],
        spaces=[n.space for n in nodes],
        tags=[n.tag for n in nodes],
        heads=[n.head if n.head >= 0 else i for i, n in enumerate(nodes)],
        deps=[n.dep for n in nodes],
        sent_starts=[i == 0 for i in range(len(nodes))],
    )


def example(nlp: Language, tree: Doc, rng: random.Random) -> Example:
    """``tree`` as it stands, or written as captions are: lower case, no final period, articles left out."""
    drop: set[int] = set()
    heads = {t.head.i for t in tree if t.head.i != t.i}
    if rng.random() < 0.35:
        for token in reversed(tree):
            if token.dep_ != "punct" or token.i in heads or token.head.i == token.i:
                break
            drop.add(token.i)
    if rng.random() < 0.15:
        drop |= {t.i for t in tree if t.dep_ == "det" and t.lower_ in ARTICLES and t.i not in heads}
    lower = rng.random() < 0.35
    kept = [t for t in tree if t.i not in drop]
    if len(kept) < 2:
        kept = list(tree)
    place = {t.i: k for k, t in enumerate(kept)}
    words = [t.lower_ if lower else t.text for t in kept]
    spaces = [bool(t.whitespace_) or (t.i + 1 in drop) for t in kept]
    reference = Doc(
        nlp.vocab,
        words=words,
        spaces=spaces,
        tags=[t.tag_ for t in kept],
        heads=[place[t.head.i] for t in kept],
        deps=[t.dep_ for t in kept],
        sent_starts=[k == 0 for k in range(len(kept))],
    )
    return Example(Doc(nlp.vocab, words=words, spaces=spaces), reference)
