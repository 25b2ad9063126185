"""The report's sections: tables with intervals and drawings, of ``metrics/evaluate.json`` and what stands beside it."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from stages.page import aro
from stages.page.asked import BINDING, asked, swapped
from stages.page.drawings import by_complexity, by_group
from stages.page.figure import Difference, Figure, curve, present, with_spread
from stages.page.names import (
    CASES,
    SCORERS,
    SPLITS,
    SUITES,
    atoms,
    cases_of,
    edit_name,
    every_set,
    full_name,
    in_order,
    is_combined,
    is_complexity,
    set_name,
    sets,
    suite_name,
    suites,
)
from stages.page.page import Cell, Section, Table
from stages.retrieval.cleared import ADVERSARY
from stages.retrieval.figures import FEW

Metrics = Mapping[str, Any]


def productivity(metrics: Metrics) -> Section:
    """Recall by complexity and type."""
    of_suite = sets(metrics, "prod")
    complexities = sorted({group for figures in of_suite.values() for group in figures if is_complexity(group)})
    curves = {set_name("prod", name): curve(figures) for name, figures in of_suite.items()}
    shown = "Recall@1 by complexity and type of negative, with 95 % bands and chance."
    drawings = [by_complexity("by_complexity", shown, curves)] if any(curves.values()) else []
    names = [set_name("prod", name) for name in of_suite]
    rows = [[atoms(group), *(Figure.of(figures.get(group)) for figures in of_suite.values())] for group in [*complexities, "all"]]
    tables = [Table("Recall@1 (%) by complexity", ["Atoms", *names], rows)]
    tables += asked(of_suite)
    slopes = {name: figures["slope"] for name, figures in of_suite.items() if figures.get("slope")}
    if slopes:
        kinds = {
            "raw": "the model",
            "blind": "the blind scorer that changes most like it",
            "against_blind": "what is left of the model's",
        }
        changes: list[list[Cell]] = [
            [text, *(Difference.of(slopes.get(name, {}).get(kind)) for name in of_suite)] for kind, text in kinds.items()
        ]
        tables.append(Table("Change of Recall@1 with each further atom, in points", ["Slope of", *names], changes))
    lead = "Does it keep up as captions grow? Complexity n is the number of objects, attributes and relations that a caption names."
    if swapped(of_suite):
        lead += f" {BINDING}"
    return Section("productivity", "Productivity", lead, tables, drawings)


def further(metrics: Metrics) -> Section | None:
    """Recall on the suites beside ours; ``None`` without any."""
    tables = []
    for suite in suites(metrics):
        if suite not in (*SUITES, *aro.SUITES):
            of_suite = sets(metrics, suite)
            parts = {group for figures in of_suite.values() for group in figures if group in SPLITS or is_complexity(group)}
            groups, cases = [*in_order(parts), "all"], cases_of(of_suite.values())
            rows: list[list[Cell]] = []
            for name, figures in of_suite.items():
                whole_cases = (Figure.of(figures.get("cases"), key, "cases") for key in cases)
                rows.append([set_name(suite, name), *(Figure.of(figures.get(group)) for group in groups), *whole_cases])
            if whole := metrics.get("cases", {}).get(suite):
                rows.append(["all cases", *[None] * len(groups), *(Figure.of(whole, key, "cases") for key in cases)])
            head = ["Negatives", *map(atoms, groups), *(CASES[key] for key in cases)]
            tables.append(Table(f"{suite_name(suite)}: Recall@1 (%)", head, rows))
    lead = (
        "The same model on benchmarks of others; numbers over the columns are complexities. A case is right as a whole: each image "
        "prefers its captions (text), each caption its image (image), or both (group). Text to text asks no image: are the "
        "two true captions nearer to each other than to the negative?"
    )
    return Section("further", "Further suites", lead, tables) if tables else None


def blind(metrics: Metrics) -> Section:
    """The model beside what can be told without looking."""
    every = [one for one in every_set(metrics) if one[2].get("blind")]
    groups, rows = {}, []
    for suite, name, figures in every:
        best, gain = figures["blind"]["best"], figures["blind"]["gain"]
        seeing = Figure.of(figures["all"])
        blindly, shuffled = (Figure.beside(figures["all"], key) for key in ("blind_r1", "shuffled_r1"))
        if suite in SUITES and not is_combined(suite, name):
            groups[f"{set_name(suite, name)}\n({suite})"] = present({"model": seeing, "best blind scorer": blindly})
        trained = figures["blind"].get(ADVERSARY)
        # Of the same queries as the others, so that a bar of its own would only repeat their number and chance.
        trained = None if trained is None else Difference(f"{trained:.1f}", blindly is None or blindly.tells_little)
        rows.append([full_name(suite, name), seeing, blindly, best, Difference.of(gain), trained, shuffled])
    head = ["Negatives", "model", "best untrained", "which", "gain over it", "trained", "another image"]
    tables = [Table("Recall@1 (%) of the model and of scorers that never see the image", head, rows)]
    tables += [_every_scorer(title, list(of)) for title, of in groupby(every, key=lambda one: suite_name(one[0]))]
    caption = "Recall@1 of the model and of the best untrained blind scorer, with chance."
    drawings = [by_group("blind_against_model", caption, groups)] if groups else []
    lead = (
        "What can be picked out without the image measures how captions were made, not vision. Beside the model stand the best of "
        "the blind scorers that were not trained on these sets, the one that was, and the model itself when it is shown another "
        "query's crop. What each scorer takes for the truth stands in the tables of every scorer."
    )
    return Section("blind", "Without looking", lead, tables, drawings)


def _every_scorer(title: str, every: Sequence[tuple[str, str, Metrics]]) -> Table:
    """A row for each scorer, for there are more of them than of retrieval sets."""
    scorers = sorted({scorer for *_, figures in every for scorer in figures["blind"]} - {"best", "gain", "gain_trained"})
    rows = [[scorer, SCORERS.get(scorer), *(_blind_cell(figures, scorer) for *_, figures in every)] for scorer in scorers]
    head = ["Scorer", "takes for the truth", *(set_name(suite, name) for suite, name, _ in every)]
    return Table(f"{title}: Recall@1 (%) of every scorer that never sees the image", head, rows, folded=True)


def changes(metrics: Metrics) -> Section:
    """What the negatives change: by kind, and whether the words stay the same. ARO's kinds stand in its own section."""
    rows: list[list[Cell]] = [
        [full_name(suite, name), edit_name(kind), Figure.of_pairs(scored)]
        for suite, name, figures in every_set(metrics, combined=False)
        if suite not in aro.SUITES
        for kind, scored in figures.get("kinds", {}).items()
    ]
    bags: list[list[Cell]] = [
        [full_name(suite, name), *(Figure(figures["bag"][key], n=figures["all"]["n"]) for key in ("same", "ceiling"))]
        for suite, name, figures in every_set(metrics)
        if figures.get("bag")
    ]
    caption = "Share of negatives that score below the truth (%), by what they change"
    tables = [
        Table(caption, ["Negatives", "changed", "below the truth"], rows),
        Table("Word order", ["Negatives", "same words as the truth (%)", "ceiling without order (%)"], bags),
    ]
    lead = (
        "A pair of truth and negative at a time, so that chance is 50 %. "
        "A model that knows words but no order can at best reach the ceiling."
    )
    return Section("changes", "What was changed", lead, tables)


def raw(metrics: Metrics) -> Section | None:
    """Retrieval among all captions, both ways; ``None`` where it was not measured."""
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
    return Section("raw", "All captions", lead, [Table("Recall@1 (%), RAW sets", head, rows)]) if rows else None


def _blind_cell(figures: Metrics, scorer: str) -> Figure | None:
    value = figures["blind"].get(scorer)
    return None if value is None else Figure(value, None, figures["all"]["n"], figures["all"]["r1_chance"])


def _raw_cells(recalls: Metrics) -> list[Cell]:
    ways = [with_spread(recalls[way]["r1"], recalls[way]["r1_sd"]) for way in ("i2t", "t2i")]
    return [*ways, f"{recalls['chance']:.1f}", recalls["n"], recalls["folds"]]
