"""Checkpoints, whole or not at all, and never damaged: what a killed training goes on from."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import torch

from stages.contract.files import complete
from stages.resuming.resume import load_done, mark_done
from stages.training.processes import first, together

MARK = "checkpoint.json"
"""Names the step of the file that is whole, so that a run killed between the two has the one before."""


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
        path = _of_step(folder, state.step)
        with complete(path) as partial:
            torch.save(state._asdict(), partial)
        mark_done(folder / MARK, state.step, path)
        for other in folder.glob(_of_step(folder, "*").name):
            if other != path:
                other.unlink()
    together()


def _of_step(folder: Path, step: int | str) -> Path:
    return folder / f"checkpoint-{step}.pt"


def load(folder: Path) -> State | None:
    """What was saved last; ``None`` where nothing was, or its bytes are not those that were written."""
    step = load_done(folder / MARK)
    if step is None:
        if (folder / MARK).exists():
            print(f"warning: the checkpoint in {folder} is damaged, and the training begins anew", file=sys.stderr)
        return None
    return State(**torch.load(_of_step(folder, step), weights_only=True, map_location="cpu"))
