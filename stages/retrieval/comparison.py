"""What several runs tell together: the effect of having seen, freed of how hard the queries are, and correlations over models."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from stages.retrieval.intervals import Z95
from stages.retrieval.statistics import difference


def effect_of_seeing(
    first: np.ndarray, second: np.ndarray, seen_first: np.ndarray, seen_second: np.ndarray, images: np.ndarray
) -> dict[str, Any] | None:
    """What having seen a query's compounds is worth, told from two runs whose training sets have seen different ones.

    Over queries that only the first has seen the runs differ by skill + effect, over those that only the second has seen by
    skill - effect: half the difference of the two is the effect alone. Every query is its own control, so that unseen compounds'
    being harder, if they are, cancels out.

    Args:
        first, second: each run's recall at 1 on the same queries.
        seen_first, seen_second: whether the query's compounds were seen in each run's training set.

    Returns:
        ``d, se, df, low, high``, and the queries seen by one only: ``n_first``, ``n_second``; ``None`` where one has none.
    """
    return difference((first - second) / 2, seen_first & ~seen_second, seen_second & ~seen_first, images, (-0.5, 0.5))


def correlation(x: Sequence[float], y: Sequence[float]) -> dict[str, Any]:
    """Pearson's r with Fisher's 95 % interval, its square (as Figures 7 and 8 give it), and the slope of y over x.

    All ``None`` with fewer than three points or where one side does not vary; the interval also with three.
    """
    figures: dict[str, Any] = {"n": len(x), **dict.fromkeys(("r", "low", "high", "r2", "slope"))}
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(a) < 3 or not a.std() or not b.std():
        return figures
    r = float(np.corrcoef(a, b)[0, 1])
    figures |= {"r": r, "r2": r * r, "slope": float(np.polyfit(a, b, 1)[0])}
    if len(a) > 3 and abs(r) < 1:
        half = Z95 / np.sqrt(len(a) - 3)
        figures |= {"low": float(np.tanh(np.arctanh(r) - half)), "high": float(np.tanh(np.arctanh(r) + half))}
    return figures
