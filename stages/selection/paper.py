"""Choose negatives as the paper does: the most plausible candidates by a language model (section 4.1)."""

import random
from collections.abc import Sequence

import numpy as np


def most_sensible(plausibility: np.ndarray, size: int) -> tuple[int, ...] | None:
    """Return the places of the ``size`` most plausible candidates; ties stay in order. ``None`` where there are fewer.

    >>> most_sensible(np.array([-3.0, -1.0, -2.0]), 2)
    (1, 2)
    """
    order = np.argsort(-plausibility, kind="stable")[:size]
    return tuple(order.tolist()) if len(order) == size else None


def of_atoms(plausibility: np.ndarray, slots: Sequence[int], size: int, query_id: str, seed: int) -> tuple[int, ...] | None:
    """Return the places of HN-Atom's negatives: ``size`` times, draw an atom and take its most plausible unused foil.

    An atom is no longer drawn once its foils are used up. Returns ``None`` where there are fewer than ``size`` candidates.
    """
    if len(plausibility) < size:
        return None
    draw = random.Random(f"{seed}:{query_id}")
    order = np.argsort(-plausibility, kind="stable").tolist()
    left = {slot: [place for place in order if slots[place] == slot] for slot in sorted(set(slots))}
    chosen = []
    for _ in range(size):
        slot = draw.choice([slot for slot, places in left.items() if places])
        chosen.append(left[slot].pop(0))
    return tuple(chosen)
