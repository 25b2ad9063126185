"""Analyse iterated learning: a model's loss, its generations, its codebook (Zheng et al., CVPR 2024, section 4.4).

Reads the folder that ``train`` wrote, the training pairs, from which new text agents learn, and crops of the evaluation's images
with their labels. Writes ``metrics/analyse.json``, which ``report`` shows:

- ``loss``: ``steps`` and means of the loss, and the steps at which an agent was spawned (``spawns``).
- ``generations``: for each the log10 of the upper bound of its towers' Lipschitz constants (``lipschitz``), and the accuracy of a
  new text agent within its batches, in per cent, over the ``steps`` of its ``lesson``.
- ``codebook``: how many ``codes`` are ``used``; their ``purity`` by aspect, over ``all`` crops and over each code's five ``best``,
  compared with what labels ``shuffled`` have; and the most used (``top``), with words and crops.

For a model that was trained in another way it is empty: ``{}``.
"""

from pathlib import Path
from typing import Any, NamedTuple

from stages.analyses.course import averaged, read_course
from stages.console import command
from stages.contract.errors import run
from stages.contract.files import write_json
from stages.parameters import params
from stages.parameters.sections import Run, Train

METHODS = ("codebook", "iterated")
POINTS = 100
"""Number of points of the loss's curve."""


class Paths(NamedTuple):
    """The command line."""

    model: Path
    texts: Path
    images: Path
    truth: Path
    regions: Path
    work: Path
    metrics: command.Output


def loss(course: dict[str, Any]) -> dict[str, Any]:
    """Return the training's loss, averaged over a hundredth of its steps."""
    parts = averaged(course["losses"], POINTS)
    means = {"steps": [int(part[0]) for part, _ in parts], "loss": [round(mean, 4) for _, mean in parts]}
    return {**means, "spawns": course["spawns"]}


def look(paths: Paths, course: dict[str, Any], settings: Train, workers: int) -> dict[str, Any]:
    """Return the loss, the generations and, if there is one, the codebook of the model in the folder ``paths.model``."""
    # Imported here: they take ten seconds, and other models need no analysis.
    import torch

    from stages.analyses import codebook, generations
    from stages.contract.pretrained import choose_device
    from stages.models.codebook import CONFIG, CodebookModel

    torch.use_deterministic_algorithms(True, warn_only=settings.device != "cpu")
    torch.set_num_threads(settings.threads)
    figures: dict[str, Any] = {"loss": loss(course)}
    school = generations.school(settings, paths.model, paths.texts, workers)
    figures["generations"] = generations.measured(settings, paths.model, school, workers, paths.work)
    if (paths.model / CONFIG).is_file():
        model = CodebookModel(paths.model, "fp32", choose_device(settings.device), settings.batch)
        figures["codebook"] = codebook.look(model, codebook.labels_of(paths.truth, paths.regions), paths.images, workers)
    return figures


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, workers = params.load(Train), params.load(Run).workers
    course = read_course(paths.model)
    figures = look(paths, course, settings, workers) if course["method"] in METHODS else {}
    write_json(paths.metrics, figures)
    looked = f"{len(figures['generations'])} generations" if figures else "no generations and no codebook to analyse"
    print(f"analyse: {course['method']}, {looked}")


if __name__ == "__main__":
    run(main)
