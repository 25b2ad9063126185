"""Trains as the stage ``train`` does and compares its generations: ``python -m stages.analyses.generations --out FOLDER``.

Pairs and all numbers come from ``train`` in ``params.yaml``; the method is ``iterated``, or ``codebook`` as what to compare it with
(``--method codebook``). Afterwards each generation is measured: the upper bound of its towers' Lipschitz constants, and how easily
a new text agent learns from it, in as many steps as a generation has (section 4.4 of the paper, Figures 3 to 5). Writes a folder
``generation_000`` … for each, which ``models`` loads as any other, ``generations.md``, ``lipschitz.svg``, ``teaching.svg`` and
``loss.svg``. The models take as long as the training did, and each lesson a generation's steps.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from stages.analyses import drawings
from stages.analyses.codebook import draw_loss
from stages.analyses.lipschitz import agents_in, bound
from stages.analyses.teaching import Lesson
from stages.contract import command
from stages.contract.errors import CrepeError, ParameterError, run
from stages.contract.files import complete, write_json
from stages.contract.ledger import Ledger
from stages.page.grid import Grid, markdown
from stages.pairs import pairs
from stages.parameters import params
from stages.parameters.sections import Models, Run, Train
from stages.training import agents
from stages.training.batches import Material
from stages.training.fit import Training, fit
from stages.training.generations import Phase
from stages.training.loading import Pictures, resizing, transform_of

POINTS = 20
"""Of an accuracy's curve: means over a twentieth of the steps each."""


class Paths(NamedTuple):
    """The command line."""

    out: Path
    method: str = "iterated"


class School(NamedTuple):
    """What is learnt from: the images' captions, pictures and names."""

    material: Material
    pictures: Pictures
    keys: list[str]


class Keeping(Training):
    """A training that writes its model to a folder in ``out`` whenever a generation ends."""

    def __init__(self, settings: Train, presets: Models, folder: Path, texts: list[str], out: Path):
        super().__init__(settings, presets, folder, texts)
        self.presets, self.out = presets, out

    def begin(self, now: Phase) -> None:
        if now.spawned and not now.since:
            self.keep(now.generation - 1)
        super().begin(now)

    def keep(self, generation: int) -> None:
        folder = self.out / f"generation_{generation:03d}"
        folder.mkdir(parents=True, exist_ok=True)
        agents.write(copy.deepcopy(self.agents), folder, self.settings, self.presets, self.tokens.used)
        so_far = self.course() | {"spawns": [step for step in self.course()["spawns"] if step < self.step]}
        write_json(folder / "training.json", {"training_set": self.settings.corpus, "method": self.settings.method, **so_far})


def chosen(settings: Train, method: str) -> Train:
    """The parameters with the method.

    Raises:
        CrepeError: it has no agents to follow.
        ParameterError: captions are to be left out by what could be exchanged in them, which is NegCLIP's concern.
    """
    if method not in ("iterated", "codebook"):
        raise CrepeError(f"--method {method} has no generations. Remedy: give iterated or codebook.")
    if settings.without_negatives == "drop":
        raise ParameterError("train.without_negatives", "drops captions that have no negative, and none are read here", "set keep")
    return settings.model_copy(update={"method": method})


def school(settings: Train, folder: Path, workers: int) -> School:
    """The pairs of ``train.pairs`` whose pictures can be read, as the stage ``train`` has them."""
    read = pairs.read(settings, Ledger("pairs"))
    resize, _ = resizing(transform_of(agents.preprocessing(folder)))
    pictures = Pictures(read.pictures, resize, int(1e9 * settings.memory))
    fine = read.without(set(pictures.bad(workers)))
    return School(Material(fine.captions, {}, [[] for _ in fine.keys]), pictures.of(fine.pictures), fine.keys)


def generations(settings: Train, presets: Models, of: School, described: Path, out: Path, workers: int) -> Mapping[str, Any]:
    """Train to the end and keep every generation; the course of the training."""
    training = Keeping(settings, presets, described, of.material.texts(), out)
    with tempfile.TemporaryDirectory() as work:
        fit(of.material, of.pictures, of.keys, training, Path(work), workers)
    course = training.course()
    training.keep(len(course["spawns"]))
    return course


def lesson(settings: Train, teacher: Path, steps: int, of: School, workers: int) -> list[float]:
    """The accuracies of a new text agent's steps."""
    pupil = Lesson(settings, teacher, steps, of.material.texts())
    with tempfile.TemporaryDirectory() as work:
        fit(of.material, of.pictures, of.keys, pupil, Path(work), workers)
    return pupil.accuracies


def points(accuracies: Sequence[float]) -> tuple[list[float], list[float]]:
    """Steps and per cent: means over a part of the steps each."""
    pieces = np.array_split(np.arange(len(accuracies)), min(POINTS, len(accuracies)))
    values = np.array(accuracies)
    return [float(piece.mean()) for piece in pieces], [float(100 * values[piece].mean()) for piece in pieces]


def report(bounds: Mapping[str, tuple[float, float]], curves: Mapping[str, tuple[list[float], list[float]]]) -> str:
    """A row a generation, as Markdown."""
    head = [("", "generation"), *(("Lipschitz bound, log10:", tower) for tower in ("image tower", "text tower"))]
    head += [("A new text agent's accuracy (%):", when) for when in ("over the lesson", "at its end")]
    rows = []
    for name, (image, text) in bounds.items():
        accuracies = curves[name][1]
        rows.append([name, f"{image:.2f}", f"{text:.2f}", f"{np.mean(accuracies):.1f}", f"{accuracies[-1]:.1f}"])
    return markdown(Grid("Generations of the training.", head, rows, names=1))


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, presets = chosen(params.load(Train), paths.method), params.load(Models)
    workers = params.load(Run).workers
    torch.use_deterministic_algorithms(True, warn_only=settings.device != "cpu")
    torch.set_num_threads(settings.threads)
    with complete(paths.out, folder=True) as out, tempfile.TemporaryDirectory() as described:
        agents.describe(Path(described), settings, presets)
        of = school(settings, Path(described), workers)
        course = generations(settings, presets, of, Path(described), out, workers)
        steps = settings.iterated.distil + settings.iterated.interact
        bounds, curves = {}, {}
        for folder in sorted(out.glob("generation_*")):
            name, made = folder.name.removeprefix("generation_"), agents_in(folder)
            bounds[name] = bound(made, "vision"), bound(made, "text")
            curves[name] = points(lesson(settings, folder, steps, of, workers))
        text = report(bounds, curves)
        (out / "generations.md").write_text(text, encoding="utf-8")
        numbers = [int(name) for name in bounds]
        towers = {tower: (numbers, [of[i] for of in bounds.values()]) for i, tower in enumerate(("image tower", "text tower"))}
        drawings.lines(out / "lipschitz.svg", towers, "generation", "upper bound of Lipschitz constant (log10)")
        drawings.lines(out / "teaching.svg", curves, "step", "in-batch accuracy of a new text agent (%)")
        draw_loss(course, out / "loss.svg")
    print(text)


if __name__ == "__main__":
    run(main)
