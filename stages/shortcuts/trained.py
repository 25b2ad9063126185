"""An adversary that is trained to tell truths from negatives, without an image: what any fixed scorer may have missed.

It knows the words and pairs of words of a caption, what kinds of things its nouns are, how long it is, what it shares with the
others of its set, and how every other shortcut scorer ranks it there. Of all this it learns from some sets which captions tend to
be true, and is asked about others, of other images and with other captions (cross-validated): so it can know nothing by heart,
where captions come again as ARO's short ones do. Which of them are true plays no part in who learns from whom, or the adversary
would be right less often than by chance where the truth is drawn at random.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from scipy import sparse

from stages.language.lexnames import NONE, sort
from stages.wording.tokens import words

FOLDS = 5
REGULARISED = 0.1
"""Inverse strength of the ridge: words that came once say little."""
STEPS = 200
"""Of the optimiser, at most: it ends before where it changes nothing any more."""
MOST_TOGETHER = 0.8
"""The share of the sets that may be asked together: as large as the other folds are."""
MOST = 6000
"""Sets that a fold learns from, at most; drawn, for suites have sets of one kind stand together."""


def trained(
    texts: Sequence[str], text: np.ndarray, size: np.ndarray, images: np.ndarray, blind: Mapping[str, np.ndarray]
) -> np.ndarray:
    """The adversary's score of each caption of each set.

    Args:
        texts, text, size: distinct captions, the indices of all sets' captions among them, each truth first, and the sizes, as
            :class:`stages.retrieval.sets.Layout` has them.
        images: of each set; shape (sets,).
        blind: what the other scorers give to all sets' captions, by their names.

    Returns:
        One score a caption, one set after the other; all of a fold are equal where it leaves no set to learn from.
    """
    # Imported where it is needed: it takes two seconds, and code that only names this scorer fits none.
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
    # What all captions of a set have in common tells nothing.
    negative = np.setdiff1d(np.arange(len(text)), start)
    gains = (features[start[owner[negative]]] - features[negative]).tocsr()
    splitter = GroupKFold(folds, shuffle=True, random_state=0)
    draw = np.random.default_rng(0)
    for _, ask in splitter.split(size, groups=groups):
        others = np.isin(owner, ask)
        learn = np.setdiff1d(np.arange(len(size)), owner[np.isin(text, text[others])])
        taught = learn if len(learn) <= MOST else draw.choice(learn, MOST, replace=False)
        rows = np.flatnonzero(np.isin(owner[negative], taught))
        if len(rows) < 2:
            continue
        scores[others] = features[others] @ fit(gains[rows])
    # Rounded, because the last bits of an optimiser are a machine's own.
    return scores.round(5)


def apart(text: np.ndarray, images: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Which sets are asked together, as numbers: those that hang together by an image or a caption, or by others in between.

    Where more than :data:`MOST_TOGETHER` do, as of ARO's, hardly any would be left to learn from: there it is those of an image.
    """
    from scipy.sparse import csgraph

    (names, image), (captions, caption) = (np.unique(of, return_inverse=True) for of in (images, text))
    size = len(names) + len(captions)
    pairs = sparse.coo_array((np.ones(len(text)), (image, len(names) + caption)), shape=(size, size))
    groups = csgraph.connected_components(pairs, directed=False)[1][image][start]
    many = np.bincount(groups)[groups] > MOST_TOGETHER * len(start)
    return np.where(many, size + image[start], groups)


def fit(gains: sparse.csr_array) -> np.ndarray:
    """What each feature is worth, learned from what truths have more of than each of their negatives: (negatives, features)."""
    from sklearn.linear_model import LogisticRegression

    # Each difference stands for a truth less its negative or, every other one, the other way round.
    sign = np.where(np.arange(gains.shape[0]) % 2, -1.0, 1.0)
    model = LogisticRegression(C=REGULARISED, fit_intercept=False, max_iter=STEPS)
    return model.fit(sparse.diags_array(sign) @ gains, sign).coef_[0].round(6)


def _words(texts: Sequence[str]) -> sparse.csr_array:
    """Which words, pairs of words and kinds of things each caption names; those of one caption only are left out."""
    numbers: dict[str, int] = {}
    rows = [np.array([numbers.setdefault(part, len(numbers)) for part in parts(text)], np.int64) for text in texts]
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    flat = np.concatenate([*rows, np.zeros(0, np.int64)])
    has_part = sparse.csr_array((np.ones(len(flat)), (owner, flat)), shape=(len(texts), max(1, len(numbers))))
    return has_part[:, np.bincount(flat, minlength=max(1, len(numbers))) > 1]


def parts(text: str) -> Iterator[str]:
    """What a caption is known by: its words, pairs of words, and kinds of things, and how many words it has."""
    tokens = words(text)
    yield from tokens
    yield from map(" ".join, pairwise(["<", *tokens, ">"]))
    yield from (f"<{kind}>" for kind in map(sort, tokens) if kind != NONE)
    yield f"<{len(tokens)} words>"


def _ranks(blind: Mapping[str, np.ndarray], start: np.ndarray, size: np.ndarray) -> sparse.csr_array:
    """The rank of each caption in its set by every other scorer, as one of as many columns, ties by the least."""
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
