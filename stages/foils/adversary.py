"""Who learns from the chosen sets themselves what tells a truth, as the strictest judge does (:mod:`stages.blind.trained`).

It learns from the sets of some images, and is asked about every way to choose the sets of the others: so the chooser knows what
would give a truth away before a judge does. It knows the ranks by the scorers that choose alone; the judge's own stay unseen.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from stages.blind import trained
from stages.foils.ways import STEEPEST, TIED, Options

FOLDS = trained.FOLDS
"""Who learns from fewer sets than the judge does tells less."""
SHARP = 2.0
"""How sure the truth is to come first that is better than its negatives by as much as is usual."""


class Guesses(NamedTuple):
    """Of each query how likely each way's truth is to come first, and whether it does; arrays of shape (ways,)."""

    likely: list[np.ndarray]
    first: list[np.ndarray]


def learned(options: Sequence[Options], taken: np.ndarray, keep: np.ndarray, draw: np.random.Generator) -> Iterator[Guesses]:
    """What an adversary of ranks alone tells, and one that knows words as well, who learned from the ways that are ``taken`` of the
    queries that are ``keep``; nothing where these have fewer than :data:`FOLDS` images.

    Args:
        draw: into which fold each image comes.
    """
    images, image = np.unique([option.image_id for option in options], return_inverse=True)
    fold = draw.permutation(len(images))[image] % FOLDS
    if len(np.unique(fold[keep])) < FOLDS:
        return
    queries = np.flatnonzero(keep).tolist()
    owner = np.repeat(queries, options[0].places.shape[1])
    words = max(int(option.changes[1].max(initial=-1)) for option in options) + 1
    word_gains = _word_gains([options[i] for i in queries], taken[queries], words)
    ranked = sparse.csr_array(np.concatenate([_ranked(options[i].ranks[taken[i]]) for i in queries]))
    for known in (0, words) if words else (0,):
        gains = sparse.hstack([word_gains[:, :known], ranked], format="csr")
        weights = [trained.fit(gains[fold[owner] != f]) for f in range(FOLDS)]
        yield _guesses([_gains(option, weights[f], known) for option, f in zip(options, fold, strict=True)], taken, queries)


def _word_gains(options: Sequence[Options], taken: np.ndarray, words: int) -> sparse.csr_array:
    """How much more often truths say each word than each of their negatives; shape (negatives of all, words)."""
    size = options[0].places.shape[1]
    rows, columns, more = [], [], []
    for i, (option, way) in enumerate(zip(options, taken, strict=True)):
        candidate, word, times = option.changes
        for k, place in enumerate(option.places[way].tolist()):
            here = candidate == place
            rows.append(np.full(here.sum(), i * size + k))
            columns.append(word[here])
            more.append(times[here])
    entries = np.concatenate(more).astype(float), (np.concatenate(rows), np.concatenate(columns))
    return sparse.csr_array(entries, shape=(len(options) * size, words))


def _ranked(ranks: np.ndarray) -> np.ndarray:
    """Which ranks the truth has more than each negative does; from (1 + size, scorers) to (size, scorers * (1 + size))."""
    has_rank = (ranks[..., None] == np.arange(len(ranks))).reshape(len(ranks), -1).astype(float)
    return has_rank[:1] - has_rank[1:]


def _gains(option: Options, weights: np.ndarray, words: int) -> np.ndarray:
    """By how much the truth is better than each negative of each way; shape (ways, size)."""
    ranks = weights[words:].reshape(-1, option.ranks.shape[1])
    scores = ranks[np.arange(len(ranks)), option.ranks].sum(axis=2)
    gains = scores[:, :1] - scores[:, 1:]
    if words:
        candidate, word, more = option.changes
        gains += np.bincount(candidate, more * weights[word], minlength=int(option.places.max()) + 1)[option.places]
    return gains


def _guesses(gains: list[np.ndarray], taken: np.ndarray, queries: Sequence[int]) -> Guesses:
    usual = max(float(np.std([gains[i][taken[i]] for i in queries])), TIED)
    likely = [(1 / (1 + np.exp(np.minimum(-SHARP * own / usual, STEEPEST)).sum(axis=1))).round(4) for own in gains]
    return Guesses(likely, [(own > TIED).all(axis=1).astype(float) for own in gains])
