"""What of a suite can be told without looking: ``python -m stages.suites.audit SUITE FOLDER [--captions FOLDER]``.

Asks every scorer that never sees an image about the sets of a suite as published; no model and no picture is needed. Prints for
each subset how many sets it has, chance, and what each scorer reaches (R@1 in per cent, with the half of its 95 % interval,
clustered by image), the adversary ``trained`` and cross-validated among them. The last line is JSON:
``{subset: {n, chance, best, scorer, trained}}``.

SUITE is a name that ``evaluate.suites`` can have. ``--captions`` names a folder of training captions as parse_train writes them
(a folder a training set, each with graphs.parquet): then the scorers that are estimated from captions are asked as well.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from stages.blind import scorers
from stages.blind.set_likeness import likenesses
from stages.blind.trained import trained
from stages.contract.errors import CrepeError, run
from stages.retrieval.figures import Z95, mean_error
from stages.retrieval.ranks import Ranks, rank
from stages.retrieval.sets import Layout, RetrievalSet
from stages.suites.catalogue import SUITES
from stages.suites.files import Images

MOST = 200_000
"""Captions of each training set that scorers are estimated from, at most."""


def audit(sets: Sequence[RetrievalSet], captions: Sequence[str]) -> dict[str, dict[str, Ranks]]:
    """The ranks of the truth by every scorer, for each subset of a suite.

    Args:
        captions: what scorers are estimated from; without any, only those that need none are asked.
    """
    judges = scorers.scorers(captions)
    if not captions:
        judges = {name: judges[name] for name in ("shorter", "longer", "affirmed", "negated")}
    found = {}
    for name in sorted({s.name for s in sets}):
        own = [s for s in sets if s.name == name]
        layout = Layout.of(own)
        scores = {scorer: judge(layout.texts)[layout.text] for scorer, judge in judges.items()}
        scores |= likenesses(layout.texts, layout.text, layout.size)
        images = np.array([s.query.crop.image_id for s in own])
        scores["trained"] = trained(layout.texts, layout.text, layout.size, images, scores)
        found[name] = {scorer: rank(of, layout.size) for scorer, of in scores.items()}
    return found


def summary(ranks: Mapping[str, Ranks]) -> dict[str, float | int | str]:
    """A subset's line of JSON: the best scorer is that which is best without having been trained on the suite."""
    reached = {name: 100 * float(of.recall(1).mean()) for name, of in ranks.items()}
    own = reached.pop("trained")
    best = max(reached, key=lambda name: reached[name])
    chance = 100 * float(ranks["trained"].chance(1).mean())
    figures = {"chance": chance, "best": reached[best], "trained": own}
    return {"n": len(ranks["trained"]), "scorer": best, **{name: round(value, 1) for name, value in figures.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=sorted(SUITES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--captions", type=Path, help="folder of training captions, as parse_train writes them")
    asked = parser.parse_args()
    captions: list[str] = []
    if asked.captions:
        folders = sorted(path.parent for path in asked.captions.glob("*/graphs.parquet"))
        if not folders:
            raise CrepeError(f"{asked.captions} has no training captions. Remedy: name a folder as parse_train writes it.")
        captions = scorers.training_captions(folders, MOST)
    sets = [s for s in SUITES[asked.suite](asked.folder, Images()) if s.negatives]
    images = {(s.name, s.query.query_id): s.query.crop.image_id for s in sets}
    found = audit(sets, captions)
    for name, ranks in found.items():
        whose = np.array([image for (subset, _), image in images.items() if subset == name])
        print(f"{name}: {len(whose):,} sets, chance {100 * ranks['trained'].chance(1).mean():.1f} %")
        for scorer, of in sorted(ranks.items(), key=lambda pair: -pair[1].recall(1).mean()):
            right = of.recall(1)
            print(f"  {scorer:<16}{100 * right.mean():6.1f} ± {100 * Z95 * mean_error(right, whose):.1f}")
    print(json.dumps({name: summary(ranks) for name, ranks in found.items()}, sort_keys=True))


if __name__ == "__main__":
    run(main)
