"""What a worker needs to make negatives: which words may be foils, what words say of each other, and what goes with what."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from stages.contract.files import write_json
from stages.foils import counts, scenes, sense, vocabulary
from stages.foils.counts import Counts
from stages.foils.meanings import Meanings
from stages.foils.sense import Sense
from stages.foils.vocabulary import Vocabulary
from stages.parameters.sections import Foils, Run

Suite = Literal["systematicity", "productivity"]


class Knowledge(NamedTuple):
    """``max_true``: the probability of being true above which a candidate is no negative."""

    vocabulary: Vocabulary
    meanings: Meanings
    sense: Sense
    max_true: float


def prepare(
    folder: Path, training_sets: list[Path], scene_graphs: Path, facts: Path, foils: Foils, suite: Suite, running: Run
) -> None:
    """Write into ``folder`` what :func:`load` reads for a ``suite``; ``training_sets`` are folders of parse_train.

    Raises:
        InputError: there is no training set, or a table is damaged.
    """
    vocabulary.read(training_sets, foils.min_training_count, foils.min_zipf, running, folder).save(folder / "vocabulary.json")
    Counts.read(scene_graphs, facts, foils.seed).save(folder / "habits.json")
    sense.write(folder, training_sets, foils.sense.max_compounds, running)
    scenes.write(folder, training_sets, foils.sense.max_compounds, running)
    limits = {"floor": foils.sense.floor, "acceptable": getattr(foils.sense.acceptable, suite)}
    write_json(folder / "limits.json", limits | {"max_true": getattr(foils.max_true, foils.selection)})


@lru_cache(1)
def load(folder: Path) -> Knowledge:
    """What :func:`prepare` wrote, once in each process."""
    limits, words = json.loads((folder / "limits.json").read_bytes()), vocabulary.load(folder / "vocabulary.json")
    goes_with = sense.load(folder, limits["floor"], limits["acceptable"], scenes.load(folder))
    meanings = Meanings(words.counts["object"], words.below, counts.load(folder / "habits.json"), goes_with)
    return Knowledge(words, meanings, goes_with, limits["max_true"])
