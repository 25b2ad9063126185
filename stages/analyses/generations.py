"""Measurements of a training's generations: how smooth they are, and how easily a new text agent learns from each.

Zheng et al., CVPR 2024, section 4.4, Figures 4 and 5.
"""

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from stages.analyses.course import averaged
from stages.analyses.lipschitz import agents_in, bound
from stages.analyses.teaching import Lesson
from stages.contract.ledger import Ledger
from stages.contract.resume import code, fingerprint, load_done, mark_done, work_folder
from stages.pairs import pairs
from stages.parameters.sections import Train
from stages.training import agents
from stages.training.batches import Material
from stages.training.fit import GENERATIONS, fit
from stages.training.generations import Agent
from stages.training.loading import Pictures

TOWERS: tuple[tuple[str, Agent], ...] = (("image", "vision"), ("text", "text"))
"""The metrics' name of a tower, and its agent."""
PACKAGES = ("analyses", "captions", "contract", "images", "models", "pairs", "training")
"""The packages whose code the measurements depend on."""
POINTS = 20
"""Points of an accuracy's curve, each the mean over a twentieth of the steps."""


class School(NamedTuple):
    """The data of lessons: the images' captions, pictures and names, and their :meth:`Pairs.identity`."""

    material: Material
    pictures: Pictures
    keys: list[str]
    identity: list[str]


def school(settings: Train, model: Path, texts: Path, workers: int) -> School:
    """Return the pairs of the stage ``train``, without unreadable pictures and left-out captions.

    The ``texts`` of ``mine_negatives`` show which captions have nothing to exchange.
    """
    ledger = Ledger("pairs")
    read = pairs.read(settings, ledger)
    pictures = Pictures(read.pictures, agents.preprocessing(model), int(1e9 * settings.memory))
    every, _ = pairs.with_negatives(read.without(set(pictures.bad(workers))), texts, settings, ledger)
    material = Material(every.captions, {}, [[] for _ in every.keys])
    return School(material, pictures.of(every.pictures), every.keys, every.identity())


def every(model: Path) -> list[Path]:
    """Return each generation's last model; the last one is the trained model itself."""
    return [*sorted((model / GENERATIONS).glob("*")), model]


def measured(settings: Train, model: Path, data: School, workers: int, work: Path) -> list[dict[str, Any]]:
    """Return for each generation the bounds of its towers' Lipschitz constants, log10, if known, and the course of a lesson.

    A lesson has as many steps as a generation, always from the same start and with the same batches. A killed run continues with
    the generation in progress.

    Args:
        work: a folder for finished generations until all are done.
    """
    files = [*code(*PACKAGES), *sorted(path for path in model.rglob("*") if path.is_file())]
    figures = []
    with work_folder(work, fingerprint(files, [settings.model_dump_json(), data.identity])) as folder:
        for number, generation in enumerate(every(model)):
            mark = folder / f"{number}.json"
            if (done := load_done(mark)) is None:
                mark_done(mark, done := _of_one(settings, generation, data, workers))
            figures.append(done)
    return figures


def _of_one(settings: Train, generation: Path, data: School, workers: int) -> dict[str, Any]:
    made = agents_in(generation)
    bounds = {tower: round(bound(made, agent), 2) for tower, agent in TOWERS} if made else None
    steps = settings.iterated.distil + settings.iterated.interact
    course = averaged(lesson(settings, generation, steps, data, workers), POINTS)
    accuracies = {"steps": [float(part.mean()) for part, _ in course], "accuracy": [round(100 * mean, 2) for _, mean in course]}
    return {"lipschitz": bounds, "lesson": accuracies}


def lesson(settings: Train, teacher: Path, steps: int, data: School, workers: int) -> list[float]:
    """Return the accuracies of a new text agent's steps."""
    pupil = Lesson(settings, teacher, steps, data.material.texts())
    with tempfile.TemporaryDirectory() as work:
        fit(data.material, data.pictures, data.keys, pupil, Path(work), workers)
    return pupil.accuracies
