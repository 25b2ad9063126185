"""Walk each image's scene graph at random and keep subgraphs of exactly n atoms (paper, section 4.2 and appendix A.3).

Reads the table ``scene_graphs``, writes the table ``subgraphs``. Images are visited in a random order, each once for every
complexity before any a second time, until every complexity has its number: so the sample is spread over as many images as possible.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from stages.console import command
from stages.console.progress import progress_bar
from stages.contract import tables
from stages.contract.duck import database, stream
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.ledger import Ledger
from stages.contract.workers import Running, at_most, each, in_order
from stages.graphs.box import Box
from stages.images.crop_rule import CropRule
from stages.parameters import params
from stages.parameters.sections import Crop, Run, WalkSubgraphs
from stages.subgraphs.kept import Row, Task, walked


class Paths(NamedTuple):
    """The command line."""

    scene_graphs: Path
    out: command.Output
    metrics: command.Output


IMAGES = 250
"""Number of images of a worker's task, which takes some ten seconds; a worker takes several to start."""


def sample(
    images: Callable[[], Iterable[Row]], crop: CropRule, settings: WalkSubgraphs, ledger: Ledger, running: Running | int = 1
) -> list[Row]:
    """Return the rows of ``subgraphs``, by image, complexity and walk.

    Workers process images ahead; results for complexities that are complete when an image's turn comes are not counted.

    Args:
        images: returns the rows of ``scene_graphs`` in visiting order, each time it is called.
        settings: the section ``walk_subgraphs`` of the parameters.
        ledger: counts the walks by outcome.
    """
    asked = {n: round(settings.per_complexity * settings.times.get(n, 1)) for n in settings.complexities}
    chosen: dict[int, list[Row]] = {n: [] for n in asked}
    crops: dict[tuple[int, int], list[Box]] = defaultdict(list)
    with progress_bar("walks", "subgraphs", sum(asked.values())) as bar:
        for turn in range(settings.per_image):
            walks = range(turn * settings.tries, (turn + 1) * settings.tries)

            def tasks(walks: range = walks) -> Iterator[Task]:
                every = iter(images())
                while (wanted := [n for n in asked if len(chosen[n]) < asked[n]]) and (some := list(islice(every, IMAGES))):
                    keys = ((image["image_id"], n) for image in some for n in wanted)
                    yield Task(some, wanted, walks, {key: list(crops[key]) for key in keys if key in crops}, crop, settings)

            for one in chain.from_iterable(in_order(each(walked, tasks(), running))):
                if len(chosen[one.n]) == asked[one.n]:
                    continue
                ledger.read(one.dropped.total() + (one.row is not None))
                ledger.dropped.update(one.dropped)
                if one.row is not None:
                    ledger.keep()
                    crops[one.image_id, one.n].append(Box.of(one.row))
                    chosen[one.n].append(one.row)
                    bar.update()
    return sorted(chain(*chosen.values()), key=itemgetter("image_id", "n"))


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, resources = params.load(WalkSubgraphs), params.load(Run)
    tables.verify("scene_graphs", paths.scene_graphs)
    total = tables.count("scene_graphs", paths.scene_graphs)
    ledger = Ledger("walks")
    with scratch(paths.out) as folder, database(resources.memory, resources.workers, folder) as db:

        def images() -> Iterator[Row]:
            query = "SELECT * FROM read_parquet(?) ORDER BY md5(? || ':' || image_id), image_id"
            for task in stream(db, query, [str(paths.scene_graphs), str(settings.seed)], batch=256):
                yield from task.to_pylist()

        rows = sample(images, CropRule.of(params.load(Crop)), settings, ledger, at_most(resources, -(-total // IMAGES)))
    tables.write("subgraphs", paths.out, rows, tables.lineage({"scene_graphs": paths.scene_graphs}))
    counts = {f"n{n:02}": sum(row["n"] == n for row in rows) for n in settings.complexities}
    ledger.write(paths.metrics, subgraphs=counts, images=len({row["image_id"] for row in rows}))
    print(f"walk_subgraphs: {ledger}; {len(rows):,} subgraphs, least {min(counts.values()):,} of a complexity")


if __name__ == "__main__":
    run(main)
