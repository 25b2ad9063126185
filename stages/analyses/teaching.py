"""Ease of teaching: how a new text agent learns from a generation's frozen vision and codebook (Zheng et al., Figure 5)."""

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from stages.models import codebook
from stages.parameters.sections import CodebookOf, Models, Train
from stages.training import processes
from stages.training.agents import agent_of
from stages.training.fit import Training
from stages.training.generations import Phase
from stages.training.loading import Loaded
from stages.training.losses import Names, contrastive, true_elsewhere

PUPIL = 500_000
"""Added to the seed, so that the text agent is new: the first generation's vision was trained with the agent of the plain seed, and
would have an advantage.
"""


class Lesson(Training):
    """A training of the text agent alone, always from the same start and with the same batches, with the vision and the codebook of
    its ``teacher``, a folder that the stage ``train`` wrote.

    Attributes:
        accuracies: of each step, before its update: the fraction of the batch's images that find their text, and of its texts
            that find their image, on average.
    """

    def __init__(self, settings: Train, teacher: Path, steps: int, texts: list[str]):
        changes = {"method": "clip", "start": "none", "spectral_norm": False, "steps": steps, "checkpoint": steps}
        changes["seed"] = settings.seed + PUPIL
        if (teacher / codebook.CONFIG).is_file():
            shape = codebook.read(teacher).shape()
            book = CodebookOf(**{key: shape[key] for key in ("codes", "width", "temperature")})
            changes |= {"method": "codebook", "codebook": book}
        super().__init__(settings.model_copy(update=changes), Models({}), teacher, texts)
        self.agents.load_state_dict(what_stands(teacher), strict=False)
        self.accuracies = list[float]()

    def begin(self, now: Phase) -> None:
        super().begin(now)
        for name, parameter in self.agents.named_parameters():
            parameter.requires_grad_(name == "clip.logit_scale" or agent_of(name) == "text")

    def _loss(self, loaded: Loaded, images: Tensor, now: Phase) -> Tensor:
        names = Names(*(numbers.to(self.device) for numbers in loaded.names))
        texts = processes.gathered(self.agents.encode_text(loaded.captions.to(self.device)))
        features = processes.gathered(self.agents.encode_image(images))
        self.accuracies.append(accuracy(features, texts, names))
        return contrastive(features, texts, self.agents.clip.logit_scale.exp(), names)


def what_stands(teacher: Path) -> dict[str, Tensor]:
    """Return the frozen weights: those of the image tower, its query, and the codes."""
    towers = load_file(teacher / "open_clip_model.safetensors")
    weights = {f"clip.{name}": tensor for name, tensor in towers.items() if name.startswith("visual.")}
    if (teacher / codebook.CONFIG).is_file():
        book = load_file(teacher / codebook.WEIGHTS)
        weights |= {f"codebook.{name}": tensor for name, tensor in book.items() if not name.startswith("text_query.")}
    return weights


@torch.no_grad()
def accuracy(images: Tensor, texts: Tensor, names: Names) -> float:
    """Return the fraction of a batch's pairs (m, width) that find each other, from both sides; other true texts do not compete."""
    similar = (images @ texts.T).masked_fill(true_elsewhere(names), -torch.inf)
    diagonal = torch.arange(len(similar), device=similar.device)
    return float(torch.stack([similar.argmax(side) == diagonal for side in (0, 1)]).float().mean())
