"""Captions with their places for tests of edits: written by the realiser, of graphs whose truth is themselves."""

from collections.abc import Collection

from stages.foils.caption import Caption
from stages.graphs.graph import SceneGraph
from stages.writing import template
from stages.writing.realiser import realise
from tests.foils.known import evidence_of
from tests.writing.graphs import subgraph_row


def captioned(
    graph: SceneGraph, seed: str = "0", known: SceneGraph | None = None, bare: bool = False, plurals: Collection[int] = ()
) -> Caption:
    """The caption of ``graph`` in an image of which ``known`` (by default the graph itself) is known."""
    realised = template.fill(graph) if bare else realise(graph, seed, plurals)
    mentions: dict[tuple[str, int], tuple] = {}
    for kind, index, span in realised.mentions:
        mentions[kind, index] = (*mentions.get((kind, index), ()), span)
    truth = evidence_of(known or graph)
    return Caption(realised.caption, graph, realised.spans, truth, mentions, bare)


def caption_row(graph: SceneGraph, subgraph_id: str, image_id: int = 1, seed: str = "0") -> dict:
    """A row of the table ``captions``."""
    realised = realise(graph, seed)
    mentions = [{"kind": k, "index": i, "span": {"start": a, "end": b}} for k, i, (a, b) in realised.mentions]
    row = {**subgraph_row(graph, subgraph_id), "image_id": image_id, "caption": realised.caption, "writer": "realiser"}
    return {**row, **realised.spans.columns(), "mentions": mentions}
