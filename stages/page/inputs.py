"""The forms of ``metrics/audit.json`` and ``metrics/analyse.json``, checked as :mod:`stages.evaluation.metrics` checks its file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field, FiniteFloat

from stages.contract.errors import AGAIN
from stages.contract.json_files import read_json
from stages.evaluation.metrics import Count, Figures, Number, Part, checked

T = TypeVar("T")


class BySet(Part, Generic[T]):
    """Values by SET, of CREPE's sets in each protocol."""

    __pydantic_extra__: dict[str, T] = Field(init=False)
    paper: dict[str, T] = Field(default_factory=dict)
    cleared: dict[str, T] = Field(default_factory=dict)


class Share(Part):
    """A fraction with its interval."""

    n: Count
    share: Number
    low: Number = None
    high: Number = None


class Point(Part):
    """A bin of the reliability curve."""

    n: Count
    predicted: FiniteFloat
    observed: FiniteFloat
    low: FiniteFloat
    high: FiniteFloat


class Calibration(Part):
    """How well predicted probabilities that negatives are true agree with outcomes."""

    n: Count
    error: FiniteFloat
    least_error: FiniteFloat
    curve: list[Point]


class Falsity(Share):
    """The fraction of negatives that are false."""

    doubtful: Count
    left_out: Count
    by_edit: dict[str, Share]
    by_n: dict[str, Share]
    calibration: dict[str, Calibration] | None


class Grammar(Part):
    """The fractions that pass the grammar check."""

    truths: Share
    negatives: Share


class OfGroup(Part):
    """The text-only scorers' results in a compared group."""

    n: Count
    chance: FiniteFloat
    best: FiniteFloat
    scorer: str
    trained: Number = None


class Yield(Part):
    """How many captions of a complexity have sets, and the paper's fraction."""

    captions: Count
    sets: Count
    share: FiniteFloat
    paper: Number


class Audit(Part):
    """What the report shows of the results of ``audit``; where the truth is unknown, it has no ``truly_false``."""

    truly_false: BySet[Falsity] | None = None
    truths: BySet[Share] | None = None
    grammar: BySet[Grammar] | None = None
    groups: BySet[dict[str, dict[str, OfGroup]]]
    yields: BySet[dict[str, Yield]]
    faults: dict[str, dict[str, str]]


class Loss(Part):
    """The loss over the training."""

    steps: list[int]
    loss: list[FiniteFloat]
    spawns: list[int]


class Lesson(Part):
    """A new text agent's accuracy over its steps."""

    steps: Annotated[list[int], Field(min_length=1)]
    accuracy: Annotated[list[FiniteFloat], Field(min_length=1)]


class Bounds(Part):
    """Upper bounds of the towers' Lipschitz constants, log10."""

    image: FiniteFloat
    text: FiniteFloat


class Generation(Part):
    """A generation of iterated learning."""

    lipschitz: Bounds | None
    lesson: Lesson


class Used(Figures):
    """How many codes are used."""

    by_crops: Count
    by_words: Count
    by_both: Count
    each: FiniteFloat


class Mean(Part):
    """A mean purity, and that of labels exchanged."""

    mean: FiniteFloat
    shuffled: FiniteFloat


class Purity(Part):
    """The purity over all of a code's weight and over its best crops."""

    all: Mean
    best: Mean


class Code(Part):
    """A code with its words, labels and crops."""

    code: Count
    share: FiniteFloat
    words: list[str]
    agrees: dict[str, Annotated[tuple[str, FiniteFloat], Field(strict=False)]]
    crops: list[Annotated[list[int], Field(min_length=5, max_length=5)]]


class Book(Part):
    """A codebook."""

    codes: Count
    crops: Count
    used: Used
    purity: dict[str, Purity]
    top: list[Code]


class Analysis(Part):
    """The results of ``analyse``."""

    loss: Loss
    generations: Annotated[list[Generation], Field(min_length=1)]
    codebook: Book | None = None


def read_audit(path: Path) -> dict[str, Any]:
    """Return the results of ``audit``; errors are those of :func:`stages.evaluation.metrics.read`."""
    return checked(read_json(path, AGAIN), path, AGAIN, Audit)


def read_analysis(path: Path) -> dict[str, Any]:
    """Return the results of ``analyse``, which are empty for a model trained in another way; errors are those of the audit."""
    found = read_json(path, AGAIN)
    return {} if found == {} else checked(found, path, AGAIN, Analysis)
