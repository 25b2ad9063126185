"""The report's section on systematicity: recall by split, and the part of the difference that is due to training data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stages.contract.schemas import CLEARED
from stages.page.asked import asked
from stages.page.display_names import SPLITS, VIEWS, set_name, sets
from stages.page.drawings import Drawing, by_group, histogram
from stages.page.figure import Difference, Figure, present, tells
from stages.page.page import Section
from stages.page.table import Cell, Table

Metrics = Mapping[str, Any]


def section(
    metrics: Metrics,
    atom_counts: Mapping[str, Sequence[tuple[int, int]]],
    seen: Mapping[str, Mapping[str, Mapping[str, int]]],
    protocol: str = CLEARED,
) -> Section:
    """Return recall by split, and the part of the difference that is due to training data, for a
    :func:`stages.page.display_names.view`."""
    of_suite = sets(metrics, "sys")
    splits = [split for split in SPLITS if any(split in figures for figures in of_suite.values())]
    caption = (
        "R@1 on seen compounds (SC), unseen compounds (UC) and unseen atoms (UA), with 95 % intervals and chance (grey: too few)."
    )
    shown = {
        set_name("sys", name): present({split: Figure.of(set_figures.get(split)) for split in splits})
        for name, set_figures in of_suite.items()
    }
    drawings = [by_group(f"seen_against_unseen_{protocol}", f"{VIEWS[protocol].capitalize()}: {caption}", shown)]
    if atom_counts:
        drawings.append(_atom_counts("atom_counts", atom_counts))
    groups = [*splits, "all"]
    tables = []
    for key, title in (("r1", "R@1"), ("r3", "R@3"), ("avg", "Mean of R@1 and R@3")):
        rows = [
            [set_name("sys", name), *(Figure.of(set_figures.get(group), key) for group in groups)]
            for name, set_figures in of_suite.items()
        ]
        tables.append(Table(f"{title} (%) by split", ["Negatives", *groups], rows, folded=key != "r1"))
    tables += [_queries(of_suite), _seen(seen), *asked(of_suite)]
    gaps = {name: figures["gap"] for name, figures in of_suite.items() if "gap" in figures}
    head = ["Negatives", "SC − UC", "on similar items", "left of it", *(f"against {other}" for other in _others(gaps))]
    tables.append(Table("Seen less unseen compounds, in points of R@1", head, [_gap(name, gaps) for name in gaps]))
    head = ["Negatives", "difference", "compared", "the model", "text only", "which", "left of the model's"]
    text_only = [row for name, set_figures in gaps.items() for row in _text_only(name, set_figures)]
    tables.append(Table("The same, compared with the text-only scorer that shows most of it, in points of R@1", head, text_only))
    lead = (
        "Does the model understand new combinations of what it knows? SC: its training set has every compound of the caption; "
        "UC: every atom, but not every compound; UA: not every atom. Unseen compounds may also be harder: similar items are equal "
        "in length, kind of compound and frequency. “Against” compares with queries seen by another training set instead."
    )
    return Section(f"systematicity-{protocol}", f"Systematicity: {VIEWS[protocol]}", lead, tables, drawings)


def atom_count_drawings(counts: Mapping[str, Mapping[str, Sequence[tuple[int, int]]]]) -> list[Drawing]:
    """Return Figure 12 for every training set."""
    return [_atom_counts(f"atom_counts_{name}", splits, f" ({name})") for name, splits in sorted(counts.items())]


def _atom_counts(name: str, splits: Mapping[str, Sequence[tuple[int, int]]], training_set: str = "") -> Drawing:
    caption = f"How often the training set{training_set} names the atoms of HN-Atom's queries, by split."
    return histogram(name, caption, splits, "times that training captions name the atom")


def _queries(found: Mapping[str, Metrics]) -> Table:
    """Return the number of queries by split for each training set (paper, Table 5)."""
    rows: list[list[Cell]] = [
        [set_name("sys", name), training_set, *(counts.get(split, 0) for split in SPLITS)]
        for name, figures in found.items()
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


def _gap(name: str, gaps: Mapping[str, Metrics]) -> list[Cell]:
    gap = gaps[name]
    sure = tells(gap["raw"]) and tells(gap["matched"])
    left = None if gap["remains"] is None else Difference(f"{gap['remains']:.0f} %", not sure)
    against = (Difference.of(gap["other_way"].get(other)) for other in _others(gaps))
    return [set_name("sys", name), Difference.of(gap["raw"]), Difference.of(gap["matched"]), left, *against]


def _text_only(name: str, gap: Metrics) -> Iterator[list[Cell]]:
    """Yield SC − UC and UA − SC, raw and on similar items, of the model and of the text-only scorer most like it."""
    for difference, values in (("SC − UC", gap), ("UA − SC", gap.get("unseen_atoms"))):
        if values and values.get("shortcut"):
            for key, compared in (("raw", "all"), ("matched", "similar items")):
                model, text, left = (Difference.of(one[key]) for one in (values, values["shortcut"], values["over_shortcut"]))
                scorer = values["shortcut"][key] and values["shortcut"][key]["scorer"]
                yield [set_name("sys", name), difference, compared, model, text, scorer, left]


def _others(gaps: Mapping[str, Metrics]) -> list[str]:
    return sorted({name for gap in gaps.values() for name, difference in gap["other_way"].items() if difference})
