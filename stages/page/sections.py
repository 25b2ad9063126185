"""The report's sections: tables with intervals and drawings, of ``metrics/evaluate.json``."""

from collections.abc import Mapping
from typing import Any

from stages.contract.schemas import CLEARED
from stages.evaluation.figures import FEW
from stages.evaluation.summary import ON_CLEARED
from stages.page import aro
from stages.page.asked import asked
from stages.page.display_names import (
    CASES,
    SCORERS,
    SPLITS,
    SUITES,
    VIEWS,
    all_sets,
    atoms,
    cases_of,
    edit_name,
    full_name,
    in_order,
    is_complexity,
    set_name,
    sets,
    suite_name,
    suites,
)
from stages.page.drawings import by_complexity
from stages.page.figure import Difference, Figure, curve, with_spread
from stages.page.page import Section
from stages.page.table import Cell, Table

Metrics = Mapping[str, Any]
COLUMNS = 5
"""Maximum number of retrieval sets in a table of all scorers."""


def productivity(metrics: Metrics, protocol: str = CLEARED) -> Section:
    """Return recall by complexity and type, of a :func:`stages.page.display_names.view`."""
    of_suite = sets(metrics, "prod")
    complexities = sorted({group for figures in of_suite.values() for group in figures if is_complexity(group)})
    curves = {set_name("prod", name): line for name, figures in of_suite.items() if (line := curve(figures))}
    shown = f"{VIEWS[protocol].capitalize()}: R@1 by complexity and type of negative, with 95 % bands and chance."
    shown += " Points of too few queries are left out."
    # A line needs two points.
    drawings = [by_complexity(f"by_complexity_{protocol}", shown, curves)] if any(len(line) > 1 for line in curves.values()) else []
    names = [set_name("prod", name) for name in of_suite]
    rows = [[atoms(group), *(Figure.of(figures.get(group)) for figures in of_suite.values())] for group in [*complexities, "all"]]
    tables = [Table("R@1 (%) by complexity", ["Atoms", *names], rows), *asked(of_suite)]
    slopes = [figures.get("slope") or {} for figures in of_suite.values()]
    kinds = {"raw": "the model", "shortcut": "the text-only scorer most like it", "over_shortcut": "left of the model's"}
    changes = [[text, *(Difference.of(slope.get(kind)) for slope in slopes)] for kind, text in kinds.items() if any(slopes)]
    tables.append(Table("Change of R@1 with each further atom, in points", ["Slope of", *names], changes))
    lead = "Does it keep up as captions grow? Complexity n is the number of objects, attributes and relations that a caption names."
    return Section(f"productivity-{protocol}", f"Productivity: {VIEWS[protocol]}", lead, tables, drawings)


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
    every = [
        (_titled(protocol, suite, name), figures)
        for protocol, suite, name, figures in all_sets(metrics)
        if figures.get("shortcuts")
    ]
    names = sorted(
        {scorer for _, figures in every for scorer, reached in figures["shortcuts"].items() if isinstance(reached, float)}
    )
    tables = []
    for start in range(0, len(every), COLUMNS):
        part = every[start : start + COLUMNS]
        cells = [[name, SCORERS.get(name), *(_scorer_cell(figures, name) for _, figures in part)] for name in names]
        tables.append(Table("R@1 (%) of every text-only scorer", ["Scorer", "chooses", *(title for title, _ in part)], cells))
    lead = "Truths that text-only scorers find test how captions were made, not vision."
    return Section("text", "Text-only baselines", lead, tables)


def changes(metrics: Metrics) -> Section:
    """Return what the negatives change: by kind, and whether the words stay the same. ARO's kinds are in its own section."""
    own_sets = [one for one in all_sets(metrics, combined=False) if one[1] not in aro.SUITES and one[0] != ON_CLEARED]
    rows: list[list[Cell]] = [
        [_titled(protocol, suite, name), edit_name(kind), Figure.of_pairs(scored)]
        for protocol, suite, name, figures in own_sets
        for kind, scored in figures.get("kinds", {}).items()
    ]
    bags: list[list[Cell]] = [
        [
            _titled(protocol, suite, name),
            *(Figure(set_figures["bag"][key], n=set_figures["all"]["n"]) for key in ("same", "ceiling")),
        ]
        for protocol, suite, name, set_figures in all_sets(metrics)
        if set_figures.get("bag") and protocol != ON_CLEARED
    ]
    caption = "Share of negatives that score below the truth (%), by what they change"
    tables = [
        Table(caption, ["Negatives", "changed", "below the truth"], rows),
        Table("Word order", ["Negatives", "same words as the truth (%)", "ceiling without order (%)"], bags),
    ]
    lead = (
        "By pairs of a truth and a negative, so that chance is 50 %. "
        "A model that knows words but not their order can at best reach the ceiling."
    )
    return Section("changes", "What was changed", lead, tables)


def _titled(protocol: str | None, suite: str, name: str) -> str:
    return full_name(suite, name) + (f", {protocol.replace('_', ' ')}" if protocol else "")


def raw(metrics: Metrics) -> Section | None:
    """Return retrieval among all captions, in both directions; ``None`` where it was not measured."""
    rows = [
        [f"{SUITES.get(suite, suite)}, {f'n = {atoms(group)}' if is_complexity(group) else group}", *_raw_cells(groups[group])]
        for suite, groups in sorted((metrics.get("raw") or {}).items(), reverse=True)
        for group in in_order(groups)
    ]
    head = ["Captions", "image to text", "text to image", "chance", "captions a fold", "folds"]
    lead = (
        "The truth among the captions of other crops, without hard negatives; mean and standard deviation over folds of one size. "
        f"Groups of fewer than {FEW} captions are left out."
    )
    return Section("raw", "All captions", lead, [Table("R@1 (%), RAW sets", head, rows)]) if rows else None


def _scorer_cell(figures: Metrics, scorer: str) -> Difference | None:
    value = figures["shortcuts"].get(scorer)
    return None if value is None else Difference.alone(Figure(value, n=figures["all"]["n"]))


def _raw_cells(recalls: Metrics) -> list[Cell]:
    ways = [with_spread(recalls[way]["r1"], recalls[way]["r1_sd"]) for way in ("i2t", "t2i")]
    return [*ways, f"{recalls['chance']:.1f}", recalls["n"], recalls["folds"]]
