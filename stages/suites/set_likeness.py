"""Blind scorers that look at a retrieval set as a whole, for the caption that the others were made from.

Every hard negative is an edit of the truth, and so the truth tends to share more with its negatives than these share with each
other. No language model and no image is needed to see that. The opposites are here, too: where a set has been made around one of
its negatives, the truth may stand out.
"""

from collections.abc import Hashable, Sequence
from itertools import combinations, pairwise

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist
from scipy import sparse

from stages.blind.scorers import denied
from stages.wording.tokens import words


def likenesses(
    texts: Sequence[str], text: np.ndarray, size: np.ndarray, meaning: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Who takes the caption most like the others of its set, or least: by words, by pairs of words, by their order, or by what they
    mean; and, where captions deny something, who takes that one of which most of the others say what it denies, or fewest.

    Args:
        texts, text, size: distinct captions, the indices of all sets' captions among them, and the size of each set, as
            :class:`stages.retrieval.sets.Layout` has them.
        meaning: vectors of the distinct captions (:mod:`stages.blind.meaning`), if there are any; shape (texts, dimensions).

    Returns:
        By scorer, the scores of all captions of all sets, one set after the other.
    """
    start = np.cumsum(size) - size
    within = {k: np.array([*combinations(range(k), 2)], np.int64).reshape(-1, 2) for k in np.unique(size)}
    pairs = np.concatenate([np.zeros((0, 2), np.int64), *(s + within[k] for s, k in zip(start, size, strict=True))])
    others = np.maximum(np.repeat(size, size) - 1, 1)
    sums = {}
    for name, likeness in (("words", same_words), ("pairs", same_pairs), ("order", same_order)):
        alike = likeness(texts, *text[pairs].T)
        sums[name] = sum(np.bincount(side, alike, minlength=len(text)) for side in pairs.T)
    if meaning is not None:
        sums["meaning"] = same_meaning(meaning[text], size)
    if any(map(denied, texts)):
        pairs = np.concatenate([pairs, pairs[:, ::-1]])
        sums["denied"] = np.bincount(pairs[:, 0], says_denied(texts, *text[pairs].T), minlength=len(text))
    # Rounded, because the order of a sum's terms must not break a tie.
    means = {name: (of / others).round(6) for name, of in sums.items()}
    return {f"{sign}_{name}": way * of for name, of in means.items() for sign, way in (("alike", 1), ("unlike", -1))}


def same_meaning(meaning: np.ndarray, size: np.ndarray) -> np.ndarray:
    """How much each caption of each set means what all the others do, in sum: the cosines of their vectors.

    From (captions of all sets, dimensions) to (captions of all sets,).
    """
    owner = np.repeat(np.arange(len(size)), size)
    of_set = sparse.csr_array((np.ones(len(owner)), (owner, np.arange(len(owner)))), shape=(len(size), len(owner))) @ meaning
    return np.einsum("ij,ij->i", meaning, of_set[owner] - meaning)


# How alike captions are, in [0, 1]: from the captions and two arrays of indices, of shape (pairs,).


def same_words(texts: Sequence[str], one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The share of words that two captions have in common, whatever their order: twice the common ones by all of both."""
    return _common([words(text) for text in texts], one, other)


def same_pairs(texts: Sequence[str], one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The same of pairs of words that follow each other, the caption's two ends being words, too."""
    sentences = (["", *words(text), ""] for text in texts)
    return _common([list(pairwise(row)) for row in sentences], one, other)


def _common(parts: Sequence[Sequence[Hashable]], one: np.ndarray, other: np.ndarray) -> np.ndarray:
    numbers: dict[Hashable, int] = {}
    columns = np.array([numbers.setdefault(part, len(numbers)) for row in parts for part in row], np.int64)
    rows = np.repeat(np.arange(len(parts)), [len(row) for row in parts])
    counts = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(parts), max(len(numbers), 1))).tocsr()
    a, b = counts[one], counts[other]
    return 2 * a.minimum(b).sum(axis=1) / np.maximum(a.sum(axis=1) + b.sum(axis=1), 1)


def same_order(texts: Sequence[str], one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """One minus the edits that make the one caption the other (words put in, left out or replaced), by the words of the longer."""
    sentences = [words(text) for text in texts]
    return cpdist([sentences[i] for i in one], [sentences[i] for i in other], scorer=Levenshtein.normalized_similarity)


def says_denied(texts: Sequence[str], one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """1 where the other caption says the word that the one denies, else 0."""
    denials, said = [denied(text) for text in texts], [frozenset(words(text)) for text in texts]
    return np.array([denials[i] in said[j] for i, j in zip(one.tolist(), other.tolist(), strict=True)], float)
