"""Composition, zero-shot classification and retrieval of several runs side by side: does a model that composes better forget?

The table has the form of ARO's table 6 (Yuksekgonul et al., ICLR 2023), with the columns of the first two tables of the iterated
learning paper (Zheng et al., CVPR 2024) as rows. Their means COMP and CLS count every column once; here they are over the columns
that all runs have, which the row names.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any

from stages.contract.schemas import PROTOCOLS
from stages.page.answer import ASKS
from stages.page.display_names import WAYS, full_name, suite_name
from stages.page.figure import Figure
from stages.page.runs import Run
from stages.page.table import Cell, Table

RELEASED = "as released"
SUGARCREPE = {"add": ("att", "obj"), "replace": ("att", "obj", "rel"), "swap": ("att", "obj")}
"""SugarCrepe's kinds by form: COMP has a column a form, here the mean over its kinds."""
Columns = dict[str, list[Figure | None]]
"""The figures of the runs, by task."""
Tasks = Callable[[Mapping[str, Any]], Mapping[str, Figure | None]]
"""The figures of tasks in a run's metrics, by name."""


def crepe(metrics: Mapping[str, Any], source: str) -> dict[str, Figure | None]:
    """Return R@1 of CREPE's sets of a ``source``: a protocol, or the release."""
    found, prefix = (metrics, "official_") if source == RELEASED else (metrics.get(source) or {}, "")
    sets = {(suite, name): found.get(prefix + suite, {}).get(name, {}).get("all") for suite, name in ASKS}
    return {f"{full_name(*key)}, {source}": Figure.of(figures) for key, figures in sets.items()}


def other_comp(metrics: Mapping[str, Any]) -> dict[str, Figure | None]:
    """Return the other columns of COMP: accuracy on SugarCrepe's forms, and text to image on Cola and Winoground."""
    found: dict[str, Figure | None] = {}
    for form, kinds in SUGARCREPE.items():
        figures = [Figure.of(metrics.get("sugarcrepe", {}).get(f"{form}_{kind}", {}).get("all")) for kind in kinds]
        found[f"SugarCrepe, {form}"] = _mean(figure for figure in figures if figure) if all(figures) else None
    for suite in ("cola", "winoground"):
        sets = metrics.get(suite) or {}
        whole = (metrics.get("cases") or {}).get(suite) or (next(iter(sets.values())).get("cases") if len(sets) == 1 else None)
        figures_of_cases = sets.get("multi_objects", {}).get("cases") if suite == "cola" else whole
        found[f"{suite_name(suite)}, text to image"] = Figure.of(figures_of_cases, "image")
    return found


def aro(metrics: Mapping[str, Any]) -> dict[str, Figure | None]:
    """Return ARO's macro accuracies over relations and over pairs of attributes, and its accuracy on the Order sets."""
    found = {
        f"{suite_name(suite)}, {title} (macro)": Figure.of(metrics.get(suite, {}).get(name, {}).get("macro", {}).get("all"))
        for suite in ("aro_released", "aro")
        for name, title in (("relation", "VG-Relation"), ("attribution", "VG-Attribution"))
    }
    order = metrics.get("aro_order", {}).get("order", {}).get("all")
    return found | {"ARO, Order": Figure.of(order)}


def retrieval(metrics: Mapping[str, Any]) -> dict[str, Figure | None]:
    """Return R@1 of plain retrieval in both directions."""
    unchanged = ((metrics.get("perturbed") or {}).get("text") or {}).get("none")
    return {WAYS[way]: Figure.of(unchanged, way) for way in ("t2i_r1", "i2t_r1")}


def table(compared: Sequence[Run], accuracies: Mapping[str, Mapping[str, float]]) -> Table:
    """Return the table.

    Args:
        accuracies: zero-shot accuracies in per cent, by data set and run.
    """
    rows: list[list[Cell]] = []
    others = _columns(compared, other_comp)
    for source in (*PROTOCOLS, RELEASED):
        if own := _columns(compared, partial(crepe, source=source)):
            rows += _rows("Composition", own) + _average(f"COMP, CREPE {source}", own | others)
    rows += _rows("Composition", others | _columns(compared, aro))
    zeroshot = {
        name: [Figure(by_run[one.name]) if one.name in by_run else None for one in compared]
        for name, by_run in sorted(accuracies.items())
        if by_run
    }
    rows += _rows("Classification", zeroshot) + _average("CLS", zeroshot)
    rows += _rows("Retrieval", _columns(compared, retrieval))
    caption = "Composition, zero-shot classification and retrieval (%); COMP and CLS are means over what all runs have."
    return Table(caption, ["", "Task", *(("Model", one.label(compared)) for one in compared)], rows)


def _columns(compared: Sequence[Run], figures_of: Tasks) -> Columns:
    """Return the tasks of ``figures_of`` that some run has, with the figures of all runs."""
    every = [figures_of(one.metrics) for one in compared]
    tasks = dict.fromkeys(task for figures in every for task, figure in figures.items() if figure)
    return {task: [figures[task] for figures in every] for task in tasks}


def _rows(group: str, columns: Columns) -> list[list[Cell]]:
    return [[group, task, *figures] for task, figures in columns.items()]


def _average(name: str, columns: Columns) -> list[list[Cell]]:
    """Return a row of means over the columns that all runs have, with their names; none where there is no such column."""
    shared = {task: figures for task, figures in columns.items() if all(figures)}
    means = [_mean(filter(None, figures)) for figures in zip(*shared.values(), strict=True)]
    return [["Mean", f"{name}: mean of {len(shared)} ({'; '.join(shared)})", *means]] if shared else []


def _mean(figures: Iterable[Figure]) -> Figure:
    return Figure(fmean(figure.value for figure in figures))
