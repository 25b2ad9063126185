"""Compare captions per second of two versions: ``python -m tests.benchmarks.parse_speed FILE.txt … --old CHECKOUT``.

Runs ``read_captions`` and ``parse_train`` of the other checkout and of this one in turns on the same files (one caption per
line), each in a separate process with one worker. Processor seconds are measured with and without start-up, which is the time of
a run on one caption. The graphs of both are compared. Last line: JSON.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tests.running import ROOT, set_parameters

STAGES = {
    "read_captions": "--training-set made --captions captions.parquet --rejects r.parquet --metrics m.json --work work",
    "parse_train": "--captions captions.parquet --occurrences o.parquet --graphs g.parquet --metrics m.json --work work",
}


def seconds(checkout: Path, captions: Path, out: Path) -> dict[str, float]:
    """Return the processor seconds of each stage of a checkout, and leave its tables in ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    changes = {"training_sets": {"made": {"path": str(captions.resolve()), "format": "txt"}}, "run.workers": 1}
    set_parameters(out / "params.yaml", changes, checkout / "params.yaml")
    environment = os.environ | {"PYTHONPATH": str(checkout), "OMP_NUM_THREADS": "1"}
    found = {}
    for stage, arguments in STAGES.items():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", f"stages.{stage}", *arguments.split()]
        subprocess.run(command, cwd=out, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found[stage] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found


def differing(old: Path, new: Path) -> int:
    """Return the number of captions whose graphs differ."""
    rows = [{row["caption"]: row for row in pq.read_table(folder / "g.parquet").to_pylist()} for folder in (old, new)]
    return sum(rows[0].get(caption) != rows[1].get(caption) for caption in {**rows[0], **rows[1]})


def compare(checkouts: dict[str, Path], captions: Path, rounds: int, folder: Path) -> dict[str, Any]:
    """Return the figures of one file."""
    folder.mkdir()
    one = folder / "one.txt"
    one.write_text("a dog on a mat\n")
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in checkouts}
    begun = {
        name: min(sum(seconds(path, one, folder / "begin").values()) for _ in range(rounds)) for name, path in checkouts.items()
    }
    for _ in range(rounds):
        for name, path in checkouts.items():
            taken[name].append(seconds(path, captions, folder / name))
    n = pq.read_metadata(folder / "new" / "g.parquet").num_rows
    best = {name: min(sum(costs.values()) for costs in several) for name, several in taken.items()}
    figures: dict[str, Any] = {"captions": n, "differing": differing(folder / "old", folder / "new")}
    for name in checkouts:
        figures[name] = {
            "captions_per_s": round(n / best[name]),
            "without_beginning": round(n / (best[name] - begun[name])),
            "beginning_s": round(begun[name], 1),
            **{f"{stage}_s": round(min(costs[stage] for costs in taken[name]), 1) for stage in STAGES},
        }
    figures["ratio"] = round(best["old"] / best["new"], 2)
    figures["ratio_without_beginning"] = round((best["old"] - begun["old"]) / (best["new"] - begun["new"]), 2)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--old", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    checkouts = {"old": arguments.old.resolve(), "new": ROOT}
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for file in arguments.files:
            figures[file.stem] = compare(checkouts, file, arguments.rounds, Path(folder) / file.stem)
            print(file.stem, json.dumps(figures[file.stem]), flush=True)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
