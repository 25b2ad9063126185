"""Two gloo processes learn what one learns: every loss includes the negatives and neighbours of both."""

import os
import socket
from pathlib import Path

import torch
from torch import multiprocessing

from stages.training import fit, processes
from tests.training import made


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


METHODS = ("negclip", "iterated")
"""With negatives, and with a codebook in generations: these two cover everything that processes share."""


def learn(rank, world, port, folder):
    """Train by each method as one of ``world`` processes; the first writes losses and weights into ``folder``."""
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(world), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    with processes.group("cpu"):
        for method in METHODS:
            learnt = trained(Path(folder) / method, method)
            if processes.first():
                torch.save(learnt, Path(folder) / f"{method}.pt")


def trained(folder, method):
    # Slow, and without Muon, which computes in bf16, so that rounding in other parts of a batch does not change the losses.
    training = made.training(folder, method=method, steps=8, batch=8, learning_rate=0.002, muon=0.0, checkpoint=3)
    fit.fit(made.material(), made.pictures(training), [""] * 8, training, folder, 1)
    return {"losses": training.losses, "agents": training.agents.state_dict()}


def test_two_processes_learn_what_one_learns(tmp_path):
    for method in METHODS:
        made.describe(tmp_path / "two" / method)
    # Fork, since a spawned process imports everything again.
    multiprocessing.start_processes(learn, (2, free_port(), str(tmp_path / "two")), nprocs=2, start_method="fork")
    for method in METHODS:
        one, two = trained(tmp_path / "one" / method, method), torch.load(tmp_path / "two" / f"{method}.pt", weights_only=True)
        assert torch.allclose(torch.tensor(one["losses"]), torch.tensor(two["losses"]), atol=1e-4), method
        assert one["losses"][0] != one["losses"][-1]
        for name, tensor in one["agents"].items():
            assert torch.allclose(tensor, two["agents"][name], atol=2e-3), (method, name)


def test_a_loss_of_one_half_would_be_another(tmp_path):
    """The usual NegCLIP on several processes uses only negatives of its own half. This test would notice that."""
    made.describe(tmp_path)
    whole, half = (made.training(tmp_path, method="negclip", steps=1, batch=size) for size in (8, 4))
    for training in (whole, half):
        fit.fit(made.material(), made.pictures(training), [""] * 8, training, tmp_path, 1)
    assert abs(whole.losses[0] - half.losses[0]) > 0.1
