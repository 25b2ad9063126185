"""Candidates as they come, scored and written; and what became of each query when the choice was made."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from stages.contract import schemas, tables
from stages.foils.choosing import CandidateSet, Choice, Chooser, Row, valid_rows

T = TypeVar("T")


def write_candidates(path: Path, answers: Iterable[list[CandidateSet]], selector: Chooser, made_from: Mapping[str, str]) -> None:
    """Score what the workers found, as it comes, and write it to the table ``candidates``."""
    with tables.writer("candidates", path, made_from) as write:
        for asked in answers:
            selector.add(asked)
            for query in asked:
                write(query.rows)


@dataclass(frozen=True)
class QueryResult:
    """A query with its negatives, or with the reason why it has none."""

    query_id: str
    negatives: list[Row]
    reason: str | None
    found: int
    """How many valid candidates there were."""


def with_candidates(asked: Iterable[T], query_id: Callable[[T], str], candidates: Path) -> Iterator[tuple[T, list[Row]]]:
    """What is ``asked``, in the order of the table ``candidates``, each with its valid rows there; it may have none."""
    groups = groupby(valid_rows(candidates), key=lambda row: row["query_id"])
    waiting = next(groups, None)
    for each in asked:
        rows: list[Row] = []
        if waiting is not None and waiting[0] == query_id(each):
            rows = list(waiting[1])
            waiting = next(groups, None)
        yield each, rows


def assign_negatives(query_ids: Iterable[str], candidates: Path, choice: Choice, size: int) -> Iterator[QueryResult]:
    """What became of each query, in the order of the table ``candidates``."""
    for query_id, rows in with_candidates(query_ids, str, candidates):
        chosen = set(choice.places.get(query_id, ()))
        reason = None if chosen else "too_few_candidates" if len(rows) < size else "unbalanced"
        negatives = [{name: row[name] for name, *_ in schemas.EDIT} for place, row in enumerate(rows) if place in chosen]
        yield QueryResult(query_id, negatives, reason, len(rows))
