"""The optimiser: AdamW, and Muon for the matrices of the towers' blocks, where ``train.muon`` enables it.

Muon's step is the nearest orthogonal matrix to the momentum (Jordan et al., 2024): all directions of a matrix learn equally fast.
In the same number of steps it brings the sample's model much further than AdamW alone.
"""

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from stages.parameters.sections import Train


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


# --- Muon ----

MOMENTUM = 0.95
COEFFICIENTS = (3.4445, -4.775, 2.0315)
"""Of the quintic Newton–Schulz iteration, by its authors."""
ITERATIONS = 5


class Muon(torch.optim.Optimizer):
    """What ``torch.optim.Muon`` does with its defaults, in one product of a batch where that has one product a matrix."""

    def __init__(self, weights: Sequence[nn.Parameter], lr: float, weight_decay: float):
        super().__init__(weights, {"lr": lr, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]  # no loss is computed again
        for group in self.param_groups:
            by_shape: dict[torch.Size, list[Any]] = {}
            for weight in group["params"]:
                if weight.grad is not None:  # else it does not learn now
                    by_shape.setdefault(weight.shape, []).append(weight)
            for shape, weights in by_shape.items():
                updates = orthogonal(torch.stack([self._direction(weight, weight.grad) for weight in weights]))
                torch._foreach_mul_(weights, 1 - group["lr"] * group["weight_decay"])
                rate = group["lr"] * math.sqrt(max(1, shape[0] / shape[1]))
                torch._foreach_add_(weights, list(updates.to(weights[0].dtype)), alpha=-rate)

    def _direction(self, weight: nn.Parameter, gradient: Any) -> Tensor:
        """Return the gradient with Nesterov's momentum, which is brought up to date."""
        state = self.state[weight]
        if not state:
            state["momentum_buffer"] = torch.zeros_like(gradient)
        momentum: Tensor = state["momentum_buffer"]
        momentum.lerp_(gradient, 1 - MOMENTUM)
        return gradient.lerp(momentum, MOMENTUM)


def orthogonal(matrices: Tensor) -> Tensor:
    """Return matrices with the same singular vectors and singular values near 1: (n, rows, columns) → the same.

    Values are rounded to bfloat16 after each product, as in the authors' code. A processor multiplies them as fp32, which gives the
    same but for the order of sums: few processors have products of bfloat16, and the others take ten times as long for them.
    """
    a, b, c = COEFFICIENTS
    kind = torch.float32 if matrices.device.type == "cpu" else torch.bfloat16
    tall = matrices.shape[1] > matrices.shape[2]

    def rounded(values: Tensor) -> Tensor:
        return values.bfloat16().to(kind)

    x = rounded(matrices.mT if tall else matrices).contiguous()
    x = rounded(x / rounded(torch.linalg.vector_norm(x, dim=(1, 2), keepdim=True)).clamp(min=1e-7))
    for _ in range(ITERATIONS):
        gram = rounded(x @ x.mT)
        x = rounded(torch.baddbmm(x, rounded(torch.baddbmm(gram, gram, gram, beta=b, alpha=c)), x, beta=a))
    return x.mT if tall else x
