"""HN-Comp: two compounds joined by "and", each with one foil, so that each atom of the truth stands beside a wrong partner.

"A blue car and a pink toy" for "a pink car" (paper, section 4.1). A negative is a pair of the caption's own HN-Atom candidates
that replace different atoms, so that both of its halves are known to be false.

In the way ``balanced`` the truth is two compounds, too: "a pink car and a black wheel", where the wheel is what else is known
of the crop. Otherwise every truth would be half as long as its negatives, and whoever takes the shortest caption would be right
each time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from stages.foils import attributes, edits, meanings, relations
from stages.foils.atoms import crop_of
from stages.foils.vocabulary import Vocabulary
from stages.graphs.graph import SceneGraph, Span, Spans
from stages.graphs.truth import SHOWN, Box, ImageTruth
from stages.language.inflection import inflect_like, number_of

Row = dict[str, Any]


@dataclass(frozen=True)
class Truth:
    """What a set's negatives stand beside: the region's own caption, or it and a second compound, in either order."""

    caption: str
    graph: SceneGraph
    second: str | None = None
    second_graph: SceneGraph | None = None
    second_first: bool = False

    def beside(self, caption: str, graph: SceneGraph) -> tuple[str, SceneGraph]:
        """Another caption in the place of the region's own."""
        if self.second is None or self.second_graph is None:
            return caption, graph
        if self.second_first:
            return edits.joined(self.second, caption), edits.joined_graph(self.second_graph, graph)
        return edits.joined(caption, self.second), edits.joined_graph(graph, self.second_graph)

    @property
    def whole(self) -> tuple[str, SceneGraph]:
        """The caption that is true, and its graph."""
        return self.beside(self.caption, self.graph)

    @property
    def offset(self) -> int:
        """How far the region's own caption is moved to the right in the whole one."""
        return len(self.whole[0]) - len(self.caption) if self.second_first else 0


def with_second(row: Row, known: ImageTruth, vocabulary: Vocabulary, seed: int) -> Truth | None:
    """The region's caption and, in its own words' places, another compound that is known of the crop; ``None`` where there is none.

    The second compound is drawn from the seed and the region's id, and so is which of the two comes first.
    """
    graph, spans = SceneGraph.from_columns(row), Spans.from_columns(row)
    draw = random.Random(f"{seed}:{row['region_id']}:second")  # noqa: S311
    found = sorted(_second_graphs(graph, known, crop_of(row), vocabulary))
    draw.shuffle(found)
    for objects, attribute, relation in found:
        other = SceneGraph(
            objects,
            tuple((o, attribute) for o, _ in graph.attributes),
            tuple((s, relation, o) for s, _, o in graph.relations),
        )
        caption = _in_frame(row["caption"], spans, other, known)
        if caption is not None:
            return Truth(row["caption"], graph, caption, other, draw.random() < 0.5)
    return None


Parts = tuple[tuple[str, ...], str, str]
"""The objects of a second compound, its attribute and its relation; the one that it has not is empty."""


def _second_graphs(graph: SceneGraph, known: ImageTruth, crop: Box, vocabulary: Vocabulary) -> set[Parts]:
    counts = vocabulary.counts
    shown = [thing.box is not None and thing.box.overlap(crop) >= SHOWN for thing in known.things]
    fit = [s and vocabulary.is_noun(thing.names[0]) for s, thing in zip(shown, known.things, strict=True)]
    if graph.attributes:
        (_, attribute), (name,) = graph.attributes[0], graph.objects
        return {
            ((thing.names[0],), other, "")
            for thing, good in zip(known.things, fit, strict=True)
            if good and not meanings.may_name(thing.names[0], name)
            for other in thing.attributes
            if other in counts["attribute"] and other != attribute and attributes.same_class(attribute, other)
        }
    (s, relation, o) = graph.relations[0]
    subject, object_ = graph.objects[s], graph.objects[o]
    found: set[Parts] = set()
    for a, other, b in known.relations:
        if not (fit[a] and fit[b]) or other not in counts["relation"]:
            continue
        names = (known.things[a].names[0], known.things[b].names[0])
        same = (meanings.may_name(names[0], subject), relations.implies(relation, other), meanings.may_name(names[1], object_))
        turned = meanings.may_name(names[0], object_) and meanings.may_name(names[1], subject)
        if sum(same) <= 1 and not turned and not meanings.may_name(*names):
            found.add((names if s < o else names[::-1], "", other))
    return found


def _in_frame(caption: str, spans: Spans, other: SceneGraph, known: ImageTruth) -> str | None:
    """``other`` said in the words' places of ``caption``; ``None`` where a word does not fit its place."""
    places: list[Span] = []
    said: list[str] = []
    for atom in other.atoms():
        span = spans.of(atom)
        if span is None:
            return None
        slot = caption[slice(*span)]
        several = atom.kind == "object" and number_of(slot) == "plural"
        if not edits.fits(atom.kind, slot, atom.text) or (several and known.count(atom.text) < 2):
            return None
        places.append(span)
        said.append(inflect_like(atom.text, slot, atom.kind))
    return edits.replace(caption, places, said)


def candidates(query_id: str, row: Row, truth: Truth, valid: list[Row], most: int, seed: int) -> Iterator[Row]:
    """Rows of the table ``candidates``: at most ``most`` pairs of the ``valid`` HN-Atom candidates that replace different atoms.

    Half of the pairs are the most plausible ones, the others come by lot.
    """
    draw = random.Random(f"{seed}:{query_id}:pairs")  # noqa: S311
    pairs = [(a, b) for a, b in combinations(valid, 2) if (a["edit"], a["spans"]) != (b["edit"], b["spans"])]
    draw.shuffle(pairs)
    pairs.sort(key=lambda pair: -(pair[0]["plausibility"] + pair[1]["plausibility"]))
    half = most // 2
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
            "reason": reason(first, second, graph, seen, caption),
        }
        seen.add(caption)


def reason(first: Row, second: Row, graph: SceneGraph, seen: set[str], caption: str) -> str | None:
    """Why a pair is no negative: its halves say the same of like things, or it is there already."""
    if caption in seen:
        return "identical_negative"
    half = len(first["objects"])
    same = all(meanings.may_name(a, b) for a, b in zip(graph.objects[:half], graph.objects[half:], strict=True))
    return "repeats" if same and first["edit"] != "relation" and second["edit"] != "relation" else None


def atom_negative(truth: Truth, negative: Row) -> Row:
    """An HN-Atom negative beside the second compound, so that it can stand in one set with HN-Comp negatives."""
    caption, graph = truth.beside(negative["caption"], SceneGraph.from_columns(negative))
    spans = [{"start": s["start"] + truth.offset, "end": s["end"] + truth.offset} for s in negative["spans"]]
    return {**negative, "caption": caption, "spans": spans, **graph.columns()}
