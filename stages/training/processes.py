"""Several processes, each with its part of every batch: features are gathered, so that each loss is that of the whole batch.

``torchrun --nproc-per-node N -m stages.train …`` starts them. Every process computes the loss of all features; the gradient of
its own features comes from all processes, and the average of the gradients is the gradient of a single process.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.nn.functional import all_gather

from stages.contract.resume import work_folder

T = TypeVar("T")


@contextmanager
def group(device: str) -> Iterator[None]:
    """Join the processes that ``torchrun`` started, each with its own GPU unless ``device`` is ``cpu``; else do nothing."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield
        return
    cuda = device != "cpu" and torch.cuda.is_available()
    if cuda:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl" if cuda else "gloo")
    try:
        yield
    finally:
        dist.destroy_process_group()


def count() -> int:
    return dist.get_world_size() if dist.is_initialized() else 1


def first() -> bool:
    """Return whether this process is the one that writes and prints."""
    return not dist.is_initialized() or dist.get_rank() == 0


def part(items: list[T]) -> list[T]:
    """Return this process's part of a batch, whose length is a multiple of the number of processes."""
    if count() == 1:
        return items
    size = len(items) // count()
    return items[dist.get_rank() * size :][:size]


def gathered(features: Tensor) -> Tensor:
    """Return the rows of all processes, one process after the other; gradients flow back to each."""
    return features if count() == 1 else torch.cat(all_gather(features))


def average(parameters: Iterable[nn.Parameter]) -> None:
    """Set every process's gradients to the average of all."""
    for parameter in parameters if count() > 1 else ():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= count()


@contextmanager
def shared_work(folder: Path, name: str) -> Iterator[Path]:
    """Yield :func:`stages.contract.resume.work_folder` for all processes."""
    with work_folder(folder, name) if first() else nullcontext(folder / name) as work:
        together()
        yield work
        together()


def together() -> None:
    """Wait for all processes."""
    if dist.is_initialized():
        dist.barrier()
