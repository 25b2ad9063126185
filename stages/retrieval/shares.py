"""A share of yes and no with its interval, for shares so near to one that the usual interval would end beyond it."""

from __future__ import annotations

from typing import Any

import numpy as np

from stages.retrieval.figures import Z95, mean_error


def wilson_share(yes: np.ndarray, images: np.ndarray) -> dict[str, Any]:
    """The ``share`` of ``yes`` with its 95 % interval ``low``, ``high`` and ``n``; values of one image may hang together.

    The interval is Wilson's, with as many values as would, if they were independent, give the standard error that the images do.
    """
    n = len(yes)
    if not n:
        return {"share": None, "low": None, "high": None, "n": 0}
    p = float(np.mean(yes))
    plain = np.sqrt(p * (1 - p) / n)
    clustered = mean_error(np.asarray(yes, dtype=float), images)
    effective = n / max(1.0, (clustered / plain) ** 2) if plain > 0 and clustered > 0 else float(len(np.unique(images)))
    centre = p + Z95**2 / (2 * effective)
    spread = Z95 * np.sqrt(p * (1 - p) / effective + Z95**2 / (4 * effective**2))
    scale = 1 + Z95**2 / effective
    low, high = max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
    return {"share": round(p, 5), "low": round(float(low), 5), "high": round(float(high), 5), "n": n}
