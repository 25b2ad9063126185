"""Walks of one image at several complexities: which of the subgraphs that they find is kept (paper, appendix A.3)."""

from collections import Counter
from random import Random
from typing import Any, NamedTuple

from stages.geometry.box import Box, union
from stages.graphs.graph import SceneGraph
from stages.images.crop_rule import CropRule
from stages.parameters.sections import WalkSubgraphs
from stages.subgraphs.walks import CLUMSY, Map, awkwardness, indistinguishable, one_thing_twice, strange, walk

Row = dict[str, Any]
HALF = 0.5
"""Intersection over union from which two things of near names are one."""


class Piece(NamedTuple):
    """Images, the complexities that may be wanted of each, the walks, and the crops that an image gave already, by complexity."""

    images: list[Row]
    wanted: list[int]
    walks: range
    crops: dict[tuple[int, int], list[Box]]
    crop: CropRule
    settings: WalkSubgraphs


class Walked(NamedTuple):
    """Of an image and a complexity the subgraph that is kept, if there is one, and why the other walks were dropped."""

    image_id: int
    n: int
    row: Row | None
    dropped: Counter[str]


def walked(piece: Piece) -> list[Walked]:
    """Return what the walks of a piece find, by image and complexity."""
    settings, found = piece.settings, []
    for image in piece.images:
        graph = SceneGraph.from_columns(image)
        unsaid = {(atom["kind"], atom["index"]) for atom in image["unsaid"]} | strange(graph)
        world = Map(graph, settings.one_relation_a_pair, unsaid, settings.most_attributes)
        for n in piece.wanted:
            crops = piece.crops.get((image["image_id"], n), [])
            found.append(_least_awkward(image, world, n, piece.walks, piece.crop, crops, settings))
    return found


def _least_awkward(
    image: Row, world: Map, n: int, walks: range, crop: CropRule, crops: list[Box], settings: WalkSubgraphs
) -> Walked:
    """The first of the fit subgraphs, found by ``walks``, that are said best; ``crops`` are those that the image gave already.

    Of things that nothing joins a caption is a list: "a glass door to a patio, and also a box".
    """
    best: Row | None = None
    least, dropped = 0, Counter[str]()
    for number in walks:
        row = _fit(image, world, n, number, crop, crops, settings)
        if isinstance(row, str):
            dropped[row] += 1
            continue
        if best is not None:
            dropped["more_awkward"] += 1
        awkward = awkwardness(SceneGraph.from_columns(row))
        if best is None or awkward < least:
            best, least = row, awkward
        if least == 0:
            break
    return Walked(image["image_id"], n, best, dropped)


def _fit(image: Row, world: Map, n: int, number: int, crop: CropRule, crops: list[Box], settings: WalkSubgraphs) -> Row | str:
    """What the walk of that number finds, or why it is not fit."""
    boxes = [Box(**box) for box in image["boxes"]]
    found = walk(world, n, Random(f"{settings.seed}:{image['image_id']}:{n}:{number}"))
    if found is None:
        return "too_few_atoms"
    graph, objects = found
    box = union(boxes[o] for o in objects)
    fault = _fault(graph, [boxes[o] for o in objects], box, crops, settings.max_overlap)
    fault = fault or crop.fault(box, image["image_width"], image["image_height"])
    return fault or {
        "subgraph_id": f"{image['image_id']}-{n}-{number}",
        "image_id": image["image_id"],
        **box._asdict(),
        "n": n,
        "n_components": len(graph.components()),
        **graph.columns(),
        "plurals": [i for i, o in enumerate(objects) if o in image["plurals"]],
        "object_ids": [image["object_ids"][o] for o in objects],
    }


def _fault(graph: SceneGraph, boxes: list[Box], crop: Box, crops: list[Box], most: float) -> str | None:
    def same_place(one: int, other: int) -> bool:
        return boxes[one].iou(boxes[other]) >= most

    if indistinguishable(graph, same_place):
        return "indistinguishable"
    if one_thing_twice(graph, lambda one, other: boxes[one].iou(boxes[other]) >= HALF):
        return "one_thing_twice"
    clumsy = next((clumsy.__name__ for clumsy in CLUMSY if clumsy(graph)), None)
    return clumsy or ("overlap" if any(crop.iou(other) >= most for other in crops) else None)
