"""The report's first table: does the model beat a text-only guess, and on which sets?

It has a row for each type of negatives, and columns for the paper's sets, for these on the queries that ``cleared`` kept, and for
the cleared sets. Each cell has the model's R@1, that of the strongest text-only scorer, and whether the model is clearly better
than all of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stages.contract.schemas import CLEARED, PAPER
from stages.evaluation.summary import ON_CLEARED
from stages.page.display_names import SCORERS, SUITES, VIEWS, all_sets, full_name, of_set, set_name
from stages.page.figure import Difference, Figure, rounded, tells
from stages.page.page import Section
from stages.page.table import Cell, Table

Metrics = Mapping[str, Any]

ASKS = {
    ("sys", "atom"): "one atom is replaced; short captions",
    ("sys", "comp"): "atoms have wrong partners; short captions",
    ("prod", "atom"): "one atom is replaced; longer captions",
    ("prod", "swap"): "the caption's own atoms change places",
    ("prod", "neg"): "something is denied",
}
"""CREPE's retrieval sets of single types in the paper's order, and what each negative does."""
HEADS = {PAPER: "The paper's sets", ON_CLEARED: "The paper's sets, on the cleared queries", CLEARED: "Cleared sets"}
VERDICTS = {
    "yes": "beats text",
    "no": "text does as well",
    "worse": "text does better",
    "unclear": "not shown",
    "few": "too few to tell",
}
GAINS = ("gain", "gain_trained", "gain_held_out")
"""Differences of the model from the best shortcut, from the adversary trained on the sets, and from a held-out scorer."""


@dataclass(frozen=True)
class Beaten:
    """A cell of the table: the model, the strongest text-only ``scorer``, and a key of :data:`VERDICTS`."""

    model: Figure
    text: Figure | None
    scorer: str
    verdict: str

    @property
    def answer(self) -> str:
        return VERDICTS[self.verdict]


@dataclass(frozen=True)
class Row:
    """A type of negatives: its definition, chance, and a cell for each of :data:`HEADS`, ``None`` where there are no sets."""

    title: str
    asks: str
    chance: float
    cells: Sequence[Beaten | None]


def own_sets(metrics: Metrics) -> Iterator[tuple[str, str]]:
    """Return suite and name of CREPE's retrieval sets of single types, in the paper's order."""
    return (place for place in ASKS if any(of_set(metrics, protocol, *place) for protocol in VIEWS))


def rows(metrics: Metrics, spread: float = 0.0) -> list[Row]:
    """Return the table's rows.

    Args:
        spread: the difference in points between machines; smaller differences are not attributed to the model.
    """
    found = []
    for suite, name in own_sets(metrics):
        every = [of_set(metrics, protocol, suite, name) for protocol in HEADS]
        chance = next(figures["all"]["r1_chance"] for figures in every if figures)
        title = f"{set_name(suite, name)} ({SUITES[suite].lower()})"
        found.append(Row(title, ASKS[suite, name], chance, [beaten(figures, spread) if figures else None for figures in every]))
    return found


def beaten(figures: Metrics, spread: float = 0.0) -> Beaten | None:
    """Return a set's cell; ``None`` where it has no queries."""
    model = Figure.of(figures["all"])
    if model is None:
        return None
    text, scorer = strongest(figures)
    return Beaten(model, text, scorer, verdict(figures, model, spread))


def strongest(figures: Metrics) -> tuple[Figure | None, str]:
    """Return the R@1 of the strongest text-only scorer of a set, and its name; an empty name where there is none."""
    scorers = figures.get("shortcuts") or {}
    names = {"shortcut": scorers.get("best"), "trained": "trained", "held_out": scorers.get("held_out")}
    reached = {key: figure for key in names if (figure := Figure.another(figures["all"], f"{key}_r1"))}
    best = max(reached, key=lambda key: reached[key].value, default=None)
    return (None, "") if best is None else (reached[best], str(names[best]))


def verdict(figures: Metrics, model: Figure, spread: float = 0.0) -> str:
    """Return a key of :data:`VERDICTS`: whether a model beats chance and every text-only scorer."""
    gains = [gain for key in GAINS if (gain := (figures.get("shortcuts") or {}).get(key))]
    if model.tells_little or not all(map(tells, gains)):
        return "few"
    if model.above_chance and all(gain["low"] > 0 and gain["d"] > spread for gain in gains):
        return "yes"
    if any(gain["high"] < 0 and -gain["d"] > spread for gain in gains):
        return "worse"
    return "no" if not gains or any(gain["d"] <= 0 for gain in gains) else "unclear"


def legend(shown: Iterable[Row]) -> dict[str, str]:
    """Return what each text-only scorer in the rows prefers."""
    names = {cell.scorer for row in shown for cell in row.cells if cell and cell.scorer}
    return {name: SCORERS.get(name, "the likeliest caption by this language model") for name in sorted(names)}


def section(metrics: Metrics) -> Section:
    """Return every figure behind the table, and the same for all other sets."""
    head = [
        "Negatives",
        "sets",
        "model",
        "pairs",
        "tied pairs (%)",
        "best shortcut",
        "which",
        "trained",
        "held out",
        "another image",
    ]
    body = [
        [full_name(one.suite, one.name), (one.protocol or "").replace("_", " "), *_figures(one.figures)]
        for one in all_sets(metrics)
        if one.figures["all"].get("r1") is not None
    ]
    lead = (
        "R@1, and the share of pairs of a truth and a negative in which the truth scores higher (chance is 50 %, a tie is half). "
        "“Trained” is a classifier that learned from these sets, on other images; “held out” a language model of a kind that "
        "selection never used; “another image” is the model itself with another query's crop. The last column is the "
        "smallest difference between the model and the best shortcut that these sets can detect, in points (two-sided 5 %, power "
        "80 %)."
    )
    return Section("figures", "Every figure of the first table", lead, [Table("R@1 and pairs (%)", [*head, "detectable"], body)])


def _figures(figures: Metrics) -> list[Cell]:
    group, scorers = figures["all"], figures.get("shortcuts") or {}
    others = [Difference.alone(Figure.another(group, f"{key}_r1")) for key in ("shortcut", "trained", "held_out", "shuffled")]
    cells: list[Cell] = [Figure.of(group), Figure.of({**group, "pairs_chance": 50.0}, "pairs"), rounded(group.get("tied_pairs"))]
    return [*cells, others[0], scorers.get("best"), *others[1:], rounded(figures.get("detects"))]


def grid(compared: Mapping[str, Metrics]) -> Table:
    """Return the same figures as text, of several evaluations by their labels: what a model is worth above the text alone."""
    head = [
        "Negatives",
        "Sets",
        "Model",
        "queries",
        "chance",
        "R@1",
        "pairs (tied)",
        "best shortcut",
        "trained",
        "held out",
    ]
    body = [
        [full_name(suite, name), protocol.replace("_", " "), label, *_texts(figures)]
        for suite, name in dict.fromkeys(place for metrics in compared.values() for place in own_sets(metrics))
        for protocol in VIEWS
        for label, metrics in compared.items()
        if (figures := of_set(metrics, protocol, suite, name)) and figures["all"].get("r1") is not None
    ]
    caption = (
        "The model's R@1 (%) and pair accuracy next to text-only baselines, with 95 % intervals; the smallest difference from "
        "the best shortcut that the sets can detect, in points."
    )
    return Table(caption, [*head, "detectable"], body, names=3)


def _texts(figures: Metrics) -> list[Cell]:
    group, scorers = figures["all"], figures.get("shortcuts") or {}
    others = {key: Figure.another(group, f"{key}_r1") for key in ("shortcut", "trained", "held_out")}
    named = {key: f" ({scorers[place]})" for key, place in (("shortcut", "best"), ("held_out", "held_out")) if scorers.get(place)}
    reached = (f"{figure.text}{named.get(key, '')}" if figure else None for key, figure in others.items())
    model, pairs = Figure.of(group), Figure.of(group, "pairs")
    both = [f"{figure.text} {figure.interval}" if figure else "–" for figure in (model, pairs)]
    both[1] += f" ({group['tied_pairs']:.1f})" if group.get("tied_pairs") is not None else ""
    return [group["n"], rounded(group["r1_chance"]), *both, *reached, rounded(figures.get("detects"))]
