"""The sets of negatives that a query could have, and how blind scorers see each of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

DRAWN, REPEATS, AROUND = 60, 4, 60
"""Sets that are tried for a slot of a query: by lot, of those with the wanted ranks, for each rank, and around a negative."""
SPARE = 3
"""Candidates of a slot, beyond a set's, that near ones alone are to make; else further ones join them."""
AGREED = 1.5
"""How much chance there is in the order in which candidates are taken for a wanted rank, in scorers that agree."""
JITTER = 0.03
"""By how much likenesses are blurred where sets are made around a candidate."""
ALIKE = 3
"""Kinds of likeness, beside that of meaning, that make captions alike; a fourth tells what is denied."""
ITSELF = 2.0
"""More than any likeness, so that the candidate in the middle is in its own set."""
EQUAL = 1e-4
"""Sums of likenesses are rounded to this, so that their last bits tell nothing."""
TIED = 1e-6
"""The same of scores, whose sums may be taken in another order."""
STEEPEST = 50
"""Exponents are cut off here, for beyond it a probability is 0 in any case, and no number overflows."""
HALF, *QUARTERS = range(3)
"""By whom candidates are rated: the half of the training captions that chooses, and its two quarters."""
CENTRES = ("central", "outlying")
"""Whoever takes the caption that shares most with the others of its set, or least."""


class Asked(NamedTuple):
    """What a query's candidates ask: the kind of the atom that each replaces, as a number, and whether its foil is further from
    that than the paper takes them; both of shape (candidates,). ``named`` is the share of each kind among the truth's atoms.
    ``near_first``: a slot's further candidates are tried only where the near ones leave no choice."""

    kinds: np.ndarray
    further: np.ndarray
    named: np.ndarray
    near_first: bool = False

    @classmethod
    def alike(cls, candidates: int) -> Asked:
        """Of candidates that are not told apart."""
        return cls(np.zeros(candidates, np.int64), np.zeros(candidates, bool), np.ones(1))


@dataclass(frozen=True)
class Scored:
    """A query's valid candidates beside its truth, which comes first wherever it is counted in.

    Attributes:
        slots: which atom each candidate replaces, as any numbers; shape (candidates,).
        exact: by scorers that are certain, as a caption's length; shape (1 + candidates, scorers).
        estimated: by scorers that are estimated from captions, and so differ from those that others estimate: by the
            half and by its :data:`QUARTERS`; shape (3, 1 + candidates, scorers).
        likeness: by kind, how much captions share with each other; shape (kinds, 1 + candidates, 1 + candidates).
        meaning: how much they mean the same, by the half and by its :data:`QUARTERS`; shape (3, 1 + candidates, 1 + candidates).
        changes: in what words candidates differ from the truth: which candidate, the word's number, and how much more often the
            truth says it; shape (3, changes).
        asked: what the candidates ask, where that matters.
    """

    query_id: str
    image_id: int
    slots: np.ndarray
    exact: np.ndarray
    estimated: np.ndarray
    likeness: np.ndarray
    meaning: np.ndarray
    changes: np.ndarray
    asked: Asked | None = None


@dataclass(frozen=True)
class Options:
    """Ways to choose a query's negatives.

    Attributes:
        places: of the negatives among the candidates; shape (ways, size).
        ranks: how many captions of its set are better than each, by the exact scorers, then by :data:`CENTRES` for each kind of
            likeness, then by what the half estimates, meaning last; shape (ways, 1 + size, all scorers).
        first: how likely the truth is to come first by what is certain; shape (ways, scorers + 2 kinds).
        estimated, changes: as of :class:`Scored`.
        meaning: how much each caption means what the others do, by :data:`CENTRES`; shape (3, ways, 1 + size, 2).
        kind, further: the kind of atom that each way asks, and the share of its foils that are further than the paper's; shape
            (ways,). ``named`` as of :class:`Asked`.
    """

    query_id: str
    image_id: int
    places: np.ndarray
    ranks: np.ndarray
    first: np.ndarray
    estimated: np.ndarray
    meaning: np.ndarray
    changes: np.ndarray
    kind: np.ndarray
    further: np.ndarray
    named: np.ndarray

    def scores(self, by: int) -> np.ndarray:
        """The estimated scores of each way's captions, those of meaning last; shape (ways, 1 + size, scorers)."""
        members = np.concatenate([np.zeros((len(self.places), 1), np.int64), self.places.astype(np.int64) + 1], axis=1)
        return np.concatenate([self.estimated[by][members], self.meaning[by]], axis=2)


def ways(query: Scored, size: int, seed: int) -> Options | None:
    """Sets of ``size`` candidates of one slot: some by lot, some for each rank, some around a candidate."""
    draw = np.random.default_rng(zlib.crc32(f"{seed}:{query.query_id}".encode()))
    asked = query.asked or Asked.alike(len(query.slots))
    slots = [here for slot in np.unique(query.slots) if len(here := np.flatnonzero(query.slots == slot)) >= size]
    slots = [_nearest(here, asked.further, size + SPARE) for here in slots] if asked.near_first else slots
    if not slots:
        return None
    exact, estimated = _signs(query.exact), _signs(query.estimated[HALF])
    agreed = exact.sum(axis=1) + estimated.sum(axis=1)
    tried = [places for here in slots for places in _tried(query, agreed, here, size, draw)]
    places = np.unique(np.sort(np.concatenate(tried), axis=1), axis=0)
    members = np.concatenate([np.zeros((len(places), 1), np.int64), places + 1], axis=1)
    certain = np.concatenate([query.exact[members], _centred(query.likeness, members)], axis=2)
    meaning = np.stack([_centred(of[None], members) for of in query.meaning])
    ranks = _ranks(np.concatenate([certain, query.estimated[HALF][members], meaning[HALF]], axis=2))
    changes = query.changes.astype(np.int32)
    estimates, kind, further = query.estimated.astype(np.float32), asked.kinds[places[:, 0]], asked.further[places].mean(axis=1)
    of = query.query_id, query.image_id, places.astype(np.int16), ranks
    return Options(*of, seen(certain), estimates, meaning.astype(np.float32), changes, kind, further, asked.named)


def _nearest(here: np.ndarray, further: np.ndarray, enough: int) -> np.ndarray:
    """The candidates ``here`` that are near, and as many further ones as make ``enough``; of these the first."""
    near, far = here[~further[here]], here[further[here]]
    return np.sort(np.concatenate([near, far[: max(enough - len(near), 0)]]))


def _signs(scores: np.ndarray) -> np.ndarray:
    """1 where a candidate beats the truth, 0 where they are equal, else -1; shape (candidates, scorers)."""
    gains = scores[1:] - scores[0]
    return np.where(np.abs(gains) > TIED, np.sign(gains), 0).astype(np.int8)


def _tried(query: Scored, agreed: np.ndarray, here: np.ndarray, size: int, draw: np.random.Generator) -> Iterator[np.ndarray]:
    """Sets of the candidates ``here``, as arrays of shape (sets, size)."""
    yield here[np.argsort(draw.random((DRAWN, len(here))), axis=1)[:, :size]]
    blurred = agreed[here] + AGREED * draw.random((REPEATS * (size + 1), len(here)))
    order = here[np.argsort(-blurred, axis=1)]
    ranks = np.repeat(np.arange(size + 1), REPEATS)[:, None]
    columns = np.arange(size)[None]
    yield np.take_along_axis(order, np.where(columns < ranks, columns, len(here) - size + columns), axis=1)
    # A candidate with those that are more like it than like the truth, and not always the very same ones.
    middles = here[draw.integers(0, len(here), AROUND)]
    likeness = np.concatenate([query.likeness[:ALIKE], query.meaning[:1]]).mean(axis=0)
    nearer = likeness[1:, 1:][middles][:, here] - np.linspace(0, 1, AROUND)[:, None] * likeness[0, 1:][here]
    nearer += JITTER * draw.random(nearer.shape) + ITSELF * (here == middles[:, None])
    yield here[np.argsort(-nearer, axis=1)[:, :size]]


def _centred(likeness: np.ndarray, members: np.ndarray) -> np.ndarray:
    """How much each caption of each set shares with the others, by :data:`CENTRES`; shape (ways, 1 + size, 2 kinds)."""
    shared = np.moveaxis(likeness[:, members[:, :, None], members[:, None, :]].sum(axis=3), 0, 2)
    shared = (shared / EQUAL).round()
    return np.concatenate([shared, -shared], axis=2)


def _ranks(scores: np.ndarray) -> np.ndarray:
    """How many captions of its set are better than each; shape (ways, 1 + size, scorers), as ``scores`` has."""
    return (scores[:, None] > scores[:, :, None] + TIED).sum(axis=2).astype(np.int8)


def standing(ranks: np.ndarray) -> np.ndarray:
    """Of each rank by each scorer: ``size`` if the truth has it, less the negatives that have it.

    Whoever learns from ranks can tell nothing where the sums of these are 0. From (ways, 1 + size, scorers) to
    (ways, scorers * (1 + size)).
    """
    size = ranks.shape[1] - 1
    has_rank = ranks[..., None] == np.arange(size + 1)
    return (size * has_rank[:, 0].astype(np.int8) - has_rank[:, 1:].sum(axis=1)).astype(np.int8).reshape(len(ranks), -1)


def seen(scores: np.ndarray) -> np.ndarray:
    """Whether a judge with these scores does, ties in equal shares."""
    gains = scores[:, 1:] - scores[:, :1]
    return np.where((gains > TIED).any(axis=1), 0, 1 / (1 + (np.abs(gains) <= TIED).sum(axis=1))).astype(np.float32)
