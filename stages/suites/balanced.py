"""The part of a suite that cannot be told without looking: as many of its entries as possible, chosen so that no blind scorer,
and no adversary trained on what is chosen, stands more than a margin above chance.

A linear program per round (its corners are whole but for a few entries, which are left out): the scorers' recalls of all subsets
must stay below their bounds, an entry of several subsets or a case of several images being in or out as a whole. The adversary is
trained anew on what was chosen, and the next round chooses from that, until it holds (adversarial filtering: Le Bras et al., 2020).
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from stages.retrieval.ranks import Ranks
from stages.retrieval.sets import RetrievalSet

MARGIN = 0.03
"""How far above chance a scorer may come, of 1."""

Audit = Callable[[Sequence[RetrievalSet]], Mapping[str, Ranks]]
"""The ranks of the truths of a subset's sets, by scorer."""


def balanced(subsets: Mapping[str, Sequence[RetrievalSet]], audit: Audit) -> dict[str, list[RetrievalSet]]:
    """The largest part of each of the ``subsets`` that none of the scorers of ``audit`` solves above chance and the margin.

    Sets without a source are left out: they put entries together that stand for themselves.
    """
    sets_of = {name: [s for s in sets if s.source] for name, sets in subsets.items()}
    margins: dict[str, np.ndarray] = {}
    while True:
        margins |= {name: _above(audit(sets_of[name])) for name in sets_of.keys() - margins.keys() if sets_of[name]}
        if all((above.sum(axis=1) <= 1e-9).all() for above in margins.values()):
            return {name: sets for name, sets in sets_of.items() if sets}
        names = sorted(margins)
        units = {name: [s.query.case.case_id if s.query.case else s.source for s in sets_of[name]] for name in names}
        chosen = _largest([(margins[name], units[name]) for name in names])
        for name in names:
            here = [unit in chosen for unit in units[name]]
            if not all(here):
                sets_of[name] = [s for s, keep in zip(sets_of[name], here, strict=True) if keep]
                del margins[name]


def _above(ranks: Mapping[str, Ranks]) -> np.ndarray:
    """What each set adds to how far each scorer is above its bound; of shape (scorers, sets)."""
    return np.array([of.recall(1) - of.chance(1) - MARGIN for _, of in sorted(ranks.items())])


def _largest(subsets: Sequence[tuple[np.ndarray, Sequence[object]]]) -> set[object]:
    """The units (entries or cases) of the most sets whose sums stay below 0, from ``_above`` of each subset and its sets' units."""
    numbers = {unit: i for i, unit in enumerate(dict.fromkeys(unit for _, units in subsets for unit in units))}
    columns = [np.array([numbers[unit] for unit in units], np.int64) for _, units in subsets]
    sums = np.array([np.bincount(of, row, len(numbers)) for (above, _), of in zip(subsets, columns, strict=True) for row in above])
    weight = np.bincount(np.concatenate(columns), minlength=len(numbers))
    share = linprog(-weight, A_ub=sparse.csr_array(sums), b_ub=np.zeros(len(sums)), bounds=(0, 1), method="highs").x
    chosen = share > 1 - 1e-6
    # The few that were left out in part may have held a sum down.
    while (excess := np.maximum(sums[:, chosen].sum(axis=1), 0)).max() > 1e-9:
        chosen[np.argmax(np.where(chosen, excess @ sums, -np.inf))] = False
    return {unit for unit, i in numbers.items() if chosen[i]}
