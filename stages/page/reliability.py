"""Whether negatives are as often false as they were predicted to be when they were chosen: curve and error by type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stages.page.drawings import Drawing, reliability
from stages.page.figure import Figure
from stages.page.names import AUDITED, edit_name
from stages.page.page import Cell, Table


def shown(truly_false: Mapping[str, Any]) -> tuple[list[Table], list[Drawing]]:
    """The tables and the drawing of ``truly_false`` of ``metrics/audit.json``; none where no negative has a probability.

    Bins of too few negatives are in the folded table alone. An error counts what is doubtful as true; it is at least what remains
    whatever becomes of that.
    """
    calibrated = {
        AUDITED[name]: truly_false[name]["calibration"] for name in AUDITED if truly_false.get(name, {}).get("calibration")
    }
    if not calibrated:
        return [], []
    errors: list[list[Cell]] = [
        [title, edit_name(edit), f"{of['n']:,}", f"{100 * of['error']:.2f}", f"{100 * of['least_error']:.2f}"]
        for title, edits in calibrated.items()
        for edit, of in edits.items()
    ]
    curves = {title: [_point(point) for point in edits["all"]["curve"]] for title, edits in calibrated.items()}
    bins: list[list[Cell]] = [
        [title, f"{predicted:.2f}", observed] for title, points in curves.items() for predicted, observed in points
    ]
    tables = [
        Table("Expected calibration error, in points", ["Negatives", "part", "negatives", "error", "at least"], errors),
        Table("Predicted to be true, and not false by the truth (%)", ["Negatives", "predicted", "observed"], bins, folded=True),
    ]
    sure = {title: [point for point in points if not point[1].tells_little] for title, points in curves.items()}
    caption = "How many negatives are not false by the truth, over the probability of being true that they were chosen with."
    drawing = reliability("reliability", caption, {_short(title): points for title, points in sure.items() if points})
    return tables, [drawing]


def _point(point: Mapping[str, Any]) -> tuple[float, Figure]:
    bounds = (100 * point["low"], 100 * point["high"])
    return 100 * point["predicted"], Figure(100 * point["observed"], n=point["n"], bounds=bounds)


def _short(title: str) -> str:
    """A name that a legend has room for.

    >>> _short("HN-Atom, systematicity")
    'HN-Atom (sys)'
    """
    name, _, aspect = title.partition(", ")
    return f"{name} ({aspect.removesuffix('tematicity').removesuffix('uctivity')})"
