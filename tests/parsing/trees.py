"""Dependency trees written by hand, so that the rules' tests need no trained pipeline."""

import spacy
from spacy.tokens import Doc

VOCAB = spacy.blank("en").vocab


def doc(text: str) -> Doc:
    """Return a tree from ``word/TAG/label>head`` for each word; the head is a word, or ``word#2`` for its second occurrence.

    >>> [t.head.text for t in doc("red/JJ/amod>car car/NN/ROOT>car")]
    ['car', 'car']
    """
    rows = [part.rsplit("/", 2) for part in text.split()]
    words = [row[0] for row in rows]
    heads = []
    for _, _, arc in rows:
        head, _, nth = arc.split(">")[1].partition("#")
        heads.append([i for i, word in enumerate(words) if word == head][int(nth or 1) - 1])
    tags, deps = [row[1] for row in rows], [row[2].split(">")[0] for row in rows]
    return Doc(VOCAB, words=words, heads=heads, deps=deps, tags=tags, spaces=[True] * len(words))
