"""From valid candidates to queries: scores them, asks :mod:`stages.foils.choose`, and writes what was chosen.

Scores are computed as the candidates come and kept as arrays; the candidates themselves lie in their table and are read again when
the choice is made. So memory grows with the number of candidates, by some dozen bytes each, and not with their captions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stages.contract import tables
from stages.contract.errors import ParameterError
from stages.foils import choose
from stages.foils.plausibility import Plausibility, load
from stages.language import ngram
from stages.language.ngram import NGramModel
from stages.models.blind import BlindScorer, scorers

Row = dict[str, Any]
WAYS = ("paper", "balanced")
SELECTING = (0,)
"""The half of the training captions that chooses negatives; the other one judges them."""
WIDTHS = {"ngram": 1.0, "ngram_mean": 1 / 6, "bag": 1 / 10, "masked": 1.0}
"""Of the margin, what it takes for a scorer to see a difference: two of them are means over some words or pairs of words."""


class Asked(NamedTuple):
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
        training_captions: the folder that parse_train writes to; the half of its captions that judges is not looked at.
        size: negatives a query.
        foils: how many atoms a negative replaces; so often the margin is asked for.
    """

    def __init__(self, settings: dict[str, Any], training_captions: Path, size: int, foils: int = 1):
        if settings["way"] not in WAYS:
            raise ParameterError("foils.way", f"is {settings['way']!r}", f"name one of {', '.join(WAYS)}")
        self.way, self.seed, self.size = settings["way"], settings["seed"], size
        captions = ngram.training_captions(training_captions, SELECTING, settings["plausibility"]["max_captions"])
        self.model: Plausibility = load(settings["plausibility"], captions)
        # The scorers of the half, and of its two quarters, by name.
        self.panels: list[dict[str, BlindScorer]] = []
        if self.way == "balanced":
            quarters = [[c for c in captions if ngram.part(c, (*SELECTING, quarter))] for quarter in (0, 1)]
            self.panels = [scorers(part) for part in (captions, *quarters)]
        self.names = [*(self.panels[0] if self.panels else ()), *([] if isinstance(self.model, NGramModel) else ["masked"])]
        self.widths = np.array([foils * settings["margin"] * WIDTHS.get(name, 0.0) for name in self.names])
        self.by_slot = True
        self.scored: tuple[list[choose.Scored], ...] = ([], [], [])

    def another(self, by_slot: bool) -> Selector:
        """One more on the same models, for another type of negatives; without ``by_slot`` a set's negatives change any atoms."""
        other = copy(self)
        other.by_slot, other.scored = by_slot, ([], [], [])
        return other

    def add(self, questions: Sequence[Asked]) -> None:
        """Score the valid candidates of a batch, and note each one's plausibility in its row."""
        valid = [q.valid() for q in questions]
        flat = [text for q, rows in zip(questions, valid, strict=True) for text in (q.truth, *(row["caption"] for row in rows))]
        if not flat:
            return
        plausible = self.model.score(flat)
        further = [] if isinstance(self.model, NGramModel) else [plausible]
        panels = [np.stack([*(score(flat) for score in panel.values()), *further], axis=1) for panel in self.panels]
        start = 0
        for q, rows in zip(questions, valid, strict=True):
            end = start + 1 + len(rows)
            slots = _slots(rows) if self.by_slot else np.zeros(len(rows), np.int64)
            # The last quarter judges the choice of the other, and a judge sees the least difference.
            widths = (self.widths, self.widths, 0.0)
            for kept, scores, width in zip(self.scored, panels or [np.zeros((len(flat), 0))], widths, strict=False):
                gains = scores[start + 1 : end] - scores[start]
                signs = np.where(np.abs(gains) > width, np.sign(gains), 0).astype(np.int8)
                kept.append(choose.Scored(q.query_id, plausible[start + 1 : end], signs, slots))
            for row, score in zip(rows, plausible[start + 1 : end].tolist(), strict=True):
                row["plausibility"] = score
            start = end

    def choose(self) -> Choice:
        """Which candidates become negatives, of all questions that were added."""
        if self.way == "paper":
            return Choice(choose.paper(self.scored[0], self.size), {}, {})
        targets = choose.calibrated(self.scored[1], self.scored[2], self.size, self.seed)
        places = choose.balanced(self.scored[0], self.size, self.seed, targets)
        found = choose.shares(places, self.scored[0])
        return Choice(places, *(dict(zip(self.names, shares.round(4).tolist(), strict=False)) for shares in (targets, found)))


def _slots(rows: list[Row]) -> np.ndarray:
    """A number for each of the pieces of the caption that the candidates replace."""
    numbers: dict[tuple, int] = {}
    keys = [(row["edit"], *((span["start"], span["end"]) for span in row["spans"])) for row in rows]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)


def write_candidates(path: Path, answers: Iterable[list[Asked]], selector: Selector) -> None:
    """Score what the workers found, as it comes, and write it to the table ``candidates``."""
    with tables.writer("candidates", path) as write:
        for asked in answers:
            selector.add(asked)
            for query in asked:
                write(query.rows)


@dataclass(frozen=True)
class Settled:
    """A query with its negatives, or with the reason why it has none."""

    query_id: str
    negatives: list[Row]
    reason: str | None
    found: int
    """How many valid candidates there were."""


def settle(query_ids: Iterable[str], candidates: Path, choice: Choice, size: int) -> Iterator[Settled]:
    """What became of each query, in the order of the table ``candidates``; a query may have none there."""
    valid = (row for row in tables.read("candidates", candidates) if row["reason"] is None)
    groups = groupby(valid, key=lambda row: row["query_id"])
    waiting = next(groups, None)
    for query_id in query_ids:
        rows: list[Row] = []
        if waiting is not None and waiting[0] == query_id:
            rows = list(waiting[1])
            waiting = next(groups, None)
        chosen = set(choice.places.get(query_id, ()))
        reason = None if chosen else "too_few_candidates" if len(rows) < size else "unbalanced"
        negatives = [{name: row[name] for name, *_ in tables.EDIT} for place, row in enumerate(rows) if place in chosen]
        yield Settled(query_id, negatives, reason, len(rows))
