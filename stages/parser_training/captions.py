"""Trees as training examples, in the treebank's own style and in that of captions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from spacy.language import Language
from spacy.tokens import Doc, Token
from spacy.training import Example
from spacy.vocab import Vocab

from stages.parser_training.treebank import Node, convert, read

ARTICLES = {"a", "an", "the", "this", "that", "some"}


def treebank_docs(nlp: Language, paths: Iterable[str]) -> Iterator[Doc]:
    """The sentences of CoNLL-U files with the labels of ``en_core_web_*``."""
    for path in paths:
        for sentence in read(path):
            nodes = convert(sentence)
            if nodes:
                yield as_doc(nlp.vocab, nodes)


def as_doc(vocab: Vocab, nodes: list[Node]) -> Doc:
    """A tree as spaCy holds it."""
    return Doc(
        vocab,
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
    reference = _copy(nlp, kept if len(kept) > 1 else list(tree), lower, frozenset(drop))
    return as_it_stands(nlp, reference)


def with_vocabulary(trees: Iterable[Doc], nlp: Language) -> Iterator[Doc]:
    """The same trees with the vocabulary of ``nlp``, each as one sentence."""
    for tree in trees:
        yield _copy(nlp, list(tree), lower=False)


def as_it_stands(nlp: Language, tree: Doc) -> Example:
    """The tree with an unparsed copy of its words, to measure with."""
    return Example(Doc(nlp.vocab, words=[t.text for t in tree], spaces=[bool(t.whitespace_) for t in tree]), tree)


def _copy(nlp: Language, kept: list[Token], lower: bool, drop: frozenset[int] = frozenset()) -> Doc:
    """The tree of the words in ``kept``, none of which hangs on a word in ``drop``."""
    place = {t.i: k for k, t in enumerate(kept)}
    return Doc(
        nlp.vocab,
        words=[t.lower_ if lower else t.text for t in kept],
        spaces=[bool(t.whitespace_) or t.i + 1 in drop for t in kept],
        tags=[t.tag_ for t in kept],
        heads=[place[t.head.i] for t in kept],
        deps=[t.dep_ for t in kept],
        sent_starts=[k == 0 for k in range(len(kept))],
    )
