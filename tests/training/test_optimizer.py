import copy

import torch

from stages.training.optimizer import Muon, orthogonal

SHAPES = [(12, 12), (36, 12), (12, 12), (12, 24), (36, 12)]


def test_muon_learns_as_torchs_does():
    torch.manual_seed(0)
    ours = [torch.nn.Parameter(torch.randn(shape) / 10) for shape in SHAPES]
    torchs = copy.deepcopy(ours)
    optimizers = Muon(ours, lr=0.02, weight_decay=0.05), torch.optim.Muon(torchs, lr=0.02, weight_decay=0.05)
    for step in range(5):
        for place, (a, b) in enumerate(zip(ours, torchs, strict=True)):
            a.grad = torch.randn_like(a) if place or step > 2 else None  # the first weight joins later
            b.grad = None if a.grad is None else a.grad.clone()
        for optimizer in optimizers:
            optimizer.step()
        for a, b in zip(ours, torchs, strict=True):
            # A weight moves by up to 0.02 a step, and rounding to bfloat16 by 1/256 of that.
            assert torch.allclose(a, b, atol=3e-4)


def test_singular_values_become_alike():
    torch.manual_seed(0)
    for shape in SHAPES:
        matrices = torch.randn(3, *shape)
        values = torch.linalg.svdvals(orthogonal(matrices))
        assert values.min() > 0.6 and values.max() < 1.3
        assert orthogonal(matrices).shape == matrices.shape
    assert orthogonal(torch.zeros(1, 4, 4)).abs().max() == 0  # a weight without a gradient stays
