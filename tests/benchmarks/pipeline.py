"""``python -m tests.benchmarks.pipeline [--share S …]``: every stage up to the negatives, on annotations and captions of full size.

Makes a share of Visual Genome's annotations, without pictures, and of a million captions for each of three training sets, in a
clone of the project, and has DVC run each stage. Prints seconds, CPU seconds and peak memory by stage; with two shares or more
also the slope of the sums in logarithms, and the hours of the whole on the straight line through the last two shares, so that what
a stage takes to begin counts once. Last line: JSON.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

from tests.benchmarks import full_size
from tests.benchmarks.scale import cpu_seconds, memory, slope
from tests.test_end_to_end import Project

TRAINING_SETS = ("cc12m", "yfcc15m", "laion400m")
CAPTIONS = 1_000_000
WALKS = 2000
ORDER = (
    *("read_captions", "parse_train", "seen_index", "scene_graphs", "filter_vg", "split", "gen_hn_atom", "gen_hn_comp"),
    *("walk_subgraphs", "caption", "gen_hn_prod"),
)


def prepared(folder: Path, share: float) -> Project:
    """A clone with ``share`` of the full size as its inputs."""
    project = Project(folder / "project")
    made = project.folder / "made"
    full_size.annotations(made, round(full_size.IMAGES * share))
    for seed, name in enumerate(TRAINING_SETS):
        full_size.captions(made / f"{name}.txt", round(CAPTIONS * share), seed)
    sets = {name: {"path": f"made/{name}.txt", "format": "txt"} for name in TRAINING_SETS}
    project.set(
        **{
            "training_sets": sets,
            "visual_genome.annotations": "made",
            "walk_subgraphs.per_complexity": max(1, round(WALKS * share)),
            "walk_subgraphs.times": {},
        }
    )
    return project


def measured(project: Project, stage: str) -> tuple[float, float, float]:
    """Seconds, CPU seconds and peak memory in MB of one stage under DVC."""
    started, used, peak = time.perf_counter(), cpu_seconds(), 0.0
    command = ["dvc", "repro", "--single-item", "--quiet", stage]
    process = subprocess.Popen(command, cwd=project.folder, env=project.environment, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        peak = max(peak, memory(process.pid))
        time.sleep(0.25)
    if process.returncode:
        raise SystemExit(f"{stage} ended with status {process.returncode}:\n{process.stderr.read() if process.stderr else ''}")
    return time.perf_counter() - started, cpu_seconds() - used, peak


def whole(share: float) -> dict[str, list[float]]:
    """The cost of each stage: seconds, CPU seconds, peak memory in MB; the three of ``parse_train`` and the like together."""
    costs: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        project = prepared(Path(name), share)
        stages = project.run("dvc", "stage", "list", "--name-only").split()
        for kind in ORDER:
            for stage in [stage for stage in stages if stage.split("@")[0] == kind]:
                seconds, cpu, peak = measured(project, stage)
                before = costs.get(kind, [0.0, 0.0, 0.0])
                costs[kind] = [before[0] + seconds, before[1] + cpu, max(before[2], peak)]
            print(f"{kind:<16}{costs[kind][0]:>9.1f} s{costs[kind][1]:>9.1f} s of CPU{costs[kind][2]:>9,.0f} MB", flush=True)
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, nargs="+", default=[0.005, 0.02], help="of full size, ascending")
    shares = parser.parse_args().share
    sums = []
    for share in shares:
        print(
            f"\n{share:.1%} of full size: {full_size.IMAGES * share:,.0f} images, {CAPTIONS * share:,.0f} captions a training set"
        )
        costs = whole(share)
        sums.append(sum(seconds for seconds, _, _ in costs.values()))
    figures = {"share": shares[-1], "seconds": round(sums[-1], 1), "peak_mb": round(max(peak for _, _, peak in costs.values()))}
    if len(shares) > 1:
        items = [round(share * 1_000_000) for share in shares]
        a_share = (sums[-1] - sums[-2]) / (shares[-1] - shares[-2])
        hours = (sums[-1] + a_share * (1 - shares[-1])) / 3600
        figures |= {"slope": round(slope(items, sums), 3), "whole_hours": round(hours, 2)}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
