"""Make gen_hn_prod's inputs at the paper's size: captions of walks over synthetic scene graphs, facts, and training words."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from stages.contract import tables
from tests.benchmarks import made_data

COMPLEXITIES = 9
FACTS = 20
"""Maximum number of an image's descriptions that name a compound."""

Run = Callable[[str, str, Path, dict[str, Any]], Any]


def inputs(folder: Path, captions: int, run_stage: Run) -> None:
    """Write ``captions``, ``scene_graphs``, ``facts`` and ``training/made/`` into ``folder``; ``run_stage`` runs the stages."""
    images = max(captions // 4, 20)
    made_data.annotations(folder, images)
    run_stage("scene_graphs", "--visual-genome in --out in/sg.parquet --rejects r.parquet --metrics m.json", folder, {})
    each = {
        "walk_subgraphs.per_complexity": -(-captions // COMPLEXITIES),
        "walk_subgraphs.times": {},
        "walk_subgraphs.per_image": 8,
    }
    run_stage("walk_subgraphs", "--scene-graphs in/sg.parquet --out in/walks.parquet --metrics m.json", folder, each)
    run_stage(
        "caption",
        "--subgraphs in/walks.parquet --answers a --out in/captions.parquet --rejects r.parquet --metrics m.json",
        folder,
        {},
    )
    graphs = list(tables.read("scene_graphs", folder / "sg.parquet"))
    tables.write("region_facts", folder / "facts.parquet", _facts(graphs))
    _training(folder, graphs)


def _facts(graphs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the facts of descriptions: some of the scene graph's relations, one per region."""
    region = 0
    for graph in graphs:
        for relation in graph["relations"][:FACTS]:
            s, o = relation["subject"], relation["object"]
            region += 1
            yield {
                "image_id": graph["image_id"],
                "region_id": region,
                "box": graph["boxes"][s],
                "objects": [graph["objects"][s], graph["objects"][o]],
                "attributes": [],
                "relations": [{"subject": 0, "relation": relation["relation"], "object": 1}],
            }


def _training(folder: Path, graphs: list[dict[str, Any]]) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for graph in graphs:
        counts.update(("object", name) for name in graph["objects"])
        counts.update(("attribute", a["attribute"]) for a in graph["attributes"])
        counts.update(("relation", r["relation"]) for r in graph["relations"])
    made = folder / "training" / "made"
    made.mkdir(parents=True)
    atoms = ({"kind": k, "first": w, "second": "", "third": "", "count": n + 5} for (k, w), n in sorted(counts.items()))
    tables.write("occurrences", made / "occurrences.parquet", atoms)
    rng = random.Random(0)
    written = [row["caption"] for row in tables.read("captions", folder / "captions.parquet", ["caption"])]
    empty: dict[str, Any] = {"objects": [], "attributes": [], "relations": []}
    said = dict.fromkeys(" ".join(rng.choice(written).split()[: rng.randint(4, 12)]) for _ in range(10 * len(written)))
    tables.write("training_graphs", made / "graphs.parquet", ({"caption": c, "count": 1, **empty} for c in said))
