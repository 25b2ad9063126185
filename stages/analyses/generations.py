"""What the generations of a training are worth: how smooth they are, and how easily a new text agent learns from each.

Zheng et al., CVPR 2024, section 4.4, Figures 4 and 5.
"""

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from stages.analyses.course import averaged
from stages.analyses.lipschitz import agents_in, bound
from stages.analyses.teaching import Lesson
from stages.contract.ledger import Ledger
from stages.pairs import pairs
from stages.parameters.sections import Train
from stages.training import agents
from stages.training.batches import Material
from stages.training.fit import GENERATIONS, fit
from stages.training.generations import Agent
from stages.training.loading import Pictures

TOWERS: tuple[tuple[str, Agent], ...] = (("image", "vision"), ("text", "text"))
"""What the figures call a tower, and the agent that it is."""
POINTS = 20
"""Of an accuracy's curve: means over a twentieth of the steps each."""


class School(NamedTuple):
    """What is learnt from: the images' captions, pictures and names."""

    material: Material
    pictures: Pictures
    keys: list[str]


def school(settings: Train, model: Path, texts: Path, workers: int) -> School:
    """The pairs that the stage ``train`` learns from: whose pictures can be read, and whose captions are not left out. The
    ``texts`` of ``mine_negatives`` say what captions have nothing to exchange."""
    ledger = Ledger("pairs")
    read = pairs.read(settings, ledger)
    pictures = Pictures(read.pictures, agents.preprocessing(model), int(1e9 * settings.memory))
    every, _ = pairs.with_negatives(read.without(set(pictures.bad(workers))), texts, settings, ledger)
    return School(Material(every.captions, {}, [[] for _ in every.keys]), pictures.of(every.pictures), every.keys)


def every(model: Path) -> list[Path]:
    """The models that the generations of a training ended with; the last is the trained model itself."""
    return [*sorted((model / GENERATIONS).glob("*")), model]


def measured(settings: Train, model: Path, of: School, workers: int) -> list[dict[str, Any]]:
    """Of each generation the bounds of its towers' Lipschitz constants, log10, where these are known, and the course of a lesson.

    A lesson has as many steps as a generation, always from the same start and with the same batches.
    """
    steps = settings.iterated.distil + settings.iterated.interact
    figures = []
    for generation in every(model):
        made = agents_in(generation)
        bounds = {tower: round(bound(made, agent), 2) for tower, agent in TOWERS} if made else None
        course = averaged(lesson(settings, generation, steps, of, workers), POINTS)
        accuracies = {"steps": [float(part.mean()) for part, _ in course], "accuracy": [round(100 * mean, 2) for _, mean in course]}
        figures.append({"lipschitz": bounds, "lesson": accuracies})
    return figures


def lesson(settings: Train, teacher: Path, steps: int, of: School, workers: int) -> list[float]:
    """The accuracies of a new text agent's steps."""
    pupil = Lesson(settings, teacher, steps, of.material.texts())
    with tempfile.TemporaryDirectory() as work:
        fit(of.material, of.pictures, of.keys, pupil, Path(work), workers)
    return pupil.accuracies
