"""The course of a training's measurements over its steps, reduced to a few points."""

from collections.abc import Sequence

import numpy as np


def averaged(values: Sequence[float], parts: int) -> list[tuple[np.ndarray, float]]:
    """Return step numbers and mean ``values`` of equal parts of the steps, at most ``parts``."""
    steps = np.array_split(np.arange(len(values)), min(parts, len(values)))
    values_array = np.array(values)
    return [(part, float(values_array[part].mean())) for part in steps]
