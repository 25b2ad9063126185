"""``python -m tests.benchmarks.word_vectors FILE``: makes ``stages/foils/word_vectors.npz`` anew of GloVe's vectors, a word and its
numbers a line, the frequent words first (``glove.6B.100d.txt``, https://nlp.stanford.edu/projects/glove, in the public domain)."""

import sys
from itertools import islice
from pathlib import Path

import numpy as np

from stages.contract import tables
from stages.foils.sense import SHIPPED
from stages.foils.word_vectors import FILE
from stages.semantics import things, wordnet

FREQUENT, MEASURED = 60_000, 20_000
"""The words of which nouns are taken, and those by which the mean and the greatest components are measured."""
COMMON_COMPONENTS = 2


def main() -> None:
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        lines = [line.split(" ") for line in islice(file, FREQUENT)]
    words, vectors = [line[0] for line in lines], np.array([line[1:] for line in lines], np.float32)
    centred = vectors - vectors[:MEASURED].mean(axis=0)
    common = np.linalg.svd(centred[:MEASURED], full_matrices=False)[2][:COMMON_COMPONENTS]
    centred -= centred @ common.T @ common
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    said = (row[column] for row in tables.read("seen_compounds", SHIPPED) for column in ("first", "second", "third"))
    needed = {word for phrase in (*said, *things.listed()) for word in phrase.split()}
    kept = [i for i, word in enumerate(words) if word in needed or wordnet.common_senses(word)]
    turned = centred[kept] @ np.linalg.svd(centred[kept], full_matrices=False)[2][:-COMMON_COMPONENTS].T
    scaled = np.rint(turned / np.abs(turned).max(axis=1, keepdims=True) * 127).astype(np.int8)
    np.savez_compressed(FILE, words=np.array([words[i] for i in kept]), vectors=scaled)
    print(f"{len(kept):,} words, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
