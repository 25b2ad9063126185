"""The course of a training over its steps: as ``train`` wrote it, and reduced to a few points."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field, FiniteFloat

from stages.contract.forms import checked, form
from stages.contract.json_files import read_json
from stages.parameters.sections import Train

LOSSES = Annotated[list[FiniteFloat], Field(min_length=1)]
COURSE = form(Any, method=Train.model_fields["method"].annotation, losses=LOSSES, spawns=list[int])
"""What is read of ``training.json``, which may have further keys."""


def read_course(model: Path) -> dict[str, Any]:
    """Return the course of the training whose model is in the folder ``model``.

    Raises:
        InputError: it has no ``training.json``, or one of another form.
    """
    path, remedy = model / "training.json", "run dvc repro, which trains it again"
    return checked(read_json(path, remedy), path, remedy, COURSE)


def averaged(values: Sequence[float], parts: int) -> list[tuple[np.ndarray, float]]:
    """Return step numbers and mean ``values`` of equal parts of the steps, at most ``parts``."""
    steps = np.array_split(np.arange(len(values)), min(parts, len(values)))
    values_array = np.array(values)
    return [(part, float(values_array[part].mean())) for part in steps]
