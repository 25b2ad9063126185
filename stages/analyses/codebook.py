"""The codebook of a trained model to look at: ``python -m stages.analyses.codebook --model data/train/model … --out FOLDER``.

For example, on the sample, whose truth is known, and on any other images, by what their regions' descriptions say::

    python -m stages.analyses.codebook --model data/train/model --images data/sample/visual_genome \\
        --truth data/sample/truth.parquet --out codebook
    python -m stages.analyses.codebook --model data/train/model --images data/visual_genome \\
        --regions data/filter_vg/regions.parquet --out codebook

Writes ``codebook.md`` (how many codes are used, how well they agree with one kind, colour or relation, and the most used ones with
their words), ``codes.svg`` (the most used ones with their five best crops) and ``loss.svg`` (the training's loss, spawns marked).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stages.analyses import drawings
from stages.analyses.codes import Labels, Purity, foremost, of_regions, of_truth, purity, top, used
from stages.contract import command, tables
from stages.contract.errors import CrepeError, InputError, run
from stages.contract.files import complete, read_json
from stages.images.crops import Crop, ImageFolder
from stages.models import codebook
from stages.models.codebook import CodebookModel
from stages.networks.pretrained import choose_device
from stages.page.gallery import thumbnail
from stages.page.grid import Grid, markdown
from stages.parameters import params
from stages.parameters.sections import Evaluate, Run

SHOWN = 40
"""Codes that are shown, the most used ones."""
ASPECTS = ("kind", "colour", "relation")


class Paths(NamedTuple):
    """The command line; one of ``truth`` and ``regions`` is named."""

    model: Path
    images: Path
    out: Path
    truth: Path | None = None
    regions: Path | None = None


def labels_of(paths: Paths) -> dict[Crop, Labels]:
    """The crops that are looked at, and what is true of them.

    Raises:
        CrepeError: none or both of the tables are named, or it has no crops.
    """
    if paths.truth and not paths.regions:
        found = of_truth(tables.read("truth", paths.truth))
    elif paths.regions and not paths.truth:
        found = of_regions(tables.read("regions", paths.regions))
    else:
        raise CrepeError("the crops come from one table. Remedy: give either --truth or --regions.")
    if not found:
        raise CrepeError(f"{paths.truth or paths.regions} has no crops to look at. Remedy: run dvc repro, which makes it.")
    return found


def looked_at(model: CodebookModel, folder: ImageFolder, crops: Sequence[Crop], workers: int) -> np.ndarray:
    """The weights of the codes of each crop: (crops, codes)."""
    found: dict[Crop, np.ndarray] = {}
    waiting: list[tuple[Crop, Any]] = []
    for one in folder.crops(crops, model.prepare, workers):
        waiting.append(one)
        if len(waiting) == model.batch:
            found |= _coded(model, waiting)
            waiting = []
    found |= _coded(model, waiting) if waiting else {}
    return np.stack([found[crop] for crop in crops])


def _coded(model: CodebookModel, prepared: Sequence[tuple[Crop, Any]]) -> dict[Crop, np.ndarray]:
    return dict(zip((crop for crop, _ in prepared), model.codes([image for _, image in prepared]), strict=True))


def purities(weights: np.ndarray, labels: Sequence[Labels], of_best: bool = False) -> dict[str, Purity]:
    """By aspect, over the crops of which it is known, or each code's five best of them."""
    found = {}
    for aspect in ASPECTS:
        rows = [i for i, of in enumerate(labels) if of.get(aspect)]
        if rows:
            counted = foremost(weights[rows]) if of_best else weights[rows]
            found[aspect] = purity(counted, [labels[i][aspect] for i in rows])
    return found


def report(
    weights: np.ndarray, said: np.ndarray, words: Sequence[str], agree: Mapping[str, Purity], best: Mapping[str, Purity]
) -> tuple[str, list[int]]:
    """The tables as Markdown, and the codes they show.

    Args:
        weights: (crops, codes).
        said: (words, codes).
        agree, best: the codes' purities by aspect, over all crops and over each code's five best.
    """
    use, codes = used(weights, said), weights.shape[1]
    rows = [["codes", f"{codes:,}"], ["used by crops", f"{use.by_crops:,}"], ["used by words", f"{use.by_words:,}"]]
    rows += [["used by both", f"{use.by_both:,}"], ["codes a crop", f"{use.each:.1f}"], ["crops", f"{len(weights):,}"]]
    head = [("", "of the codebook"), ("", "")]
    text = markdown(Grid("How many codes are used.", head, rows, names=1))
    over = ("all crops, by weight", "the five best crops")
    head = [("", "aspect"), *((f"{of}:", what) for of in over for what in ("purity", "labels exchanged"))]
    pure = [[name, *(f"{x:.3f}" for p in (agree[name], best[name]) for x in (p.mean, p.shuffled))] for name in agree]
    caption = "How well a code agrees with one value: the part of it that lies on crops of that value, on average over codes."
    text += "\n" + markdown(Grid(caption, head, pure, names=1))
    order = np.argsort(-weights.sum(0), kind="stable")[:SHOWN]
    shown = [int(code) for code in order if weights[:, code].any()]
    head = [("", name) for name in ("code", "words", *agree, "share of all weight (%)")]
    share = 100 * weights.sum(0) / weights.sum()
    lines = [[f"{c}", words_of(said, words, c), *valued(agree, c), f"{share[c]:.2f}"] for c in shown]
    return text + "\n" + markdown(Grid("The most used codes.", head, lines, names=2 + len(agree))), shown


def words_of(said: np.ndarray, words: Sequence[str], code: int) -> str:
    return ", ".join(words[i] for i in top(said, code)) or "–"


def valued(agree: Mapping[str, Purity], code: int) -> list[str]:
    """By aspect the value that has most of the code's weight, with its share."""
    return [f"{p.value[code]} {p.share[code]:.2f}" if p.share[code] else "–" for p in agree.values()]


def draw_loss(course: Mapping[str, Any], path: Path) -> None:
    """The training's loss, averaged over a hundredth of its steps, with the spawns marked."""
    losses = np.array(course.get("losses", ()))
    piece = max(1, len(losses) // 100)
    means = [float(losses[i : i + piece].mean()) for i in range(0, len(losses), piece)]
    drawings.lines(path, {"loss": ([i * piece for i in range(len(means))], means)}, "step", "loss", course.get("spawns", ()))


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, workers = params.load(Evaluate), params.load(Run).workers
    if not (paths.model / codebook.CONFIG).is_file():
        raise InputError(paths.model, "has no codebook", "train one: train.method: codebook, or iterated")
    model = CodebookModel(paths.model, "fp32", choose_device(settings.device), settings.batch)
    found, folder = labels_of(paths), ImageFolder(paths.images)
    crops, labels = list(found), list(found.values())
    words = sorted(frozenset().union(*(names for of in labels for names in of.values())))
    weights, said = looked_at(model, folder, crops, workers), model.word_codes(words)
    agree, best = purities(weights, labels), purities(weights, labels, of_best=True)
    text, shown = report(weights, said, words, agree, best)
    chosen = {code: [crops[i] for i in top(weights, code)] for code in shown}
    pictures = dict(folder.crops((c for of in chosen.values() for c in of), lambda image: thumbnail(image, drawings.SIDE), workers))
    rows = []
    for code in shown:
        told = ", ".join(valued(agree, code))
        rows.append((f"code {code}", f"{words_of(said, words, code)}\n{told}", [pictures[crop] for crop in chosen[code]]))
    with complete(paths.out, folder=True) as out:
        (out / "codebook.md").write_text(text, encoding="utf-8")
        drawings.sheet(out / "codes.svg", rows)
        draw_loss(read_json(paths.model / "training.json", "train the model again"), out / "loss.svg")
    print(text)


if __name__ == "__main__":
    run(main)
