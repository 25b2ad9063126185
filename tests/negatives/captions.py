"""True captions by the realiser, with the places of their atoms, for tests of edits."""

from collections.abc import Collection

from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph, Spans
from stages.negatives.caption import Caption
from stages.negatives.evidence import Evidence
from stages.writing import template
from stages.writing.realiser import realise
from tests.negatives.known import evidence_of
from tests.writing.graphs import subgraph_row

CROP = Box(0, 0, 100, 100)


def captioned(
    graph: SceneGraph, seed: str = "0", known: SceneGraph | None = None, bare: bool = False, plurals: Collection[int] = ()
) -> Caption:
    """Return the caption of ``graph`` in an image of which ``known`` (by default the graph itself) is known."""
    realised = template.fill(graph) if bare else realise(graph, seed, plurals)
    mentions: dict[tuple[str, int], tuple] = {}
    for kind, index, span in realised.mentions:
        mentions[kind, index] = (*mentions.get((kind, index), ()), span)
    truth = evidence_of(known or graph)
    return Caption(realised.caption, graph, realised.spans, truth, mentions, bare)


def caption_row(graph: SceneGraph, subgraph_id: str, image_id: int = 1, seed: str = "0") -> dict:
    """Return a row of the table ``captions``."""
    realised = realise(graph, seed)
    mentions = [{"kind": k, "index": i, "span": {"start": a, "end": b}} for k, i, (a, b) in realised.mentions]
    row = {**subgraph_row(graph, subgraph_id), "image_id": image_id, "caption": realised.caption, "writer": "realiser"}
    return {**row, **realised.spans.columns(), "mentions": mentions}


def spans_of(text: str, graph: SceneGraph) -> Spans:
    """Return the place of each atom of ``graph`` in ``text``, in which each atom's words occur once, uninflected."""
    places: dict[str, list] = {"object": [], "attribute": [], "relation": []}
    for atom in graph.atoms():
        start = f" {text}".index(f" {atom.text}")
        places[atom.kind].append((start, start + len(atom.text)))
    return Spans(*(tuple(own) for own in places.values()))


def region_row(text: str, graph: SceneGraph, crop: Box = CROP) -> dict:
    """Return the columns of a row of the table ``regions`` that generation reads."""
    return {"image_id": 1, "region_id": 7, **crop._asdict(), "caption": text, **graph.columns(), **spans_of(text, graph).columns()}


def written(text: str, graph: SceneGraph, known: Evidence | None = None) -> Caption:
    """Return a region's caption in an image of which ``known`` (by default the graph itself) is known."""
    return Caption.of_region(region_row(text, graph), known or evidence_of(graph))
