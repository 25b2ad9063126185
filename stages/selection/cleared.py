"""Select negatives that no shortcut solves: a linear program, through its Lagrangian dual, as ``README.md`` here states it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse, special

from stages.parameters.sections import Cleared
from stages.selection import calibration
from stages.selection.adversary import Adversary
from stages.selection.candidate_sets import HALF, QUARTERS, TIED, CandidateSets, seen
from stages.selection.questions import Picked
from stages.shortcuts.trained import MAX_SETS

STEPS = 400
"""Subgradient steps of a solution, of which the second half is averaged: it bounds time."""
RATE = 60.0
"""The first step's length is this over the root of the number of groups; lengths fall with the root of the step (Shor, 1985).
Measured: halving and doubling changes kept sets of HN-Swap by 8 and -3 %, of systematicity's HN-Atom by 6 and -7 %."""
ROUNDS = 4
"""Number of solutions, with adversaries learned between them: it bounds time."""
OWN_COST = 1e-3
"""Maximum cost of a candidate set that only breaks ties. Measured: ten times as much changes kept sets by 1 %; a tenth leaves some
ties to the processor."""
MIN_QUERIES = 20
"""Minimum number of queries of a group that has bounds: with fewer, at a chance of 1 in 6, 15 points are within luck. Measured:
halving and doubling changes kept sets of HN-Swap by 2 and 3 %, of systematicity's HN-Atom by 0 and -2 %."""
DRAWS = 64
"""Number of random draws of one set a query from the averages; the best draw is taken: it bounds time. Measured: halving and
doubling changes kept sets by at most 3 %."""


class Problem(NamedTuple):
    """Candidate sets, adjacent by query, and queries, adjacent by the groups that they are in.

    Attributes:
        starts: the place of each query's first set, and the number of all sets; shape (queries + 1,).
        patterns: slices of the sets of adjacent queries that are in the same groups.
        groups: the groups of each slice, 1 or 0; the last group has all queries; shape (patterns, groups).
        members: the groups of each query; shape (groups, queries).
        worth: the value of keeping a set; shape (sets,).
    """

    starts: np.ndarray
    patterns: list[slice]
    groups: sparse.csr_array
    members: sparse.csr_array
    worth: np.ndarray

    @property
    def owner(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def sums(self, values: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sums of ``values`` over the ``chosen`` fractions of the sets, by group, and the number of these sets.

        Shapes: ``values`` (sets, scorers); returned (groups, scorers) and (groups, 1).
        """
        total, n = (np.add.reduceat(each, self.starts[:-1]) for each in (values * chosen[:, None], chosen))
        return self.members @ total, (self.members @ n)[:, None]


class Bounds(NamedTuple):
    """Bounds of the mean by group and scorer, shape (groups, scorers) each; infinite where there is no bound."""

    low: np.ndarray
    high: np.ndarray

    def off(self, total: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return by how much sums over ``n`` sets a group exceed and fall short of the bounds; 0 where there is no bound."""
        low, high = (np.where(np.isfinite(bound), bound, 0) for bound in self)
        return np.where(np.isfinite(self.high), total - n * high, 0), np.where(np.isfinite(self.low), n * low - total, 0)

    def joined(self, other: "Bounds") -> "Bounds":
        return Bounds(*(np.concatenate(both, axis=1) for both in zip(self, other, strict=True)))


def problem(queries: Sequence[CandidateSets], groups: Sequence[Sequence[str]], far_price: float) -> Problem:
    """Return the problem of ``queries``, in the order of ``groups``."""
    names = {name: i for i, name in enumerate(sorted({name for names_of_query in groups for name in names_of_query}))}
    member = np.zeros((len(queries), len(names) + 1))
    member[:, -1] = 1
    for row, names_of_query in zip(member, groups, strict=True):
        row[[names[name] for name in names_of_query]] = 1
    starts = np.cumsum([0, *(len(query.truth) for query in queries)])
    firsts = [i for i in range(len(queries)) if not i or groups[i] != groups[i - 1]]
    patterns = [slice(starts[a], starts[b]) for a, b in pairwise([*firsts, len(queries)])]
    worth = np.concatenate([1 - far_price * query.far - OWN_COST * query.own_cost for query in queries])
    return Problem(starts, patterns, sparse.csr_array(member[firsts]), sparse.csr_array(member.T), worth)


def solve(program: Problem, first: np.ndarray, bounds: Bounds) -> np.ndarray:
    """Return how often each set is chosen, from 0 to 1; shape (sets,).

    Args:
        first: the probability that each scorer ranks the set's truth first, or any other quantity whose mean has bounds; shape
            (sets, scorers).
    """
    low, high = (np.where(np.isfinite(bound), bound, 0) for bound in bounds)
    size = np.maximum(program.members.sum(axis=1), 1)[:, None]
    above, below = np.zeros(high.shape), np.zeros(low.shape)
    chosen, cost = np.zeros(len(first)), np.empty(len(first))
    starts, owner, rates = program.starts[:-1], program.owner, RATE / np.sqrt(len(high) * np.arange(1.0, STEPS + 1))
    for step in range(STEPS):
        net, constant = (program.groups @ each for each in (above - below, (above * high - below * low).sum(axis=1)))
        for here, price, own in zip(program.patterns, net, constant, strict=True):
            np.einsum("vs,s->v", first[here], price, out=cost[here])
            cost[here] -= own
        cost -= program.worth
        best = np.minimum.reduceat(cost, starts)
        cheapest = np.flatnonzero(cost <= best[owner])
        of = owner[cheapest]
        cheapest = cheapest[np.r_[True, of[1:] != of[:-1]]]
        kept = best < 0
        if step >= STEPS // 2:
            chosen[cheapest[kept]] += 1
        over, under = bounds.off(
            program.members @ (first[cheapest] * kept[:, None]), (program.members @ kept.astype(float))[:, None]
        )
        # Rounded, so that equal numbers decide equally on every machine.
        above = np.maximum(above + rates[step] * over / size, 0).round(9)
        below = np.maximum(below + rates[step] * under / size, 0).round(9)
    return chosen / (STEPS - STEPS // 2)


def draw(program: Problem, chosen: np.ndarray, first: np.ndarray, bounds: Bounds, seed: int) -> np.ndarray:
    """Return the selected sets: the best of :data:`DRAWS` draws of one set a query, or none, weighted by how often each was chosen.

    The best draw exceeds the bounds least.
    """
    before = np.cumsum(chosen) - chosen
    within = (before - np.repeat(before[program.starts[:-1]], np.diff(program.starts))).round(9)
    ends = (within + chosen).round(9)
    random, owner = np.random.default_rng(seed), program.owner
    best, least = np.zeros(0, np.int64), np.inf
    for _ in range(DRAWS):
        at = random.random(len(program.starts) - 1)[owner]
        hit = (within <= at) & (at < ends)
        total, n = program.sums(first, hit.astype(float))
        off = np.maximum(np.maximum(*bounds.off(total, n)), 0) / np.sqrt(np.maximum(n, 1))
        if (violation := float(np.square(off).sum().round(6))) < least:
            best, least = np.flatnonzero(hit), violation
    return best


def correction(
    program: Problem, exact: np.ndarray, believed: Sequence[np.ndarray], seen_by: Sequence[np.ndarray], bounds: Bounds
) -> np.ndarray:
    """Return by how much evaluators rank truths first more often than a selection expects, in log odds; shape (learned scorers,).

    A set that is selected because a scorer ranks its truth low is less low for a scorer that learned from other captions (winner's
    curse). The two quarters of the captions take turns: one selects, the other evaluates. It is measured once, without a
    correction: tighter bounds need rarer sets, whose curse is greater, so that repeated corrections may grow until nothing is kept.

    Args:
        exact: of scorers that do not depend on captions; shape (sets, exact scorers). The first bounds are theirs.
        believed, seen_by: by quarter, the probabilities that the selection uses, and whether the quarter's own scorers do rank
            the truth first; shape (sets, learned scorers) each.
    """
    expected, found, kept = np.zeros(believed[0].shape[1]), np.zeros(believed[0].shape[1]), 0.0
    for one, other in ((0, 1), (1, 0)):
        chosen = solve(program, np.concatenate([exact, believed[one]], axis=1), bounds)
        expected += program.sums(believed[one], chosen)[0][-1]
        found += program.sums(seen_by[other], chosen)[0][-1]
        kept += chosen.sum()
    # The rule of succession (Laplace, 1814).
    before, after = (special.logit((total + 1) / (kept + 2)) for total in (expected, found))
    return (after - before).round(6)


def moved(probabilities: np.ndarray, log_odds: np.ndarray) -> np.ndarray:
    """Return probabilities with odds that are higher by so much; shape (sets, scorers).

    So the bounds can be met however great the correction (calibration in the large; Cox, 1958).
    """
    return special.expit(special.logit(probabilities.clip(TIED, 1 - TIED)) + log_odds).round(6)


def select(queries: Sequence[CandidateSets], groups: Mapping[str, Sequence[str]], settings: Cleared) -> dict[str, Picked]:
    """Return the truth and the negatives of each query that is kept."""
    if not queries:
        return {}
    queries = sorted(queries, key=lambda query: (sorted(groups.get(query.query_id, ())), query.query_id))
    program = problem(queries, [sorted(groups.get(query.query_id, ())) for query in queries], settings.far_price)
    chance = 1 / queries[0].ranks.shape[1]
    exact, believed, quarters, seen_by = _probabilities(queries)
    spread = np.minimum(exact.std(axis=0).round(4) / np.sqrt(chance * (1 - chance)), 1)
    # An exact scorer that mostly ties has the same spread as one that never does, so that its price is high enough to exclude a
    # query. A scorer that always ties is left out.
    exact, spread = chance + (exact[:, spread > 0] - chance) / spread[spread > 0], spread[spread > 0]
    kinds = np.concatenate([query.asked for query in queries]).astype(float)
    kinds = kinds[:, np.abs(kinds).max(axis=0) > 0]

    n = program.members.sum(axis=1)[:, None]

    def even(spread: np.ndarray) -> Bounds:
        # At most a standard error above chance, so that many queries, or many ties, make no scorer's mean significant.
        high = np.minimum(settings.margin / spread, np.sqrt(chance * (1 - chance) / n))
        return Bounds(
            np.where(n < MIN_QUERIES, -np.inf, chance - settings.below / spread), np.where(n < MIN_QUERIES, np.inf, chance + high)
        )

    of_kinds = Bounds(*(np.full((len(n), kinds.shape[1]), sign * np.inf) for sign in (-1, 1)))
    of_kinds.low[-1], of_kinds.high[-1] = -settings.kinds, settings.kinds
    fixed, bounds = np.concatenate([kinds, exact], axis=1), of_kinds.joined(even(spread))
    learned = even(np.ones(believed.shape[1]))
    off = correction(program, fixed, quarters, seen_by, bounds.joined(learned))
    first, bounds = np.concatenate([fixed, moved(believed, off)], axis=1), bounds.joined(learned)
    adversary = Adversary(queries, program.starts)
    for number in range(ROUNDS):
        chosen = solve(program, first, bounds)
        taken = draw(program, chosen, first, bounds, settings.seed + number)
        # Each quarter's ranks in turn, because an evaluator's ranks also differ from those that selected.
        learned_from = taken, settings.seed + number, QUARTERS[number % 2]
        for guess in adversary.learned(*learned_from) if number < ROUNDS - 1 else ():
            first, bounds = np.concatenate([first, guess[:, None]], axis=1), bounds.joined(even(np.ones(1)))
    owner = program.owner[taken]
    picked = {}
    for i, place in zip(owner.tolist(), (taken - program.starts[owner]).tolist(), strict=True):
        picked[queries[i].query_id] = Picked(int(queries[i].truth[place]), tuple(queries[i].places[place].tolist()))
    return picked


def _probabilities(
    queries: Sequence[CandidateSets],
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """Return the probability that each set's truth comes first; shape (sets, scorers) each.

    By exact scorers, by learned ones as evaluators are expected to rank, the same for each quarter, and as each quarter ranks.
    """
    exact = np.concatenate([query.exact for query in queries]).astype(float)
    gains = np.concatenate([query.gains for query in queries], axis=1)
    # Evenly spaced, to save time.
    sample = np.arange(0, gains.shape[1], -(-gains.shape[1] // MAX_SETS))
    half, quarter = calibration.fitted((gains[QUARTERS[0], sample], gains[QUARTERS[1], sample]))
    believed = [calibration.first(gains[number], quarter) for number in QUARTERS]
    seen_by = [seen(gains[number]).astype(float) for number in QUARTERS]
    return exact, calibration.first(gains[HALF], half), believed, seen_by
