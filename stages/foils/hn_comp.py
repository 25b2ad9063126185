"""HN-Comp: two compounds joined by "and", each with one foil, so that each atom of the truth stands beside a wrong partner.

"A blue car and a pink toy" for "a pink car" (paper, section 4.1). A negative is a pair of the caption's own HN-Atom candidates
that replace different atoms, so that both of its halves are known to be false. What it stands beside is a
:class:`stages.foils.second_compound.Truth`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from stages.foils import edits, nearness
from stages.foils.second_compound import Truth, shared_place
from stages.graphs.graph import SceneGraph, Spans

Row = dict[str, Any]


def candidates(query_id: str, row: Row, truth: Truth, valid: list[Row], most: int, seed: int) -> Iterator[Row]:
    """Rows of the table ``candidates``: at most ``most`` pairs of the ``valid`` HN-Atom candidates that replace different atoms.

    Half of the pairs are plausible ones of ever other foils, the others come by lot. Negatives that repeat each other's foils would
    have more in common than the truth has with them.
    """
    draw = random.Random(f"{seed}:{query_id}:pairs")  # noqa: S311
    kept = shared_place(truth.graph, Spans.from_columns(row), truth.second_graph)
    able = [r for r in valid if kept is None or r["spans"][0]["start"] != kept[0]]
    pairs = [(a, b) for a, b in combinations(able, 2) if (a["edit"], a["spans"]) != (b["edit"], b["spans"])]
    draw.shuffle(pairs)
    pairs.sort(key=lambda pair: -(pair[0]["plausibility"] + pair[1]["plausibility"]))
    pairs = _by_turns(pairs)
    half = 3 * most // 4
    pairs = pairs[:half] + draw.sample(pairs[half:], min(most - half, len(pairs[half:])))
    seen = {truth.whole[0]}
    for pair in pairs:
        first, second = pair if draw.random() < 0.5 else pair[::-1]
        caption = edits.joined(first["caption"], second["caption"])
        graph = edits.joined_graph(SceneGraph.from_columns(first), SceneGraph.from_columns(second))
        spans = sorted(
            ({"start": s["start"] + truth.offset, "end": s["end"] + truth.offset} for r in pair for s in r["spans"]),
            key=lambda span: span["start"],
        )
        yield {
            "query_id": query_id,
            "image_id": row["image_id"],
            "type": "HN-Comp",
            "caption": caption,
            "edit": "+".join(sorted(r["edit"] for r in pair)),
            "atom": " | ".join(r["atom"] for r in pair),
            "foil": " | ".join(r["foil"] for r in pair),
            "spans": spans,
            **graph.columns(),
            "plausibility": None,
            "p_true": min(r["p_true"] for r in pair),
            "nearness": nearness.furthest([r["nearness"] for r in pair]),
            "reason": reason(first, second, graph, seen, caption),
        }
        seen.add(caption)


def _by_turns(pairs: list[tuple[Row, Row]]) -> list[tuple[Row, Row]]:
    """First those pairs that use each foil once, then those that use one for the second time, and so on."""
    used: Counter[int] = Counter()
    turns = []
    for pair in pairs:
        turns.append(max(used[id(row)] for row in pair))
        used.update(id(row) for row in pair)
    return [pairs[i] for i in sorted(range(len(pairs)), key=turns.__getitem__)]


def reason(first: Row, second: Row, graph: SceneGraph, seen: set[str], caption: str) -> str | None:
    """Why a pair is no negative: its halves say the same of like things, or it is there already."""
    if caption in seen:
        return "identical_negative"
    half = len(first["objects"])
    same = graph.objects[:half] == graph.objects[half:]
    return "repeats" if same and first["edit"] != "relation" and second["edit"] != "relation" else None
