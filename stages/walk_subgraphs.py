"""Walks each image's scene graph at random and keeps subgraphs of exactly n atoms (paper, section 4.2 and appendix A.3).

Reads the table ``scene_graphs``, writes the table ``subgraphs``. Images are visited in a random order, each once for every
complexity before any a second time, until every complexity has its number: so the sample is spread over as many images as can be.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from stages.console import command
from stages.console.progress import progress_bar
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.ledger import Ledger
from stages.database.duck import database, stream
from stages.geometry.box import Box, union
from stages.graphs.graph import SceneGraph
from stages.images.crop_rule import CropRule
from stages.parameters import params
from stages.parameters.sections import Crop, Run, WalkSubgraphs
from stages.subgraphs.walks import CLUMSY, Map, awkwardness, indistinguishable, one_thing_twice, strange, walk


class Paths(NamedTuple):
    """The command line."""

    scene_graphs: Path
    out: command.Output
    metrics: command.Output


Row = dict[str, Any]


def sample(images: Callable[[], Iterable[Row]], crop: CropRule, settings: WalkSubgraphs, ledger: Ledger) -> list[Row]:
    """The rows of ``subgraphs``, by image, complexity and walk.

    Args:
        images: gives the rows of ``scene_graphs`` in the order in which they are visited, each time it is called.
        settings: the section ``walk_subgraphs`` of the parameters.
        ledger: counts the walks, by what became of them.
    """
    asked = {n: round(settings.per_complexity * settings.times.get(n, 1)) for n in settings.complexities}
    chosen: dict[int, list[Row]] = {n: [] for n in asked}
    crops: dict[tuple[int, int], list[Box]] = defaultdict(list)
    with progress_bar("walks", "subgraphs", sum(asked.values())) as bar:
        for turn in range(settings.per_image):
            walks = range(turn * settings.tries, (turn + 1) * settings.tries)
            for image in images():
                wanted = [n for n, rows in chosen.items() if len(rows) < asked[n]]
                if not wanted:
                    break
                graph = SceneGraph.from_columns(image)
                unsaid = {(atom["kind"], atom["index"]) for atom in image["unsaid"]} | strange(graph)
                world = Map(graph, settings.one_relation_a_pair, unsaid, settings.most_attributes)
                for n in wanted:
                    row = _least_awkward(image, world, n, walks, crop, crops[image["image_id"], n], settings, ledger)
                    if row is not None:
                        chosen[n].append(row)
                        bar.update()
    return sorted(chain(*chosen.values()), key=itemgetter("image_id", "n"))


def _least_awkward(
    image: Row, world: Map, n: int, walks: range, crop: CropRule, crops: list[Box], settings: WalkSubgraphs, ledger: Ledger
) -> Row | None:
    """The first of the fit subgraphs, found by ``walks``, that are said best; its box joins ``crops``, those that the image gave
    already.

    Of things that nothing joins a caption is a list: "a glass door to a patio, and also a box".
    """
    best: Row | None = None
    least = 0
    for number in walks:
        ledger.read()
        row = _fit(image, world, n, number, crop, crops, settings)
        if isinstance(row, str):
            ledger.drop(row)
            continue
        if best is not None:
            ledger.drop("more_awkward")
        awkward = awkwardness(SceneGraph.from_columns(row))
        if best is None or awkward < least:
            best, least = row, awkward
        if least == 0:
            break
    if best is not None:
        ledger.keep()
        crops.append(Box.of(best))
    return best


def _fit(image: Row, world: Map, n: int, number: int, crop: CropRule, crops: list[Box], settings: WalkSubgraphs) -> Row | str:
    """What the walk of that number finds, or why it is not fit."""
    boxes = [Box(**box) for box in image["boxes"]]
    walked = walk(world, n, Random(f"{settings.seed}:{image['image_id']}:{n}:{number}"))
    if walked is None:
        return "too_few_atoms"
    graph, objects = walked
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


HALF = 0.5
"""Intersection over union from which two things of near names are one."""


def _fault(graph: SceneGraph, boxes: list[Box], crop: Box, crops: list[Box], most: float) -> str | None:
    def same_place(one: int, other: int) -> bool:
        return boxes[one].iou(boxes[other]) >= most

    if indistinguishable(graph, same_place):
        return "indistinguishable"
    if one_thing_twice(graph, lambda one, other: boxes[one].iou(boxes[other]) >= HALF):
        return "one_thing_twice"
    clumsy = next((clumsy.__name__ for clumsy in CLUMSY if clumsy(graph)), None)
    return clumsy or ("overlap" if any(crop.iou(other) >= most for other in crops) else None)


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, resources = params.load(WalkSubgraphs), params.load(Run)
    tables.verify("scene_graphs", paths.scene_graphs)
    ledger = Ledger("walks")
    with scratch(paths.out) as folder, database(resources.memory, resources.workers, folder) as db:

        def images() -> Iterator[Row]:
            query = "SELECT * FROM read_parquet(?) ORDER BY md5(? || ':' || image_id), image_id"
            for piece in stream(db, query, [str(paths.scene_graphs), str(settings.seed)], batch=256):
                yield from piece.to_pylist()

        rows = sample(images, CropRule.of(params.load(Crop)), settings, ledger)
    tables.write("subgraphs", paths.out, rows, tables.lineage({"scene_graphs": paths.scene_graphs}))
    counts = {f"n{n:02}": sum(row["n"] == n for row in rows) for n in settings.complexities}
    ledger.write(paths.metrics, subgraphs=counts, images=len({row["image_id"] for row in rows}))
    print(f"walk_subgraphs: {ledger}; {len(rows):,} subgraphs, least {min(counts.values()):,} of a complexity")


if __name__ == "__main__":
    run(main)
