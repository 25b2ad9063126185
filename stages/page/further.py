"""Other suites of several runs compared, in the form of ARO's tables 2 to 5 (Yuksekgonul et al., ICLR 2023)."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from stages.evaluation.summary import ARO_MIN_CASES
from stages.page.aro import perturbed_rows
from stages.page.display_names import CASES, SUITES, WAYS, cases_of, set_name, sets, suite_name, suites
from stages.page.figure import Figure, over_draws
from stages.page.runs import Run
from stages.page.table import Cell, Table
from stages.text.inflection import is_verbal

CATEGORIES = {"spatial": "Spatial relations", "verb": "Verbs"}


def tables(compared: Sequence[Run]) -> list[Table]:
    """Return every table; those for which no run has figures are without rows."""
    names = list(dict.fromkeys(suite for one in compared for suite in suites(one.metrics) if suite not in SUITES))
    # Suites of one name are parts of one suite, and share a table.
    named: dict[str, list[str]] = {}
    for suite in names:
        named.setdefault(suite_name(suite), []).append(suite)
    relations = [relation_table(compared, suite) for suite in names if suite.startswith("aro")]
    perturbed = [perturbed_table(compared, kind) for kind in ("text", "image")]
    return [*(suite_table(compared, *parts_of_suite) for parts_of_suite in named.values()), *relations, *perturbed]


def suite_table(compared: Sequence[Run], *parts: str) -> Table:
    """Return a table as ARO's table 5: for each set of a suite each model's accuracy, chance, and the best text-only scorer.

    Also included, where a suite has them: the accuracy by the suite's weights, the mean over draws of the negatives with its
    standard deviation, the mean over relations or pairs of attributes, and metrics over whole cases.
    """
    of_set: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for suite, one in product(parts, compared):
        for name, figures in sets(one.metrics, suite).items():
            of_set.setdefault(set_name(suite, name), []).append((one.label(compared), figures))
    every = [figures for figures_of_set in of_set.values() for _, figures in figures_of_set]
    weighted, draws, macro = (any(key in figures for figures in every) for key in ("weighted", "draws", "macro"))
    cases = cases_of(every)
    rows: list[list[Cell]] = []
    for title, figures_of_set in of_set.items():
        for model, figures in figures_of_set:
            others = [Figure.of(figures.get("macro", {}).get("all"))] * macro
            others += [Figure.of(figures.get("cases"), key) for key in cases]
            accuracies = [Figure.of(figures["all"]), *[Figure.of(figures.get("weighted"))] * weighted]
            spread = [over_draws(figures.get("draws"))] * draws
            rows.append([title, model, figures["all"]["n"], *accuracies, *spread, *others])
        first = figures_of_set[0][1]
        by_weight, empty = first.get("weighted") or {}, [None] * (draws + macro + len(cases))
        chances = [first["all"]["r1_chance"], *[by_weight.get("r1_chance")] * weighted]
        rows.append([title, "Chance level", "", *chances, *empty])
        if scorers := first.get("shortcuts"):
            best = [first["all"].get("shortcut_r1"), *[by_weight.get("shortcut_r1")] * weighted]
            name = " / ".join(dict.fromkeys((scorers["best"], by_weight.get("best", scorers["best"]))))
            rows.append([title, f"Text only ({name})", "", *best, *empty])
    for suite, one in product(parts, compared):
        if whole := one.metrics.get("cases", {}).get(suite):
            figures_of_cases = (Figure.of(whole, key) for key in cases)
            rows.append(["all cases", one.label(compared), "", *[None] * (1 + weighted + draws + macro), *figures_of_cases])
    columns = ["Set", "Model", "sets", "accuracy", *["weighted"] * weighted, *["mean ± sd over draws"] * draws]
    columns += [*["macro accuracy"] * macro, *(CASES[key] for key in cases)]
    return Table(f"{suite_name(parts[0])}: accuracy (%), with 95 % intervals.", columns, rows)


def relation_table(compared: Sequence[Run], suite: str) -> Table:
    """Return a table as ARO's table 2: each common relation, and the means over them."""
    relations = [one.metrics.get(suite, {}).get("relation", {}) for one in compared]
    counts: dict[str, int] = {}
    for figures in relations:
        counts |= {name: kind["n"] for name, kind in figures.get("kinds", {}).items() if kind["n"] >= ARO_MIN_CASES["relation"]}
    rows: list[list[Cell]] = []
    for category, title in CATEGORIES.items():
        names = sorted((name for name in counts if is_verbal(name) == (category == "verb")), key=lambda name: (-counts[name], name))
        if names:
            macros = (figures.get("macro", {}).get(category) for figures in relations)
            rows.append([f"{title}, mean", *map(Figure.of, macros), sum(counts[n] for n in names)])
        for name in names:
            kinds = (figures.get("kinds", {}).get(name) for figures in relations)
            rows.append([name, *(Figure.of(kind, "above") for kind in kinds), counts[name]])
    heads = (("Accuracy", one.label(compared)) for one in compared)
    least = ARO_MIN_CASES["relation"]
    caption = f"{suite_name(suite)}, VG-Relation: accuracy (%) by relation, of {least} cases or more, with 95 % intervals."
    return Table(caption, ["Relation", *heads, "cases"], rows, names=1)


def perturbed_table(compared: Sequence[Run], kind: str) -> Table:
    """Return a table as ARO's tables 3 (``text``) and 4 (``image``): retrieval after each perturbation."""
    by_model = {one.label(compared): (one.metrics.get("perturbed") or {}).get(kind, {}) for one in compared}
    rows = [[model, *row] for model, figures in by_model.items() for row in perturbed_rows(figures)]
    moved = "words of captions" if kind == "text" else "parts of images"
    caption = f"Retrieval after the {moved} changed places (%; ± standard deviation over seeds)."
    return Table(caption, ["Model", "Perturbation", *WAYS.values()], rows)
