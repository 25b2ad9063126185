"""Checkpoints from which a killed training continues: complete or not at all, and checked for damage."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import torch

from stages.contract.files import complete
from stages.contract.resume import load_done, mark_done
from stages.training.processes import first, together

NAMES, MARK = ("checkpoint-a.pt", "checkpoint-b.pt"), "checkpoint.json"
"""Two checkpoints that take turns, and which of them is complete: a run killed while it writes one still has the other."""


class State(NamedTuple):
    """The state of a training after ``step`` steps.

    Attributes:
        losses: of each step.
        agents, optimizer: their state dictionaries, one for each part of the optimiser.
        teacher: the state of the agents that teach the new one during distillation.
    """

    step: int
    losses: list[float]
    agents: dict[str, Any]
    optimizer: list[dict[str, Any]]
    teacher: dict[str, Any] | None


def save(folder: Path, state: State) -> None:
    """Write ``state`` in place of the previous one; one process writes, all wait."""
    if first():
        path = folder / NAMES[NAMES[0] in _marked(folder)]
        with complete(path) as partial:
            torch.save(state._asdict(), partial)
        mark_done(folder / MARK, path.name, path)
    together()


def _marked(folder: Path) -> str:
    return (folder / MARK).read_text(encoding="utf-8") if (folder / MARK).exists() else ""


def load(folder: Path) -> State | None:
    """Return the last saved state; ``None`` where there is none, or its bytes have changed."""
    name = load_done(folder / MARK)
    if name is None:
        if (folder / MARK).exists():
            print(f"warning: the checkpoint in {folder} is damaged, and the training starts again", file=sys.stderr)
        return None
    return State(**torch.load(folder / name, weights_only=True, map_location="cpu"))
