"""The report's sections on CREPE's own sets: recall by split, by complexity, and of HN-Atom by what its negatives replace."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stages.page.display_names import SPLITS, VIEWS, atoms, is_complexity, set_name, sets
from stages.page.drawings import Drawing, by_complexity, by_group, histogram
from stages.page.figure import Difference, Figure, curve, present, rounded, tells
from stages.page.page import Section
from stages.page.table import Cell, Table

Metrics = Mapping[str, Any]

GROUPS: Mapping[str, Mapping[str, str]] = {
    "kind": {"object": "objects", "attribute": "attributes", "relation": "relations", "several": "of several kinds"},
    "place": {place: f"{place} third of the words" for place in ("first", "middle", "last")} | {"several": "in several thirds"},
}
NEARNESS = {
    "antonym": "an antonym",
    "sibling": "under the same hypernym, or of the same class",
    "grand_hypernym": "under the same grand-hypernym",
    "further": "further",
}
REACHED = ["R@1 (%)", "best shortcut", "which", "trained"]
"""Columns for the model, and for text-only scorers in the same group."""


def systematicity(
    metrics: Metrics,
    protocol: str,
    atom_counts: Mapping[str, Sequence[tuple[int, int]]],
    seen: Mapping[str, Mapping[str, Mapping[str, int]]],
) -> Section | None:
    """Return recall by split, and the part of the difference that is due to training data; ``None`` without such sets."""
    of_suite = _titled(metrics, protocol, "sys")
    if not of_suite:
        return None
    splits = [split for split in SPLITS if any(split in figures for figures in of_suite.values())]
    caption = (
        "R@1 on seen compounds (SC), unseen compounds (UC) and unseen atoms (UA), with 95 % intervals and chance (grey: too few)."
    )
    shown = {title: present({split: Figure.of(figures.get(split)) for split in splits}) for title, figures in of_suite.items()}
    drawings = [by_group(f"seen_against_unseen_{protocol}", f"{VIEWS[protocol].capitalize()}: {caption}", shown)]
    if atom_counts:
        drawings.append(_atom_counts("atom_counts", atom_counts))
    groups = [*splits, "all"]
    tables = []
    for key, what in (("r1", "R@1"), ("r3", "R@3"), ("avg", "Mean of R@1 and R@3")):
        rows = [[title, *(Figure.of(figures.get(group), key) for group in groups)] for title, figures in of_suite.items()]
        tables.append(Table(f"{what} (%) by split", ["Negatives", *groups], rows, folded=key != "r1"))
    tables += [_queries(of_suite), _seen(seen), *_asked(of_suite)]
    gaps = {title: figures["gap"] for title, figures in of_suite.items() if "gap" in figures}
    others = sorted({name for gap in gaps.values() for name, difference in gap["other_way"].items() if difference})
    head = ["Negatives", "SC − UC", "on similar items", "share left", *(f"against {other}" for other in others)]
    rows_of_gaps = [[title, *_gap(gap, others)] for title, gap in gaps.items()]
    tables.append(Table("Seen less unseen compounds, in points of R@1", head, rows_of_gaps))
    head = ["Negatives", "difference", "compared", "the model", "text only", "which", "model − text only"]
    text_only = [[title, *row] for title, gap in gaps.items() for row in _text_only(gap)]
    tables.append(Table("The same, with the text-only scorer whose gap is largest, in points of R@1", head, text_only))
    lead = (
        "Does the model understand new combinations of what it knows? SC: its training set has every compound of the caption; "
        "UC: every atom, but not every compound; UA: not every atom. Unseen compounds may also be harder: similar items are equal "
        "in length, kind of compound and frequency. “Against” compares with queries seen by another training set instead."
    )
    return Section(f"systematicity-{protocol}", f"Systematicity: {VIEWS[protocol]}", lead, tables, drawings)


def productivity(metrics: Metrics, protocol: str) -> Section | None:
    """Return recall by complexity and type; ``None`` without such sets."""
    of_suite = _titled(metrics, protocol, "prod")
    if not of_suite:
        return None
    complexities = sorted({group for figures in of_suite.values() for group in figures if is_complexity(group)})
    curves = {title: line for title, figures in of_suite.items() if (line := curve(figures))}
    shown = f"{VIEWS[protocol].capitalize()}: R@1 by complexity and type of negative, with 95 % bands and chance."
    shown += " Points of too few queries are left out."
    # A line needs two points.
    drawings = [by_complexity(f"by_complexity_{protocol}", shown, curves)] if any(len(line) > 1 for line in curves.values()) else []
    rows = [[atoms(group), *(Figure.of(figures.get(group)) for figures in of_suite.values())] for group in [*complexities, "all"]]
    tables = [Table("R@1 (%) by complexity", ["Atoms", *of_suite], rows), *_asked(of_suite)]
    slopes = [figures.get("slope") or {} for figures in of_suite.values()]
    kinds = {"raw": "the model", "shortcut": "the text-only scorer most like it", "over_shortcut": "model − text only"}
    changes = [[text, *(Difference.of(slope.get(kind)) for slope in slopes)] for kind, text in kinds.items() if any(slopes)]
    tables.append(Table("Change of R@1 with each further atom, in points", ["Slope of", *of_suite], changes))
    lead = "Does it keep up as captions grow? Complexity n is the number of objects, attributes and relations that a caption names."
    return Section(f"productivity-{protocol}", f"Productivity: {VIEWS[protocol]}", lead, tables, drawings)


def _titled(metrics: Metrics, protocol: str, suite: str) -> dict[str, Metrics]:
    """Return the figures of the sets of a suite by their names on the page."""
    return {set_name(suite, name): figures for name, figures in sets(metrics.get(protocol) or {}, suite).items()}


def atom_count_drawings(counts: Mapping[str, Mapping[str, Sequence[tuple[int, int]]]]) -> list[Drawing]:
    """Return Figure 12 for every training set."""
    return [_atom_counts(f"atom_counts_{name}", splits, f" ({name})") for name, splits in sorted(counts.items())]


def _atom_counts(name: str, splits: Mapping[str, Sequence[tuple[int, int]]], training_set: str = "") -> Drawing:
    caption = f"How often the training set{training_set} names the atoms of HN-Atom's queries, by split."
    return histogram(name, caption, splits, "times that training captions name the atom")


def _queries(found: Mapping[str, Metrics]) -> Table:
    """Return the number of queries by split for each training set (paper, Table 5)."""
    rows: list[list[Cell]] = [
        [title, training_set, *(counts.get(split, 0) for split in SPLITS)]
        for title, figures in found.items()
        for training_set, counts in figures.get("queries", {}).items()
    ]
    return Table("Queries by split, for each training set", ["Negatives", "Training set", *SPLITS], rows, folded=True)


def _seen(seen: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Table:
    """Return what the queries name, and how much of it each training set has seen (paper, Table 8)."""
    columns = {"queries": "queries", "images": "images", "atoms": "atoms", "atoms_seen": "seen"}
    columns |= {"compounds": "compounds", "compounds_seen": "seen"}
    rows: list[list[Cell]] = [
        [training_set, split, *(counts[column] for column in columns)]
        for training_set, splits in seen.items()
        for split, counts in splits.items()
    ]
    caption = "Atoms and compounds of HN-Atom's queries, each once, and how many of them each training set has seen"
    return Table(caption, ["Training set", "Split", *columns.values()], rows, folded=True)


def _gap(gap: Metrics, others: Sequence[str]) -> list[Cell]:
    sure = tells(gap["raw"]) and tells(gap["matched"])
    left = None if gap["remains"] is None else Difference(f"{gap['remains']:.0f} %", not sure)
    against = (Difference.of(gap["other_way"].get(other)) for other in others)
    return [Difference.of(gap["raw"]), Difference.of(gap["matched"]), left, *against]


def _text_only(gap: Metrics) -> Iterator[list[Cell]]:
    """Yield SC − UC and UA − SC, raw and on similar items, of the model and of the text-only scorer most like it."""
    for difference, values in (("SC − UC", gap), ("UA − SC", gap.get("unseen_atoms"))):
        if values and values.get("shortcut"):
            for key, compared in (("raw", "all"), ("matched", "similar items")):
                model, text, left = (Difference.of(one[key]) for one in (values, values["shortcut"], values["over_shortcut"]))
                scorer = values["shortcut"][key] and values["shortcut"][key]["scorer"]
                yield [difference, compared, model, text, scorer, left]


def _asked(of_suite: Mapping[str, Mapping[str, Any]]) -> Iterator[Table]:
    """Yield R@1 of HN-Atom by the replaced atom, and by the nearness of the foils; without rows where they are unknown."""
    groups = of_suite.get("HN-Atom", {}).get("asked", {})
    replaced = [row for group, texts in GROUPS.items() for row in _asked_rows(groups.get(group, {}), texts, "named")]
    head = ["Replaced atom", *REACHED, "share of the queries (%)", "of the captions' atoms (%)"]
    yield Table("HN-Atom by kind and place of the replaced atom", head, replaced)
    head = ["Farthest foil", *REACHED, "share of the queries (%)", "of the negatives (%)"]
    near = _asked_rows(groups.get("nearness", {}), NEARNESS, "negatives")
    yield Table("HN-Atom by nearness of the foils to the replaced atoms", head, near)


def _asked_rows(groups: Mapping[str, Any], texts: Mapping[str, str], whole: str) -> list[list[Cell]]:
    """Return a row for each group: the R@1 reached, and its fractions of the queries and of the ``whole``."""
    return [
        [
            text,
            Figure.of(group),
            *(Figure.of(group, "shortcut_r1"), group.get("scorer"), Figure.of(group, "trained_r1")),
            *(rounded(group["asked"]), rounded(group.get(whole))),
        ]
        for name, text in texts.items()
        if (group := groups.get(name))
    ]
