"""Checkpoints, whole or not at all, and never damaged: what a killed training goes on from."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import torch

from stages.contract.files import complete
from stages.resuming.resume import load_done, mark_done
from stages.training.processes import first, together

NAMES, MARK = ("checkpoint-a.pt", "checkpoint-b.pt"), "checkpoint.json"
"""Two that take turns, and which of them is whole: a run that is killed while it writes the one has the other."""


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
        path = folder / NAMES[NAMES[0] in _marked(folder)]
        with complete(path) as partial:
            torch.save(state._asdict(), partial)
        mark_done(folder / MARK, path.name, path)
    together()


def _marked(folder: Path) -> str:
    return (folder / MARK).read_text(encoding="utf-8") if (folder / MARK).exists() else ""


def load(folder: Path) -> State | None:
    """What was saved last; ``None`` where nothing was, or its bytes are not those that were written."""
    name = load_done(folder / MARK)
    if name is None:
        if (folder / MARK).exists():
            print(f"warning: the checkpoint in {folder} is damaged, and the training starts again", file=sys.stderr)
        return None
    return State(**torch.load(folder / name, weights_only=True, map_location="cpu"))
