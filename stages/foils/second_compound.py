"""The second compound that a balanced HN-Comp truth has: what else is known of the crop, said in the caption's own words' places.

"A pink car and a black wheel". Negatives are two compounds each; were the truth one, it would be half as long, and whoever takes
the shortest caption would be right each time.

Only what people annotated is said: boxes show what stands beside what, but not whether anybody would say so of a meadow or a hat.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any

from stages.foils import edits
from stages.foils.evidence import Evidence, Thing
from stages.foils.hn_atom import crop_of
from stages.foils.vocabulary import Vocabulary
from stages.graphs.box import Box
from stages.graphs.graph import Atom, SceneGraph, Span, Spans
from stages.language.inflection import capitals_like, indefinite_article, inflect_like, number_of
from stages.language.spans import replace
from stages.language.word_classes import attribute_place
from stages.semantics import attributes, relations

Row = dict[str, Any]


@dataclass(frozen=True)
class Truth:
    """What a set's negatives stand beside: the region's own caption, or it and a second compound, in either order."""

    caption: str
    graph: SceneGraph
    second: str | None = None
    second_graph: SceneGraph | None = None
    second_spans: Spans | None = None
    second_first: bool = False

    def beside(self, caption: str, graph: SceneGraph) -> tuple[str, SceneGraph]:
        """Another caption in the place of the region's own."""
        if self.second is None or self.second_graph is None:
            return caption, graph
        if self.second_first:
            return edits.joined(self.second, caption), edits.joined_graph(self.second_graph, graph)
        return edits.joined(caption, self.second), edits.joined_graph(graph, self.second_graph)

    @cached_property
    def whole(self) -> tuple[str, SceneGraph]:
        """The caption that is true, and its graph."""
        return self.beside(self.caption, self.graph)

    @property
    def second_columns(self) -> Row:
        """The second compound's caption, graph and spans, as a row has them."""
        graph = self.second_graph or SceneGraph(())
        return {"caption": self.second, **graph.columns(), **(self.second_spans or Spans()).columns()}

    @cached_property
    def offset(self) -> int:
        """How far the region's own caption is moved to the right in the whole one."""
        return len(self.whole[0]) - len(self.caption) if self.second_first else 0

    @property
    def second_offset(self) -> int:
        """The same of the second compound."""
        return 0 if self.second_first or self.second is None else len(self.whole[0]) - len(self.second)


def with_second(row: Row, known: Evidence, vocabulary: Vocabulary, seed: int) -> Truth | None:
    """The region's caption and, in its own words' places, another compound that is known of the crop; ``None`` where there is none.

    Those come first that several people say, for one may err, then those whose attribute is of the caption's kind, a colour beside
    a colour, then the rarest, for two common compounds would make a truth that no pair of foils is as plausible as. Which of the
    two is said first is drawn from the seed and the region's id.
    """
    graph, spans = SceneGraph.from_columns(row), Spans.from_columns(row)
    draw = random.Random(f"{seed}:{row['region_id']}:second")  # noqa: S311
    if any(spans.of(atom) is None for atom in graph.atoms()):
        return None

    def order(parts: Parts) -> tuple[Any, ...]:
        other_kind = bool(parts[1]) and not attributes.same_class(graph.attributes[0][1], parts[1])
        return -min(found[parts], AGREED), other_kind, _commonness(parts, vocabulary), parts

    found = _second_graphs(graph, known, crop_of(row), vocabulary)
    for parts in sorted(found, key=order):
        other = _like(graph, parts)
        framed = _in_frame(row["caption"], spans, other, known)
        if framed is not None:
            return Truth(row["caption"], graph, framed[0], other, framed[1], draw.random() < 0.5)
    return None


AGREED = 3
"""So many that say the same are as good as more."""
Parts = tuple[tuple[str, ...], str, str]
"""The objects of a second compound, its attribute and its relation; the one that it has not is empty."""


def _like(graph: SceneGraph, parts: Parts) -> SceneGraph:
    """The graph of ``parts``, built as ``graph`` is."""
    objects, attribute, relation = parts
    return SceneGraph(
        objects, tuple((o, attribute) for o, _ in graph.attributes), tuple((s, relation, o) for s, _, o in graph.relations)
    )


def _second_graphs(graph: SceneGraph, known: Evidence, crop: Box, vocabulary: Vocabulary) -> dict[Parts, int]:
    """What else is known of the crop, and how often it is said."""
    counts, alike = vocabulary.counts, known.meanings.alike
    fit = [_shown(thing, crop) and vocabulary.is_noun(thing.names[0]) for thing in known.things]
    if graph.attributes:
        (_, attribute), (name,) = graph.attributes[0], graph.objects
        return {
            ((thing.names[0],), other, ""): 1
            for thing, good in zip(known.things, fit, strict=True)
            if good and not alike(thing.names[0], name)
            for other in thing.attributes
            if other in counts["attribute"] and other != attribute
            if attribute_place(attribute) == attribute_place(other) == "before"
            if not any(attributes.excludes(also, other) for also in thing.attributes)
        }
    (s, relation, o) = graph.relations[0]
    subject, object_ = graph.objects[s], graph.objects[o]
    found: dict[Parts, int] = {}
    for a, said, b in known.relations:
        other = relation if _says(said, relation) else said
        if not (fit[a] and fit[b]) or other not in counts["relation"] or _contradicted(known, a, other, b):
            continue
        names = (_named(known, a, subject), _named(known, b, object_))
        equal = (names[0] == subject) + (relation == other) + (names[1] == object_)
        same = alike(names[0], subject) + relations.implies(relation, other) + alike(names[1], object_)
        turned = alike(names[0], object_) or alike(names[1], subject)
        if equal == same <= 1 and not turned and not alike(*names):
            found[names if s < o else names[::-1], "", other] = _times(known, a, other, b)
    return found


def _times(known: Evidence, a: int, relation: str, b: int) -> int:
    """How often it is said of the two things."""
    said = [(r, s == b) for s, r, o in known.relations if {s, o} == {a, b}]
    return sum(relations.implies(r, relation, turned) for r, turned in said)


def _contradicted(known: Evidence, a: int, relation: str, b: int) -> bool:
    """Whether the boxes, or somebody else, say otherwise of the two things: people err, and what is asked must be true."""
    said = [(r, s == b) for s, r, o in known.relations if {s, o} == {a, b}]
    return known.placed_otherwise(a, relation, b) or any(relations.excludes(r, relation, turned) for r, turned in said)


def _shown(thing: Thing, crop: Box) -> bool:
    """Whether a crop shows a thing: most of it, or so much, as of the sky, that it fills a good part of the crop.

    What is only mentioned has the box of its region, and fills nothing.
    """
    if thing.box is None:
        return False
    return thing.box.covered_by(crop) >= MOST or (thing.distinct and crop.covered_by(thing.box) >= FILLS)


MOST, FILLS = 0.6, 0.2
"""The share of a thing that is most of it, and that of a crop that is a good part of it."""


def _named(known: Evidence, thing: int, name: str) -> str:
    """What a thing is called: ``name``, if it is the only thing that may be called so."""
    return name if known.called(name) == (thing,) else known.things[thing].names[0]


def _says(known: str, asked: str) -> bool:
    """Whether "A known B" surely says "A asked B": who sits on top of a bench is on it, what is beside a tree is near it."""
    one, other = relations.read(known), relations.read(asked)
    return other in (one, ("", one.place)) or (one.place, other) == ("beside", ("", "near"))


def _commonness(parts: Parts, vocabulary: Vocabulary) -> float:
    objects, attribute, relation = parts
    words = (
        [("object", name) for name in objects]
        + [("attribute", attribute)] * bool(attribute)
        + [("relation", relation)] * bool(relation)
    )
    return round(sum(log(vocabulary.counts[kind].get(word, 1)) for kind, word in words), 6)


def _in_frame(caption: str, spans: Spans, other: SceneGraph, known: Evidence) -> tuple[str, Spans] | None:
    """``other`` said in the words' places of ``caption``, with its spans; ``None`` where a word does not fit its place."""
    said: list[tuple[Span, str, Atom]] = []
    for atom in other.atoms():
        span = spans.of(atom)
        if span is None:
            return None
        slot = caption[slice(*span)]
        if atom.kind == "object" and not other.attributes:
            span, words = _noun(caption, span, atom.text, known)
        else:
            several = atom.kind == "object" and number_of(slot) == "plural"
            if not edits.fits(atom.kind, slot, atom.text) or (several and known.count(atom.text) < 2):
                return None
            words = inflect_like(atom.text, slot, atom.kind)
        said.append((span, words, atom))
    # From right to left: how far from the end a word stands does not change any more.
    ends: dict[str, list[tuple[int, int, int]]] = {kind: [] for kind in ("object", "attribute", "relation")}
    for span, words, atom in sorted(said, reverse=True):
        after = len(caption) - span[1]
        caption = replace(caption, [span], [words])
        ends[atom.kind].append((atom.index, after, after + len(_ARTICLE.sub("", words))))
    found = (tuple((len(caption) - end, len(caption) - after) for _, after, end in sorted(own)) for own in ends.values())
    return caption, Spans(*found)


_ARTICLE = re.compile(r"^an? ", re.IGNORECASE)
_DETERMINER = re.compile(r"(?<![\w'-])(an?|the|[a-z]+'s|his|her|its|their) $", re.IGNORECASE)


def _noun(caption: str, span: Span, name: str, known: Evidence) -> tuple[Span, str]:
    """What says ``name`` in the place of a noun, and the place, which an article may belong to.

    "a hat" in the place of "grass" or "pants", "grass" in the place of "a table", "the grass" in the place of "the table".
    """
    own, number = number_of(name), number_of(caption[slice(*span)])
    if own == number or (own == "singular" and number == "plural" and known.count(name) > 1):
        return span, inflect_like(name, caption[slice(*span)], "object")
    before, words = _DETERMINER.search(caption[: span[0]]), name
    if before is None and own == "singular":
        words = f"{indefinite_article(name)} {name}"
    elif before is not None and before[1].lower() in ("a", "an") and own != "singular":
        span = (before.start(), span[1])
    return span, capitals_like(words, caption[slice(*span)])
