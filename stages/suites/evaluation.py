"""Asking a model, and the scorers that see no image, what a suite asks."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from stages.blind.meaning import MEANING
from stages.blind.trained import trained
from stages.images.crops import ImageFolder
from stages.models.contract import DualEncoder, Model
from stages.models.scoring import Ahead, Scorer, scorer_of
from stages.parameters.sections import Evaluate
from stages.retrieval import cases, raw
from stages.retrieval.baselines import other_crops, same_bag
from stages.retrieval.cleared import ADVERSARY
from stages.retrieval.ranks import rank
from stages.retrieval.sets import Layout, Pair, RetrievalSet
from stages.retrieval.summary import Ranked, summarise
from stages.suites import atoms, score_cache, sugarcrepe_pp, swaps


@dataclass(frozen=True)
class Part:
    """What is asked over one folder of images.

    Attributes:
        folds: RAW pairs by suite and group; only dual encoders are asked.
        asked: by suite and query, what sets of HN-Atom ask, where it is known.
    """

    sets: Sequence[RetrievalSet]
    folds: Mapping[str, Mapping[str, list[list[Pair]]]]
    images: ImageFolder
    asked: Mapping[str, Mapping[str, atoms.AtomQuery]] = field(default_factory=dict)

    def images_besides(self, folder: Path) -> ImageFolder | None:
        """The images, if they are not those of ``folder`` by their numbers."""
        return self.images if self.images.names or self.images.root != folder else None


@dataclass(frozen=True)
class Evaluation:
    """A model, the blind scorers beside it, and how they are asked.

    Attributes:
        blind: what each blind scorer gives to captions, by its name, and their vectors as ``meaning``.
        kept: folder of kept features.
        training_set: whose splits systematicity goes by.
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
        scorer = scorer_of(self.model, part.sets, layout, part.images, self.kept, self.workers, self.ahead)
        blind = self._blind(part.sets, layout)
        ranked = self._ranked(part.sets, layout, scorer, blind)
        figures: dict[str, Any] = summarise(ranked, self.training_set, self.settings.strata)
        figures["cases"] = cases.of_suites(ranked.sets, ranked.scores)
        for suite, asked in part.asked.items():
            if len(which := _of(part.sets, suite, "atom")):
                figures[suite]["atom"]["asked"] = atoms.figures(ranked.take(which), asked)
        if len(which := _of(part.sets, "prod", "swap")):
            own, ends = ranked.take(which), np.cumsum(layout.size)
            of_own = {name: [of[ends[i] - layout.size[i] : ends[i]] for i in which] for name, of in blind.items()}
            figures["prod"]["swap"]["asked"] = {"sort": swaps.figures(own.sets, own.scores, of_own)}
        if dual:
            of_texts = sugarcrepe_pp.text_to_text(part.sets, layout, lambda at: scorer.text_store.take(scorer.text_rows[at]))
            for name, shares in of_texts.items():
                figures[sugarcrepe_pp.SUITE][name]["cases"] |= shares
        if part.folds and dual:
            figures["raw"] = {suite: raw.figures(groups, scorer.features_of) for suite, groups in part.folds.items()}
        figures["captions"] = {"n": len(layout.texts), "cut": scorer.truncated}
        return figures, ranked

    def _blind(self, sets: Sequence[RetrievalSet], layout: Layout) -> dict[str, np.ndarray]:
        """By blind scorer its scores of all that the sets rank, one set after the other."""
        of_texts = dict(self.blind(layout.texts))
        vectors = of_texts.pop(MEANING)
        blind = {name: scores[layout.text] for name, scores in of_texts.items()}
        blind |= score_cache.set_scores(layout.texts, layout.text, layout.size, vectors, self.kept / "blind")
        names = [(s.suite, s.name) for s in sets]
        blind[ADVERSARY] = by_set(layout, cases.clusters(sets), names, blind)
        return blind

    def _ranked(self, sets: Sequence[RetrievalSet], layout: Layout, scorer: Scorer, blind: Mapping[str, np.ndarray]) -> Ranked:
        scores, size = scorer.scores(), layout.size
        shuffled = scorer.scores(other_crops(sets, layout, self.settings.seed)) if isinstance(self.model, DualEncoder) else None
        return Ranked(
            sets,
            np.split(scores, np.cumsum(size)[:-1]),
            rank(scores, size),
            None if shuffled is None else rank(shuffled, size),
            {name: rank(of_sets, size) for name, of_sets in blind.items()},
            same_bag(layout),
        )


def _of(sets: Sequence[RetrievalSet], suite: str, name: str) -> np.ndarray:
    """Which of ``sets`` are a suite's of a name."""
    return np.flatnonzero([(s.suite, s.name) == (suite, name) for s in sets])


def by_set(layout: Layout, images: np.ndarray, names: Sequence[Hashable], blind: Mapping[str, np.ndarray]) -> np.ndarray:
    """The scores of :func:`stages.blind.trained.trained`, by an adversary of its own for all sets of one name."""
    text, size = layout.text, layout.size
    scores, owner = np.zeros(len(text)), np.repeat(np.arange(len(size)), size)
    for asked in dict.fromkeys(names):
        own = np.array([name == asked for name in names])
        here = own[owner]
        scores[here] = trained(layout.texts, text[here], size[own], images[own], {name: of[here] for name, of in blind.items()})
    return scores
