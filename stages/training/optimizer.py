"""The optimiser: AdamW, and Muon for the matrices of the towers' blocks, where ``train.muon`` enables it.

Muon's step is the nearest orthogonal matrix to the momentum (Jordan et al., 2024): all directions of a matrix learn equally fast.
In the same number of steps it brings the sample's model much further than AdamW alone.
"""

from typing import Any

import torch
from torch import nn

from stages.parameters.sections import Train
from stages.training.muon import Muon


class Optimizer:
    """AdamW alone, or together with Muon; each weight belongs to one of them."""

    def __init__(self, agents: nn.Module, settings: Train):
        every = dict(agents.named_parameters())
        matrices = {name for name, p in every.items() if settings.muon and p.ndim == 2 and ".resblocks." in name}
        others = {name: p for name, p in every.items() if name not in matrices}
        decayed = groups(others, settings.weight_decay)
        adamw = torch.optim.AdamW(decayed, lr=settings.learning_rate, betas=(0.9, 0.98), eps=1e-6, fused=True)
        self.parts: list[torch.optim.Optimizer] = [adamw]
        if matrices:
            these = [every[name] for name in sorted(matrices)]
            self.parts.append(Muon(these, lr=settings.muon, weight_decay=settings.weight_decay))
        self.rates = [settings.learning_rate, settings.muon]

    def pace(self, share: float) -> None:
        """Set this fraction of the greatest learning rates for the next step."""
        for part, rate in zip(self.parts, self.rates, strict=False):
            for group in part.param_groups:
                group["lr"] = rate * share

    def step(self) -> None:
        for part in self.parts:
            part.step()

    def zero_grad(self) -> None:
        for part in self.parts:
            part.zero_grad(set_to_none=True)

    def forget(self, parameter: nn.Parameter) -> None:
        """Reset a weight's moments."""
        for part in self.parts:
            part.state.pop(parameter, None)

    def state_dict(self) -> list[dict[str, Any]]:
        return [part.state_dict() for part in self.parts]

    def load_state_dict(self, state: list[dict[str, Any]]) -> None:
        for part, of_part in zip(self.parts, state, strict=True):
            part.load_state_dict(of_part)


def groups(parameters: dict[str, nn.Parameter], decay: float) -> list[dict[str, Any]]:
    """Return parameter groups: weight decay applies to matrices only, not to gains, biases, embeddings and codes."""
    plain = {name for name, p in parameters.items() if p.ndim < 2 or "embedding" in name or name == "codebook.codes"}
    return [
        {"params": [p for name, p in parameters.items() if name not in plain], "weight_decay": decay},
        {"params": [p for name, p in parameters.items() if name in plain], "weight_decay": 0.0},
    ]
