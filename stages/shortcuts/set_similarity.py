"""Find the caption of a retrieval set that the other captions were made from.

Every hard negative is an edit of the truth, and so the truth tends to share more with its negatives than these share with each
other. No language model and no image is needed to see that. The opposite is here, too: where a set is made around one of its
negatives, the truth may stand out. Selection asks about many sets of one query's captions, evaluation about one set a query.
"""

from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from stages.shortcuts.scorers import denied
from stages.wording.tokens import words

KINDS = ("words", "pairs", "order", "denied", "meaning")
"""What captions can share: words, pairs of neighbouring words, the order of words; that one says the word that the other denies;
and what they mean (:mod:`stages.shortcuts.meaning`)."""
CENTRES = {"central": 1, "outlying": -1}
"""Which caption a scorer takes: that which shares most with the others of its set, or least; with the factor of its score."""
NAMES = tuple(f"{centre}_{kind}" for centre in CENTRES for kind in KINDS)


def similarity(texts: Sequence[str], meaning: np.ndarray | None = None) -> np.ndarray:
    """Return how much each caption shares with each other one, from 0 to 1; shape (kinds, n, n), without the last kind if there are
    no vectors.

    Of words and of pairs it is twice what both captions have, over what each has (Dice, 1945); of order one minus the edits that
    make one caption the other, over the words of the longer (Levenshtein).

    Args:
        meaning: the captions' vectors, as :class:`stages.shortcuts.meaning.Meaning` gives them; shape (n, dimensions).
    """
    tokens = [words(text) for text in texts]
    said = [frozenset(own) for own in tokens]
    denies = np.zeros((len(texts), len(texts)))
    for i, word in enumerate(map(denied, texts)):
        if word is not None:
            denies[i] = [word in own for own in said]
    kinds = [_shared(tokens), _shared([[*pairwise(["", *own, ""])] for own in tokens])]
    kinds += [cdist(tokens, tokens, scorer=Levenshtein.normalized_similarity, dtype=np.float64), denies]
    # The vectors' numbers are multiples of 2^-16, so that these sums are exact in any order.
    return np.stack(kinds if meaning is None else [*kinds, meaning.astype(float) @ meaning.T.astype(float)])


def _shared(parts: Sequence[Sequence[Hashable]]) -> np.ndarray:
    numbers: dict[Hashable, int] = {}
    # What a caption says twice is shared twice: each part is counted with how many equal ones came before it.
    rows = [[numbers.setdefault((part, own[:i].count(part)), len(numbers)) for i, part in enumerate(own)] for own in parts]
    each = np.array([len(row) for row in rows])
    has = np.zeros((len(rows), len(numbers)))
    has[np.repeat(np.arange(len(rows)), each), [number for row in rows for number in row]] = 1
    return 2 * (has @ has.T) / np.maximum(each[:, None] + each, 1)


def centrality(similar: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Return how much each caption of each set shares with the set's others, on average.

    Args:
        similar: as :func:`similarity` returns it; shape (kinds, n, n).
        members: places of each set's captions; shape (sets, captions).

    Returns:
        Shape (sets, captions, kinds). Rounded, because the order of a sum's terms must not break a tie.
    """
    of_pairs = similar[:, members[:, :, None], members[:, None, :]]
    own = similar[:, members, members]
    return np.moveaxis((of_pairs.sum(axis=3) - own) / max(members.shape[1] - 1, 1), 0, 2).round(6)


def set_scores(
    texts: Sequence[str], text: np.ndarray, size: np.ndarray, meaning: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Return, by scorer, the scores of all captions of all sets, one set after the other.

    Args:
        texts, text, size: distinct captions, the places of all sets' captions among them, and the size of each set, as
            :class:`stages.retrieval.sets.Layout` has them.
        meaning: vectors of the distinct captions; without them the two scorers of meaning are left out. Those of what is denied are
            left out where no caption denies anything.
    """
    kinds = [kind for kind in KINDS if kind != "meaning" or meaning is not None]
    found = [np.zeros((0, len(kinds)))]
    for own in np.split(text, np.cumsum(size)[:-1]) if len(size) else ():
        similar = similarity([texts[i] for i in own], None if meaning is None else meaning[own])
        found.append(centrality(similar, np.arange(len(own))[None])[0])
    by_kind = dict(zip(kinds, np.concatenate(found).T, strict=True))
    if not any(map(denied, texts)):
        del by_kind["denied"]
    return {f"{centre}_{kind}": factor * of for kind, of in by_kind.items() for centre, factor in CENTRES.items()}
