"""What a worker needs to make negatives: which words may be foils, what words say of each other, and what goes with what."""

import json
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from stages.contract.files import write_json
from stages.foils import scenes, sense, vocabulary
from stages.foils.counts import Counts, Habits, shipped
from stages.foils.meanings import Meanings
from stages.foils.sense import Sense
from stages.foils.vocabulary import Vocabulary
from stages.parameters.sections import Foils, Run

FILE = "knowledge.json"


class Acceptable(NamedTuple):
    """How acceptable (:mod:`stages.foils.acceptability`) HN-Atoms, those of relations, HN-Comp's pairs and swaps are at least."""

    atom: float = 0.0
    relation: float = 0.0
    pair: float = 0.0
    swap: float = 0.0

    def of(self, kind: str) -> float:
        """What an atom of a ``kind`` may be replaced with."""
        return self.relation if kind == "relation" else self.atom


class Knowledge(NamedTuple):
    """``max_true``: the probability of being true above which a candidate is no negative."""

    vocabulary: Vocabulary
    meanings: Meanings
    sense: Sense
    max_true: float
    acceptable: Acceptable = Acceptable()


def prepare(
    folder: Path, training_sets: list[Path], scene_graphs: Path, facts: Path, foils: Foils, least: int, running: Run
) -> None:
    """Write into ``folder`` what :func:`load` reads; ``training_sets`` are folders of parse_train.

    Args:
        least: captions of a training set that must name an atom, so that it is seen.

    Raises:
        InputError: there is no training set, or a table is damaged.
    """
    words = vocabulary.read(training_sets, foils.min_training_count, foils.min_zipf, least, running, folder)
    lacking = words.lacking if foils.seen_by == "every" else {}
    known = {"counts": words.counts, "lacking": lacking, "said": asdict(Counts.read(scene_graphs, facts, foils.seed))}
    acceptable = foils.sense.acceptable.model_dump()
    asked = {"floor": foils.sense.floor, "acceptable": acceptable, "max_true": getattr(foils.max_true, foils.selection)}
    write_json(folder / FILE, known | asked)
    sense.write(folder, training_sets, foils.sense.max_compounds, running)
    scenes.write(folder, training_sets, foils.sense.max_compounds, running)


@lru_cache(1)
def load(folder: Path) -> Knowledge:
    """What :func:`prepare` wrote, once in each process."""
    known = json.loads((folder / FILE).read_bytes())
    words, habits = Vocabulary(known["counts"], known["lacking"]), Habits(Counts(**known["said"]), shipped())
    goes_with = sense.load(folder, known["floor"], scenes.load(folder))
    limits = known["max_true"], Acceptable(**known["acceptable"])
    return Knowledge(words, Meanings(words.counts["object"], words.below, habits, goes_with), goes_with, *limits)
