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
from stages.resuming.resume import code, fingerprint, load_done, mark_done, work_folder
from stages.training import agents
from stages.training.batches import Material
from stages.training.fit import GENERATIONS, fit
from stages.training.generations import Agent
from stages.training.loading import Pictures

TOWERS: tuple[tuple[str, Agent], ...] = (("image", "vision"), ("text", "text"))
"""What the figures call a tower, and the agent that it is."""
ROOMS = ("analyses", "captions", "contract", "images", "json_files", "models", "networks", "pairs", "resuming", "training")
"""Whose code what is known of a generation hangs on."""
POINTS = 20
"""Of an accuracy's curve: means over a twentieth of the steps each."""


class School(NamedTuple):
    """What is learnt from: the images' captions, pictures and names, and what :meth:`Pairs.identity` says of them."""

    material: Material
    pictures: Pictures
    keys: list[str]
    identity: list[str]


def school(settings: Train, model: Path, texts: Path, workers: int) -> School:
    """The pairs that the stage ``train`` learns from: whose pictures can be read, and whose captions are not left out. The
    ``texts`` of ``mine_negatives`` say what captions have nothing to exchange."""
    ledger = Ledger("pairs")
    read = pairs.read(settings, ledger)
    pictures = Pictures(read.pictures, agents.preprocessing(model), int(1e9 * settings.memory))
    every, _ = pairs.with_negatives(read.without(set(pictures.bad(workers))), texts, settings, ledger)
    material = Material(every.captions, {}, [[] for _ in every.keys])
    return School(material, pictures.of(every.pictures), every.keys, every.identity())


def every(model: Path) -> list[Path]:
    """The models that the generations of a training ended with; the last is the trained model itself."""
    return [*sorted((model / GENERATIONS).glob("*")), model]


def measured(settings: Train, model: Path, of: School, workers: int, work: Path) -> list[dict[str, Any]]:
    """Of each generation the bounds of its towers' Lipschitz constants, log10, where these are known, and the course of a lesson.

    A lesson has as many steps as a generation, always from the same start and with the same batches. A killed run goes on with the
    generation it was at.

    Args:
        work: a folder for what is known of generations until all are.
    """
    files = [*code(*ROOMS), *sorted(path for path in model.rglob("*") if path.is_file())]
    figures = []
    with work_folder(work, fingerprint(files, [settings.model_dump_json(), of.identity])) as folder:
        for number, generation in enumerate(every(model)):
            mark = folder / f"{number}.json"
            if (done := load_done(mark)) is None:
                mark_done(mark, done := _of_one(settings, generation, of, workers))
            figures.append(done)
    return figures


def _of_one(settings: Train, generation: Path, of: School, workers: int) -> dict[str, Any]:
    made = agents_in(generation)
    bounds = {tower: round(bound(made, agent), 2) for tower, agent in TOWERS} if made else None
    steps = settings.iterated.distil + settings.iterated.interact
    course = averaged(lesson(settings, generation, steps, of, workers), POINTS)
    accuracies = {"steps": [float(part.mean()) for part, _ in course], "accuracy": [round(100 * mean, 2) for _, mean in course]}
    return {"lipschitz": bounds, "lesson": accuracies}


def lesson(settings: Train, teacher: Path, steps: int, of: School, workers: int) -> list[float]:
    """The accuracies of a new text agent's steps."""
    pupil = Lesson(settings, teacher, steps, of.material.texts())
    with tempfile.TemporaryDirectory() as work:
        fit(of.material, of.pictures, of.keys, pupil, Path(work), workers)
    return pupil.accuracies
