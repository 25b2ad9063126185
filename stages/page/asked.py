"""The report's tables on HN-Atom's negatives: kind and place of the atom that they replace, and the nearness of foils."""

from collections.abc import Iterator, Mapping
from typing import Any

from stages.page.figure import Figure, rounded
from stages.page.table import Cell, Table

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


def asked(of_suite: Mapping[str, Mapping[str, Any]]) -> Iterator[Table]:
    """Yield R@1 of HN-Atom by the replaced atom, and by the nearness of the foils; without rows where they are unknown."""
    groups = of_suite.get("atom", {}).get("asked", {})
    replaced = [row for group, texts in GROUPS.items() for row in _rows(groups.get(group, {}), texts, "named")]
    head = ["Replaced atom", *REACHED, "share of the queries (%)", "of the captions' atoms (%)"]
    yield Table("HN-Atom by kind and place of the replaced atom", head, replaced)
    head = ["Farthest foil", *REACHED, "share of the queries (%)", "of the negatives (%)"]
    near = _rows(groups.get("nearness", {}), NEARNESS, "negatives")
    yield Table("HN-Atom by nearness of the foils to the replaced atoms", head, near)


def _rows(groups: Mapping[str, Any], texts: Mapping[str, str], whole: str) -> list[list[Cell]]:
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
