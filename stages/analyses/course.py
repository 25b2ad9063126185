"""The course of what a training measures at each step, in few points."""

from collections.abc import Sequence

import numpy as np


def averaged(values: Sequence[float], parts: int) -> list[tuple[np.ndarray, float]]:
    """The steps, one for each of ``values``, in as many equal ``parts`` as there are at most; with each the mean of its values."""
    steps = np.array_split(np.arange(len(values)), min(parts, len(values)))
    own = np.array(values)
    return [(part, float(own[part].mean())) for part in steps]
