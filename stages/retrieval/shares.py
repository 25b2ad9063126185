"""A share of yes and no with its interval, for shares so near to one that the usual interval would end beyond it."""

from typing import Any

import numpy as np

from stages.retrieval.intervals import Z95, effective, of_mean, student


def wilson_share(yes: np.ndarray, images: np.ndarray) -> dict[str, Any]:
    """The ``share`` of ``yes`` with its 95 % interval ``low``, ``high`` and ``n``; values of one image may hang together.

    The interval is Wilson's, of as many values as would, if they were independent, give the standard error that the images do, and
    with Student's t in place of the normal quantile (Korn and Graubard, 1998; Dean and Pagano, 2015).
    """
    n = len(yes)
    if not n:
        return {"share": None, "low": None, "high": None, "n": 0}
    p = float(np.mean(yes))
    of = of_mean(np.asarray(yes, dtype=float), images)
    if of.error > 0:
        independent, t = n / max(1.0, of.error**2 * n / (p * (1 - p))), student(of.freedom)
    else:
        independent, t = effective(np.ones(n), np.unique(images, return_inverse=True)[1]), Z95
    centre = p + t**2 / (2 * independent)
    spread = t * np.sqrt(p * (1 - p) / independent + t**2 / (4 * independent**2))
    scale = 1 + t**2 / independent
    low, high = max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
    return {"share": round(p, 5), "low": round(float(low), 5), "high": round(float(high), 5), "n": n}
