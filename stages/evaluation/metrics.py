"""The form of ``metrics/evaluate.json`` (:mod:`stages.evaluation.summary`), checked when it is read.

What is checked is what its readers rely on: that keys which they need are there, and that figures are numbers. A file of another
version, or one that another program wrote, may hold further keys.
"""

from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, create_model

from stages.contract.errors import InputError
from stages.contract.json_files import parse_json, read_json

KINDS = ("float", "str")
SHOWN = 40
"""Number of letters of a wrong value that a message shows."""
Number = FiniteFloat | None
Count = Annotated[int, Field(ge=0)]
FIGURE = FiniteFloat | str | None
"""A figure, or the name of the scorer that reached one."""


def form(further: Any, /, **keys: Any) -> Any:
    """Return the form of a mapping with these ``keys``, each with its type; the values of ``further`` keys have one type.

    A key may be missing whose type comes in a pair with a default.
    """

    class Mapping(BaseModel):
        model_config = ConfigDict(strict=True, extra="allow")
        __pydantic_extra__: dict[str, further] = Field(init=False)  # type: ignore[valid-type]

    fields: dict[str, Any] = {key: kind if isinstance(kind, tuple) else (kind, ...) for key, kind in keys.items()}
    return create_model("Form", __base__=Mapping, **fields)


def maybe(kind: Any) -> Any:
    """Return the type of a key that may be missing or ``None``."""
    return kind | None, None


def by_name(kind: Any) -> Any:
    """Return the type of a mapping from names to values of one ``kind``."""
    return GenericAlias(dict, (str, kind))


GROUP = form(FIGURE, n=Count, r1=Number, r1_chance=Number)
PAIRS = form(FIGURE, n=Count, above=Number)
MACRO = form(FIGURE, n=Count, r1=Number, groups=Count, left_out=Count)
DRAWS = form(FIGURE, n=Count, r1=FiniteFloat, r1_sd=Number)
CHANGE = form(FIGURE, d=Number, low=Number, high=Number)
CONTRAST = form(Any, raw=CHANGE | None, matched=CHANGE | None)
GAP = form(Any, raw=CHANGE | None, matched=CHANGE | None, over_shortcut=maybe(CONTRAST))
SLOPE = form(Any, raw=CHANGE | None, shortcut=maybe(CHANGE), over_shortcut=maybe(CHANGE))
GAINS = dict.fromkeys(("gain", "gain_trained", "gain_held_out"), maybe(CHANGE))
SCORERS = form(Number, best=maybe(str), held_out=maybe(str), **GAINS)
"""R@1 of the text-only scorers, and the model's gain over the best of each kind."""
BAG = form(FIGURE, same=FiniteFloat, ceiling=FiniteFloat)
ASKED = form(FIGURE, n=Count, asked=Number)
"""A group of HN-Atom by the replaced atom, which may be without queries."""
SET = form(
    GROUP,
    all=GROUP,
    id=maybe(str),
    detects=(Number, None),
    shortcuts=maybe(SCORERS),
    bag=maybe(BAG),
    kinds=(by_name(PAIRS), {}),
    queries=(by_name(by_name(Count)), {}),
    cases=maybe(form(FIGURE)),
    macro=(by_name(MACRO), {}),
    weighted=maybe(GROUP),
    draws=maybe(DRAWS),
    gap=maybe(GAP),
    slope=maybe(SLOPE),
    asked=(by_name(by_name(ASKED)), {}),
)
"""A retrieval set; further keys are its splits and complexities."""
FOLDS = form(Any, r1=FiniteFloat, r1_sd=Number)
RAW = form(Any, chance=FiniteFloat, n=Count, folds=Count, i2t=FOLDS, t2i=FOLDS)
RECALLS = ("i2t_r1", "i2t_r5", "t2i_r1", "t2i_r5")
PERTURBATION = form(Any, **dict.fromkeys(RECALLS, FiniteFloat), **{f"{recall}_sd": Number for recall in RECALLS})
PERTURBED = form(Any, captions=Count, images=Count, text=by_name(PERTURBATION), image=by_name(PERTURBATION))
METRICS = form(
    by_name(SET),
    model=form(Any, name=str, family=str, trained_on=str | None),
    judged_by=str | None,
    drawn=maybe(by_name(bool)),
    captions=(by_name(Count), {}),
    crops=maybe(form(Any, n=Count, one_colour=Count)),
    cases=(by_name(form(FIGURE)), {}),
    raw=maybe(by_name(by_name(RAW))),
    perturbed=maybe(PERTURBED),
    **dict.fromkeys(("paper", "cleared", "paper_on_cleared"), maybe(by_name(by_name(SET)))),
)
"""All metrics; further keys are suites without protocols."""


def read(path: Path, remedy: str) -> dict[str, Any]:
    """Return the metrics in the file at ``path``.

    Raises:
        InputError: it is no such file; with the first key that is missing or has another value, and the ``remedy``.
    """
    return checked(read_json(path, remedy), path, remedy)


def parse(data: str | bytes, name: str, remedy: str) -> dict[str, Any]:
    """Return the metrics in ``data``, which was read from ``name``; errors are those of :func:`read`."""
    return checked(parse_json(data, name, remedy), name, remedy)


def checked(metrics: Any, name: str | Path, remedy: str, of: Any = METRICS) -> dict[str, Any]:
    """Return ``metrics`` if they have the form ``of``; errors are those of :func:`read`."""
    try:
        of.model_validate(metrics)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        # The last part of a place may be the kind of value that was tried.
        key = ".".join(str(part) for part in first["loc"] if part not in KINDS)
        says = first["msg"].partition(" or instance")[0].lower().replace("valid dictionary", "mapping")
        wrong = f"{key or 'all of it'} is {repr(first['input'])[:SHOWN]}: {says}"
        raise InputError(name, f"has no key {key}" if first["type"] == "missing" else wrong, remedy) from None
    found: dict[str, Any] = metrics
    return found
