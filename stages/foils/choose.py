"""Which of the valid candidates become a query's negatives.

``paper``: the most sensible first (section 4.1). A truth that somebody wrote is then often the most sensible of its set, or the
only one whose words go together, and a blind scorer picks it out.

``balanced``: sets are chosen so that under every selecting scorer (plausibility, frequency, length, how words go together …) as
many truths are the best of their set as are second, third, … or last. No query can do that alone, all of them together can:
query by query, of some ways to choose its negatives that one is taken whose ranks have come too seldom so far (minimisation, as
in clinical trials: Pocock and Simon, 1975), over and over, and then the queries are dropped that keep a scorer above its
target.

All negatives of a balanced set replace the same atom. Were they to replace several, the truth would be the caption that has
most in common with the others, and one could pick it out without a language model or an image.

The target is below chance. What was chosen because one model finds it plausible is less plausible to the next (regression to
the mean), so a scorer that took no part would put the truth first too often. :func:`calibrated` measures by how much, with
scorers that are estimated from two quarters of the captions, of which one chooses and the other judges.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

SWEEPS = 3
DRAWN, REPEATS = 40, 4
"""Sets that are tried for a slot of a query: by lot, and of those with the wanted ranks, for each rank."""
ROUNDS = 5


@dataclass(frozen=True)
class Scored:
    """A query's valid candidates beside its truth.

    Attributes:
        plausibility: of each candidate; shape (candidates,).
        signs: by scorer, 1 where a candidate beats the truth, 0 where they are equal, else -1; shape (candidates, scorers).
        slots: which atom each candidate replaces, as any numbers; shape (candidates,).
    """

    query_id: str
    plausibility: np.ndarray
    signs: np.ndarray
    slots: np.ndarray


@dataclass(frozen=True)
class Options:
    """Ways to choose a query's negatives: ``places`` of shape (ways, size), and ``codes`` of shape (ways, scorers)."""

    query_id: str
    places: np.ndarray
    codes: np.ndarray


def paper(queries: Iterable[Scored], size: int) -> dict[str, list[int]]:
    """The places of the ``size`` most plausible candidates of each query that has as many; equals stay in their order."""
    enough = (q for q in queries if len(q.plausibility) >= size)
    return {q.query_id: np.argsort(-q.plausibility, kind="stable")[:size].tolist() for q in enough}


def balanced(queries: Sequence[Scored], size: int, seed: int, targets: np.ndarray | None = None) -> dict[str, list[int]]:
    """The places of ``size`` candidates of each query that is kept.

    Args:
        targets: for each scorer the share of truths that it may put first; chance where it is not given.
    """
    options = [found for query in queries if (found := ways(query, size, seed)) is not None]
    return {o.query_id: o.places[way].tolist() for o, way in _balance(options, size, seed, targets)}


def calibrated(one: Sequence[Scored], other: Sequence[Scored], size: int, seed: int) -> np.ndarray:
    """Targets for :func:`balanced`: such that, where the scorers of ``one`` choose, those of ``other`` stand at chance or below.

    ``one`` and ``other`` are the same queries under scorers that were estimated from different captions.
    """
    chance = 1 / (size + 1)
    options = [found for query in one if (found := ways(query, size, seed)) is not None]
    judges = {query.query_id: query.signs for query in other}
    targets = np.full(one[0].signs.shape[1] if one else 0, chance)
    for _ in range(ROUNDS):
        chosen = _balance(options, size, seed, targets)
        if not chosen:
            break
        codes = np.stack([_codes(judges[o.query_id][o.places[way]][None])[0] for o, way in chosen])
        excess = _histograms(size)[codes][..., 0].mean(axis=0) - chance
        targets = np.clip(targets - np.where(excess > 0, 0.8, 0.4) * excess, 0.0, chance)
    return targets


def ways(query: Scored, size: int, seed: int) -> Options | None:
    """Sets of ``size`` candidates that replace the same atom: some by lot, and for each rank some in which most scorers agree."""
    draw = np.random.default_rng(zlib.crc32(f"{seed}:{query.query_id}".encode()))
    found = []
    for slot in np.unique(query.slots):
        here = np.flatnonzero(query.slots == slot)
        if len(here) < size:
            continue
        found.append(here[np.argsort(draw.random((DRAWN, len(here))), axis=1)[:, :size]])
        agreed = query.signs[here].sum(axis=1) + 1.5 * draw.random((REPEATS * (size + 1), len(here)))
        order = here[np.argsort(-agreed, axis=1)]
        ranks = np.repeat(np.arange(size + 1), REPEATS)[:, None]
        columns = np.arange(size)[None]
        best_then_worst = np.where(columns < ranks, columns, len(here) - size + columns)
        found.append(np.take_along_axis(order, best_then_worst, axis=1))
    if not found:
        return None
    places = np.unique(np.sort(np.concatenate(found), axis=1), axis=0).astype(np.int16)
    return Options(query.query_id, places, _codes(query.signs[places]))


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


def shares(chosen: Mapping[str, Sequence[int]], queries: Iterable[Scored]) -> np.ndarray:
    """For each scorer the share of the chosen sets in which it puts the truth first; shape (scorers,)."""
    sets = [query.signs[list(chosen[query.query_id])] for query in queries if query.query_id in chosen]
    return _histograms(sets[0].shape[0])[_codes(np.stack(sets))][..., 0].mean(axis=0) if sets else np.zeros(0)
