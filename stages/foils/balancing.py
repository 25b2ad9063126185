"""Which of the valid candidates become a query's negatives.

``paper``: the most sensible first (section 4.1). A truth that somebody wrote is then often the most sensible of its set, or the
only one whose words go together, and a blind scorer picks it out.

``balanced``: sets are chosen so that under every selecting scorer (plausibility, frequency, length, how words go together …) as
many truths are the best of their set as are second, third, … or last. No query can do that alone, all of them together can:
query by query, of some ways to choose its negatives that one is taken whose ranks have come too seldom so far (minimisation, as
in clinical trials: Pocock and Simon, 1975), over and over, and then the queries are dropped that keep a scorer above its
target.

Negatives are edits of one truth, which is then the caption that has most in common with the others of its set: one could pick it
out without a language model or an image. So how much a caption shares with the others is balanced as well, by the rank of the truth
within the set: some sets are made around one of their negatives. Where that is possible, all negatives of a set replace the same
atom, so that the truth shares with each of them what they share with each other.

The target is below chance. What was chosen because one model finds it plausible is less plausible to the next (regression to
the mean), so a scorer that took no part would put the truth first too often. :func:`calibrated` measures by how much, with
scorers that are estimated from two quarters of the captions, of which one chooses and the other judges.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

SWEEPS = 3
DRAWN, REPEATS, AROUND = 40, 4, 40
"""Sets that are tried for a slot of a query: by lot, of those with the wanted ranks, for each rank, and around a negative."""
JITTER = 0.03
"""By how much likenesses are blurred where sets are made around a candidate."""
ROUNDS = 5
LEAST = 0.3
"""No target is below so much of chance: scorers of a quarter of the captions differ more than those of a half do."""
SPARE = 0.01
"""By how much a scorer that only judges may be above chance; to ask for less costs many queries."""


@dataclass(frozen=True)
class Scored:
    """A query's valid candidates beside its truth.

    Attributes:
        plausibility: of each candidate; shape (candidates,).
        signs: by scorer, 1 where a candidate beats the truth, 0 where they are equal, else -1; shape (candidates, scorers).
        slots: which atom each candidate replaces, as any numbers; shape (candidates,).
        likeness: by kind, how much the truth, which comes first, and the candidates share with each other; shape
            (kinds, 1 + candidates, 1 + candidates).
    """

    query_id: str
    plausibility: np.ndarray
    signs: np.ndarray
    slots: np.ndarray
    likeness: np.ndarray


@dataclass(frozen=True)
class Options:
    """Ways to choose a query's negatives: ``places`` of shape (ways, size), and what comes of each (:func:`_codes`).

    ``codes`` are of shape (ways, scorers + 2 kinds of likeness), first of the scorers, then of :data:`CENTRES` by kind; ``judged``
    are the same by the scorers that only judge.
    """

    query_id: str
    places: np.ndarray
    codes: np.ndarray
    judged: np.ndarray


class Chosen(NamedTuple):
    """The places of each query's negatives, and by scorer the share of the sets in which the truth comes first."""

    places: dict[str, list[int]]
    shares: np.ndarray


def paper(query: Scored, size: int) -> list[int] | None:
    """The places of the ``size`` most plausible candidates, if there are as many; equals stay in their order."""
    return np.argsort(-query.plausibility, kind="stable")[:size].tolist() if len(query.plausibility) >= size else None


def balanced(options: Sequence[Options], size: int, seed: int, targets: np.ndarray | None = None) -> Chosen:
    """One of the ways of each query that is kept.

    Args:
        targets: for each scorer the share of truths that it may put first; chance where it is not given.
    """
    chosen = _balance(options, size, seed, targets)
    codes = np.stack([o.codes[way] for o, way in chosen]) if chosen else np.zeros((0, 0), np.int8)
    return Chosen({o.query_id: o.places[way].tolist() for o, way in chosen}, _first(codes, size))


def calibrated(options: Sequence[Options], size: int, seed: int) -> np.ndarray:
    """Targets for :func:`balanced`: such that, where one half of the scorers chooses, the other stands at chance or below.

    ``options`` have ways that were rated (``codes``) and are ``judged`` by scorers that were estimated from different quarters of
    the captions.
    """
    chance = 1 / (size + 1)
    targets = np.full(options[0].codes.shape[1] if options else 0, chance)
    for _ in range(ROUNDS):
        chosen = _balance(options, size, seed, targets)
        if not chosen:
            break
        excess = _first(np.stack([o.judged[way] for o, way in chosen]), size) - chance - SPARE
        targets = np.clip(targets - np.where(excess > 0, 0.8, 0.4) * excess, LEAST * chance, chance)
    return targets


def ways(query: Scored, size: int, seed: int, judge: np.ndarray | None = None) -> Options | None:
    """Sets of ``size`` candidates of one slot: some by lot, some for each rank, some around a candidate.

    Args:
        judge: the ``signs`` of the scorers that only judge; those of the query where it is not given.
    """
    draw = np.random.default_rng(zlib.crc32(f"{seed}:{query.query_id}".encode()))
    slots = [here for slot in np.unique(query.slots) if len(here := np.flatnonzero(query.slots == slot)) >= size]
    if not slots:
        return None
    found = [places for here in slots for places in _tried(query, here, size, draw)]
    places = np.unique(np.sort(np.concatenate(found), axis=1), axis=0).astype(np.int16)
    centred = _centred(query.likeness, places)
    codes = [_codes(np.concatenate([signs[places], centred], axis=2)) for signs in (query.signs, judge) if signs is not None]
    return Options(query.query_id, places, codes[0], codes[-1])


def _tried(query: Scored, here: np.ndarray, size: int, draw: np.random.Generator) -> Iterator[np.ndarray]:
    """Sets of the candidates ``here``, as arrays of shape (sets, size)."""
    yield here[np.argsort(draw.random((DRAWN, len(here))), axis=1)[:, :size]]
    agreed = query.signs[here].sum(axis=1) + 1.5 * draw.random((REPEATS * (size + 1), len(here)))
    order = here[np.argsort(-agreed, axis=1)]
    ranks = np.repeat(np.arange(size + 1), REPEATS)[:, None]
    columns = np.arange(size)[None]
    yield np.take_along_axis(order, np.where(columns < ranks, columns, len(here) - size + columns), axis=1)
    # A candidate with those that are more like it than like the truth, and not always the very same ones.
    middles = here[draw.integers(0, len(here), AROUND)]
    likeness = query.likeness.mean(axis=0)
    nearer = likeness[1:, 1:][middles][:, here] - np.linspace(0, 1, AROUND)[:, None] * likeness[0, 1:][here]
    nearer += JITTER * draw.random(nearer.shape) + 2.0 * (here == middles[:, None])
    yield here[np.argsort(-nearer, axis=1)[:, :size]]


CENTRES = ("central", "outlying")
"""Whoever takes the caption that shares most with the others of its set, or least."""


def _centred(likeness: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Which negatives beat the truth by :data:`CENTRES`, as the signs of :class:`Scored`; shape (ways, size, 2 kinds)."""
    members = np.concatenate([np.zeros((len(places), 1), np.int64), places.astype(np.int64) + 1], axis=1)
    shared = likeness[:, members[:, :, None], members[:, None, :]].sum(axis=3)
    more = np.moveaxis(shared[:, :, 1:] - shared[:, :, :1], 0, 2)
    signs = np.where(np.abs(more) > EQUAL, np.sign(more), 0).astype(np.int8)
    return np.concatenate([signs, -signs], axis=2)


EQUAL = 1e-3
"""Sums of likenesses that differ by less are equal, on every machine."""


def _codes(signs: np.ndarray) -> np.ndarray:
    """How many candidates beat the truth and how many equal it, as one number; from (ways, size, scorers) to (ways, scorers)."""
    return ((signs > 0).sum(axis=1) * (signs.shape[1] + 1) + (signs == 0).sum(axis=1)).astype(np.int8)


@cache
def _histograms(size: int) -> np.ndarray:
    """The ranks 0 … ``size`` of a truth by :func:`_codes`: with ties, each rank that they allow in equal shares."""
    table = np.zeros(((size + 1) ** 2, size + 1))
    for above in range(size + 1):
        for equal in range(size + 1 - above):
            table[above * (size + 1) + equal, above : above + equal + 1] = 1 / (equal + 1)
    return table


def _balance(options: Sequence[Options], size: int, seed: int, targets: np.ndarray | None) -> list[tuple[Options, int]]:
    """The options that are kept, each with the way to take."""
    if not options:
        return []
    chance, scorers = 1 / (size + 1), options[0].codes.shape[1]
    first = np.full(scorers, chance) if targets is None else targets
    wanted = np.concatenate([first[:, None], np.repeat((1 - first[:, None]) / size, size, axis=1)], axis=1)
    order = sorted(options, key=lambda o: (_lot(seed, o.query_id), o.query_id))
    taken, tables, each = np.full(len(order), -1), _histograms(size), np.arange(scorers)
    counts, n = np.zeros((scorers, size + 1)), 0
    for _ in range(SWEEPS):
        for i, option in enumerate(order):
            if taken[i] >= 0:
                counts -= tables[option.codes[taken[i]]]
                n -= 1
            excess = counts / max(n, 1) - wanted
            cost = (tables @ excess.T)[option.codes, each].sum(axis=1)
            # Rounded, so that what is equal on paper is equal on every machine.
            taken[i] = np.argmin(cost.round(9))
            counts += tables[option.codes[taken[i]]]
            n += 1
    best = np.stack([tables[o.codes[way]][:, 0] for o, way in zip(order, taken, strict=True)])
    kept = _prune(best, first)
    chosen = [(o, int(way)) for o, way, keep in zip(order, taken, kept, strict=True) if keep]
    return sorted(chosen, key=lambda pair: pair[0].query_id)


def _prune(best: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Which queries to keep so that no scorer's mean of ``best``, of shape (queries, scorers), is above its target by half a
    standard error or more: those go first that the scorers in excess put first."""
    alive = np.ones(len(best), bool)
    while (n := alive.sum()) > 0:
        slack = 0.5 * np.sqrt(targets * (1 - targets) / n)
        excess = np.maximum(best[alive].mean(axis=0) - targets - slack, 0)
        if not excess.any():
            break
        guilt = np.where(alive, (best @ excess).round(9), -1)
        alive[np.argsort(-guilt, kind="stable")[: max(1, n // 200)]] = False
    return alive


def _lot(seed: int, query_id: str) -> float:
    return random.Random(f"{seed}:{query_id}").random()  # noqa: S311


def _first(codes: np.ndarray, size: int) -> np.ndarray:
    """For each scorer the share of sets in which it puts the truth first; from (sets, scorers) to (scorers,)."""
    return _histograms(size)[codes][..., 0].mean(axis=0) if len(codes) else np.zeros(0)
