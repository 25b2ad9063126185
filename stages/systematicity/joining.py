"""Two captions, and two graphs, as one."""

from __future__ import annotations

import re

from stages.graphs.graph import SceneGraph

_END = re.compile(r"[\s.,;:!]+$")


def joined(one: str, other: str) -> str:
    """Two captions as one, by "and": the first loses its full stop, the second its capital where the first word has one.

    >>> joined("A blue car.", "A pink toy.")
    'A blue car and a pink toy.'
    """
    head = _END.sub("", one)
    tail = other
    if tail[:1].isupper() and not tail[1:2].isupper() and one[:1].isupper():
        tail = tail[:1].lower() + tail[1:]
    return f"{head} and {tail}"


def joined_graph(one: SceneGraph, other: SceneGraph) -> SceneGraph:
    """The graph of both, whose objects are all different things."""
    n = len(one.objects)
    return SceneGraph(
        one.objects + other.objects,
        one.attributes + tuple((o + n, text) for o, text in other.attributes),
        one.relations + tuple((s + n, text, o + n) for s, text, o in other.relations),
    )
