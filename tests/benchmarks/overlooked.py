"""``python -m tests.benchmarks.overlooked``: what the sample's HN-Neg asks of who knows the whole truth and overlooks each "no".

Such a reader takes "with no dog in sight" for "with a dog in sight", and the caption of a set of which most is true. If foils alone
made negatives false it would be right. Prints, last line JSON, of the sets that deny so: ``sets``, ``r1`` and ``chance`` in per
cent, and ``below``, the per cent of the negatives of which less is true than of the truth.
"""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from stages.contract import tables
from stages.graphs.graph import SceneGraph
from stages.world.truth import World

QUERIES, TRUTH = Path("data/gen_hn_prod/queries.parquet"), Path("data/sample/truth.parquet")
WORTH = {True: 1.0, None: 0.5, False: 0.0}
DENIED = re.compile(r"\bno ([\w -]+) in sight")


def worth(world: World, caption: str, graph: SceneGraph) -> float:
    """How much is true of a caption if what it denies is read as said."""
    denied = DENIED.search(caption)
    assert denied is not None
    return WORTH[world.judge(graph)] + WORTH[world.judge(SceneGraph((denied.group(1),)))]


def worths(query: dict[str, Any], truth: dict[str, Any]) -> list[float]:
    """The same of a query's truth and negatives."""
    world = World.of(truth, (query["x"], query["y"], query["width"], query["height"]))
    captions = [(query["truth"], query), *((negative["caption"], negative) for negative in query["negatives"])]
    return [worth(world, caption, SceneGraph.from_columns(row)) for caption, row in captions]


def main() -> None:
    truths = {row["image_id"]: row for row in tables.read("truth", TRUTH)}
    queries = [row for row in tables.read("queries", QUERIES) if row["type"] == "HN-Neg" and DENIED.search(row["truth"])]
    sets = np.array([worths(query, truths[query["image_id"]]) for query in queries])
    right = (sets[:, 0] == sets.max(axis=1)) / (sets == sets.max(axis=1, keepdims=True)).sum(axis=1)
    below = (sets[:, 1:] < sets[:, :1]).mean()
    shares = {"r1": right.mean(), "chance": 1 / sets.shape[1], "below": below}
    print(json.dumps({"sets": len(sets)} | {name: round(100 * share, 1) for name, share in shares.items()}))


if __name__ == "__main__":
    main()
