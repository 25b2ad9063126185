"""An adversary that is trained to separate truths from negatives without an image: a test for what fixed scorers miss.

It knows the words and bigrams of a caption, the WordNet kinds of its nouns, its length, what it shares with the others of its set,
and its rank there by every other shortcut scorer. It learns from some sets and scores others, of other images and with other
captions (cross-validated), so it cannot memorise captions where they repeat, as ARO's short ones do. Which captions are true plays
no part in the folds; otherwise the adversary would be right less often than chance where the truth is drawn at random.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy import sparse

from stages.text.lexnames import NONE, lexname
from stages.text.tokens import CACHED, words

FOLDS = 5
"""Folds of the cross-validation, by convention (Hastie, Tibshirani and Friedman, 2009, section 7.10)."""
MAX_TOGETHER = 1 - 1 / FOLDS
"""Maximum fraction of the sets in one fold: as large as the other folds together."""
MAX_SETS = 6000
"""Maximum number of sets that are learned from, here by a fold, drawn at random because suites list sets of one kind together. It
bounds time."""


def trained(
    texts: Sequence[str], text: np.ndarray, size: np.ndarray, images: np.ndarray, blind: Mapping[str, np.ndarray]
) -> np.ndarray:
    """Return the adversary's score of each caption of each set.

    Args:
        texts, text, size: distinct captions, the indices of all sets' captions among them, each truth first, and the sizes, as
            :class:`stages.evaluation.sets.Layout` has them.
        images: the image of each set; shape (sets,).
        blind: the other scorers' scores of all sets' captions, by name.

    Returns:
        One score a caption, one set after the other; all scores of a fold are equal where no set is left to learn from.
    """
    # Imported here: it takes two seconds, and most importers of this module do not train.
    from sklearn.model_selection import GroupKFold

    scores = np.zeros(len(text))
    start = np.cumsum(size) - size
    owner = np.repeat(np.arange(len(size)), size)
    groups = apart(text, images[owner], start)
    folds = min(FOLDS, len(np.unique(groups)))
    if folds < 2:
        return scores
    asked, place = np.unique(text, return_inverse=True)
    features = sparse.hstack([_words([texts[i] for i in asked])[place], _ranks(blind, start, size)], format="csr")
    # What all captions of a set have in common carries no information.
    negative = np.setdiff1d(np.arange(len(text)), start)
    gains = (features[start[owner[negative]]] - features[negative]).tocsr()
    splitter = GroupKFold(folds, shuffle=True, random_state=0)
    draw = np.random.default_rng(0)
    for _, ask in splitter.split(size, groups=groups):
        others = np.isin(owner, ask)
        learn = np.setdiff1d(np.arange(len(size)), owner[np.isin(text, text[others])])
        taught = learn if len(learn) <= MAX_SETS else draw.choice(learn, MAX_SETS, replace=False)
        rows = np.flatnonzero(np.isin(owner[negative], taught))
        if len(rows) < 2:
            continue
        scores[others] = features[others] @ fit(gains[rows])
    # Rounded, because the last bits of an optimiser depend on the machine.
    return scores.round(5)


def apart(text: np.ndarray, images: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return the fold group of each set: sets connected by an image or a caption, directly or through others, are together.

    Where one group has more than :data:`MAX_TOGETHER` of the sets, as in ARO, hardly any would be left to learn from: there sets
    are grouped by image.
    """
    from scipy.sparse import csgraph

    (names, image), (captions, caption) = (np.unique(ids, return_inverse=True) for ids in (images, text))
    size = len(names) + len(captions)
    pairs = sparse.coo_array((np.ones(len(text)), (image, len(names) + caption)), shape=(size, size))
    groups = csgraph.connected_components(pairs, directed=False)[1][image][start]
    many = np.bincount(groups)[groups] > MAX_TOGETHER * len(start)
    return np.where(many, size + image[start], groups)


def fit(gains: sparse.csr_array) -> np.ndarray:
    """Return the weight of each feature, from truths' features less those of each negative, of shape (negatives, features)."""
    from sklearn.linear_model import LogisticRegression

    # Each difference is a truth less its negative or, for every other one, the reverse.
    sign = np.where(np.arange(gains.shape[0]) % 2, -1.0, 1.0)
    model = LogisticRegression(fit_intercept=False)
    return model.fit(sparse.diags_array(sign) @ gains, sign).coef_[0].round(6)


def _words(texts: Sequence[str]) -> sparse.csr_array:
    """Return the words, bigrams and kinds of things of each caption; those of only one caption are left out."""
    numbers: dict[str, int] = {}
    rows = [np.array([numbers.setdefault(part, len(numbers)) for part in parts(text)], np.int64) for text in texts]
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    flat = np.concatenate([*rows, np.zeros(0, np.int64)])
    has_part = sparse.csr_array((np.ones(len(flat)), (owner, flat)), shape=(len(texts), max(1, len(numbers))))
    return has_part[:, np.bincount(flat, minlength=max(1, len(numbers))) > 1]


@lru_cache(CACHED)
def parts(text: str) -> tuple[str, ...]:
    """Return the features of a caption: its words, bigrams and kinds of things, and its number of words."""
    tokens = words(text)
    kinds = (f"<{kind}>" for kind in map(lexname, tokens) if kind != NONE)
    return (*tokens, *map(" ".join, pairwise(["<", *tokens, ">"])), *kinds, f"<{len(tokens)} words>")


def _ranks(blind: Mapping[str, np.ndarray], start: np.ndarray, size: np.ndarray) -> sparse.csr_array:
    """Return one-hot ranks of each caption in its set by every other scorer; ties get the lowest rank."""
    columns = []
    owner = np.repeat(np.arange(len(size)), size)
    for name in sorted(blind):
        order = np.lexsort((-blind[name], owner))
        ranked = blind[name][order]
        first = np.r_[True, (owner[order][1:] != owner[order][:-1]) | (ranked[1:] != ranked[:-1])]
        rank = np.empty(len(order), np.int64)
        rank[order] = np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
        rank -= start[owner]
        columns.append(sparse.csr_array((np.ones(len(rank)), (np.arange(len(rank)), rank)), shape=(len(rank), int(size.max()))))
    return sparse.hstack(columns, format="csr") if columns else sparse.csr_array((len(owner), 0))
