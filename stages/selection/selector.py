"""Score questions in batches, and choose negatives when all are scored.

Only the candidate sets of ``cleared.at_once`` queries stay in memory, as numbers: some 100 kilobytes a query, however many captions
it has, and up to 400 while they are chosen. Those of the others wait in a temporary file.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from stages.contract.errors import InputError, ParameterError
from stages.parameters.sections import Cleared, Plausibility
from stages.selection import cleared
from stages.selection.candidate_sets import CandidateSets, Ratings, candidate_sets
from stages.selection.questions import Picked, Question, Truth
from stages.shortcuts import ngram, trained
from stages.shortcuts.meaning import Meaning
from stages.shortcuts.ngram import NGramModel
from stages.shortcuts.pretrained import Masked
from stages.shortcuts.scorers import EXACT, LEARNED, SELECTING, BagOfWords, scorers
from stages.shortcuts.set_similarity import counted, similarity


class Selector:
    """One selection of a type's negatives.

    Args:
        settings: the section ``cleared`` of the parameters.
        plausibility: the language model that scores how plausible a caption is: masked (the paper's is BERT), or n-grams.
        training_sets: folders that parse_train wrote; the half of their captions that evaluates is not read.
        size: negatives a query.

    Raises:
        InputError: there are no training captions.
        ParameterError: none are to be read.
    """

    def __init__(self, settings: Cleared, plausibility: Plausibility, training_sets: Sequence[Path], size: int):
        self.settings, self.size = settings, size
        most = plausibility.max_captions // len(training_sets)
        if not most:
            wrong = f"is {plausibility.max_captions}, less than one for each training set"
            raise ParameterError("foils.plausibility.max_captions", wrong, "raise it")
        captions = ngram.training_captions(training_sets, SELECTING, most)
        if not captions:
            wrong = "none of the training sets has a caption in English from which a language model is made"
            remedy = "see metrics/read_captions_*.json for what was dropped and why, and name others in training_sets"
            raise InputError(training_sets[0].parent, wrong, remedy)
        # Half of the training captions, so that the other half can evaluate what it chose.
        self.model = (
            NGramModel.estimate(captions)
            if plausibility.model == "ngram"
            else Masked(plausibility.model, plausibility.device, plausibility.batch_tokens)
        )
        quarters = [[c for c in captions if ngram.part(c, (*SELECTING, quarter))] for quarter in (0, 1)]
        bags = [BagOfWords(part) for part in (captions, *quarters)]
        self.panels = [scorers(part or [""], bag) for part, bag in zip((captions, *quarters), bags, strict=True)]
        self.meanings = [Meaning(bag) for bag in bags]
        self.sets: list[CandidateSets] = []
        self.waiting: list[IO[bytes]] = []
        self.numbers: dict[str, int] = {}

    def another(self) -> Selector:
        """Return a selector with the same models for another type of negatives."""
        other = copy(self)
        other.sets, other.waiting, other.numbers = [], [], {}
        return other

    def plausibility(self, questions: Sequence[Question]) -> list[list[np.ndarray]]:
        """Return the plausibility of each candidate by question and truth, without adding them to the selection."""
        texts = [text for question in questions for truth in question.truths for text in truth.negatives]
        scores = iter(self.model.score(texts).astype(float).round(6) if texts else ())
        return [[np.array([next(scores) for _ in truth.negatives]) for truth in question.truths] for question in questions]

    def add(self, questions: Sequence[Question]) -> list[list[np.ndarray]]:
        """Score a batch; return the plausibility of each candidate by question and truth."""
        truths = [truth for question in questions for truth in question.truths]
        # In alphabetical order, so that random draws do not depend on the order of the candidates.
        orders = [[i for *_, i in sorted(zip(t.negatives, t.slots, range(len(t.negatives)), strict=True))] for t in truths]
        flat = [text for t, order in zip(truths, orders, strict=True) for text in (t.caption, *(t.negatives[i] for i in order))]
        if not flat:
            return [[] for _ in questions]
        distinct = list(dict.fromkeys(flat))  # several truths may have the same negatives
        number = {text: i for i, text in enumerate(distinct)}
        at = np.array([number[text] for text in flat])
        plausible = self.model.score(distinct).astype(float).round(6)[at]
        exact = np.stack([self.panels[0][name](distinct) for name in EXACT], axis=1)[at]
        if not isinstance(self.model, NGramModel):
            exact = np.concatenate([exact, plausible[:, None]], axis=1)  # a named model, which evaluators may use as well
        learned = np.stack([np.stack([panel[name](distinct) for name in LEARNED], axis=1)[at] for panel in self.panels])
        meant = [meaning(distinct).astype(float)[at] for meaning in self.meanings]
        found, start, waiting = [], 0, iter(zip(truths, orders, strict=True))
        for question in questions:
            meanings_here, rated, scores = [], [], []
            for truth, order in (next(waiting) for _ in question.truths):
                here = slice(start, start := start + 1 + len(order))
                meanings = np.stack([vectors[here] @ vectors[here].T for vectors in meant])
                texts = flat[here]
                meanings_here.append((_ordered(truth, order), np.array(order, np.int64)))
                rated.append(Ratings(exact[here], learned[:, here], similarity(texts), meanings, self._changes(texts)))
                scores.append(plausible[here][1:][np.argsort(order)] if order else np.zeros(0))
            found.append(scores)
            if sets := candidate_sets(
                question._replace(truths=[t for t, _ in meanings_here]), rated, self.size, self.settings.seed
            ):
                places = [meanings_here[number][1][places] for number, places in zip(sets.truth.tolist(), sets.places, strict=True)]
                self.sets.append(replace(sets, places=np.array(places, np.int16)))
                if len(self.sets) == self.settings.at_once:
                    self._put_aside()
        return found

    def _put_aside(self) -> None:
        self.waiting.append(file := tempfile.TemporaryFile())  # noqa: SIM115 - closed when it is read
        pickle.dump(self.sets, file)
        self.sets = []

    def _changes(self, texts: Sequence[str]) -> np.ndarray:
        """Return the features of :mod:`stages.shortcuts.trained` in which each later caption differs from the first.

        In the form of :class:`Ratings`.
        """
        counts, names = counted([trained.parts(text) for text in texts])
        more = counts[0] - counts[1:]
        place, part = np.nonzero(more)
        number = {i: self.numbers.setdefault(str(names[i]), len(self.numbers)) for i in np.unique(part).tolist()}
        return np.array([place, [number[i] for i in part.tolist()], more[place, part]], np.int64)

    def choose(self, groups: Mapping[str, Sequence[str]]) -> dict[str, Picked]:
        """Return the truth and the negatives of each query that is kept, cleared of shortcuts.

        Args:
            groups: by query, the groups in which it is compared: every group, and all queries together, meet the bounds.
        """
        place = {number: i for i, (_, number) in enumerate(sorted(self.numbers.items()))}
        numbers = np.array([place[number] for number in range(len(place))], np.int32)
        picked: dict[str, Picked] = {}
        for sets in self._blocks():
            ordered = [replace(q, changes=np.stack([q.changes[0], numbers[q.changes[1]], q.changes[2]])) for q in sets]
            picked |= cleared.select(ordered, groups, self.settings)
        return picked

    def _blocks(self) -> Iterator[list[CandidateSets]]:
        """Yield the candidate sets of at most ``cleared.at_once`` queries at a time; each block meets the bounds by itself."""
        while self.waiting:
            with self.waiting.pop(0) as file:
                file.seek(0)
                yield pickle.load(file)  # noqa: S301 - what this process wrote
        yield self.sets


def _ordered(truth: Truth, order: Sequence[int]) -> Truth:
    by_candidate = ("negatives", "slots", "kinds", "far")
    ordered: dict[str, Any] = {name: [getattr(truth, name)[i] for i in order] for name in by_candidate}
    return truth._replace(**ordered)
