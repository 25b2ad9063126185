"""The report's section on the negatives themselves: whether they are false and English."""

from collections.abc import Iterator, Mapping
from typing import Any

from stages.page import drawings
from stages.page.drawings import Drawing
from stages.page.figure import Difference, Figure
from stages.page.findings import left_out
from stages.page.names import AUDITED, atoms, edit_name, in_order
from stages.page.page import Cell, Section, Table
from stages.retrieval.cleared import ADVERSARY

CALIBRATION = (
    "Expected calibration error, in points, if all that is doubtful were true; “at least” is what remains whatever becomes of that"
)


def section(measured: Mapping[str, Any] | None) -> Section | None:
    """Whether the negatives are false and English, and what was left out to have them so; ``None`` without an audit."""
    if not measured:
        return None
    false, truths, shares_kept, grammar = (measured.get(key, {}) for key in ("truly_false", "truths", "kept", "grammar"))
    tables = []
    if any(Figure.of_share(share) for share in false.values()):
        rows = [
            [title, Figure.of_share(of), of.get("doubtful"), of.get("left_out"), Figure.of_share(truths.get(name), "queries")]
            for name, title, of in _audited(false)
        ]
        head = ["Negatives", "really false", "doubtful", "left out", "truths that hold"]
        tables.append(Table("Really false (%), and truths that hold (%)", head, rows))
        parts = [
            (title, edit_name(edit), share) for _, title, of in _audited(false) for edit, share in of.get("by_edit", {}).items()
        ]
        parts += [
            (title, f"n = {atoms(n)}", share)
            for name, title, of in _audited(false)
            if name in ("atom_prod", "swap", "neg")
            for n, share in of.get("by_n", {}).items()
        ]
        caption = "Really false (%), by what was changed and by complexity"
        rows = [[title, part, Figure.of_share(share)] for title, part, share in parts]
        tables.append(Table(caption, ["Negatives", "part", "really false"], rows, folded=True))
    if groups := [row for name, title, of in _audited(measured.get("groups", {})) for row in _groups(title, of)]:
        head = ["Negatives", "group", "best untrained", "which", "trained"]
        tables.append(Table("Recall@1 (%) without looking, by split and by complexity", head, groups, folded=True))
    if grammar or shares_kept:
        rows = []
        for name, title, _ in _audited({**shares_kept, **grammar}):
            passed, sides = grammar.get(name, {}), {"truths": "queries", "negatives": "negatives"}
            english = [Figure.of_share(passed.get(side), unit) for side, unit in sides.items()]
            share = shares_kept.get(name)
            rows.append([title, *english, None if share is None else f"{100 * share:.1f}"])
        head = ["Negatives", "truths in good English", "negatives in good English", "queries with a full set"]
        tables.append(Table("Grammar check, and eligible queries kept (%)", head, rows))
    calibration, curves = reliability(false)
    tables += calibration
    lead = [
        "Where the complete truth is known, as it is of the sample world, the negatives were held against it; "
        "what cannot be decided counts as true.",
        left_out(of for _, _, of in _audited(false)),
        "No stage that makes negatives sees that truth.",
    ]
    return Section("audit", "The negatives themselves", " ".join(filter(None, lead)), tables, curves) if tables else None


def _audited(measured: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """The audit's key for each retrieval set, the set's name and what was measured of it, in the page's order."""
    return [(name, title, measured[name]) for name, title in AUDITED.items() if name in measured]


def _groups(title: str, groups: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Iterator[list[Cell]]:
    """A row for each split of a training set, and each complexity, with what blind scorers reach there."""
    for of, each in groups.items():
        for group in in_order(each):
            blind = each[group]
            best, trained = Figure(blind["best"], None, blind["n"], blind["chance"]), blind.get(ADVERSARY)
            named = f"n = {atoms(group)}" if of == "n" else f"{group} of {of}"
            trained_cell = None if trained is None else Difference(f"{trained:.1f}", best.tells_little)
            yield [title, named, best, blind["scorer"], trained_cell]


def reliability(truly_false: Mapping[str, Any]) -> tuple[list[Table], list[Drawing]]:
    """Whether negatives are as often false as they were predicted to be when they were chosen: error and curve by type.

    Nothing where no negative has a probability. Bins of too few negatives are in the folded table alone.
    """
    calibrated = {title: of["calibration"] for _, title, of in _audited(truly_false) if of.get("calibration")}
    if not calibrated:
        return [], []
    errors: list[list[Cell]] = [
        [title, edit_name(edit), f"{of['n']:,}", f"{100 * of['error']:.2f}", f"{100 * of['least_error']:.2f}"]
        for title, edits in calibrated.items()
        for edit, of in edits.items()
    ]
    curves = {title: [_point(point) for point in edits["all"]["curve"]] for title, edits in calibrated.items()}
    bins: list[list[Cell]] = [
        [title, f"{predicted:.2f}", observed] for title, points in curves.items() for predicted, observed in points
    ]
    tables = [
        Table(CALIBRATION, ["Negatives", "part", "negatives", "error", "at least"], errors),
        Table("Predicted to be true, and not false by the truth (%)", ["Negatives", "predicted", "observed"], bins, folded=True),
    ]
    sure = {title: [point for point in points if not point[1].tells_little] for title, points in curves.items()}
    caption = "How many negatives are not false by the truth, over the probability of being true that they were chosen with."
    return tables, [drawings.reliability("reliability", caption, {_short(title): of for title, of in sure.items() if of})]


def _point(point: Mapping[str, Any]) -> tuple[float, Figure]:
    bounds = (100 * point["low"], 100 * point["high"])
    return 100 * point["predicted"], Figure(100 * point["observed"], bounds, point["n"], unit="negatives")


def _short(title: str) -> str:
    """A name that a legend has room for.

    >>> _short("HN-Atom, systematicity")
    'HN-Atom (sys)'
    """
    name, _, aspect = title.partition(", ")
    return f"{name} ({aspect.removesuffix('tematicity').removesuffix('uctivity')})"
