"""The form of ``metrics/evaluate.json`` (:mod:`stages.evaluation.summary`), checked when it is read.

What is checked is what its readers rely on: that keys which they need are there, and that figures are numbers. A file of another
version, or one that another program wrote, may hold further keys.
"""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, FiniteFloat

from stages.contract.forms import by_name, checked, form, maybe
from stages.contract.json_files import parse_json, read_json

Number = FiniteFloat | None
Count = Annotated[int, Field(ge=0)]
FIGURE = FiniteFloat | str | None
"""A figure, or the name of the scorer that reached one."""


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
    held_out=(list[str], []),
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
    return checked(read_json(path, remedy), path, remedy, METRICS)


def parse(data: str | bytes, name: str, remedy: str) -> dict[str, Any]:
    """Return the metrics in ``data``, which was read from ``name``; errors are those of :func:`read`."""
    return checked(parse_json(data, name, remedy), name, remedy, METRICS)
