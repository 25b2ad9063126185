"""The report's section on the negatives themselves: whether they are false and English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stages.page import reliability
from stages.page.figure import Figure
from stages.page.names import AUDITED, atoms, edit_name
from stages.page.page import Section, Table


def section(measured: Mapping[str, Any] | None) -> Section | None:
    """Whether the negatives are false and English, and what was left out to have them so; ``None`` without an audit."""
    if not measured:
        return None
    false, truths, shares_kept, grammar = (measured.get(key, {}) for key in ("truly_false", "truths", "kept", "grammar"))
    tables = []
    if any(Figure.of_share(share) for share in false.values()):
        rows = [
            [AUDITED[name], Figure.of_share(false[name]), false[name].get("doubtful"), Figure.of_share(truths.get(name))]
            for name in _audited(false)
        ]
        tables.append(
            Table("Really false (%), and truths that hold (%)", ["Negatives", "really false", "doubtful", "truths that hold"], rows)
        )
        parts = [
            (name, edit_name(edit), share) for name in _audited(false) for edit, share in false[name].get("by_edit", {}).items()
        ]
        parts += [
            (name, f"n = {atoms(n)}", share)
            for name in _audited(false)
            if name in ("atom_prod", "swap", "neg")
            for n, share in false[name].get("by_n", {}).items()
        ]
        rows = [[AUDITED[name], part, Figure.of_share(share)] for name, part, share in parts]
        tables.append(
            Table(
                "Really false (%), by what was changed and by complexity", ["Negatives", "part", "really false"], rows, folded=True
            )
        )
    if grammar or shares_kept:
        rows = [
            [
                AUDITED[name],
                *(Figure.of_share(grammar.get(name, {}).get(side)) for side in ("truths", "negatives")),
                _percent(shares_kept.get(name)),
            ]
            for name in _audited({**shares_kept, **grammar})
        ]
        head = ["Negatives", "truths in good English", "negatives in good English", "queries with a full set"]
        tables.append(Table("Grammar check, and eligible queries kept (%)", head, rows))
    calibration, drawings = reliability.shown(false)
    tables += calibration
    lead = (
        "Where the complete truth is known, as it is of the sample world, every negative was held against it; "
        "what cannot be decided counts as true. No stage that makes negatives sees that truth."
    )
    return Section("audit", "The negatives themselves", lead, tables, drawings) if tables else None


def _audited(measured: Mapping[str, Any]) -> list[str]:
    return [name for name in AUDITED if name in measured]


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.1f}"
