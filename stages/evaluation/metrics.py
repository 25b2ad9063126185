"""The form of ``metrics/evaluate.json`` (:mod:`stages.evaluation.summary`), checked when it is read.

What is checked is what its readers rely on: that keys which they need are there, and that figures are numbers. A file of another
version, or one that another program wrote, may hold further keys.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from stages.contract.errors import InputError
from stages.contract.json_files import parse_json, read_json

KINDS = ("float", "str")
SHOWN = 40
"""Number of letters of a wrong value that a message shows."""
Number = FiniteFloat | None
Count = Annotated[int, Field(ge=0)]


class Part(BaseModel):
    """A part of the metrics."""

    model_config = ConfigDict(strict=True, extra="allow")


class Figures(Part):
    """Figures by name; some name the scorer that reached them."""

    __pydantic_extra__: dict[str, FiniteFloat | str | None] = Field(init=False)


class Group(Figures):
    """R@1 of a group of retrieval sets."""

    n: Count
    r1: Number
    r1_chance: Number


class Pairs(Figures):
    """The fraction of pairs of a truth and a negative that the truth wins."""

    n: Count
    above: Number


class Macro(Figures):
    """A mean over groups of pairs."""

    n: Count
    r1: Number
    groups: Count
    left_out: Count


class Draws(Figures):
    """A mean over draws."""

    n: Count
    r1: FiniteFloat
    r1_sd: Number


class Change(Figures):
    """A difference with its interval."""

    d: Number
    low: Number
    high: Number


class Contrast(Part):
    """A difference, also between similar items."""

    raw: Change | None
    matched: Change | None


class Gap(Contrast):
    """A contrast, and how much of it no text-only scorer shows."""

    over_shortcut: Contrast | None = None


class Slope(Part):
    """The change with each further atom, and how much of it no text-only scorer shows."""

    raw: Change | None
    shortcut: Change | None = None
    over_shortcut: Change | None = None


class Scorers(Part):
    """R@1 of the text-only scorers, and the model's gain over the best of each kind."""

    __pydantic_extra__: dict[str, Number] = Field(init=False)
    best: str | None = None
    held_out: str | None = None
    gain: Change | None = None
    gain_trained: Change | None = None
    gain_held_out: Change | None = None


class Bag(Figures):
    """What a model without word order can reach."""

    same: FiniteFloat
    ceiling: FiniteFloat


class Asked(Figures):
    """A group of HN-Atom by the replaced atom, which may be without queries."""

    n: Count
    asked: Number


class Set(Part):
    """A retrieval set; further keys are its splits and complexities."""

    __pydantic_extra__: dict[str, Group] = Field(init=False)
    all: Group
    id: str | None = None
    detects: Number = None
    shortcuts: Scorers | None = None
    bag: Bag | None = None
    kinds: dict[str, Pairs] = {}
    queries: dict[str, dict[str, Count]] = {}
    cases: Figures | None = None
    macro: dict[str, Macro] = {}
    weighted: Group | None = None
    draws: Draws | None = None
    gap: Gap | None = None
    slope: Slope | None = None
    asked: dict[str, dict[str, Asked]] = {}


class Fold(Part):
    """R@1 in one direction, over folds."""

    r1: FiniteFloat
    r1_sd: Number


class Raw(Part):
    """Retrieval among all captions."""

    chance: FiniteFloat
    n: Count
    folds: Count
    i2t: Fold
    t2i: Fold


class Perturbation(Part):
    """Retrieval after a perturbation."""

    i2t_r1: FiniteFloat
    i2t_r1_sd: Number
    i2t_r5: FiniteFloat
    i2t_r5_sd: Number
    t2i_r1: FiniteFloat
    t2i_r1_sd: Number
    t2i_r5: FiniteFloat
    t2i_r5_sd: Number


class Perturbed(Part):
    """Retrieval after perturbations, by what was perturbed."""

    captions: Count
    images: Count
    text: dict[str, Perturbation]
    image: dict[str, Perturbation]


class Model(Part):
    """The model that was evaluated."""

    name: str
    family: str
    trained_on: str | None


class Crops(Part):
    """How many crops were looked at, and how many of them are of one colour."""

    n: Count
    one_colour: Count


Sets = dict[str, dict[str, Set]]


class Metrics(Part):
    """All metrics; further keys are suites without protocols."""

    __pydantic_extra__: dict[str, dict[str, Set]] = Field(init=False)
    model: Model
    judged_by: str | None
    drawn: dict[str, bool] | None = None
    captions: dict[str, Count] = {}
    crops: Crops | None = None
    cases: dict[str, Figures] = {}
    raw: dict[str, dict[str, Raw]] | None = None
    perturbed: Perturbed | None = None
    paper: Sets | None = None
    cleared: Sets | None = None
    paper_on_cleared: Sets | None = None


def read(path: Path, remedy: str) -> dict[str, Any]:
    """Return the metrics in the file at ``path``.

    Raises:
        InputError: it is no such file; with the first key that is missing or has another value, and the ``remedy``.
    """
    return checked(read_json(path, remedy), path, remedy)


def parse(data: str | bytes, name: str, remedy: str) -> dict[str, Any]:
    """Return the metrics in ``data``, which was read from ``name``; errors are those of :func:`read`."""
    return checked(parse_json(data, name, remedy), name, remedy)


def checked(metrics: Any, name: str | Path, remedy: str, form: type[Part] = Metrics) -> dict[str, Any]:
    """Return ``metrics`` if they have the ``form``; errors are those of :func:`read`."""
    try:
        form.model_validate(metrics)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        # The last part of a place may be the kind of value that was tried.
        key = ".".join(str(part) for part in first["loc"] if part not in KINDS)
        says = first["msg"].partition(" or instance")[0].lower().replace("valid dictionary", "mapping")
        wrong = f"{key or 'all of it'} is {repr(first['input'])[:SHOWN]}: {says}"
        raise InputError(name, f"has no key {key}" if first["type"] == "missing" else wrong, remedy) from None
    found: dict[str, Any] = metrics
    return found
