"""A candidate negative: one dataclass, from the edit that makes it to the table that stores it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph, Span

Row = dict[str, Any]
KINDS = ("object", "attribute", "relation")
TRIED = 16
"""Maximum number of words tried for one atom where most are valid, the best ones first: it bounds time."""


@dataclass(frozen=True)
class Truth:
    """A caption that is true of a crop, with its graph.

    Attributes:
        denied: the thing that an HN-Neg truth of ``cleared`` denies, which is not in the graph.
        crop: the crop that it is true of, where that is not the query's own crop.
    """

    caption: str
    graph: SceneGraph
    denied: str | None = None
    crop: Box | None = None


@dataclass(frozen=True)
class Candidate:
    """A caption that may become a negative of a truth.

    Attributes:
        caption: empty where the edit cannot be put into words; ``reason`` then gives the cause.
        edit: what was changed: the kind of the atom or of the swap, or what was denied.
        atom: the atom that was replaced, moved or denied; several are joined by " | ", in the order
        of ``edit``.
        spans: the spans of the truth that the edit replaced.
        graph: what the caption says.
        claim: what it says that the truth does not; the caption is false if the claim is. An empty claim is false by its form (a
        denial).
        instead: what the truth says in place of the claim.
        foil: the replacing atom.
        renamed: the replaced names, each with the new one.
        slot: the index of the truth's atom that it replaces; all negatives of a set in ``cleared`` share one.
        nearness: how the foil is related to the atom (:mod:`stages.negatives.nearness`).
        reason: the code of the check that it failed; ``None`` for a valid candidate.
        p_true: the probability that it is true although nobody wrote it.
        denies: the thing that it says is not in the crop; for HN-Neg of ``cleared``.
    """

    caption: str
    edit: str
    atom: str
    spans: tuple[Span, ...]
    graph: SceneGraph
    claim: SceneGraph = field(default_factory=SceneGraph)
    instead: SceneGraph = field(default_factory=SceneGraph)
    foil: str | None = None
    renamed: tuple[tuple[str, str], ...] = ()
    slot: int = 0
    nearness: str | None = None
    reason: str | None = None
    p_true: float | None = None
    denies: str | None = None

    def refused(self, reason: str) -> Candidate:
        return replace(self, reason=reason)

    def row(self, protocol: str, query_id: str, image_id: int, kind: str, truth: str) -> Row:
        """Return the row of the table ``candidates``, without its plausibility."""
        return {
            "protocol": protocol,
            "query_id": query_id,
            "image_id": image_id,
            "type": kind,
            "truth": truth,
            "caption": self.caption,
            "edit": self.edit,
            "atom": self.atom,
            "foil": self.foil,
            "spans": [{"start": start, "end": end} for start, end in self.spans],
            **self.graph.columns(),
            "plausibility": None,
            "p_true": None if self.p_true is None else round(self.p_true, 6),
            "nearness": self.nearness,
            "reason": self.reason,
        }


def without_repeats(candidates: Sequence[Candidate], truth: str) -> list[Candidate]:
    """Refuse what reads like the truth (``identical_caption``) or like an earlier candidate (``identical_negative``)."""
    seen, settled = {_letters(truth)}, []
    for candidate in candidates:
        letters = _letters(candidate.caption)
        if candidate.reason is None and letters in seen:
            same = letters == _letters(truth)
            candidate = candidate.refused("identical_caption" if same else "identical_negative")
        seen.add(letters)
        settled.append(candidate)
    return settled


def _letters(caption: str) -> str:
    return " ".join(caption.lower().split())
