"""From valid candidates to queries: scores them, asks :mod:`stages.foils.balancing`, and writes what was chosen.

Scores are computed as the candidates come, and of each query only the ways to choose among them are kept, as numbers; the
candidates themselves lie in their table and are read again when the choice is made. So memory grows with the number of queries, by
some 30 kilobytes each, and not with their captions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from stages.blind import ngram, trained
from stages.blind.meaning import Meaning
from stages.blind.ngram import NGramModel
from stages.blind.pretrained import Masked
from stages.blind.scorers import BagOfWords, BlindScorer, denied, scorers
from stages.contract import tables
from stages.contract.errors import InputError
from stages.foils import balancing, nearness, ways
from stages.foils.balancing import Design
from stages.foils.vocabulary import KINDS
from stages.parameters.sections import Foils, Plausibility
from stages.wording.tokens import words

Row = dict[str, Any]
SELECTING = (0,)
"""The half of the training captions that chooses negatives; the other one judges them."""
EXACT = ("shorter", "longer", "affirmed", "negated")
"""The scorers that hang on no captions: whoever judges by them sees what the chooser saw."""


class CandidateSet(NamedTuple):
    """A query as it comes to be scored: its truth, and rows of the table ``candidates``, valid or not."""

    query_id: str
    truth: str
    rows: list[Row]

    def valid(self) -> list[Row]:
        return [row for row in self.rows if row["reason"] is None]


@dataclass(frozen=True)
class Choice:
    """The places of the chosen negatives among each query's valid candidates.

    ``targets`` and ``selecting`` say, by scorer, which share of the truths it was to put first, and which share it does; they are
    empty in the way ``paper``.
    """

    places: dict[str, list[int]]
    targets: dict[str, float]
    selecting: dict[str, float]


class Selector:
    """Scores questions one batch after the other, and chooses when all are there.

    Args:
        settings: the parameters' section ``foils``.
        training_sets: folders, as parse_train writes them; the half of its captions that judges is not looked at.
        size: negatives a query.
        design: of the sets of this type.
    """

    def __init__(self, settings: Foils, training_sets: Sequence[Path], size: int, design: Design):
        self.way, self.seed, self.size, self.design = settings.selection, settings.seed, size, design
        captions = ngram.training_captions(training_sets, SELECTING, settings.plausibility.max_captions // len(training_sets))
        if not captions:
            raise InputError(training_sets[0].parent, "has no captions", "run dvc repro with parse_train.keep_graphs: true")
        self.model = language_model(settings.plausibility, captions)
        # The scorers of the half, and of its two quarters, by name.
        self.panels: list[dict[str, BlindScorer]] = []
        if self.way == "balanced":
            quarters = [[c for c in captions if ngram.part(c, (*SELECTING, quarter))] for quarter in (0, 1)]
            bags = [BagOfWords(part) for part in (captions, *quarters)]
            self.panels = [scorers(part, bag) for part, bag in zip((captions, *quarters), bags, strict=True)]
            self.meanings = [Meaning(bag) for bag in bags]
        self.places: dict[str, list[int]] = {}
        self.options: list[ways.Options] = []
        self.numbers: dict[str, int] = {}

    def another(self, design: Design) -> Selector:
        """One more on the same models, for another type of negatives."""
        other = copy(self)
        other.design, other.places, other.options, other.numbers = design, {}, [], {}
        return other

    @property
    def estimated(self) -> list[str]:
        """The scorers that hang on the captions that they were estimated from, and a model of a name, which others may not have."""
        own = [name for name in (self.panels[0] if self.panels else ()) if name not in EXACT]
        return own if isinstance(self.model, NGramModel) else [*own, "masked"]

    def add(self, questions: Sequence[CandidateSet]) -> None:
        """Score the valid candidates of a batch, and note each one's plausibility in its row."""
        valid = [q.valid() for q in questions]
        flat = [text for q, rows in zip(questions, valid, strict=True) for text in (q.truth, *(row["caption"] for row in rows))]
        if not flat:
            return
        plausible = self.model.score(flat)
        if self.way == "balanced":
            exact = np.stack([self.panels[0][name](flat) for name in EXACT], axis=1)
            estimated = np.stack([self._estimated(panel, flat, plausible) for panel in self.panels])
            meant = [meaning(flat) for meaning in self.meanings]
        start = 0
        for q, rows in zip(questions, valid, strict=True):
            here = slice(start, start := start + 1 + len(rows))
            plain = plausible[here][1:]
            for row, score in zip(rows, plain.tolist(), strict=True):
                row["plausibility"] = score
            if self.way == "paper":
                if (places := balancing.paper(plain, self.size)) is not None:
                    self.places[q.query_id] = places
            elif rows:
                slots = _slots(rows) if self.design.one_piece else np.zeros(len(rows), np.int64)
                shared = likeness(flat[here], self.design.denies), same_meaning([vectors[here] for vectors in meant])
                of = *shared, changes(flat[here], self.numbers), self._asked(rows)
                scored = ways.Scored(q.query_id, rows[0]["image_id"], slots, exact[here], estimated[:, here], *of)
                if (options := ways.ways(scored, self.size, self.seed)) is not None:
                    self.options.append(options)

    def _asked(self, rows: list[Row]) -> ways.Asked | None:
        if self.design.one_piece:
            return _of_atoms(rows)
        if self.design.own_words:
            return ways.Asked.alike(len(rows))._replace(further=np.array([row["foil"] is not None for row in rows]))
        return None

    def _estimated(self, panel: Mapping[str, BlindScorer], texts: Sequence[str], plausible: np.ndarray) -> np.ndarray:
        return np.stack([plausible if name == "masked" else panel[name](texts) for name in self.estimated], axis=1)

    def choose(self, groups: Mapping[str, Sequence[str]]) -> Choice:
        """Which candidates become negatives, of all questions that were added.

        Args:
            groups: by query, what it is compared within: sets are balanced within each of them.
        """
        if self.way == "paper":
            return Choice(self.places, {}, {})
        chosen = balancing.balanced(self.options, groups, self.seed, self.design)
        kinds = LIKENESS if self.design.denies else LIKENESS[: ways.ALIKE]
        likenesses = (f"{centre}_{kind}" for centre in ways.CENTRES for kind in kinds)
        names = [*EXACT, *likenesses, *self.estimated, *(f"{centre}_meaning" for centre in ways.CENTRES)]
        shares = (dict(zip(names, of.round(4).tolist(), strict=False)) for of in (chosen.targets, chosen.shares))
        return Choice(chosen.places, *shares)


def language_model(settings: Plausibility, captions: Sequence[str]) -> NGramModel | Masked:
    """Who says how sensible a caption is: a masked language model (section 4.1 of the paper uses BERT), or an n-gram model of
    ``captions``, half of the training captions, so that the other half can judge what it chose."""
    if settings.model == "ngram":
        return NGramModel.estimate(captions)
    return Masked(settings.model, settings.device, settings.batch_tokens)


LIKENESS = ("words", "pairs", "order", "denied")
"""What captions can share with each other, as :mod:`stages.suites.set_likeness` has it: words, pairs of words, their order; and
whether one says what the other denies."""


def likeness(texts: Sequence[str], denies: bool) -> np.ndarray:
    """How much captions share with each other, by :data:`LIKENESS`, up to 1; shape (4 or, where none ``denies``, 3, n, n).

    Twice the words, or the pairs of words that follow each other, that both have by those of both; one minus the edits that make
    the one the other, by the words of the longer; and 1 where the second says the word that the first denies.
    """
    tokens = [words(text) for text in texts]
    bags = [_counted(own) for own in tokens]
    pairs = [_counted([*pairwise(["", *own, ""])]) for own in tokens]
    ordered = cdist(tokens, tokens, scorer=Levenshtein.normalized_similarity)
    kinds = [_shared(bags), _shared(pairs), ordered]
    if denies:
        said = [frozenset(own) for own in tokens]
        kinds.append(np.array([[word in own for own in said] for word in map(denied, texts)]))
    return np.stack(kinds).astype(np.float32)


def same_meaning(meant: Sequence[np.ndarray]) -> np.ndarray:
    """The cosines of captions' vectors, by rater; from (n, dimensions) each, which may differ, to (raters, n, n)."""
    same = np.stack([vectors @ vectors.T for vectors in meant])
    itself = np.arange(same.shape[1])
    same[:, itself, itself] = 1  # Of whom no word is known, too: the judge leaves itself out.
    return same.astype(np.float32)


def _counted(parts: Sequence[Hashable]) -> list[Hashable]:
    """Each part with how many the same came before: what is said twice is shared twice."""
    return [(part, parts[:i].count(part)) for i, part in enumerate(parts)]


def _shared(parts: Sequence[Sequence[Hashable]]) -> np.ndarray:
    numbers: dict[Hashable, int] = {}
    rows = [{numbers.setdefault(part, len(numbers)) for part in own} for own in parts]
    each = np.array([len(row) for row in rows])
    # Not sparse: of a hundred short texts the matrix is small, and a sparse one takes five times as long to make.
    has = np.zeros((len(rows), len(numbers)), np.float32)
    has[np.repeat(np.arange(len(rows)), each), np.array([number for row in rows for number in row], np.int64)] = 1
    return 2 * (has @ has.T) / np.maximum(each[:, None] + each, 1)


def changes(texts: Sequence[str], numbers: dict[str, int]) -> np.ndarray:
    """In which words, and whatever else :mod:`stages.blind.trained` knows captions by, those after the first differ from it, as
    :class:`ways.Scored` has it.

    Args:
        numbers: of the words; new ones are added.
    """
    truth, *others = (Counter(trained.parts(text)) for text in texts)
    differences = []
    for place, other in enumerate(others):
        for part in sorted((truth - other) | (other - truth)):
            differences.append((place, numbers.setdefault(part, len(numbers)), truth[part] - other[part]))
    return np.array(differences, np.int64).reshape(-1, 3).T


def _slots(rows: list[Row]) -> np.ndarray:
    """A number for each of the pieces of the caption that the candidates replace."""
    numbers: dict[tuple, int] = {}
    keys = [(row["edit"], *((span["start"], span["end"]) for span in row["spans"])) for row in rows]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)


def _of_atoms(rows: list[Row]) -> ways.Asked:
    """What valid HN-Atom candidates of one caption ask; one atom of each is another, so that they have its atoms' kinds."""
    counts = np.array([len(rows[0][f"{kind}s"]) for kind in KINDS], float)
    kinds = np.array([KINDS.index(row["edit"]) for row in rows], np.int64)
    further = np.array([row["nearness"] not in nearness.PAPER for row in rows])
    return ways.Asked(kinds, further, counts / counts.sum(), near_first=True)


def valid_rows(candidates: Path) -> Iterator[Row]:
    """The rows of the table ``candidates`` that no check refused."""
    for batch in tables.batches("candidates", candidates):
        yield from batch.filter(pc.is_null(batch["reason"])).to_pylist()
