"""Which of the valid candidates become a query's negatives.

``paper``: the most sensible first (section 4.1). A truth that somebody wrote is then mostly the most sensible of its set, and a blind
language model picks it out.

``balanced``: as many queries have a truth that is the most plausible of its set as have one that is second, third, … or last. Each query
says which ranks its candidates allow; one pass gives every rank the same number of queries, as many as can be had, and a query that is
left over is dropped. Giving ranks to all queries together, and not drawing one for each, is what keeps the benchmark large: a truth
with few rivals takes a rank that others do not need. A foil counts as more or less plausible only beyond a ``margin``, so that another
language model sees the same order.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Scored:
    """A query's truth and valid candidates under the selecting scorers: shapes (scorers,) and (candidates, scorers).

    The first scorer is the one by which ranks are given; the others break ties. Higher is more plausible.
    """

    query_id: str
    truth: np.ndarray
    candidates: np.ndarray
    groups: tuple[int, ...] = ()
    """What kind of edit each candidate is; ``paper`` and ``balanced`` take all alike where it is empty."""


def paper(queries: Iterable[Scored], size: int) -> dict[str, list[int]]:
    """The places of the ``size`` most plausible candidates of each query that has as many; equals stay in their order."""
    return {
        q.query_id: np.argsort(-q.candidates[:, 0], kind="stable")[:size].tolist() for q in queries if len(q.candidates) >= size
    }


def balanced(queries: Sequence[Scored], size: int, margin: float, seed: int) -> dict[str, list[int]]:
    """The places of ``size`` candidates of each query that is kept, so that the truth's rank is uniform over all of them."""
    allowed = {}
    for query in queries:
        above, below = sides(query, margin)
        if (low := max(0, size - len(below))) <= (high := min(size, len(above))):
            allowed[query.query_id] = (low, high)
    wanted = spread(allowed, size, seed)
    return {q.query_id: pick(q, size, wanted[q.query_id], margin, seed) for q in queries if q.query_id in wanted}


def sides(query: Scored, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """The places of the candidates that are more plausible than the truth, and of those that are less, by ``margin`` at least."""
    difference = query.candidates[:, 0] - query.truth[0]
    return np.flatnonzero(difference > margin), np.flatnonzero(difference < -margin)


def spread(allowed: dict[str, tuple[int, int]], size: int, seed: int) -> dict[str, int]:
    """Give each rank 0 … ``size`` to equally many queries, as many as can be; queries that get none are left out.

    ``allowed`` are the least and greatest rank of each query. Going through the ranks upwards and serving first whoever can wait
    least is the best that can be done with intervals (Glover, 1967); who is served among equals is drawn from the seed and the id.
    """
    ranks = range(size + 1)
    quota = min(
        sum(low <= b and high >= a for low, high in allowed.values()) // (b - a + 1) for a in ranks for b in ranks if a <= b
    )
    waiting = sorted(allowed, key=lambda query_id: (allowed[query_id][1], random.Random(f"{seed}:{query_id}").random(), query_id))
    given: dict[str, int] = {}
    for rank in ranks:
        served = [q for q in waiting if q not in given and allowed[q][0] <= rank <= allowed[q][1]][:quota]
        given.update(dict.fromkeys(served, rank))
    return given


def pick(query: Scored, size: int, rank: int, margin: float, seed: int) -> list[int]:
    """``rank`` candidates that are more plausible than the truth and ``size - rank`` that are less.

    Of these, first those on whose side the other scorers put them too; then by lot.
    """
    draw = random.Random(f"{seed}:{query.query_id}")
    chosen: list[int] = []
    for side, places, n in zip((1, -1), sides(query, margin), (rank, size - rank), strict=True):
        agree = np.sign(query.candidates[:, 1:] - query.truth[1:]).sum(axis=1) * side
        order = sorted(places.tolist(), key=lambda i: (-agree[i], draw.random()))
        chosen += order[:n]
    return sorted(chosen)
