"""Evaluate a model, and the text-only scorers, on suites."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from stages.contract.schemas import PROTOCOLS
from stages.evaluation import cases, raw
from stages.evaluation.baselines import other_crops, same_bag
from stages.evaluation.cleared import ADVERSARY
from stages.evaluation.ranks import rank
from stages.evaluation.sets import Layout, Pair, RetrievalSet
from stages.evaluation.summary import Ranked, summarise
from stages.images.crops import ImageFolder, of_one_colour
from stages.models.contract import DualEncoder, Model
from stages.models.encoding import Encode
from stages.models.given import GivenScores
from stages.models.scoring import Scorer, scorer_of
from stages.parameters.sections import Evaluate
from stages.shortcuts.meaning import MEANING
from stages.shortcuts.trained import trained
from stages.suites import atoms, score_cache, sugarcrepe_pp


@dataclass(frozen=True)
class Part:
    """The sets and pairs over one folder of images.

    Attributes:
        folds: RAW pairs by suite and group; only dual encoders use them.
        asked: by suite, the replaced atoms of HN-Atom's sets, where known.
    """

    sets: Sequence[RetrievalSet]
    folds: Mapping[str, Mapping[str, list[list[Pair]]]]
    images: ImageFolder
    asked: Mapping[str, atoms.Asked] = field(default_factory=dict)

    def other_images(self, folder: Path) -> ImageFolder | None:
        """Return the images, if they are not numbered images of ``folder``."""
        return self.images if self.images.names or self.images.root != folder else None


@dataclass(frozen=True)
class Evaluation:
    """A model, the text-only scorers to compare it with, and the settings of their evaluation.

    Attributes:
        text_only: the scores that each text-only scorer gives to captions, by name, and their vectors as ``meaning``.
        kept: folder of cached features.
        training_set: the one whose splits systematicity uses.
        encode: encodes crops and captions elsewhere.
        held_out: the text-only scorers of families that selection never used.
    """

    model: Model
    text_only: Callable[[Sequence[str]], Mapping[str, np.ndarray]]
    kept: Path
    training_set: str | None
    settings: Evaluate
    workers: int = 1
    encode: Encode | None = None
    held_out: tuple[str, ...] = ()

    def __call__(self, part: Part) -> tuple[dict[str, Any], Ranked]:
        """Return all metrics of a part, and its ranked sets."""
        dual = isinstance(self.model, DualEncoder)
        pairs = [pair for groups in part.folds.values() for group in groups.values() for fold in group for pair in fold]
        layout = Layout.of(part.sets, pairs if dual else ())
        scorer = scorer_of(self.model, part.sets, layout, part.images, self.kept, self.workers, self.encode)
        ranked = self._ranked(part.sets, layout, scorer, self._shortcuts(part.sets, layout))
        figures: dict[str, Any] = summarise(ranked, self.training_set, self.settings.strata)
        figures["cases"] = cases.of_suites(ranked.sets, ranked.scores)
        for suite, asked in part.asked.items():
            for protocol in PROTOCOLS:
                if len(which := np.flatnonzero([(s.protocol, s.suite, s.name) == (protocol, suite, "atom") for s in part.sets])):
                    figures[protocol][suite]["atom"]["asked"] = atoms.figures(ranked.take(which), asked)
        if dual:
            of_texts = sugarcrepe_pp.text_to_text(part.sets, layout, lambda at: scorer.text_store.take(scorer.text_rows[at]))
            for name, shares in of_texts.items():
                figures[sugarcrepe_pp.SUITE][name]["cases"] |= shares
        if part.folds and dual:
            figures["raw"] = {suite: raw.figures(groups, scorer.features_of) for suite, groups in part.folds.items()}
        figures["captions"] = {"n": len(layout.texts), "cut": scorer.truncated}
        needs_images = not isinstance(self.model, GivenScores)
        figures["crops"] = of_one_colour(part.images, layout.crops, self.workers) if needs_images else {}
        return figures, ranked

    def _shortcuts(self, sets: Sequence[RetrievalSet], layout: Layout) -> dict[str, np.ndarray]:
        """Return each text-only scorer's scores of everything the sets rank, one set after the other."""
        of_texts = dict(self.text_only(layout.texts))
        vectors = of_texts.pop(MEANING, None)
        scores = {name: of_text[layout.text] for name, of_text in of_texts.items()}
        scores |= score_cache.set_scores(layout.texts, layout.text, layout.size, vectors, self.kept / "text_only")
        known = {name: set_scores for name, set_scores in scores.items() if name not in self.held_out}
        names = [(s.protocol, s.suite, s.name) for s in sets]
        return scores | {ADVERSARY: by_set(layout, cases.clusters(sets), names, known)}

    def _ranked(self, sets: Sequence[RetrievalSet], layout: Layout, scorer: Scorer, shortcuts: Mapping[str, np.ndarray]) -> Ranked:
        scores, size = scorer.scores(), layout.size
        shuffled = scorer.scores(other_crops(sets, layout, self.settings.seed)) if isinstance(self.model, DualEncoder) else None
        return Ranked(
            sets,
            np.split(scores, np.cumsum(size)[:-1]),
            rank(scores, size),
            None if shuffled is None else rank(shuffled, size),
            {name: rank(of_sets, size) for name, of_sets in shortcuts.items()},
            same_bag(layout),
            self.held_out,
        )


def by_set(layout: Layout, images: np.ndarray, names: Sequence[Hashable], shortcuts: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the scores of :func:`stages.shortcuts.trained.trained`, with a separate adversary for all sets of one name."""
    text, size = layout.text, layout.size
    scores, owner = np.zeros(len(text)), np.repeat(np.arange(len(size)), size)
    for asked in dict.fromkeys(names):
        of_name = np.array([name == asked for name in names])
        here = of_name[owner]
        scores[here] = trained(
            layout.texts,
            text[here],
            size[of_name],
            images[of_name],
            {name: scorer_scores[here] for name, scorer_scores in shortcuts.items()},
        )
    return scores
