"""The report's section on ARO: relations, attributes and word order, and retrieval without order.

Its tables have the form of the paper's tables 2, 3, 4 and 5 (Yuksekgonul et al., ICLR 2023).
"""

from collections.abc import Mapping
from typing import Any

from stages.evaluation.summary import ARO_MIN_CASES
from stages.page.display_names import DRAWN, WAYS, drawn_suites, edit_name, set_name, sets, suite_name
from stages.page.figure import Figure, over_draws, with_spread
from stages.page.page import Section
from stages.page.table import Cell, Table

SUITES = ("aro", "aro_order", "aro_released")
LEAD = (
    "Does the model tell “the dog is behind the tree” from “the tree is behind the dog”, whose colour is whose, and a sentence "
    f"from its words in another order? Macro figures are means over relations with {ARO_MIN_CASES['relation']} cases and more, "
    f"or pairs of attributes with {ARO_MIN_CASES['attribution']}. Many exchanged captions are nonsense, and a shuffled one is no "
    "sentence: look at the text-only scorers first."
)


def section(metrics: Mapping[str, Any]) -> Section | None:
    """Return ARO's tables; ``None`` without results on ARO."""
    asked = [(suite, name, figures) for suite in SUITES for name, figures in sets(metrics, suite).items()]
    if not asked:
        return None
    drawn = drawn_suites(metrics)
    weighted, draws = (any(key in figures for *_, figures in asked) for key in ("weighted", "draws"))
    rows: list[list[Cell]] = []
    for suite, name, figures in asked:
        more = [*[Figure.of(figures.get("weighted"))] * weighted, *[over_draws(figures.get("draws"))] * draws]
        rows.append([*_row(suite, name, figures, suite in drawn), *more])
    more_heads = [*["weighted"] * weighted, *["mean ± sd over draws"] * draws]
    head = ["Set", "accuracy", "best shortcut", "which", "another image", *more_heads]
    tables = [Table("ARO: accuracy (%)", head, rows)]
    macros: list[list[Cell]] = [
        [f"{_name(suite, name)}, {kind}", Figure.of_pairs(entry, "r1"), *(str(entry[key]) for key in ("groups", "n", "left_out"))]
        for suite, name, figures in asked
        for kind, entry in figures.get("macro", {}).items()
    ]
    tables.append(Table("Macro accuracy (%)", ["Mean over", "accuracy", "groups", "cases", "cases of rarer groups"], macros))
    tables += [_by_group(suite, name, figures) for suite, name, figures in asked]
    tables += [_perturbed(kind, metrics["perturbed"]) for kind in ("text", "image") if metrics.get("perturbed")]
    return Section("aro", "ARO: relations, attributes, order", LEAD, tables, [])


def _row(suite: str, name: str, figures: Mapping[str, Any], drawn: bool) -> list[Cell]:
    text, shuffled = (Figure.another(figures["all"], key) for key in ("shortcut_r1", "shuffled_r1"))
    title = _name(suite, name) + (f", {DRAWN}" if drawn else "")
    return [title, Figure.of(figures["all"]), text, figures.get("shortcuts", {}).get("best"), shuffled]


def _name(suite: str, name: str) -> str:
    return f"{set_name(suite, name)}, as released" if suite == "aro_released" else f"{suite_name(suite)}: {set_name(suite, name)}"


def _by_group(suite: str, name: str, figures: Mapping[str, Any]) -> Table:
    """Return ARO's table 2: a row a relation, a pair of attributes or a perturbation, with the fraction of cases the truth wins."""
    kinds = sorted(figures.get("kinds", {}).items(), key=lambda item: (-item[1]["n"], item[0]))
    rows: list[list[Cell]] = [[edit_name(kind), Figure.of_pairs(pair_figures)] for kind, pair_figures in kinds]
    caption = f"{_name(suite, name)}: truth above the other (%), by the exchanged words"
    return Table(caption, ["Changed", "accuracy"], rows, folded=True)


def perturbed_rows(figures: Mapping[str, Mapping[str, float]]) -> list[list[Cell]]:
    """Return the rows of ARO's tables 3 and 4 by perturbation: means over seeds, with their standard deviations."""
    names = sorted(figures, key=lambda name: (name != "none", name))
    return [[edit_name(name), *(with_spread(figures[name][way], figures[name][f"{way}_sd"]) for way in WAYS)] for name in names]


def _perturbed(kind: str, figures: Mapping[str, Any]) -> Table:
    what = "words of the captions" if kind == "text" else "parts of the images"
    sizes = f"{figures['captions']:,} captions and {figures['images']:,} images"
    caption = f"Retrieval of {sizes} after the {what} changed places (%; ± sd over seeds)"
    return Table(caption, ["Perturbation", *WAYS.values()], perturbed_rows(figures[kind]))
