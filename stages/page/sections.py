"""The report's sections: tables with intervals and drawings, of ``metrics/evaluate.json``."""

from collections.abc import Mapping
from typing import Any

from stages.evaluation.figures import FEW
from stages.evaluation.summary import ON_CLEARED
from stages.page import aro
from stages.page.display_names import (
    CASES,
    SCORERS,
    SPLITS,
    SUITES,
    all_sets,
    atoms,
    cases_of,
    edit_name,
    in_order,
    is_complexity,
    set_name,
    sets,
    suite_name,
    suites,
)
from stages.page.figure import Difference, Figure, with_spread
from stages.page.page import Section
from stages.page.table import Cell, Table

Metrics = Mapping[str, Any]
COLUMNS = 5
"""Maximum number of retrieval sets in a table of all scorers."""


def further(metrics: Metrics) -> Section | None:
    """Return recall on other suites; ``None`` without any."""
    tables = []
    for suite in suites(metrics):
        if suite not in (*SUITES, *aro.SUITES):
            of_suite = sets(metrics, suite)
            parts = {group for figures in of_suite.values() for group in figures if group in SPLITS or is_complexity(group)}
            weighted = ["weighted"] * any("weighted" in figures for figures in of_suite.values())
            groups, cases = [*in_order(parts), "all", *weighted], cases_of(of_suite.values())
            rows: list[list[Cell]] = []
            for name, figures in of_suite.items():
                whole_cases = (Figure.of(figures.get("cases"), key, "cases") for key in cases)
                rows.append([set_name(suite, name), *(Figure.of(figures.get(group)) for group in groups), *whole_cases])
            if whole := metrics.get("cases", {}).get(suite):
                rows.append(["all cases", *[None] * len(groups), *(Figure.of(whole, key, "cases") for key in cases)])
            head = ["Negatives", *map(atoms, groups), *(CASES[key] for key in cases)]
            tables.append(Table(f"{suite_name(suite)}: R@1 (%)", head, rows))
    lead = (
        "The same model on other benchmarks; numbers over the columns are complexities. A case is right as a whole: each image "
        "prefers its captions (text), each caption its image (image), or both (group). Text to text uses no image: are the "
        "two true captions nearer to each other than to the negative? Weighted: by weights with which no shortcut solves the suite."
    )
    return Section("further", "Further suites", lead, tables) if tables else None


def text_only(metrics: Metrics) -> Section:
    """Return the results of each text-only scorer."""
    every = [one for one in all_sets(metrics) if one.figures.get("shortcuts")]
    names = sorted({name for one in every for name, reached in one.figures["shortcuts"].items() if isinstance(reached, float)})
    tables = []
    for start in range(0, len(every), COLUMNS):
        part = every[start : start + COLUMNS]
        rows: list[list[Cell]] = []
        for name in names:
            reached = ((one.figures["shortcuts"].get(name), one.figures["all"]["n"]) for one in part)
            cells = (None if r1 is None else Difference.alone(Figure(r1, n=n)) for r1, n in reached)
            rows.append([name, SCORERS.get(name), *cells])
        tables.append(Table("R@1 (%) of every text-only scorer", ["Scorer", "chooses", *(one.title for one in part)], rows))
    lead = "Truths that text-only scorers find test how captions were made, not vision."
    return Section("text", "Text-only baselines", lead, tables)


def changes(metrics: Metrics) -> Section:
    """Return what the negatives change: by kind, and whether the words stay the same. ARO's kinds are in its own section."""
    every = [one for one in all_sets(metrics) if one.protocol != ON_CLEARED]
    rows: list[list[Cell]] = [
        [one.title, edit_name(kind), Figure.of_pairs(scored)]
        for one in every
        if one.suite not in aro.SUITES and not one.combined
        for kind, scored in one.figures.get("kinds", {}).items()
    ]
    bags: list[list[Cell]] = [
        [one.title, *(Figure(bag[key], n=one.figures["all"]["n"]) for key in ("same", "ceiling"))]
        for one in every
        if (bag := one.figures.get("bag"))
    ]
    caption = "Share of negatives that score below the truth (%), by what they change"
    tables = [
        Table(caption, ["Negatives", "changed", "below the truth"], rows),
        Table("Word order", ["Negatives", "same words as the truth (%)", "ceiling without order (%)"], bags),
    ]
    lead = (
        "By pairs of a truth and a negative, so that chance is 50 %. Text alone may exceed it, because sets are cleared as a "
        "whole. A model that knows words but not their order can at best reach the ceiling."
    )
    return Section("changes", "What was changed", lead, tables)


def raw(metrics: Metrics) -> Section | None:
    """Return retrieval among all captions, in both directions; ``None`` where it was not measured."""
    rows: list[list[Cell]] = []
    for suite, groups in sorted((metrics.get("raw") or {}).items(), reverse=True):
        for group in in_order(groups):
            recalls, part = groups[group], f"n = {atoms(group)}" if is_complexity(group) else group
            ways = (with_spread(recalls[way]["r1"], recalls[way]["r1_sd"]) for way in ("i2t", "t2i"))
            rows.append([f"{SUITES[suite]}, {part}", *ways, f"{recalls['chance']:.1f}", recalls["n"], recalls["folds"]])
    head = ["Captions", "image to text", "text to image", "chance", "captions a fold", "folds"]
    lead = (
        "The truth among the captions of other crops, without hard negatives; mean and standard deviation over folds of one size. "
        f"Groups of fewer than {FEW} captions are left out."
    )
    return Section("raw", "All captions", lead, [Table("R@1 (%), RAW sets", head, rows)]) if rows else None
