"""Checkpoints, whole or not at all: what a killed training goes on from."""

from pathlib import Path
from typing import Any, NamedTuple

import torch

from stages.contract.files import complete
from stages.training.processes import first, together

NAME = "checkpoint.pt"


class State(NamedTuple):
    """A training after ``step`` steps.

    Attributes:
        losses: of each step.
        agents, optimizer: their state dictionaries, of the optimiser one for each of its parts.
        teacher: that of the agents that teach the newly spawned one, while it is distilled.
    """

    step: int
    losses: list[float]
    agents: dict[str, Any]
    optimizer: list[dict[str, Any]]
    teacher: dict[str, Any] | None


def save(folder: Path, state: State) -> None:
    """Write ``state`` in place of what was saved before; one process does, all wait."""
    if first():
        with complete(folder / NAME) as partial:
            torch.save(state._asdict(), partial)
    together()


def load(folder: Path) -> State | None:
    """What was saved last, if anything was."""
    path = folder / NAME
    return State(**torch.load(path, weights_only=True, map_location="cpu")) if path.is_file() else None
