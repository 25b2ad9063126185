"""Walks of one image at several complexities, and which of their subgraphs is kept (paper, appendix A.3)."""

from collections import Counter
from random import Random
from typing import Any, NamedTuple

from stages.graphs.box import Box, union
from stages.graphs.graph import SceneGraph
from stages.images.crop_rule import CropRule
from stages.parameters.sections import WalkSubgraphs
from stages.subgraphs.walks import CLUMSY, Map, awkwardness, indistinguishable, one_thing_twice, strange, walk

Row = dict[str, Any]
HALF = 0.5
"""Intersection over union from which two things with similar names are one."""


class Task(NamedTuple):
    """Images, the complexities to try for each, the walks, and the crops already taken from an image, by complexity."""

    images: list[Row]
    wanted: list[int]
    walks: range
    crops: dict[tuple[int, int], list[Box]]
    crop: CropRule
    settings: WalkSubgraphs


class Walked(NamedTuple):
    """For an image and a complexity the kept subgraph, if there is one, and why the other walks were dropped."""

    image_id: int
    n: int
    row: Row | None
    dropped: Counter[str]


def walked(task: Task) -> list[Walked]:
    """Return the results of a task's walks, by image and complexity."""
    settings, found = task.settings, []
    for image in task.images:
        graph = SceneGraph.from_columns(image)
        unsayable = {(atom["kind"], atom["index"]) for atom in image["unsayable"]} | strange(graph)
        world = Map(graph, settings.one_relation_a_pair, unsayable, settings.most_attributes)
        boxes = [Box(**box) for box in image["boxes"]]
        found += [_least_awkward(image, world, boxes, n, task) for n in task.wanted]
    return found


def _least_awkward(image: Row, world: Map, boxes: list[Box], n: int, task: Task) -> Walked:
    """Return the first of the walks' fit subgraphs with the best captions.

    A caption of unrelated things is a list: "a glass door to a patio, and also a box".
    """
    best: Row | None = None
    least, dropped = 0, Counter[str]()
    for number in task.walks:
        row = _fit(image, world, boxes, n, number, task)
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


def _fit(image: Row, world: Map, boxes: list[Box], n: int, number: int, task: Task) -> Row | str:
    """Return the subgraph of the walk with that number, or why it is not fit."""
    found = walk(world, n, Random(f"{task.settings.seed}:{image['image_id']}:{n}:{number}"))
    if found is None:
        return "too_few_atoms"
    graph, objects = found
    box = union(boxes[o] for o in objects)
    crops = task.crops.get((image["image_id"], n), [])
    fault = _fault(graph, [boxes[o] for o in objects], box, crops, task.settings.max_overlap)
    fault = fault or task.crop.fault(box, image["image_width"], image["image_height"])
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
