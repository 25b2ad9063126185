"""``python -m tests.benchmarks.scale STAGE``: measure a stage at the paper's size, and how its cost grows.

Makes the stage's inputs at a quarter, a half and the whole of the full size (or of ``--items``), runs the stage on each in a
separate process and prints seconds and peak memory. The last line is JSON: ``stage, items, seconds, peak_mb, slope``. The slope is
that of log seconds over log items: 1 means that cost is proportional to the work. ``cpu_seconds`` is there too, because other work
on the machine affects only ``seconds``.
"""

import argparse
import json
import math
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.benchmarks import made_data, productivity, zipf
from tests.running import start_stage


@dataclass(frozen=True)
class Case:
    """A stage to measure.

    Attributes:
        unit: the unit of its items.
        full: the number of items at full size.
        make: makes the inputs in a folder for a number of items, once for each size.
        command: the stage's arguments; the stage runs in a separate folder and finds its inputs in ``in``.
        parameters: those that differ from the project's, as ``section.key``.
    """

    unit: str
    full: int
    make: Callable[[Path, int], None]
    command: str
    parameters: dict[str, Any] = field(default_factory=dict)


def _annotations(folder: Path, regions: int) -> None:
    made_data.annotations(folder, regions // made_data.REGIONS, ("region_descriptions",))


def _scenes(folder: Path, images: int) -> None:
    made_data.annotations(folder, images, ("scene_graphs",))


def _scene_graphs(folder: Path, images: int) -> None:
    _scenes(folder, images)
    run_stage("scene_graphs", "--visual-genome in --out in/sg.parquet --rejects rejects.parquet --metrics m.json", folder, {})


def _split(folder: Path, compounds: int) -> None:
    made_data.regions_table(folder / "regions.parquet", max(compounds // 50, 1))
    made_data.seen_tables(folder / "atoms.parquet", folder / "compounds.parquet", compounds)


def _occurrences(folder: Path, n: int) -> None:
    zipf.occurrences(folder / "occurrences.parquet", n)


def _captions(folder: Path, n: int) -> None:
    made_data.captions(folder / "captions.txt", n)


def _distinct_captions(folder: Path, n: int) -> None:
    _captions(folder, n)
    run_stage("read_captions", f"{READ_CAPTIONS} --captions in/captions.parquet", folder, TRAINING_SET)


def _systematicity(folder: Path, queries: int) -> None:
    """Make annotations and captions, and run the stages before gen_hn_atom, for about ``queries`` one-compound regions."""
    made_data.annotations(folder, round(queries / QUERIES_AN_IMAGE))
    _distinct_captions(folder, 5 * queries)
    run_stage("scene_graphs", "--visual-genome in --out in/sg.parquet --rejects r.parquet --metrics m.json", folder, {})
    out = "--regions in/regions.parquet --facts in/facts.parquet"
    run_stage("filter_vg", f"--visual-genome in {out} --rejects x.parquet --metrics m.json --work work", folder, {})
    out = "--occurrences in/training/made/occurrences.parquet --graphs in/training/made/graphs.parquet"
    run_stage("parse_train", f"{PARSE_TRAIN} {out}", folder, {})
    seen = "--atoms in/atoms.parquet --compounds in/compounds.parquet --metrics m.json"
    run_stage("seen_index", f"--occurrences in/training/made/occurrences.parquet {seen}", folder, {})
    run_stage("split", f"--regions in/regions.parquet {seen} --out in/split/made.parquet --plot plot.csv", folder, {})


def _productivity(folder: Path, captions: int) -> None:
    productivity.inputs(folder, captions, run_stage)


READ_CAPTIONS = "--training-set made --rejects x.parquet --metrics m.json --work work"
PARSE_TRAIN = "--captions in/captions.parquet --metrics m.json --work work"
TRAINING_SET = {"training_sets": {"made": {"path": "in/captions.txt", "format": "txt"}}}
SEEN_INDEX = "--occurrences in/occurrences.parquet --atoms a.parquet --compounds c.parquet --metrics m.json"
FILTER_VG = "--visual-genome in --regions r.parquet --facts f.parquet --rejects x.parquet --metrics m.json --work work"
GEN_HN_PROD = (
    "--captions in/captions.parquet --facts in/facts.parquet --scene-graphs in/sg.parquet --training-captions in/training "
    "--queries q.parquet --candidates c.parquet --rejects r.parquet --metrics m.json"
)
GEN_HN_ATOM = (
    "--regions in/regions.parquet --facts in/facts.parquet --scene-graphs in/sg.parquet --splits in/split --captions in/training "
    "--queries q.parquet --candidates c.parquet --rejects r.parquet --metrics m.json"
)
QUERIES_AN_IMAGE = 2.4
"""Regions with one compound and a suitable crop, per image of :mod:`made_data`."""
CASES = {
    # No crop is that large, so everything is read and judged, but nothing is parsed.
    "filter_vg": Case(
        "regions",
        5_400_000,
        _annotations,
        FILTER_VG,
        {"filter_vg.facts": "queries", "crop.min_area": 1 << 40, "run.memory": "300MB"},
    ),
    "filter_vg_with_parsing": Case("regions", 200_000, _annotations, FILTER_VG),
    "read_captions": Case(
        "captions",
        10_000_000,
        _captions,
        f"{READ_CAPTIONS} --captions c.parquet",
        {**TRAINING_SET, "run.workers": 1, "run.memory": "500MB"},
    ),
    "parse_train": Case(
        "captions",
        400_000,
        _distinct_captions,
        f"{PARSE_TRAIN} --occurrences o.parquet --graphs g.parquet",
        {"run.workers": 1},
    ),
    # Everything that the stage does except parsing, within its memory limit.
    "parse_train_with_quick_parser": Case(
        "captions",
        10_000_000,
        _distinct_captions,
        f"{PARSE_TRAIN} --occurrences o.parquet --graphs g.parquet",
        {
            "run.workers": 1,
            "run.memory": "500MB",
            "language.parser": "tests.made_parser.QuickParser",
            "parse_train.keep_graphs": False,
        },
    ),
    "scene_graphs": Case("images", 108_077, _scenes, "--visual-genome in --out o.parquet --rejects r.parquet --metrics m.json"),
    "walk_subgraphs": Case(
        "images",
        108_077,
        _scene_graphs,
        "--scene-graphs in/sg.parquet --out o.parquet --metrics m.json",
        {"walk_subgraphs.per_complexity": 2000, "walk_subgraphs.times": {}},
    ),
    "split": Case(
        "compounds",
        20_000_000,
        _split,
        "--regions in/regions.parquet --atoms in/atoms.parquet --compounds in/compounds.parquet "
        "--out o.parquet --metrics m.json --plot plot.csv",
    ),
    "seen_index": Case("occurrences", 50_000_000, _occurrences, SEEN_INDEX, {"run.memory": "4GB"}),
    "gen_hn_atom": Case("queries", 30_000, _systematicity, GEN_HN_ATOM, TRAINING_SET),
    "gen_hn_prod": Case("captions", 20_000, _productivity, GEN_HN_PROD, TRAINING_SET),
    "seen_index_in_500mb": Case("occurrences", 50_000_000, _occurrences, SEEN_INDEX, {"run.memory": "500MB"}),
}
"""A case has its stage's name, with ``_with_…`` or ``_in_…`` after it for a variant."""


def stage_of(case: str) -> str:
    return case.split("_with_")[0].split("_in_")[0]


def run_stage(stage: str, command: str, inputs: Path, parameters: dict[str, Any]) -> tuple[float, float, float]:
    """Run a stage in a separate folder, where ``in`` links to ``inputs``; return its seconds, CPU seconds and peak memory in MB."""
    with tempfile.TemporaryDirectory(dir=inputs.parent) as name:
        folder = Path(name)
        (folder / "in").symlink_to(inputs.resolve())
        start, used = time.perf_counter(), cpu_seconds()
        process = start_stage(stage, command, folder, parameters)
        peak = 0.0
        while process.poll() is None:
            peak = max(peak, memory(process.pid))
            time.sleep(0.25)  # measuring a gigabyte takes 10 ms
        seconds = time.perf_counter() - start
        if process.returncode:
            sys.exit(f"stages.{stage} ended with status {process.returncode}")
    return seconds, cpu_seconds() - used, peak


def cpu_seconds() -> float:
    """Return the CPU seconds of all processes that were started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def memory(pid: int) -> float:
    """Return the memory of a process and its descendants, in MB; pages that they share are counted once."""
    total = 0.0
    try:
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            total += one.memory_full_info().pss / 1e6
    except psutil.Error:
        pass  # it ended during the measurement
    return total


def slope(items: list[int], seconds: list[float]) -> float:
    """Return the slope of the straight line through the logarithms, by least squares."""
    x, y = [math.log(n) for n in items], [math.log(s) for s in seconds]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum((a - mean_x) ** 2 for a in x)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--items", type=int, help="the largest size, if not the full one")
    parser.add_argument(
        "--folder", type=Path, help="where the inputs are made and stay for the next run, if not a temporary folder"
    )
    options = parser.parse_args()
    case = CASES[options.case]
    largest = options.items or case.full
    folder = options.folder or Path(tempfile.mkdtemp())
    items, seconds = [], []
    try:
        for n in (largest // 4, largest // 2, largest):
            inputs = folder / f"{options.case}-{n}"
            if not inputs.exists():
                making = inputs.with_suffix(".making")
                shutil.rmtree(making, ignore_errors=True)
                making.mkdir(parents=True)
                case.make(making, n)
                making.rename(inputs)
            took, cpu, peak = run_stage(stage_of(options.case), case.command, inputs, case.parameters)
            items.append(n)
            seconds.append(took)
            print(
                f"{stage_of(options.case)}: {n:,} {case.unit} in {took:.1f} s ({cpu:.1f} s of CPU), peak {peak:,.0f} MB", flush=True
            )
    finally:
        if not options.folder:
            shutil.rmtree(folder)
    figures = {"items": largest, "seconds": round(seconds[-1], 2), "cpu_seconds": round(cpu, 2), "peak_mb": round(peak)}
    print(json.dumps({"stage": options.case, **figures, "slope": round(slope(items, seconds), 3)}))


if __name__ == "__main__":
    main()
