"""``python -m tests.benchmarks.real FOLDER [--keep DIR] [--show N]``: the negatives that real annotations and captions give.

FOLDER has, at its top or in folders below it, Visual Genome's ``image_data.json``, ``region_descriptions.json`` and
``scene_graphs.json`` (in ``visual_genome/``) and files of captions (in ``captions/``), each of which is a training set: TSV, CSV,
Parquet or JSON with a column ``caption``, ``TEXT`` or ``title``, TSV without a header with the caption first, or text with a
caption a line. DVC runs every stage up to the negatives, in the way ``balanced`` and in the way ``paper``.

``--keep DIR`` leaves the pipeline in DIR, with both ways' tables in ``DIR/balanced`` and ``DIR/paper``. Given the same DIR again,
only those stages run whose code, parameters or inputs have changed, so captions are parsed once. ``--show N`` prints N sets of each
type and way with what is known of their crops, at most two of an image, drawn by ``--seed``. ``--ways balanced`` and
``--set foils.max_foils=20`` narrow and change what is run.

Last line: JSON, by way and SET (atom, comp, atom_prod, swap, neg): how many queries were ``eligible``, and how many ``kept`` a set.
"""

import argparse
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from ruamel.yaml import YAML

from stages.contract import tables
from stages.graphs.graph import SceneGraph
from tests.running import ROOT, set_parameters

WAYS = ("balanced", "paper")
ANNOTATIONS = ("image_data.json", "region_descriptions.json", "scene_graphs.json")
COLUMNS = ("caption", "TEXT", "title")
FORMATS = {".tsv": "tsv", ".csv": "csv", ".parquet": "parquet", ".json": "json", ".txt": "txt"}
NEGATIVES = ("gen_hn_atom", "gen_hn_comp", "gen_hn_prod")
PRODUCTIVITY = {"HN-Atom": "atom_prod", "HN-Swap": "swap", "HN-Neg": "neg"}


def annotations(folder: Path) -> Path:
    """Where Visual Genome's three files are."""
    for place in (folder, folder / "visual_genome"):
        if all((place / name).is_file() for name in ANNOTATIONS):
            return place.resolve()
    raise SystemExit(f"error: {folder} has no {', '.join(ANNOTATIONS)}, neither at its top nor in visual_genome/")


def training_sets(folder: Path) -> dict[str, dict[str, Any]]:
    """The section ``training_sets`` of the parameters: every file of captions."""
    places = [place for place in (folder / "captions", folder) if place.is_dir()]
    paths = sorted(path for path in places[0].iterdir() if path.suffix in FORMATS and path.name not in ANNOTATIONS)
    if not paths:
        raise SystemExit(f"error: {places[0]} has no file of captions ({', '.join(FORMATS)})")
    names = {path: re.sub(r"[^A-Za-z0-9_-]", "-", path.stem).lstrip("-_")[:64] for path in paths}
    return {names[path]: {"path": str(path.resolve()), "format": FORMATS[path.suffix], **column(path)} for path in paths}


def column(path: Path) -> dict[str, Any]:
    """Which column of a file holds its captions."""
    if path.suffix == ".txt":
        return {}
    if path.suffix == ".parquet":
        return {"column": next((name for name in COLUMNS if name in pq.read_schema(path).names), COLUMNS[0])}
    if path.suffix == ".json":
        return {"column": "caption"}
    with path.open(encoding="utf-8", newline="") as file:
        names = next(csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ","), [])
    found = next((name for name in COLUMNS if name in names), None)
    return {"column": 0, "header": False} if found is None else {"column": found, "header": True}


class Project:
    """A copy of the project's code in a folder, with real files as its inputs."""

    def __init__(self, folder: Path, data: Path, changes: dict[str, Any]):
        self.folder = folder
        for name in ("stages", "dvc.yaml"):
            _copy(ROOT / name, folder / name)
        (folder / ".dvc").mkdir(exist_ok=True)
        (folder / ".dvc" / "config").write_text("[core]\n    no_scm = true\n    analytics = false\n")
        if not (folder / ".nltk_data").exists():
            (folder / ".nltk_data").symlink_to((ROOT / ".nltk_data").resolve())
        # No model is judged by these sets, some of which are small.
        own = {"training_sets": training_sets(data), "evaluate.training_set": "none", "foils.seen_by": "any"}
        self.changes = {**own, "visual_genome.annotations": str(annotations(data)), **changes}
        self.environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    def run(self, way: str) -> None:
        """Bring all negatives of ``way`` up to date, and put their tables and ledgers into a folder of that name."""
        set_parameters(self.folder / "params.yaml", {**self.changes, "foils.selection": way}, ROOT / "params.yaml")
        command = ["dvc", "repro", "--quiet", *NEGATIVES]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, stdout=sys.stderr.fileno())
        if done.returncode:
            raise SystemExit(f"error: dvc repro in {self.folder} ended with status {done.returncode}")
        for name in NEGATIVES:
            _copy(self.folder / "data" / name, self.folder / way / name)
            shutil.copy(self.folder / "metrics" / f"{name}.json", self.folder / way)

    def figures(self, way: str) -> dict[str, dict[str, int]]:
        """How many queries were eligible, and kept, by SET."""
        ledger = {name: json.loads((self.folder / way / f"{name}.json").read_text()) for name in NEGATIVES}
        found = {
            short: {"eligible": ledger[name]["eligible"], "kept": ledger[name]["kept"]}
            for short, name in (("atom", "gen_hn_atom"), ("comp", "gen_hn_comp"))
        }
        by_complexity = ledger["gen_hn_prod"]["by_complexity"].values()
        for kind, short in PRODUCTIVITY.items():
            kept = sum(counts.get(kind, 0) for counts in by_complexity)
            found[short] = {"eligible": sum(counts["captions"] for counts in by_complexity), "kept": kept}
        return found

    def sets(self, way: str, n: int, seed: int) -> Iterator[str]:
        """Some sets to read, each with what is known of its crop."""
        known = self._known()
        queries = [
            query | {"SET": short}
            for name, short in (("gen_hn_atom", "atom"), ("gen_hn_comp", "comp"), ("gen_hn_prod", ""))
            for query in tables.read("queries", self.folder / way / name / "queries.parquet")
            if query["type"] != "HN-Both"
        ]
        random.Random(seed).shuffle(queries)
        shown: Counter[str] = Counter()
        for query in queries:
            short = query["SET"] or PRODUCTIVITY[query["type"]]
            image = f"{short} {query['image_id']}"
            if shown[short] < n and shown[image] < 2:
                shown.update([short, image])
                yield "\n".join(_lines(query, f"{way} {short}", known[query["image_id"]]))

    def _known(self) -> dict[int, list[tuple[dict[str, float], str]]]:
        """What is known of each image: boxes, each with what is said of it."""
        known: dict[int, list[tuple[dict[str, float], str]]] = defaultdict(list)
        for row in tables.read("scene_graphs", self.folder / "data/scene_graphs/scene_graphs.parquet"):
            graph = SceneGraph.from_columns(row)
            for i, (name, box) in enumerate(zip(graph.objects, row["boxes"], strict=True)):
                said = [f"{r} {graph.objects[o]}" for s, r, o in graph.relations if s == i]
                known[row["image_id"]].append((box, ", ".join([" ".join((*graph.attributes_of(i), name)), *said])))
        place = YAML(typ="safe").load(self.folder / "params.yaml")["visual_genome"]["annotations"]
        for image in json.loads(Path(place, "region_descriptions.json").read_bytes()):
            for region in image["regions"]:
                known[region.get("image_id", image.get("id"))].append((region, f'"{" ".join(region["phrase"].split())}"'))
        return known


def _lines(query: dict[str, Any], title: str, known: list[tuple[dict[str, float], str]]) -> Iterator[str]:
    box = {name: query[name] for name in ("x", "y", "width", "height")}
    yield f"\n--- {title} {query['query_id']} of image {query['image_id']}, crop {' '.join(f'{side:.0f}' for side in box.values())}"
    yield "  known: " + "; ".join(dict.fromkeys(words for other, words in known if _share(other, box) >= 0.3))
    yield f"  TRUTH  {query['truth']}"
    yield from (f"    - {n['caption']}    [{n['edit']}: {n['atom']} > {n['foil']}]" for n in query["negatives"])


def _share(one: dict[str, float], other: dict[str, float]) -> float:
    """The share of the first box that lies in the second."""
    sides = [
        min(one[at] + one[side], other[at] + other[side]) - max(one[at], other[at])
        for at, side in (("x", "width"), ("y", "height"))
    ]
    return max(sides[0], 0) * max(sides[1], 0) / max(one["width"] * one["height"], 1)


def _copy(source: Path, target: Path) -> None:
    """``target`` becomes what ``source`` is."""
    if source.is_file():
        shutil.copy2(source, target)
        return
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
    else:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="FOLDER")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--show", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--set", nargs="+", default=[], metavar="KEY=VALUE", help="changes of parameters")
    arguments = parser.parse_args()
    changes = {key: YAML(typ="safe").load(value) for key, _, value in (change.partition("=") for change in arguments.set)}
    with _folder(arguments.keep) as folder:
        project = Project(folder, arguments.data, changes)
        found = {}
        for way in arguments.ways:
            project.run(way)
            found[way] = project.figures(way)
            for said in project.sets(way, arguments.show, arguments.seed):
                print(said)
        print(json.dumps(found))


if __name__ == "__main__":
    main()
