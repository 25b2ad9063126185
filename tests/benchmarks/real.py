"""``python -m tests.benchmarks.real FOLDER [--keep DIR] [--show N]``: make negatives from real annotations and captions.

FOLDER is laid out as for :mod:`tests.benchmarks.projects`; without ``region_descriptions.json`` there is only productivity. DVC
runs every stage up to the negatives of both protocols.

``--keep DIR`` leaves the pipeline in DIR. With the same DIR, only stages whose code, parameters or inputs have changed run again,
so captions are parsed once. ``--show N`` prints N sets of each protocol and type with what is known of their crops, at most two
per image, drawn by ``--seed``. ``--set foils.max_foils=20`` changes parameters.

Last line: JSON, by protocol and SET (atom, comp, atom_prod, swap, neg): the numbers of queries that were ``eligible`` and that
``kept`` a set.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from stages.contract import tables
from stages.graphs.graph import SceneGraph
from tests.benchmarks import projects
from tests.benchmarks.projects import Project

SETS = {
    ("gen_hn_atom", "HN-Atom"): "atom",
    ("gen_hn_comp", "HN-Comp"): "comp",
    ("gen_hn_prod", "HN-Atom"): "atom_prod",
    ("gen_hn_prod", "HN-Swap"): "swap",
    ("gen_hn_prod", "HN-Neg"): "neg",
}
SHARED = 0.3
"""An annotation is shown with a crop that contains at least this fraction of its box."""


def project(folder: Path, data: Path, changes: dict[str, Any]) -> Project:
    """Return the project's code in ``folder``, with the annotations and captions of ``data`` as its inputs."""
    # No model is evaluated on these sets, and some training sets are small.
    own = {"training_sets": projects.training_sets(projects.caption_files(data)), "evaluate.training_set": "none"}
    place = {"visual_genome.annotations": str(projects.annotations(data)), "foils.seen_by": "any"}
    return Project(folder, {**own, **place, **changes})


def figures(made: Project) -> dict[str, dict[str, dict[str, int]]]:
    """Return the numbers of eligible and kept queries, by protocol and SET."""
    found: dict[str, dict[str, dict[str, int]]] = defaultdict(dict)
    for (stage, kind), short in SETS.items():
        ledger = json.loads((made.folder / "metrics" / f"{stage}.json").read_text())
        for protocol, by_type in ledger["sets"].items():
            found[protocol][short] = by_type[kind]
    return dict(found)


def sets(made: Project, n: int, seed: int) -> Iterator[str]:
    """Yield some sets to read, each with what is known of its crop."""
    about = known(made)
    queries = [
        query | {"set": f"{query['protocol']} {SETS[stage, query['type']]}"}
        for stage in dict.fromkeys(stage for stage, _ in SETS)
        for query in tables.read("queries", made.folder / "data" / stage / "queries.parquet")
        if (stage, query["type"]) in SETS
    ]
    random.Random(seed).shuffle(queries)
    shown: Counter[tuple[str, ...]] = Counter()
    for query in queries:
        places = [(query["set"],), (query["set"], str(query["image_id"]))]
        if shown[places[0]] < n and shown[places[1]] < 2:
            shown.update(places)
            yield "\n".join(_lines(query, about[query["image_id"]]))


def known(made: Project) -> dict[int, list[tuple[dict[str, float], str]]]:
    """Return what is known of each image: boxes, each with its description."""
    found: dict[int, list[tuple[dict[str, float], str]]] = defaultdict(list)
    for row in tables.read("scene_graphs", made.folder / "data/scene_graphs/scene_graphs.parquet"):
        graph = SceneGraph.from_columns(row)
        for i, (name, box) in enumerate(zip(graph.objects, row["boxes"], strict=True)):
            said = [f"{r} {graph.objects[o]}" for s, r, o in graph.relations if s == i]
            found[row["image_id"]].append((box, ", ".join([" ".join((*graph.attributes_of(i), name)), *said])))
    place = Path(YAML(typ="safe").load(made.folder / "params.yaml")["visual_genome"]["annotations"], projects.REGIONS)
    for image in json.loads(place.read_bytes()) if place.is_file() else ():
        for region in image["regions"]:
            found[region.get("image_id", image.get("id"))].append((region, f'"{" ".join(region["phrase"].split())}"'))
    return found


def _lines(query: dict[str, Any], about: list[tuple[dict[str, float], str]]) -> Iterator[str]:
    box = {name: query[name] for name in ("x", "y", "width", "height")}
    crop = " ".join(f"{side:.0f}" for side in box.values())
    yield f"\n--- {query['set']} {query['query_id']} of image {query['image_id']}, crop {crop}"
    yield "  known: " + "; ".join(dict.fromkeys(words for other, words in about if _share(other, box) >= SHARED))
    yield f"  TRUTH  {query['truth']}"
    yield from (f"    - {n['caption']}    [{n['edit']}: {n['atom']} > {n['foil']}]" for n in query["negatives"])


def _share(one: dict[str, float], other: dict[str, float]) -> float:
    """Return the fraction of the first box that lies in the second."""
    sides = [
        min(one[at] + one[side], other[at] + other[side]) - max(one[at], other[at])
        for at, side in (("x", "width"), ("y", "height"))
    ]
    return max(sides[0], 0) * max(sides[1], 0) / max(one["width"] * one["height"], 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="FOLDER")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--show", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", nargs="+", default=[], metavar="KEY=VALUE", help="changes of parameters")
    arguments = parser.parse_args()
    changes = {key: YAML(typ="safe").load(value) for key, _, value in (change.partition("=") for change in arguments.set)}
    with projects.kept_or_temporary(arguments.keep) as folder:
        made = project(folder, arguments.data, changes)
        made.repro(*dict.fromkeys(stage for stage, _ in SETS))
        for said in sets(made, arguments.show, arguments.seed):
            print(said)
        print(json.dumps(figures(made)))


if __name__ == "__main__":
    main()
