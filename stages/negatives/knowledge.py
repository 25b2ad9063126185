"""The knowledge that workers need to make negatives: possible foils, relations between words, and word usage."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stages.contract.files import write_json
from stages.contract.patches import freeze
from stages.graphs.graph import SceneGraph
from stages.negatives import vocabulary
from stages.negatives.candidate import Candidate
from stages.negatives.counts import Counts, Habits, shipped
from stages.negatives.meanings import Meanings
from stages.negatives.name_pairs import Pairs
from stages.negatives.vocabulary import Vocabulary
from stages.parameters.sections import Foils, Run
from stages.semantics import usage

FILE, PAIRS = "knowledge.json", "pairs.npz"


class Sources(NamedTuple):
    """The tables that the knowledge comes from; ``training_sets`` are folders of parse_train."""

    training_sets: list[Path]
    scene_graphs: Path
    facts: Path


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Knowledge of words.

    Attributes:
        max_true: the probability of being true above which a candidate is refused.
        least_association: the minimum ratio of how often people say something of similar things to how often by chance; below it a
        candidate must be as usual as what it replaces.
    """

    vocabulary: Vocabulary
    meanings: Meanings
    max_true: float
    least_association: float

    def sensible(self, claim: SceneGraph, truth: SceneGraph) -> bool:
        """Return whether people say what ``claim`` says of similar things, or the truth's own words are no likelier."""
        return self.meanings.usage.sensible(claim, self.least_association, truth)

    def most_common_first(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Return the candidates of one atom: those first whose claims people say most often."""
        counts, usage = self.vocabulary.counts, self.meanings.usage

        def rarity(candidate: Candidate) -> tuple[float, str]:
            often = counts[candidate.edit].get(candidate.foil or "", 0) * min(usage.fits(candidate.claim).values(), default=1.0)
            return -often, candidate.foil or ""

        return sorted(candidates, key=rarity)


def prepare(folder: Path, sources: Sources, foils: Foils, least: int, running: Run) -> None:
    """Write into ``folder`` what :func:`load` reads.

    Args:
        least: minimum number of captions of a training set that name an atom, for it to be seen.

    Raises:
        InputError: there is no training set, or a table is damaged.
    """
    words = vocabulary.read(sources.training_sets, foils.min_training_count, foils.min_zipf, least, running, folder)
    lacking = words.lacking if foils.seen_by == "every" else {}
    said = dict(vars(Counts.read(sources.scene_graphs, sources.facts, foils.seed)))
    np.savez(folder / PAIRS, **said.pop("together")._asdict())
    asked = {"max_true": foils.max_true, "least_association": foils.least_association}
    write_json(folder / FILE, {"counts": words.counts, "lacking": lacking, "said": said} | asked)
    usage.write(folder, sources.training_sets, sources.scene_graphs, foils.max_compounds, running)


@lru_cache(1)
def load(folder: Path) -> Knowledge:
    """Return what :func:`prepare` wrote, cached in each process."""
    known = json.loads((folder / FILE).read_bytes())
    with np.load(folder / PAIRS) as arrays:
        pairs = Pairs(arrays["names"].tolist(), *(arrays[name] for name in Pairs._fields[1:]))
    words, habits = Vocabulary(known["counts"], known["lacking"]), Habits(Counts(**known["said"], together=pairs), shipped())
    meanings = Meanings(words.counts["object"], words.below, habits, usage.read(folder))
    knowledge = Knowledge(words, meanings, known["max_true"], known["least_association"])
    freeze()
    return knowledge
