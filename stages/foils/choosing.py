"""Rows of the table ``candidates`` as questions of :mod:`stages.selection`, and what was chosen of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from stages.contract import tables
from stages.foils import nearness
from stages.foils.vocabulary import KINDS
from stages.parameters import params
from stages.parameters.sections import Cleared, Foils
from stages.selection import paper
from stages.selection.questions import Question, Truth
from stages.selection.selector import Selector

Row = dict[str, Any]


class CandidateSet(NamedTuple):
    """A query as it comes to be scored: its truth, and rows of the table ``candidates``, valid or not."""

    query_id: str
    truth: str
    rows: list[Row]

    def valid(self) -> list[Row]:
        return [row for row in self.rows if row["reason"] is None]


@dataclass(frozen=True)
class Choice:
    """The places of the chosen negatives among each query's valid candidates."""

    places: Mapping[str, Sequence[int]]


class Chooser:
    """The selection of one type of negatives; ``atoms`` says whether each of a set's replaces the same atom."""

    def __init__(self, foils: Foils, training_sets: Sequence[Path], size: int, atoms: bool = False):
        self.way, self.seed, self.size, self.atoms = foils.selection, foils.seed, size, atoms
        self.selector = Selector(params.load(Cleared), foils.plausibility, training_sets, size)
        self.places: dict[str, Sequence[int]] = {}

    def another(self) -> Chooser:
        """Return a chooser with the same models for a type that replaces no single atom."""
        other = copy(self)
        other.selector, other.places, other.atoms = self.selector.another(), {}, False
        return other

    def add(self, asked: Sequence[CandidateSet]) -> None:
        """Score the valid candidates of a batch, and note each one's plausibility in its row."""
        asked = [one for one in asked if one.valid()]
        questions = [self._question(one.query_id, one.truth, one.valid()) for one in asked]
        for one, question, (plausible,) in zip(asked, questions, self.selector.add(questions), strict=True):
            for row, score in zip(one.valid(), plausible.tolist(), strict=True):
                row["plausibility"] = score
            if self.way == "paper" and (places := self._paper(one.query_id, question.truths[0], plausible)):
                self.places[one.query_id] = places

    def _question(self, query_id: str, truth: str, rows: list[Row]) -> Question:
        captions = [row["caption"] for row in rows]
        if not self.atoms:
            return Question(query_id, rows[0]["image_id"], [Truth.of(truth, captions)])
        counts = np.array([len(rows[0][f"{kind}s"]) for kind in KINDS], float)
        kinds = [KINDS.index(row["edit"]) for row in rows]
        far = [row["nearness"] not in nearness.PAPER for row in rows]
        named = tuple((counts / counts.sum()).tolist())
        return Question(query_id, rows[0]["image_id"], [Truth(truth, captions, _slots(rows), kinds, far, named)])

    def _paper(self, query_id: str, truth: Truth, plausible: np.ndarray) -> tuple[int, ...] | None:
        if self.atoms:
            return paper.of_atoms(plausible, truth.slots, self.size, query_id, self.seed)
        return paper.most_sensible(plausible, self.size)

    def choose(self, groups: Mapping[str, Sequence[str]]) -> Choice:
        """Return which candidates become negatives, of all questions that were added; ``groups`` by query."""
        if self.way == "paper":
            return Choice(self.places)
        return Choice({query_id: picked.places for query_id, picked in self.selector.choose(groups).items()})


def _slots(rows: list[Row]) -> list[int]:
    """Return a number for each of the pieces of the caption that the candidates replace."""
    numbers: dict[tuple, int] = {}
    keys = [(row["edit"], *((span["start"], span["end"]) for span in row["spans"])) for row in rows]
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def valid_rows(candidates: Path) -> Iterator[Row]:
    """Yield the rows of the table ``candidates`` that no check refused."""
    for batch in tables.batches("candidates", candidates):
        yield from batch.filter(pc.is_null(batch["reason"])).to_pylist()
