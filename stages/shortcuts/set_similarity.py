"""Find the caption of a retrieval set from which the other captions were made.

Every hard negative is an edit of the truth, so the truth tends to share more with its negatives than these share with each
other. A scorer needs neither a language model nor an image to see that. The opposite is covered as well: where a set is made around
one of its negatives, the truth may be the outlier. Selection scores many sets of one query's captions, evaluation one set a query.
"""

from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from stages.shortcuts.scorers import denied
from stages.text.tokens import words

KINDS = ("words", "pairs", "order", "denied", "meaning")
"""What captions can share: words, bigrams, the order of words, a word that one denies and the other affirms, and their meaning
(:mod:`stages.shortcuts.meaning`)."""
CENTRES = {"central": 1, "outlying": -1}
"""Which caption a scorer prefers, the most or the least similar to the others of its set; with the factor of its score."""
NAMES = tuple(f"{centre}_{kind}" for centre in CENTRES for kind in KINDS)


def similarity(texts: Sequence[str], meaning: np.ndarray | None = None) -> np.ndarray:
    """Return how similar each caption is to each other one, from 0 to 1; shape (kinds, n, n).

    Without vectors the last kind is missing.

    For words and bigrams it is the Dice coefficient (Dice, 1945); for order it is one minus the edit distance in words over the
    length of the longer caption (Levenshtein).

    Args:
        meaning: the captions' vectors, as :class:`stages.shortcuts.meaning.Meaning` gives them; shape (n, dimensions).
    """
    tokens = [words(text) for text in texts]
    said = [frozenset(tokens_here) for tokens_here in tokens]
    denies = np.zeros((len(texts), len(texts)))
    for i, word in enumerate(map(denied, texts)):
        if word is not None:
            denies[i] = [word in tokens_here for tokens_here in said]
    kinds = [_shared(tokens), _shared([[*pairwise(["", *tokens_here, ""])] for tokens_here in tokens])]
    kinds += [cdist(tokens, tokens, scorer=Levenshtein.normalized_similarity, dtype=np.float64), denies]
    # The vectors' numbers are multiples of 2^-16, so these sums are exact in any order.
    return np.stack(kinds if meaning is None else [*kinds, meaning.astype(float) @ meaning.T.astype(float)])


def counted(rows: Sequence[Sequence[Hashable]]) -> tuple[np.ndarray, list[Hashable]]:
    """Return how often each row has each part, shape (rows, parts), and the parts."""
    numbers: dict[Hashable, int] = {}
    flat = np.array([numbers.setdefault(part, len(numbers)) for row in rows for part in row], np.int64)
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    shape = len(rows), len(numbers)
    return np.bincount(owner * shape[1] + flat, minlength=shape[0] * shape[1]).reshape(shape), list(numbers)


def _shared(parts: Sequence[Sequence[Hashable]]) -> np.ndarray:
    counts, _ = counted(parts)
    each = counts.sum(axis=1)
    # A part that both have twice counts twice.
    has = [(counts >= times).astype(float) for times in range(1, counts.max(initial=0) + 1)]
    both = sum((times @ times.T for times in has), np.zeros((len(parts), len(parts))))
    return 2 * both / np.maximum(each[:, None] + each, 1)


def centrality(similar: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Return the mean similarity of each caption of each set to the set's others.

    Args:
        similar: as :func:`similarity` returns it; shape (kinds, n, n).
        members: indices of each set's captions; shape (sets, captions).

    Returns:
        Shape (sets, captions, kinds). Rounded, so that the order of a sum's terms does not break ties.
    """
    of_pairs = similar[:, members[:, :, None], members[:, None, :]]
    within = similar[:, members, members]
    return np.moveaxis((of_pairs.sum(axis=3) - within) / max(members.shape[1] - 1, 1), 0, 2).round(6)


def set_scores(
    texts: Sequence[str], text: np.ndarray, size: np.ndarray, meaning: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Return the scores of all captions of all sets by scorer, one set after the other.

    Args:
        texts, text, size: distinct captions, the indices of all sets' captions among them, and the size of each set, as
            :class:`stages.evaluation.sets.Layout` has them.
        meaning: vectors of the distinct captions; without them the two scorers of meaning are left out. Scorers of denial are
            left out where no caption denies anything.
    """
    kinds = [kind for kind in KINDS if kind != "meaning" or meaning is not None]
    found = [np.zeros((0, len(kinds)))]
    for set_texts in np.split(text, np.cumsum(size)[:-1]) if len(size) else ():
        similar = similarity([texts[i] for i in set_texts], None if meaning is None else meaning[set_texts])
        found.append(centrality(similar, np.arange(len(set_texts))[None])[0])
    by_kind = dict(zip(kinds, np.concatenate(found).T, strict=True))
    if not any(map(denied, texts)):
        del by_kind["denied"]
    return {f"{centre}_{kind}": factor * values for kind, values in by_kind.items() for centre, factor in CENTRES.items()}
