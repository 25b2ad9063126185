"""Asks a model for the true caption of a crop, among its hard negatives and among all captions (paper, sections 3.4 and 5).

Reads the queries of systematicity and productivity, the splits, the regions and captions of the RAW sets, the images, a model,
and the training captions that the blind scorers are estimated from. Writes ``metrics/evaluate.json``, which names the model, and
a table of every query's scores and ranks. Features are kept, so that a change in metrics encodes nothing again.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stages.contract import params, tables
from stages.contract.errors import ParameterError, run
from stages.contract.files import write_json
from stages.genome.crops import ImageFolder
from stages.models.blind import BlindScorer, scorers, training_captions
from stages.models.contract import DualEncoder, Model
from stages.models.load import load, preset_of, training_set_of
from stages.models.scoring import Scorer
from stages.retrieval import raw
from stages.retrieval.bags import same_bag
from stages.retrieval.ranks import rank
from stages.retrieval.sets import Layout, Pair, RetrievalSet
from stages.retrieval.shuffled import other_crops
from stages.retrieval.summary import Ranked, split_of, summarise
from stages.suites import crepe


def evaluate(
    sets: Sequence[RetrievalSet],
    folds: Mapping[str, Mapping[str, list[list[Pair]]]],
    model: Model,
    blind: Mapping[str, BlindScorer],
    images: ImageFolder,
    kept: Path,
    training_set: str | None,
    settings: Mapping[str, Any],
    workers: int = 1,
) -> tuple[dict[str, Any], Ranked]:
    """All figures, and the ranked sets.

    Args:
        folds: RAW pairs by suite and group; only dual encoders are asked.
        training_set: whose splits systematicity goes by.
        settings: section ``evaluate`` of the parameters.
    """
    pairs = [pair for groups in folds.values() for group in groups.values() for fold in group for pair in fold]
    layout = Layout.of(sets, pairs if isinstance(model, DualEncoder) else ())
    scorer = Scorer(model, layout, images, kept, workers)
    scores = scorer.scores()
    shuffled = scorer.scores(other_crops(sets, layout, settings["seed"])) if isinstance(model, DualEncoder) else None
    ranked = Ranked(
        sets,
        np.split(scores, np.cumsum(layout.size)[:-1]),
        rank(scores, layout.size),
        None if shuffled is None else rank(shuffled, layout.size),
        {name: rank(score(layout.texts)[layout.text], layout.size) for name, score in blind.items()},
        same_bag(layout),
    )
    figures: dict[str, Any] = summarise(ranked, training_set, settings["strata"])
    if isinstance(model, DualEncoder):
        figures["raw"] = {suite: raw.figures(groups, scorer.features_of) for suite, groups in folds.items()}
    figures["captions"] = {"n": len(layout.texts), "cut": scorer.cut}
    return figures, ranked


def asked_training_set(model: str, presets: Mapping[str, Any], asked: str, known: Sequence[str]) -> str | None:
    """Whose splits systematicity goes by.

    Raises:
        ParameterError: the model's own is asked for and is none of those at hand: what is unseen for one is seen for another.
    """
    if asked == "none":
        return None
    if asked != "own":
        if asked not in known:
            raise ParameterError(
                "evaluate.training_set", f"there are no splits for {asked}", f"name one of: own, none, {', '.join(known)}"
            )
        return asked
    own = training_set_of(model, presets)
    if own not in known:
        wrong = f"own, but {model} was trained on {own or 'nobody says what'}, and there are splits for {', '.join(known)}"
        raise ParameterError(
            "evaluate.training_set", wrong, "set it to the training set to judge by, or to none to leave systematicity out"
        )
    return own


def rows_of(ranked: Ranked, training_set: str | None) -> list[dict[str, Any]]:
    """The rows of the table ``ranks``."""
    expected, blind = ranked.ranks.expected, {name: ranks.expected for name, ranks in sorted(ranked.blind.items())}
    shuffled = None if ranked.shuffled is None else ranked.shuffled.expected
    return [
        {
            "suite": s.suite,
            "set": s.name,
            "query_id": s.query.query_id,
            **s.query.crop._asdict(),
            "n": s.query.n,
            "split": split_of(s, training_set),
            "splits": [{"training_set": name, "split": split.name} for name, split in sorted(s.query.splits.items())],
            "truth": s.truth,
            "negatives": list(s.negatives),
            "edits": list(s.edits),
            "scores": ranked.scores[i],
            "rank": expected[i],
            "ties": ranked.ranks.ties[i],
            "shuffled_rank": None if shuffled is None else shuffled[i],
            "blind": [{"scorer": name, "rank": values[i]} for name, values in blind.items()],
        }
        for i, s in enumerate(ranked.sets)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in (
        "images",
        "regions",
        "atom",
        "comp",
        "splits",
        "captions",
        "prod",
        "training-captions",
        "ranks",
        "features",
        "metrics",
    ):
        parser.add_argument(f"--{name}", type=Path, required=True)
    paths = parser.parse_args()
    settings, presets, machine = params.load("evaluate"), params.load("models"), params.load("run")
    splits = crepe.read_splits(paths.splits)
    training_set = asked_training_set(settings["model"], presets, settings["training_set"], sorted(splits))
    sets = list(crepe.productivity(paths.prod))
    pairs = {"prod": crepe.raw_productivity(paths.captions)}
    if training_set:
        sets = [*crepe.systematicity(paths.atom, paths.comp, splits), *sets]
        pairs = {"sys": crepe.raw_systematicity(paths.regions, splits[training_set]), **pairs}
    folds = {suite: raw.folds(of, settings["folds"], settings["seed"]) for suite, of in pairs.items()}
    model = load(settings["model"], presets, settings)
    blind = scorers(training_captions(paths.training_captions, settings["blind_captions"]))
    figures, ranked = evaluate(
        sets, folds, model, blind, ImageFolder(paths.images), paths.features, training_set, settings, machine["workers"]
    )
    tables.write("ranks", paths.ranks, rows_of(ranked, training_set))
    own = training_set_of(settings["model"], presets)
    about = {"name": settings["model"], "family": preset_of(settings["model"], presets)["family"], "trained_on": own}
    write_json(paths.metrics, {"model": about, "judged_by": training_set, **figures})
    print(
        f"evaluate: {settings['model']}, {len(sets):,} retrieval sets over {len(set(ranked.images)):,} images; {headline(figures)}"
    )


def headline(figures: Mapping[str, Any]) -> str:
    """R@1 of every set, in one line."""
    return ", ".join(
        f"{suite}.{name} {of['all']['r1']:.1f} (chance {of['all']['r1_chance']:.1f}, blind {of['all']['blind_r1']:.1f})"
        for suite in sorted(set(figures) - {"raw", "captions"})
        for name, of in figures[suite].items()
    )


if __name__ == "__main__":
    run(main)
