"""A negative, as every type of them makes it, and its row in the table ``candidates``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from stages.graphs.graph import SceneGraph, Span

Row = dict[str, Any]


class Negative(NamedTuple):
    """A candidate: the edited caption, what was changed, the atoms that it concerns, why it is not valid, if it is not, what comes
    in that the caption does not speak of, and how acceptable that is, where it was asked."""

    text: str
    edit: str
    atoms: str
    spans: tuple[Span, ...]
    graph: SceneGraph
    reason: str | None
    foil: str | None = None
    acceptability: float | None = None

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Negative:
        """From its row."""
        spans = tuple((span["start"], span["end"]) for span in row["spans"])
        of = SceneGraph.from_columns(row), row["reason"], row["foil"], row["acceptability"]
        return cls(row["caption"], row["edit"], row["atom"], spans, *of)

    def row(self, query_id: str, image_id: int, kind: str, p_true: float | None = None, nearness: str | None = None) -> Row:
        """Its row, not scored yet; the columns ``p_true`` and ``nearness`` of a foil."""
        return {
            "query_id": query_id,
            "image_id": image_id,
            "type": kind,
            "caption": self.text,
            "edit": self.edit,
            "atom": self.atoms,
            "foil": self.foil,
            "spans": [{"start": start, "end": end} for start, end in self.spans],
            **self.graph.columns(),
            "plausibility": None,
            "acceptability": self.acceptability,
            "p_true": p_true,
            "nearness": nearness,
            "reason": self.reason,
        }
