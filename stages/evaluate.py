"""Test whether a model finds the true caption of a crop, among hard negatives and among all captions (sections 3.4 and 5).

Reads the queries of systematicity and productivity (both protocols) and of ARO, the splits, the regions and captions of the RAW
sets, the images, a model, and the training captions that the text-only scorers learn from. Writes ``metrics/evaluate.json``, which
names the model, and a table of every query's scores and ranks. Features are cached: a change in metrics encodes nothing again.
"""

import stages.contract  # noqa: F401  # first, so that Ctrl-C ends with one line while the others are imported

# isort: split
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from stages.console import command
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.files import shared, write_json
from stages.evaluation import raw
from stages.evaluation.summary import Ranked, headline
from stages.images.crops import ImageFolder, Size
from stages.images.fitness import without_unfit
from stages.models import activation
from stages.models.contract import DualEncoder, WithPrior
from stages.models.encoding import Recipe, encode_elsewhere
from stages.models.load import lazily_loaded, training_set_of
from stages.parameters import params
from stages.parameters.sections import Evaluate, Models, Run, Scores, TrainingSets
from stages.shortcuts.ngram import training_captions
from stages.shortcuts.scorers import EVALUATING
from stages.suites import aro, atoms, crepe, perturbed, score_cache
from stages.suites.catalogue import further
from stages.suites.evaluation import Evaluation, Part


class Paths(NamedTuple):
    """The command line. Without CREPE's tables only the suites of the parameters are evaluated, without ARO's no ARO."""

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
    trained_on = training_set_of(settings.model, presets)
    training_set = {"none": None, "own": trained_on}.get(settings.training_set, settings.training_set)
    every_set = params.load(TrainingSets)
    training_sets = every_set.folders(paths.training_captions)
    own_tables = crepe.Tables.of(paths, every_set)
    made_from = own_tables.lineage(training_sets, paths.aro) if own_tables else {}
    # Boxes are for the annotated pictures: in a copy of another size they would be in the wrong place.
    sizes = crepe.image_sizes(paths.regions) if paths.regions else {}
    workers = 0 if isinstance(presets.root[settings.model], Scores) else machine.workers
    parts = list(asked(paths, own_tables, settings, trained_on, sizes, workers))
    model = lazily_loaded(settings.model, presets, settings, features)
    captions = training_captions(training_sets, EVALUATING, settings.shortcut_captions)
    groups = score_cache.scorer_groups(captions, settings)
    if isinstance(model, WithPrior):
        groups.append(score_cache.ScorerGroup(f"prior {model.identity}", partial(dict, prior=model.prior)))
    text_only = partial(score_cache.scores, groups, kept=features / "text_only")
    recipe = Recipe.of(settings.model, presets, settings)
    elsewhere = partial(encode_elsewhere, recipe, model, machine.workers) if machine.runner == "ray" else None
    held_out = score_cache.held_out(settings)
    evaluate = Evaluation(model, text_only, features, training_set, settings, machine.workers, elsewhere, held_out)
    figures: dict[str, Any] = {"captions": Counter(), "crops": Counter(n=0, one_colour=0), "cases": {}}
    every: list[tuple[Part, Ranked]] = []
    for part in parts:
        of_part, ranked = evaluate(part)
        for key in ("captions", "crops"):
            figures[key].update(of_part.pop(key))
        figures["cases"] |= of_part.pop("cases")
        figures |= of_part
        every.append((part, ranked))
    if paths.perturbed and paths.order_images and isinstance(model, DualEncoder):
        orders, images = list(tables.read("perturbed_captions", paths.perturbed)), ImageFolder(paths.order_images)
        out = without_unfit(images, (row["image_id"] for row in orders), settings.missing, machine.workers)
        kept = [row for row in orders if row["image_id"] not in out]
        figures["perturbed"] = perturbed.figures(kept, model, images, features, machine.workers)
    rows = (row for part, ranked in every for row in ranked.rows(training_set, part.other_images(paths.images)))
    tables.write("ranks", paths.ranks, rows, made_from)
    about: dict[str, Any] = {"name": settings.model, "family": presets.root[settings.model].family, "trained_on": trained_on}
    if parts:
        captioned = [(s.query.crop, s.truth) for s in parts[0].sets]
        forms = activation.compared(settings.model, presets, settings, captioned, parts[0].images, machine.workers)
        about |= {"activation": forms} if forms else {}
    drawn = {"images": is_drawn(paths.images), "order": bool(paths.order_images and is_drawn(paths.order_images))}
    about_run = {"model": about, "judged_by": training_set, "held_out": [*held_out], "drawn": drawn}
    write_json(paths.metrics, about_run | figures)
    print(f"evaluate: {settings.model}, {sum(len(ranked.sets) for _, ranked in every):,} retrieval sets; {headline(figures)}")


def is_drawn(images: Path) -> bool:
    """Return whether a folder of images is the sample world's, which has its truth next to it."""
    return any((folder / "truth.parquet").is_file() for folder in (images, images.parent))


def asked(
    paths: Paths,
    own_tables: crepe.Tables | None,
    settings: Evaluate,
    trained_on: str | None,
    sizes: Mapping[int, Size],
    workers: int,
) -> Iterator[Part]:
    """Yield the parts of the evaluation: CREPE and ARO as made by the pipeline, and each further suite.

    Args:
        workers: threads that check whether the images are usable; 0 where no image is needed.
    """
    training_set = None
    if own_tables is not None:
        splits = crepe.read_splits(own_tables.splits)
        training_set = crepe.judged_by(settings, trained_on, sorted(splits))
        sets = list(crepe.productivity(own_tables.prod))
        pairs = {"prod": list(crepe.raw_productivity(own_tables.captions))}
        of_atoms = {"prod": atoms.read(own_tables.prod)}
        if training_set:
            sets += crepe.systematicity(own_tables.atom, own_tables.comp)
            pairs["sys"] = list(crepe.raw_systematicity(own_tables.regions, splits[training_set]))
            of_atoms["sys"] = atoms.read(own_tables.atom)
        images = ImageFolder(paths.images, sizes=sizes)
        crops = chain((s.query.crop for s in sets), (pair.crop for several in pairs.values() for pair in several))
        every = [crop.image_id for crop in crops]
        out = without_unfit(images, every, settings.missing, workers) if workers and every else set()
        sets = [s for s in sets if s.query.crop.image_id not in out]
        left = {suite: [pair for pair in several if pair.crop.image_id not in out] for suite, several in pairs.items()}
        folds = {suite: raw.folds(several, settings.folds, settings.seed) for suite, several in left.items()}
        if sets or any(folds.values()):
            yield Part(sets, folds, images, of_atoms)
    for table, folder, annotated in ((paths.aro, paths.images, sizes), (paths.order, paths.order_images, {})):
        if table and folder and (sets := list(aro.made(table))):
            images = ImageFolder(folder, sizes=annotated)
            numbers = [s.query.crop.image_id for s in sets]
            out = without_unfit(images, numbers, settings.missing, workers) if workers else set()
            yield Part([s for s in sets if s.query.crop.image_id not in out], {}, images)
    for sets, images in further(settings, trained_on, paths.images, training_set):
        yield Part(sets, {}, images)


if __name__ == "__main__":
    run(main)
