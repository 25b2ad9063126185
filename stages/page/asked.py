"""The report's tables on what negatives ask: the atom that HN-Atom's replace (its kind, its place, the nearness of its foils), and
whether HN-Swap's keep the caption's words."""

from collections.abc import Iterator, Mapping
from typing import Any

from stages.page.figure import Difference, Figure
from stages.page.page import Cell, Table
from stages.retrieval.cleared import ADVERSARY

GROUPS: Mapping[str, Mapping[str, str]] = {
    "kind": {"object": "objects", "attribute": "attributes", "relation": "relations", "several": "of several kinds"},
    "place": {place: f"{place} third of the words" for place in ("first", "middle", "last")} | {"several": "in several thirds"},
}
NEARNESS = {
    "antonym": "an antonym",
    "sibling": "under the same hypernym, or of the same class",
    "grand_hypernym": "under the same grand-hypernym",
    "lexical_file": "in the same lexical file",
    "further": "further",
}
SORTS = {"own_words": "atoms that the caption names", "exchanged": "one that it does not name"}
REACHED = ["Recall@1 (%)", "best untrained", "which", "trained"]
"""The model's, and that of scorers that see no image in the same group: sets are balanced over all of these together."""
BINDING = (
    "HN-Swap's negatives are of two sorts: where atoms that the caption names change places, the question is what belongs to what; "
    "where one that it does not name comes in, noticing what is there is enough."
)
"""What the two sorts of HN-Swap ask."""


def asked(of_suite: Mapping[str, Mapping[str, Any]]) -> Iterator[Table]:
    """Recall of HN-Atom by what the negatives replace, and by how near they are to it, and HN-Swap's pairs by sort; nothing where
    that is not known."""
    groups = of_suite.get("atom", {}).get("asked", {})
    replaced = [row for group, texts in GROUPS.items() for row in _rows(groups.get(group, {}), texts, "named")]
    if replaced:
        head = ["Atom that is asked", *REACHED, "share of the queries (%)", "of the captions' atoms (%)"]
        yield Table("HN-Atom by kind and place of the atom that the negatives replace", head, replaced)
    if near := _rows(groups.get("nearness", {}), NEARNESS, "negatives"):
        head = ["Furthest foil", *REACHED, "share of the queries (%)", "of the negatives (%)"]
        yield Table("HN-Atom by nearness of the foils to what they replace", head, near)
    if pairs := swapped(of_suite):
        blind = ["best untrained", "which", "gain over it", "trained"]
        head = ["What changes places", "below the truth (%)", *blind, "of the negatives (%)"]
        rows = [_pair(text, pairs[name]) for name, text in SORTS.items() if name in pairs]
        yield Table("HN-Swap by what changes places: negatives that score below the truth, chance is 50", head, rows)


def swapped(of_suite: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """HN-Swap's pairs of truth and negative by sort; empty where that is not known."""
    found: Mapping[str, Any] = of_suite.get("swap", {}).get("asked", {}).get("sort", {})
    return found


def _pair(text: str, of: Mapping[str, Any]) -> list[Cell]:
    blind, right = of.get("blind", {}), Figure.of_pairs(of)
    best = blind.get("best")
    best_of, trained = (None if name not in blind else Figure(blind[name], None, right.n, 50.0) for name in (best, ADVERSARY))
    return [text, right, best_of, best, Difference.of(blind.get("gain")), trained, _one_decimal(of["negatives"])]


def _rows(groups: Mapping[str, Any], texts: Mapping[str, str], whole: str) -> list[list[Cell]]:
    """A row for each group: what is reached, and its shares of the queries and of the ``whole``."""
    return [
        [
            text,
            Figure.of(of),
            *(Figure.of(of, "blind_r1"), of.get("scorer"), Figure.of(of, "trained_r1")),
            *(_one_decimal(of["asked"]), _one_decimal(of.get(whole))),
        ]
        for name, text in texts.items()
        if (of := groups.get(name))
    ]


def _one_decimal(share: float | None) -> str | None:
    return None if share is None else f"{share:.1f}"
