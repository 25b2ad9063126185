"""The report's section on the negatives themselves: whether they are false and English."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from stages.contract.schemas import PROTOCOLS
from stages.evaluation.cleared import ADVERSARY
from stages.page import drawings
from stages.page.display_names import AUDITED, atoms, edit_name, in_order
from stages.page.drawings import Drawing
from stages.page.figure import Difference, Figure
from stages.page.page import Section
from stages.page.sentences import left_out
from stages.page.table import Cell, Table

CALIBRATION = (
    "Expected calibration error, in points, if all doubtful negatives are true; “at least” is the minimum over all possibilities"
)


def section(measured: Mapping[str, Any] | None) -> Section | None:
    """Return the section on whether the negatives are false and English, and on the number of sets; ``None`` without an audit."""
    if not measured:
        return None
    false, tables = audited(measured.get("truly_false")), []
    if any(map(Figure.of_share, false.values())):
        truths = audited(measured.get("truths"))
        rows: list[list[Cell]] = [
            [
                title,
                Figure.of_share(values),
                values.get("doubtful"),
                values.get("left_out"),
                Figure.of_share(truths.get(title), "queries"),
            ]
            for title, values in false.items()
        ]
        head = ["Negatives", "false", "doubtful", "left out", "truths that are true"]
        tables.append(Table("Negatives that are false of the image, and truths that are true (%)", head, rows))
        parts = [
            (title, edit_name(edit), share) for title, values in false.items() for edit, share in values.get("by_edit", {}).items()
        ]
        parts += [
            (title, f"n = {atoms(n)}", share)
            for title, values in false.items()
            if "productivity" in title
            for n, share in values.get("by_n", {}).items()
        ]
        rows = [[title, part, Figure.of_share(share)] for title, part, share in parts]
        caption = "False of the image (%), by what was changed and by complexity"
        tables.append(Table(caption, ["Negatives", "part", "false"], rows, folded=True))
    groups = [row for title, values in audited(measured.get("groups")).items() for row in _groups(title, values)]
    head = ["Negatives", "group", "best shortcut", "which", "trained", "held out"]
    tables.append(Table("R@1 (%) of text-only scorers, by split and by complexity", head, groups, folded=True))
    sides = {"truths": "queries", "negatives": "negatives"}
    grammar = audited(measured.get("grammar"))
    rows = [
        [title, *(Figure.of_share(values.get(side), unit) for side, unit in sides.items())] for title, values in grammar.items()
    ]
    tables.append(Table("Good English by the grammar check (%)", ["Negatives", *sides], rows))
    yields = [row for title, values in audited(measured.get("yields")).items() for row in _yields(title, values)]
    head = ["Negatives", "atoms", "captions", "sets", "sets per 100 captions", "the paper's"]
    tables.append(Table("Sets per caption, next to the paper's Table 5", head, yields, folded=True))
    calibration, curves = reliability(measured.get("truly_false"))
    tables += calibration
    lead = [
        "Where the complete truth is known, as it is of the sample world, the negatives were compared with it; "
        "what cannot be decided counts as true.",
        left_out(false.values()),
        "No stage that makes negatives sees that truth.",
    ]
    found = Section("audit", "The negatives themselves", " ".join(filter(None, lead)), tables, curves)
    return found if found.tables else None


def audited(measured: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what the audit measured of each retrieval set, by its title and in the page's order."""
    found = {}
    for (name, title), protocol in product(AUDITED.items(), (*PROTOCOLS, None)):
        of_protocol = (measured or {}).get(protocol, {}) if protocol else measured or {}
        if name in of_protocol:
            found[f"{title}, {protocol}" if protocol else title] = of_protocol[name]
    return found


def _yields(title: str, by_n: Mapping[str, Mapping[str, Any]]) -> Iterator[list[Cell]]:
    for group, values in by_n.items():
        theirs = None if values["paper"] is None else f"{100 * values['paper']:.1f}"
        yield [title, atoms(group), values["captions"], values["sets"], f"{100 * values['share']:.1f}", theirs]


def _groups(title: str, groups: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Iterator[list[Cell]]:
    """Yield a row for each split of a training set, and each complexity, with the text-only scorers' results there."""
    for key, each in groups.items():
        for group in in_order(each):
            text = each[group]
            best = Figure(text["best"], None, text["n"], text["chance"])
            named = f"n = {atoms(group)}" if key == "n" else f"{group} of {key}"
            others = (text.get(other) for other in (ADVERSARY, "held_out"))
            shown = (None if reached is None else Difference(f"{reached:.1f}", best.tells_little) for reached in others)
            yield [title, named, best, text["scorer"], *shown]


def reliability(truly_false: Mapping[str, Any] | None) -> tuple[list[Table], list[Drawing]]:
    """Return the error and the curve, by type, of the predicted probabilities that negatives are false.

    Returns nothing where no negative has a probability. Bins of too few negatives appear only in the folded table.
    """
    calibrated = {title: values["calibration"] for title, values in audited(truly_false).items() if values.get("calibration")}
    if not calibrated:
        return [], []
    errors: list[list[Cell]] = [
        [title, edit_name(edit), f"{values['n']:,}", f"{100 * values['error']:.2f}", f"{100 * values['least_error']:.2f}"]
        for title, edits in calibrated.items()
        for edit, values in edits.items()
    ]
    curves = {
        title: [
            (100 * at["predicted"], Figure(100 * at["observed"], (100 * at["low"], 100 * at["high"]), at["n"], unit="negatives"))
            for at in edits["all"]["curve"]
        ]
        for title, edits in calibrated.items()
    }
    bins: list[list[Cell]] = [
        [title, f"{predicted:.2f}", observed] for title, points in curves.items() for predicted, observed in points
    ]
    tables = [
        Table(CALIBRATION, ["Negatives", "part", "negatives", "error", "at least"], errors),
        Table("Predicted to be true, and found not clearly false (%)", ["Negatives", "predicted", "observed"], bins, folded=True),
    ]
    sure = {title: [point for point in points if not point[1].tells_little] for title, points in curves.items()}
    caption = "Share of negatives that are not clearly false, over their predicted probability of being true."
    return tables, [
        drawings.reliability("reliability", caption, {_short(title): values for title, values in sure.items() if values})
    ]


def _short(title: str) -> str:
    """Return a name that fits into a legend.

    >>> _short("HN-Atom, systematicity, cleared")
    'HN-Atom (sys, cleared)'
    """
    name, _, aspect = title.partition(", ")
    return f"{name} ({aspect.replace('tematicity', '').replace('uctivity', '')})"
