"""Asks a model for the true caption of a crop, among its hard negatives and among all captions (paper, sections 3.4 and 5).

Reads the queries of systematicity, productivity and ARO, the splits, the regions and captions of the RAW sets, the images, a model,
and the training captions that the blind scorers are estimated from. Writes ``metrics/evaluate.json``, which names the model, and
a table of every query's scores and ranks. Features are kept, so that a change in metrics encodes nothing again.
"""

import stages.contract  # noqa: F401  # first, so that Ctrl-C ends with one line while the others are imported

# isort: split
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from stages.blind.ngram import training_captions
from stages.blind.scorers import JUDGING
from stages.console import command
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.files import shared, write_json
from stages.images.crops import ImageFolder, Size
from stages.models import activation
from stages.models.contract import DualEncoder
from stages.models.encoding import Recipe, encode_ahead
from stages.models.lazy import lazily_loaded
from stages.models.load import training_set_of
from stages.parameters import params
from stages.parameters.sections import Evaluate, Models, Run, TrainingSets
from stages.retrieval import raw
from stages.retrieval.summary import Ranked, headline
from stages.suites import aro, atoms, crepe, perturbed, score_cache
from stages.suites.catalogue import further
from stages.suites.evaluation import Evaluation, Part


class Paths(NamedTuple):
    """The command line. Without CREPE's tables only the suites of the parameters are asked, without ARO's ARO is left out."""

    images: Path
    training_captions: Path
    ranks: command.Output
    features: Path
    metrics: command.Output
    regions: Path | None = None
    atom: Path | None = None
    comp: Path | None = None
    splits: Path | None = None
    captions: Path | None = None
    prod: Path | None = None
    aro: Path | None = None
    order: Path | None = None
    perturbed: Path | None = None
    order_images: Path | None = None


def main() -> None:
    paths = command.parse(Paths, __doc__)
    features = shared(paths.features)
    settings, presets, machine = params.load(Evaluate), params.load(Models), params.load(Run)
    own = training_set_of(settings.model, presets)
    training_set = {"none": None, "own": own}.get(settings.training_set, settings.training_set)
    every_set = params.load(TrainingSets)
    training_sets = every_set.folders(paths.training_captions)
    own_tables = crepe.Tables.of(paths, every_set)
    made_from = own_tables.lineage(training_sets) if own_tables else {}
    # Boxes are of the annotated pictures: in a copy of another size they would be cut at the wrong place.
    sizes = crepe.image_sizes(paths.regions) if paths.regions else {}
    parts = list(asked(paths, own_tables, settings, own, sizes))
    model = lazily_loaded(settings.model, presets, settings, features)
    groups = score_cache.scorer_groups(training_captions(training_sets, JUDGING, settings.blind_captions), settings)
    blind = partial(score_cache.scores, groups, kept=features / "blind")
    recipe, workers = Recipe.of(settings.model, presets, settings), machine.workers
    ahead = partial(encode_ahead, recipe, model, workers) if machine.runner == "ray" else None
    evaluate = Evaluation(model, blind, features, training_set, settings, workers, ahead)
    figures: dict[str, Any] = {"captions": Counter(), "cases": {}}
    every: list[tuple[Part, Ranked]] = []
    for part in parts:
        of_part, ranked = evaluate(part)
        figures["captions"].update(of_part.pop("captions"))
        figures["cases"] |= of_part.pop("cases")
        figures |= of_part
        every.append((part, ranked))
    if paths.perturbed and paths.order_images and isinstance(model, DualEncoder):
        orders, images = tables.read("perturbed_captions", paths.perturbed), ImageFolder(paths.order_images)
        figures["perturbed"] = perturbed.figures(orders, model, images, features, workers)
    rows = (row for part, ranked in every for row in ranked.rows(training_set, part.images_besides(paths.images)))
    tables.write("ranks", paths.ranks, rows, made_from)
    about: dict[str, Any] = {"name": settings.model, "family": presets.root[settings.model].family, "trained_on": own}
    if parts:
        captioned = [(s.query.crop, s.truth) for s in parts[0].sets]
        forms = activation.compared(settings.model, presets, settings, captioned, parts[0].images, workers)
        about |= {"activation": forms} if forms else {}
    write_json(paths.metrics, {"model": about, "judged_by": training_set, **figures})
    print(f"evaluate: {settings.model}, {sum(len(ranked.sets) for _, ranked in every):,} retrieval sets; {headline(figures)}")


def asked(
    paths: Paths, own_tables: crepe.Tables | None, settings: Evaluate, own: str | None, sizes: Mapping[int, Size]
) -> Iterator[Part]:
    """The parts of the evaluation: CREPE and ARO as the pipeline makes them, and each further suite."""
    training_set = None
    if own_tables is not None:
        splits = crepe.read_splits(own_tables.splits)
        training_set = crepe.judged_by(settings, own, sorted(splits))
        sets = list(crepe.productivity(own_tables.prod))
        pairs = {"prod": crepe.raw_productivity(own_tables.captions)}
        of_atoms = {"prod": atoms.read(own_tables.prod)}
        if training_set:
            sets += crepe.systematicity(own_tables.atom, own_tables.comp)
            pairs["sys"] = crepe.raw_systematicity(own_tables.regions, splits[training_set])
            of_atoms["sys"] = atoms.read(own_tables.atom)
        folds = {suite: raw.folds(of, settings.folds, settings.seed) for suite, of in pairs.items()}
        if sets or any(folds.values()):
            yield Part(sets, folds, ImageFolder(paths.images, sizes=sizes), of_atoms)
    for table, folder, of in ((paths.aro, paths.images, sizes), (paths.order, paths.order_images, {})):
        if table and folder and (sets := list(aro.made(table))):
            yield Part(sets, {}, ImageFolder(folder, sizes=of))
    for sets, images in further(settings, own, paths.images, training_set):
        yield Part(sets, {}, images)


if __name__ == "__main__":
    run(main)
