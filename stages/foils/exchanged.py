"""Swap negatives for training, as NegCLIP has them: a caption with two of its things, or two of their attributes, exchanged.

Unlike the benchmark's HN-Swap they come without an image and unchecked: one in a batch that happens to be true costs little.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

from stages.foils.edits import replace
from stages.foils.relations import symmetric
from stages.graphs.graph import Span
from stages.parsing.parser import Parsed


def exchanged(parsed: Parsed, draw: Random) -> str | None:
    """The caption with one exchange, drawn from all that it allows; None where it allows none."""
    ways = _attributes(parsed) + _objects(parsed)
    if not ways:
        return None
    first, second = draw.choice(ways)
    caption = parsed.caption
    return replace(caption, [first, second], [caption[slice(*second)], caption[slice(*first)]])


def _attributes(parsed: Parsed) -> list[tuple[Span, Span]]:
    """Pairs of attributes of different objects."""
    graph, spans = parsed.graph, parsed.spans.attributes
    pairs = combinations(range(len(graph.attributes)), 2)
    return [
        (first, second)
        for i, j in pairs
        if (first := spans[i])
        and (second := spans[j])
        and graph.attributes[i][0] != graph.attributes[j][0]
        and graph.attributes[i][1] != graph.attributes[j][1]
    ]


def _objects(parsed: Parsed) -> list[tuple[Span, Span]]:
    """Subject and object of a relation, unless the exchange says the same: "a cat next to a dog"."""
    graph, spans = parsed.graph, parsed.spans.objects
    plain = not graph.attributes and all(symmetric(relation) for _, relation, _ in graph.relations)
    return [
        (first, second)
        for s, _, o in graph.relations
        if not plain and (first := spans[s]) and (second := spans[o]) and graph.objects[s] != graph.objects[o]
    ]
