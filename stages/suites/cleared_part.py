"""Find the part of a suite that no shortcut solves: as many entries as possible, or weights of all entries.

They are chosen so that no shortcut scorer, and no adversary trained on the choice, is more than a margin above chance.

The program is that of :mod:`stages.selection.cleared` with one candidate set an entry, which is in or out as a whole even if it
is in several subsets, or uses several images of a case. The adversary is trained on the choice, and the next round
chooses again, until the bound holds (adversarial filtering: Le Bras et al., 2020).
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from stages.evaluation.figures import FEW
from stages.evaluation.intervals import effective
from stages.evaluation.ranks import Ranks
from stages.evaluation.sets import RetrievalSet
from stages.selection.cleared import OWN_COST, Bounds, Problem, draw, solve

MARGIN = 0.03
"""Maximum of a scorer's R@1 above chance, as a fraction of 1."""
TOLERANCE = 1e-9
"""Tolerance below which sums count as 0."""

Audit = Callable[[Sequence[RetrievalSet]], Mapping[str, Ranks]]
"""The ranks of the truths of a subset's sets, by scorer."""


class _Program(NamedTuple):
    """Entries or cases; ``above`` is each one's contribution to the scorers' excess over their bounds, (units, scorers)."""

    units: list[object]
    problem: Problem
    above: np.ndarray

    @property
    def bounds(self) -> Bounds:
        shape = 1, self.above.shape[1]
        return Bounds(np.full(shape, -np.inf), np.zeros(shape))


def cleared(subsets: Mapping[str, Sequence[RetrievalSet]], audit: Audit) -> dict[str, list[RetrievalSet]]:
    """Return the largest part found of each of the ``subsets`` that no scorer of ``audit`` solves above chance and the margin.

    Sets without a source are left out: they combine entries that are included themselves.
    """
    sets_of = {name: [s for s in sets if s.source] for name, sets in subsets.items()}
    ranks: dict[str, Mapping[str, Ranks]] = {}
    while True:
        ranks |= {name: audit(sets_of[name]) for name in sets_of.keys() - ranks.keys() if sets_of[name]}
        program = _program(sets_of, ranks)
        if program is None or (program.above.sum(axis=0) <= TOLERANCE).all():
            return {name: sets for name, sets in sets_of.items() if sets}
        kept = {program.units[i] for i in np.flatnonzero(_whole(program))}
        for name, sets in sets_of.items():
            here = [s for s in sets if _unit(s) in kept]
            if len(here) < len(sets):
                sets_of[name] = here
                ranks.pop(name)


def weights(subsets: Mapping[str, Sequence[RetrievalSet]], audit: Audit) -> dict[str, np.ndarray]:
    """Return a weight from 0 to 1 for each set of each of the ``subsets``, with which no scorer of ``audit`` exceeds the bound.

    The bound holds as far as the program solves it. All sets of an entry or a case have the same weight; sets of neither, which
    combine other entries, have none. Nor has a subset of which weights leave the information of fewer than :data:`FEW` sets:
    nothing can be concluded from it.
    """
    own = {name: [s for s in sets if _unit(s)] for name, sets in subsets.items()}
    program = _program(own, {name: audit(sets) for name, sets in own.items() if sets})
    if program is None:
        return {name: np.zeros(len(sets)) for name, sets in subsets.items()}
    share = dict(zip(program.units, solve(program.problem, program.above, program.bounds).tolist(), strict=True))
    each = {name: np.array([share[_unit(s)] if _unit(s) else 0.0 for s in sets]) for name, sets in subsets.items()}
    known = {name: bool(weight.any()) and effective(weight, np.arange(len(weight))) >= FEW for name, weight in each.items()}
    return {name: weight * known[name] for name, weight in each.items()}


def _unit(s: RetrievalSet) -> object:
    return s.query.case.case_id if s.query.case else s.source


def _program(sets_of: Mapping[str, Sequence[RetrievalSet]], ranks: Mapping[str, Mapping[str, Ranks]]) -> _Program | None:
    """Return the program of all subsets together; ``None`` where there are no sets."""
    numbers: dict[object, int] = {}
    for name in sorted(ranks):
        for s in sets_of[name]:
            numbers.setdefault(_unit(s), len(numbers))
    if not numbers:
        return None
    columns, n, count = [], len(numbers), np.zeros(len(numbers))
    for name in sorted(ranks):
        units = np.array([numbers[_unit(s)] for s in sets_of[name]])
        count += np.bincount(units, minlength=n)
        for _, scorer_ranks in sorted(ranks[name].items()):
            above = np.bincount(units, (scorer_ranks.recall(1) - scorer_ranks.chance(1) - MARGIN).round(9), minlength=n)
            columns.append(above * n / len(units))  # a mean of the subset's sets, and not of all
    own_cost = np.array([zlib.crc32(repr(unit).encode()) / 2**32 for unit in numbers])
    worth = count / count.max() - OWN_COST * own_cost
    one, every = (sparse.csr_array(np.ones((1, size))) for size in (1, n))
    problem = Problem(np.arange(n + 1), [slice(0, n)], one, every, worth)
    return _Program(list(numbers), problem, np.stack(columns, axis=1))


def _whole(program: _Program) -> np.ndarray:
    """Return the units to keep: a draw from the program's solution, with changes until all of its sums are at most 0."""
    share = solve(program.problem, program.above, program.bounds)
    chosen = np.zeros(len(share), bool)
    chosen[draw(program.problem, share, program.above, program.bounds, 0)] = True
    while (excess := np.maximum(program.above[chosen].sum(axis=0), 0)).max() > TOLERANCE:
        chosen[np.argmax(np.where(chosen, (program.above * excess).sum(axis=1).round(9), -np.inf))] = False
    total = program.above[chosen].sum(axis=0)
    for i in np.argsort(-share, kind="stable").tolist():
        if not chosen[i] and (total + program.above[i] <= TOLERANCE).all():
            chosen[i], total = True, total + program.above[i]
    return chosen
