"""``python -m tests.benchmarks.generation OLD_CHECKOUT [--data FOLDER]``: time how two versions make negatives.

The code of OLD_CHECKOUT and of this checkout (or of ``--new CHECKOUT``) run one after the other on one processor, on two data sets:

- ``vg``: images and captions of FOLDER (``FOLDER/visual_genome``, ``FOLDER/captions``): systematicity and productivity.
- ``vrd``: the first ``--images`` images of ``FOLDER/vrd``, by number, whose file name has an odd crc32. They have no regions, so
  only productivity is measured.

The earlier stages run once, with the old code. The new code reads the same tables if it knows their schemas, and otherwise runs
those stages itself. Each checkout uses its own parameters. ``--captions`` captions are taken evenly from all of FOLDER's files.
``--keep DIR`` leaves both projects in DIR; with the same DIR, only changed earlier stages run again.

For each data set, version and stage it prints the candidates, those that passed all checks, the kept queries, and the processor
seconds (user and system, of the stage's process and its children). Last line: JSON with seconds and ratios (old / new) of
systematicity (``gen_hn_atom`` and ``gen_hn_comp``), productivity (``gen_hn_prod``), and all.
"""

import argparse
import csv
import json
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from tests.benchmarks import projects
from tests.benchmarks.projects import Project
from tests.running import ROOT

DATA = ROOT.parent / "shared" / "data"
SYSTEMATICITY, PRODUCTIVITY = ("gen_hn_atom", "gen_hn_comp"), ("gen_hn_prod",)
PARTS = {"systematicity": SYSTEMATICITY, "productivity": PRODUCTIVITY}
EARLIER = ("read_captions", "parse_train", "seen_index", "scene_graphs", "walk_subgraphs", "caption")
WITH_REGIONS = ("filter_vg", "split")
FILTERED = {"regions": "regions", "facts": "region_facts", "rejects": "rejects"}
"""The tables that ``filter_vg`` writes, by file name."""
PER_COMPLEXITY = 25
"""Captions of each complexity of VRD, before ``walk_subgraphs.times``, so that an old version takes minutes, not hours."""


class Made(NamedTuple):
    """The size of a stage's output for a data set, and its processor seconds."""

    candidates: int
    valid: int
    kept: int
    seconds: float


# --- Inputs ----


def write_captions(paths: list[Path], most: int, target: Path) -> None:
    """Write at most ``most`` captions to ``target``, one per line, spread evenly over the files and within each."""
    lines: list[str] = []
    for n, path in enumerate(paths):
        captions = list(_captions(path))
        share = (most - len(lines)) // (len(paths) - n)
        step = max(1, len(captions) / max(share, 1))
        lines += [captions[int(i * step)] for i in range(min(share, len(captions)))]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _captions(path: Path) -> Iterator[str]:
    """Yield the captions of a file, each on one line."""
    how = projects.column(path)
    if path.suffix == ".txt":
        rows: Any = path.read_text(encoding="utf-8").splitlines()
    elif path.suffix == ".parquet":
        rows = pq.read_table(path, columns=[how["column"]])[how["column"]].to_pylist()
    elif path.suffix == ".json":
        rows = [row.get("caption") if isinstance(row, dict) else None for row in json.loads(path.read_bytes())]
    else:
        with path.open(encoding="utf-8", newline="") as file:
            listed = list(csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
        place = listed[0].index(how["column"]) if how["header"] else 0
        rows = [row[place] for row in listed[how["header"] :] if len(row) > place]
    yield from (" ".join(row.split()) for row in rows if isinstance(row, str) and row.strip())


def write_vrd(folder: Path, images: int, target: Path) -> None:
    """Write the first ``images`` images of ``folder`` whose file name has an odd crc32, and their scene graphs, to ``target``."""
    listed = json.loads((folder / "image_data.json").read_bytes())
    odd = [image for image in listed if zlib.crc32(str(image["url"]).rsplit("/", 1)[-1].encode()) % 2]
    chosen = sorted(odd, key=lambda image: image["image_id"])[:images]
    wanted = {image["image_id"] for image in chosen}
    scenes = [scene for scene in json.loads((folder / "scene_graphs.json").read_bytes()) if scene["image_id"] in wanted]
    target.mkdir(parents=True, exist_ok=True)
    (target / "image_data.json").write_text(json.dumps(chosen))
    (target / "region_descriptions.json").write_text("[]")  # for versions that require regions
    (target / "scene_graphs.json").write_text(json.dumps(scenes))


# --- Earlier stages, once for both ----


class DataSet(NamedTuple):
    """Annotations, the stages to measure on them, and the number of captions of each complexity (None: the default)."""

    name: str
    annotations: Path
    stages: tuple[str, ...]
    per_complexity: int | None

    @property
    def has_regions(self) -> bool:
        """Return whether systematicity is measured, which needs described regions."""
        return set(SYSTEMATICITY) <= set(self.stages)


def project(folder: Path, checkout: Path) -> Project:
    """Return a project with a checkout's own code, to run on one processor."""
    made = Project(folder, {}, checkout)
    made.environment |= {"OMP_NUM_THREADS": "1"}
    return made


def parameters(data: DataSet, captions: Path) -> dict[str, Any]:
    """Return the parameters that differ from a checkout's own."""
    changes: dict[str, Any] = {
        "visual_genome.annotations": str(data.annotations.resolve()),
        "training_sets": projects.training_sets([captions]),
        "evaluate.training_set": "none",
        "run.workers": 1,
    }
    if data.per_complexity is not None:
        changes["walk_subgraphs.per_complexity"] = data.per_complexity
    return changes


def earlier(of: Project, regions: bool) -> None:
    """Run all stages before the negatives; without regions, write empty tables for ``filter_vg``."""
    of.repro(*EARLIER, *(WITH_REGIONS if regions else ()))
    if not regions:
        lines = [f"tables.write('{table}', 'data/filter_vg/{name}.parquet', [])" for name, table in FILTERED.items()]
        (of.folder / "data" / "filter_vg").mkdir(exist_ok=True)
        assert of.succeeds("\n".join(["from stages.contract import tables", *lines]))


CHECK = """
import sys
from stages.contract.schemas import TABLES
import pyarrow.parquet as pq
known = [table.schema for table in TABLES.values()]
sys.exit(not all(any(pq.read_schema(path).equals(schema) for schema in known) for path in sys.argv[1:]))
"""


def share(old: Project, new: Project, stages: tuple[str, ...], regions: bool) -> bool:
    """Give the new code the old tables, or run its own earlier stages if it needs others. Return whether they are shared."""
    made = {path for stage in stages for path in new.outputs(stage)}
    needed = [path for stage in stages for path in new.stage(stage)["deps"] if path.startswith("data/") and path not in made]
    shutil.rmtree(new.folder / "data", ignore_errors=True)
    if all((old.folder / path).exists() for path in needed):
        for path in dict.fromkeys(needed):
            projects.copy(old.folder / path, new.folder / path)
        if new.succeeds(CHECK, *(str(path) for path in sorted((new.folder / "data").rglob("*.parquet")))):
            return True
    print("the new code reads other tables than the old one wrote: its own earlier stages run", flush=True)
    shutil.rmtree(new.folder / "data", ignore_errors=True)
    earlier(new, regions)
    return False


# --- Measured ----


def measure(of: Project, stage: str) -> Made:
    """Run one stage and count what it made."""
    seconds = of.timed(stage)
    folder = of.folder / "data" / stage
    reasons = pq.read_table(folder / "candidates.parquet", columns=["reason"])["reason"]
    return Made(len(reasons), reasons.null_count, pq.read_metadata(folder / "queries.parquet").num_rows, seconds)


def compare(found: dict[str, dict[str, dict[str, Made]]]) -> dict[str, Any]:
    """Return the JSON of the last line from the results ``found`` by data set, version and stage."""
    parts = {
        f"{data}_{part}": {version: sum(made[stage].seconds for stage in stages) for version, made in versions.items()}
        for data, versions in found.items()
        for part, stages in PARTS.items()
        if all(stage in versions["old"] for stage in stages)
    }
    for part in PARTS:
        of = [seconds for name, seconds in parts.items() if name.endswith(part)]
        parts[part] = {version: sum(seconds[version] for seconds in of) for version in ("old", "new")}
    whole = {version: sum(parts[part][version] for part in PARTS) for version in ("old", "new")}
    said = {
        name: {"old_s": round(s["old"], 1), "new_s": round(s["new"], 1), "ratio": _ratio(s["old"], s["new"])}
        for name, s in (*parts.items(), ("all", whole))
    }
    return {**said.pop("all"), **said}


def _ratio(old: float, new: float) -> float | None:
    return round(old / new, 2) if new else None


def measured(data: DataSet, versions: dict[str, Project], captions: Path) -> dict[str, dict[str, Made]]:
    """Run the measured stages of both versions on one data set; return what they made, by version and stage."""
    for of in versions.values():
        of.set_parameters(parameters(data, captions))
    earlier(versions["old"], data.has_regions)
    share(versions["old"], versions["new"], data.stages, data.has_regions)
    found: dict[str, dict[str, Made]] = {}
    for version, of in versions.items():
        found[version] = {}
        for stage in data.stages:
            made = found[version][stage] = measure(of, stage)
            numbers = f"{made.candidates:,} candidates, {made.valid:,} valid, {made.kept:,} kept, {made.seconds:.1f} s"
            print(f"{data.name} {stage} {version}: {numbers}", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path, metavar="OLD_CHECKOUT")
    parser.add_argument("--new", type=Path, metavar="CHECKOUT", default=ROOT)
    parser.add_argument("--data", type=Path, metavar="FOLDER", default=DATA)
    parser.add_argument("--images", type=int, default=200, help="images of VRD; 0 leaves it out")
    parser.add_argument("--captions", type=int, default=20_000)
    parser.add_argument("--keep", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    with projects.kept_or_temporary(arguments.keep) as folder:
        captions = folder / "captions.txt"
        write_captions(projects.caption_files(arguments.data), arguments.captions, captions)
        sets = [DataSet("vg", projects.annotations(arguments.data), SYSTEMATICITY + PRODUCTIVITY, None)]
        if arguments.images and (arguments.data / "vrd").is_dir():
            write_vrd(arguments.data / "vrd", arguments.images, folder / "vrd")
            sets.append(DataSet("vrd", folder / "vrd", PRODUCTIVITY, PER_COMPLEXITY))
        versions = {name: project(folder / name, checkout) for name, checkout in (("old", arguments.old), ("new", arguments.new))}
        print(json.dumps(compare({data.name: measured(data, versions, captions) for data in sets})))


if __name__ == "__main__":
    main()
