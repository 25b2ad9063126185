"""Checkpoints from which a killed training continues: complete or not at all, and checked for damage."""

import sys
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

import torch

from stages.contract.files import complete
from stages.training.processes import first, together

NAME = "checkpoint.pt"


class State(NamedTuple):
    """The state of a training after ``step`` steps: each step's loss, and the state dictionaries of its modules.

    ``teacher`` is that of the agents that teach the new one during distillation.
    """

    step: int
    losses: list[float]
    agents: dict[str, Any]
    optimizer: list[dict[str, Any]]
    teacher: dict[str, Any] | None


def save(folder: Path, state: State) -> None:
    """Write ``state`` in place of the previous one; one process writes, all wait."""
    if first():
        with complete(folder / NAME) as partial:
            torch.save(state._asdict(), partial)
    together()


def load(folder: Path) -> State | None:
    """Return the last saved state; ``None`` where there is none, or its bytes have changed."""
    path = folder / NAME
    if not path.exists():
        return None
    try:
        # torch.load does not compare the checksums of this zip archive.
        with ZipFile(path) as archive:
            damaged = archive.testzip() is not None
    except (BadZipFile, OSError, EOFError):
        damaged = True
    if damaged:
        print(f"warning: the checkpoint in {folder} is damaged, and the training starts again", file=sys.stderr)
        return None
    return State(**torch.load(path, weights_only=True, map_location="cpu"))
