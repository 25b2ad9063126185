"""Train a model on image–caption pairs: CLIP, NegCLIP, a codebook or iterated learning, by ``train.method``.

Reads the pairs of ``train.pairs`` and the hard negatives of ``mine_negatives``. Writes a folder that ``models`` loads as
``local-dir:``, with ``training.json``, which has the training set and the course of the loss, and in ``generations/`` one such
folder for each finished generation of iterated learning. A killed run continues from its last checkpoint, with the same
batches. ``torchrun --nproc-per-node N -m stages.train …`` trains with several processes.
"""

import stages.contract  # noqa: F401  # first, so that Ctrl-C ends with one line while the others are imported

# isort: split
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from stages.console import command
from stages.contract import tables
from stages.contract.errors import InputError, run
from stages.contract.files import complete
from stages.contract.ledger import Ledger
from stages.contract.resume import code, fingerprint
from stages.pairs import pairs
from stages.pairs.pairs import Pairs
from stages.parameters import params
from stages.parameters.sections import Models, Run, Train
from stages.training import agents, processes
from stages.training.batches import Material
from stages.training.fit import GENERATIONS, Training, fit
from stages.training.loading import Pictures


class Paths(NamedTuple):
    """The command line."""

    texts: Path
    neighbours: Path
    out: command.OutputFolder
    work: Path
    metrics: command.Output


def neighbours_of(every: Pairs, path: Path, settings: Train) -> list[list[int]]:
    """Return the numbers of each image's most similar images; none where the method does not use them.

    Raises:
        InputError: the table belongs to other pairs.
    """
    if settings.method != "negclip":
        return [[] for _ in every.keys]
    number = {key: i for i, key in enumerate(every.keys)}
    near = {row["image_key"]: row["neighbours"] for row in tables.read("image_neighbours", path)}
    if unknown := [key for key in every.keys if key not in near]:
        raise InputError(path, f"lacks {len(unknown)} of {len(number)} images, such as {unknown[0]}", pairs.MINE_AGAIN)
    return [[number[key] for key in near[key_here] if key in number] for key_here in every.keys]


def learn(args: Paths, settings: Train, presets: Models, workers: int, ledger: Ledger) -> dict[str, Any]:
    """Train and write the model, and return the metrics of the training."""
    read = pairs.read(settings, ledger)
    with processes.shared_work(args.work, name_of(settings, presets, read, (args.texts, args.neighbours))) as work:
        agents.describe(work, settings, presets)
        processes.together()
        pictures = Pictures(read.pictures, agents.preprocessing(work), int(1e9 * settings.memory))
        bad = set(pictures.bad(workers))
        fine = read.without(bad)
        if bad:
            ledger.drop("unreadable_image", read.n() - fine.n())
        every, negatives = pairs.with_negatives(fine, args.texts, settings, ledger)
        if not every.n():
            raise InputError(settings.pairs.path, f"has no pair to learn from ({ledger})", "check train.pairs in params.yaml")
        ledger.keep(every.n())
        material = Material(every.captions, negatives, neighbours_of(every, args.neighbours, settings))
        training = Training(settings, presets, work, material.texts())
        with_negative = sum(bool(negatives.get(caption)) for of_image in every.captions for caption in of_image)
        done = fit(material, pictures.of(every.pictures), every.keys, training, work, workers)
        if processes.first():
            with complete(args.out, folder=True, alone=True) as folder:
                training.write(folder)
                if (work / GENERATIONS).is_dir():
                    shutil.copytree(work / GENERATIONS, folder / GENERATIONS)
    unreadable = [read.keys[i] for i in sorted(bad)]
    counts = {"images": len(every.keys)} | ({"with_negative": with_negative} if settings.method == "negclip" else {})
    return {**counts, "unreadable": unreadable[:20], **done._asdict()}


SPEED = {"memory", "checkpoint"}
"""Keys of ``train`` that change no weight: a killed run continues under other values."""


def name_of(settings: Train, presets: Models, every: Pairs, mined: Iterable[Path]) -> str:
    """Return the name of a training, by everything that it depends on."""
    start = presets.root.get(settings.start)
    files = [*code("training", "models", "networks", "pairs", "images"), *mined, *agents.files_of_start(settings, presets)]
    return fingerprint(files, [settings.model_dump_json(exclude=SPEED), start and start.model_dump_json(), every.identity()])


def main() -> None:
    args = command.parse(Paths, __doc__)
    settings, presets, workers = params.load(Train), params.load(Models), params.load(Run).workers
    torch.use_deterministic_algorithms(True, warn_only=settings.device != "cpu")
    # Memory that is written before it is read need not be filled, as deterministic mode would do otherwise.
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]  # missing in its stubs
    torch.set_num_threads(settings.threads)
    ledger = Ledger("pairs")
    with processes.group(settings.device):
        figures = learn(args, settings, presets, workers, ledger)
        if not processes.first():
            return
    seconds, waiting = figures.pop("seconds"), figures.pop("waiting")
    ledger.write(args.metrics, training_set=settings.corpus, method=settings.method, steps=settings.steps, **figures)
    loss = f"loss {figures['first_loss']:.2f} to {figures['last_loss']:.2f} in {seconds:.0f} s, {100 * waiting:.0f} % of it waiting"
    print(f"train: {ledger}; {settings.steps} steps of {settings.method} on {settings.corpus}, {loss}")


if __name__ == "__main__":
    run(main)
