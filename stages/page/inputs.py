"""The forms of ``metrics/audit.json`` and ``metrics/analyse.json``, checked by :mod:`stages.contract.forms`."""

from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any

from pydantic import Field, FiniteFloat

from stages.contract.errors import AGAIN
from stages.contract.forms import by_name, checked, form, maybe
from stages.contract.json_files import read_json
from stages.evaluation.metrics import FIGURE, Count, Number


def by_set(kind: Any) -> Any:
    """Return the type of values by SET, of CREPE's sets in each protocol."""
    return form(kind, paper=(by_name(kind), {}), cleared=(by_name(kind), {}))


def lists(kind: Any, least: int = 0) -> Any:
    """Return the type of lists of at least ``least`` values of one ``kind``."""
    return Annotated[GenericAlias(list, (kind,)), Field(min_length=least)]


INTERVAL: dict[str, Any] = {"n": Count, "share": Number, "low": (Number, None), "high": (Number, None)}
SHARE = form(Any, **INTERVAL)
POINT = form(Any, n=Count, **dict.fromkeys(("predicted", "observed", "low", "high"), FiniteFloat))
CALIBRATION = form(Any, n=Count, error=FiniteFloat, least_error=FiniteFloat, curve=lists(POINT))
"""How well predicted probabilities that negatives are true agree with outcomes."""
FALSITY = form(
    Any,
    **INTERVAL,
    doubtful=Count,
    left_out=Count,
    by_edit=by_name(SHARE),
    by_n=by_name(SHARE),
    calibration=by_name(CALIBRATION) | None,
)
GROUP = form(Any, n=Count, chance=FiniteFloat, best=FiniteFloat, scorer=str, trained=(Number, None))
YIELD = form(Any, captions=Count, sets=Count, share=FiniteFloat, paper=Number)
AUDIT = form(
    Any,
    truly_false=maybe(by_set(FALSITY)),
    truths=maybe(by_set(SHARE)),
    grammar=maybe(by_set(form(Any, truths=SHARE, negatives=SHARE))),
    groups=by_set(by_name(by_name(GROUP))),
    yields=by_set(by_name(YIELD)),
    faults=by_name(by_name(str)),
)
"""What the report shows of the results of ``audit``; where the truth is unknown, it has no ``truly_false``."""

MEAN = form(Any, mean=FiniteFloat, shuffled=FiniteFloat)
CROP = Annotated[list[int], Field(min_length=5, max_length=5)]
CODE = form(
    Any,
    code=Count,
    share=FiniteFloat,
    words=list[str],
    agrees=by_name(Annotated[tuple[str, FiniteFloat], Field(strict=False)]),
    crops=lists(CROP),
)
CODEBOOK = form(
    Any,
    codes=Count,
    crops=Count,
    used=form(FIGURE, by_crops=Count, by_words=Count, by_both=Count, each=FiniteFloat),
    purity=by_name(form(Any, all=MEAN, best=MEAN)),
    top=lists(CODE),
)
LESSON = form(Any, steps=lists(int, 1), accuracy=lists(FiniteFloat, 1))
GENERATION = form(Any, lipschitz=form(Any, image=FiniteFloat, text=FiniteFloat) | None, lesson=LESSON)
ANALYSIS = form(
    Any,
    loss=form(Any, steps=list[int], loss=list[FiniteFloat], spawns=list[int]),
    generations=lists(GENERATION, 1),
    codebook=maybe(CODEBOOK),
)


def read_audit(path: Path) -> dict[str, Any]:
    """Return the results of ``audit``; errors are those of :func:`stages.evaluation.metrics.read`."""
    return checked(read_json(path, AGAIN), path, AGAIN, AUDIT)


def read_analysis(path: Path) -> dict[str, Any]:
    """Return the results of ``analyse``, which are empty for a model trained in another way; errors are those of the audit."""
    found = read_json(path, AGAIN)
    return {} if found == {} else checked(found, path, AGAIN, ANALYSIS)
