"""HN-Comp: two compounds joined by "and", each with one foil, so that atoms of the truth stand beside wrong partners.

"A blue car and a pink toy" for "a pink car" (paper, section 4.1). A negative is a pair of HN-Atom candidates that replace different
atoms, so that both of its halves are known to be false. What it stands beside is a
:class:`stages.systematicity.second_compound.Truth`; where that says two compounds, a negative spoils both: "a blue car and a black
dog" for "a pink car and a black wheel". Were the one compound split over both halves there, as in the paper's sets, the truth would
be the only caption that speaks of both.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, groupby, product

from stages.foils.nearness import NEARNESS
from stages.foils.negative import Negative, Row
from stages.graphs.graph import SceneGraph
from stages.semantics import selection, things
from stages.systematicity.second_compound import Truth, joined, joined_graph

FOILS = 6
"""Foils of an atom that a balanced truth's negatives are made of, the most acceptable. They are few, so that negatives repeat each
other's foils as they repeat the truth's atoms. All of their pairs are chosen from: of the 24 most acceptable alone a trained
adversary tells up to 26.6 % of the truths (seed 7; allowed are 22.3)."""


def candidates(query_id: str, row: Row, valid: list[Row], most: int) -> Iterator[Row]:
    """Rows of the table ``candidates`` beside a truth of one compound: at most ``most`` pairs of its ``valid`` HN-Atom candidates,
    the most plausible of ever other foils."""
    split = [pair for pair in combinations(valid, 2) if _atom(pair[0]) != _atom(pair[1])]
    pairs = sorted(split, key=lambda pair: -(pair[0]["plausibility"] + pair[1]["plausibility"]))
    draw = random.Random(query_id)
    in_order = [pair if draw.random() < 0.5 else pair[::-1] for pair in _by_turns(pairs)[:most]]
    yield from _rows(query_id, row, in_order)


def balanced_candidates(
    query_id: str, row: Row, truth: Truth, own: list[Row], other: list[Row], least: float, most: int, seed: int
) -> Iterator[Row]:
    """The same beside a truth of two compounds: at most ``most`` pairs, drawn by lot, of one of ``own`` and one of ``other``, the
    valid HN-Atom candidates of the region's compound and of the second one, that are as acceptable together as ``least``."""
    draw = random.Random(f"{seed}:{query_id}:pairs")
    own, other = _few(_moved(own, truth.offset)), _few(_moved(other, truth.second_offset))
    pairs = [pair[::-1] if truth.second_first else pair for pair in product(own, other)]
    yield from _rows(query_id, row, draw.sample(pairs, min(len(pairs), most)), least)


def _moved(rows: list[Row], by: int) -> list[Row]:
    """Rows whose spans stand in the whole truth, where theirs begins after ``by`` letters."""
    return [{**row, "spans": [{end: place + by for end, place in span.items()} for span in row["spans"]]} for row in rows]


def _few(valid: list[Row]) -> list[Row]:
    """The :data:`FOILS` most acceptable foils of each atom."""
    chosen: list[Row] = []
    for _, group in groupby(sorted(valid, key=_atom), key=_atom):
        chosen += sorted(group, key=lambda row: -row["acceptability"])[:FOILS]
    return chosen


def _atom(row: Row) -> tuple[str, int]:
    return row["edit"], row["spans"][0]["start"]


def _rows(query_id: str, row: Row, pairs: list[tuple[Row, Row]], least: float = 0.0) -> Iterator[Row]:
    for first, second in pairs:
        graph = joined_graph(SceneGraph.from_columns(first), SceneGraph.from_columns(second))
        pair = sorted((first, second), key=lambda r: r["edit"])
        edit, atoms, foil = (sign.join(r[name] for r in pair) for sign, name in (("+", "edit"), (" | ", "atom"), (" | ", "foil")))
        spans = sorted((span["start"], span["end"]) for r in pair for span in r["spans"])
        fit = round(first["acceptability"] * second["acceptability"] * _of_one_scene(first["objects"], second["objects"]), 4)
        why = "senseless" if fit < least else reason(first, second, graph)
        made = Negative(joined(first["caption"], second["caption"]), edit, atoms, tuple(spans), graph, why, foil, fit)
        near = max((r["nearness"] for r in pair), key=NEARNESS.index)
        yield made.row(query_id, row["image_id"], "HN-Comp", min(r["p_true"] for r in pair), near)


def _of_one_scene(one: list[str], other: list[str]) -> float:
    """What is left of two halves, each acceptable for itself, where their things are at home in other scenes: from a half to 1."""
    shares = [things.at_home(name, frozenset(others)) for names, others in ((one, other), (other, one)) for name in names]
    return (1 + sum(shares) / len(shares)) / 2


def _by_turns(pairs: list[tuple[Row, Row]]) -> list[tuple[Row, Row]]:
    """First those pairs that use each foil once, then those that use one for the second time, and so on."""
    used: Counter[int] = Counter()
    turns = []
    for pair in pairs:
        turns.append(max(used[id(row)] for row in pair))
        used.update(id(row) for row in pair)
    return [pairs[i] for i in sorted(range(len(pairs)), key=turns.__getitem__)]


def reason(first: Row, second: Row, graph: SceneGraph) -> str | None:
    """Why a pair is no negative: its halves say the same of like things, or no picture shows both."""
    if not selection.together(graph):
        return "senseless"
    if first["foil"] in second["objects"] or second["foil"] in first["objects"]:
        return "repeats"
    half = len(first["objects"])
    same = graph.objects[:half] == graph.objects[half:]
    return "repeats" if same and first["edit"] != "relation" and second["edit"] != "relation" else None
