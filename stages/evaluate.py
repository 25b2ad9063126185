"""Asks a model for the true caption of a crop, among its hard negatives and among all captions (paper, sections 3.4 and 5).

Reads the queries of systematicity, productivity and ARO, the splits, the regions and captions of the RAW sets, the images, a model,
and the training captions that the blind scorers are estimated from. Writes ``metrics/evaluate.json``, which names the model, and
a table of every query's scores and ranks. Features are kept, so that a change in metrics encodes nothing again.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from stages.blind import score_cache
from stages.blind.scorers import training_captions
from stages.contract import params, tables
from stages.contract.errors import run
from stages.contract.files import write_json
from stages.contract.param_schema import Evaluate, Models, Run
from stages.models.contract import DualEncoder, Model
from stages.models.encoding import Recipe, encode_ahead
from stages.models.lazy import remembered
from stages.models.load import training_set_of
from stages.models.scoring import Ahead, Scorer
from stages.retrieval import raw
from stages.retrieval.bags import same_bag
from stages.retrieval.ranks import rank
from stages.retrieval.sets import Layout, Pair, RetrievalSet
from stages.retrieval.shuffled import other_crops
from stages.retrieval.summary import Ranked, headline, summarise
from stages.suites import aro, crepe, perturbed
from stages.suites.catalogue import further
from stages.visual_genome.crops import ImageFolder


@dataclass(frozen=True)
class Part:
    """What is asked over one folder of images.

    Attributes:
        folds: RAW pairs by suite and group; only dual encoders are asked.
    """

    sets: Sequence[RetrievalSet]
    folds: Mapping[str, Mapping[str, list[list[Pair]]]]
    images: ImageFolder


@dataclass(frozen=True)
class Evaluation:
    """A model, the blind scorers beside it, and how they are asked.

    Attributes:
        blind: what each blind scorer gives to captions, by its name.
        kept: folder of kept features.
        training_set: whose splits systematicity goes by.
        settings: section ``evaluate`` of the parameters.
        ahead: has things encoded elsewhere.
    """

    model: Model
    blind: Callable[[Sequence[str]], Mapping[str, np.ndarray]]
    kept: Path
    training_set: str | None
    settings: Evaluate
    workers: int = 1
    ahead: Ahead | None = None

    def __call__(self, part: Part) -> tuple[dict[str, Any], Ranked]:
        """All figures of a part, and its ranked sets."""
        dual = isinstance(self.model, DualEncoder)
        pairs = [pair for groups in part.folds.values() for group in groups.values() for fold in group for pair in fold]
        layout = Layout.of(part.sets, pairs if dual else ())
        scorer = Scorer(self.model, layout, part.images, self.kept, self.workers, self.ahead)
        ranked = self._ranked(part.sets, layout, scorer)
        figures: dict[str, Any] = summarise(ranked, self.training_set, self.settings.strata)
        if part.folds and dual:
            figures["raw"] = {suite: raw.figures(groups, scorer.features_of) for suite, groups in part.folds.items()}
        figures["captions"] = {"n": len(layout.texts), "cut": scorer.cut}
        return figures, ranked

    def _ranked(self, sets: Sequence[RetrievalSet], layout: Layout, scorer: Scorer) -> Ranked:
        scores, size = scorer.scores(), layout.size
        shuffled = scorer.scores(other_crops(sets, layout, self.settings.seed)) if isinstance(self.model, DualEncoder) else None
        blind = {name: of_texts[layout.text] for name, of_texts in self.blind(layout.texts).items()}
        blind |= score_cache.set_scores(layout.texts, layout.text, size, self.kept / "blind")
        return Ranked(
            sets,
            np.split(scores, np.cumsum(size)[:-1]),
            rank(scores, size),
            None if shuffled is None else rank(shuffled, size),
            {name: rank(of_sets, size) for name, of_sets in blind.items()},
            same_bag(layout),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("images", "training-captions", "ranks", "features", "metrics"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in ("regions", "atom", "comp", "splits", "captions", "prod"):
        parser.add_argument(f"--{name}", type=Path, help="without it, only the suites that evaluate.suites names")
    for name in ("aro", "order", "perturbed", "order-images"):
        parser.add_argument(f"--{name}", type=Path, help="what gen_aro and gen_order made; without it ARO is left out")
    paths = parser.parse_args()
    settings, presets, machine = params.load(Evaluate), params.load(Models), params.load(Run)
    own = training_set_of(settings.model, presets)
    training_set = {"none": None, "own": own}.get(settings.training_set, settings.training_set)
    parts = list(asked(paths, settings, own))
    model = remembered(settings.model, presets, settings, paths.features)
    groups = score_cache.scorer_groups(training_captions(paths.training_captions, settings.blind_captions), settings)
    blind = partial(score_cache.scores, groups, kept=paths.features / "blind")
    recipe, workers = Recipe.of(settings.model, presets, settings), machine.workers
    ahead = partial(encode_ahead, recipe, model, workers) if machine.runner == "ray" else None
    evaluate = Evaluation(model, blind, paths.features, training_set, settings, workers, ahead)
    figures: dict[str, Any] = {"captions": Counter()}
    every: list[Ranked] = []
    for part in parts:
        of_part, ranked = evaluate(part)
        figures["captions"].update(of_part.pop("captions"))
        figures |= of_part
        every.append(ranked)
    if paths.perturbed and isinstance(model, DualEncoder):
        rows, images = tables.read("perturbed_captions", paths.perturbed), ImageFolder(paths.order_images)
        figures["perturbed"] = perturbed.figures(rows, model, images, paths.features, workers)
    tables.write("ranks", paths.ranks, (row for ranked in every for row in ranked.rows(training_set)))
    about = {"name": settings.model, "family": presets.root[settings.model].family, "trained_on": own}
    write_json(paths.metrics, {"model": about, "judged_by": training_set, **figures})
    print(f"evaluate: {settings.model}, {sum(len(ranked.sets) for ranked in every):,} retrieval sets; {headline(figures)}")


def asked(paths: argparse.Namespace, settings: Evaluate, own: str | None) -> Iterator[Part]:
    """The parts of the evaluation: CREPE and ARO as the pipeline makes them, and each further suite."""
    if paths.prod is not None:
        splits = crepe.read_splits(paths.splits)
        training_set = crepe.judged_by(settings, own, sorted(splits))
        sets = list(crepe.productivity(paths.prod))
        pairs = {"prod": crepe.raw_productivity(paths.captions)}
        if training_set:
            sets += crepe.systematicity(paths.atom, paths.comp, splits)
            pairs["sys"] = crepe.raw_systematicity(paths.regions, splits[training_set])
        folds = {suite: raw.folds(of, settings.folds, settings.seed) for suite, of in pairs.items()}
        yield Part(sets, folds, ImageFolder(paths.images))
    for table, folder in ((paths.aro, paths.images), (paths.order, paths.order_images)):
        if table and (sets := list(aro.made(table))):
            yield Part(sets, {}, ImageFolder(folder))
    for sets, images in further(settings, own, paths.images):
        yield Part(sets, {}, images)


if __name__ == "__main__":
    run(main)
