"""``python -m tests.benchmarks.full_size [--share S …] [--old CHECKOUT] [--keep DIR]``: time every stage at Visual Genome's size.

Makes a share of Visual Genome's annotations (108,077 images; no pictures) and of a million captions for each of three training
sets, recombined from the real files in ``--data`` (:mod:`tests.benchmarks.recombined`). DVC runs each stage up to the negatives of
both protocols, with this checkout's code and optionally another's. Prints each stage's processor and wall seconds, peak memory and
rows, and its exponent of growth over the two largest shares: the slope of log processor seconds, minus those of a run on next to
nothing, over log share. Measurements are cached in ``--keep``, so a killed run resumes. Last line: JSON.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from stages.contract.files import write_json
from tests.benchmarks import costs, recombined
from tests.benchmarks.scale import memory
from tests.running import ROOT, set_parameters

IMAGES, CAPTIONS, WALKS = 108_077, 1_000_000, 2000
NOTHING = 0.0003
"""The share of a run on next to nothing: some thirty images and three hundred captions."""
STAGES = (
    *("read_captions", "parse_train", "seen_index", "scene_graphs", "filter_vg", "split", "walk_subgraphs", "caption", "gen_aro"),
    *("gen_hn_atom", "gen_hn_comp", "gen_hn_prod"),
)
NEGATIVES = "gen_hn_atom", "gen_hn_comp", "gen_hn_prod"
Cost = dict[str, float]


class Sitting:
    """The pipeline of one checkout at one share, in a retained folder."""

    def __init__(self, folder: Path, checkout: Path, made: Path, share: float):
        self.folder, self.share = folder, share
        self.kept = folder / "costs.json"
        self.costs: dict[str, Cost] = json.loads(self.kept.read_text()) if self.kept.exists() else {}
        if not (folder / "params.yaml").exists():
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copytree(
                checkout / "stages", folder / "stages", ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True
            )
            shutil.copy(checkout / "dvc.yaml", folder)
            (folder / ".dvc").mkdir(exist_ok=True)
            (folder / ".dvc" / "config").write_text("[core]\n    no_scm = true\n    analytics = false\n")
            (folder / ".nltk_data").symlink_to((ROOT / ".nltk_data").resolve())
            (folder / "made").symlink_to(made.resolve())
            set_parameters(folder / "params.yaml", self._changes(), checkout / "params.yaml")
        self.environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    def _changes(self) -> dict[str, Any]:
        return {
            "training_sets": {name: {"path": f"made/{name}.txt", "format": "txt"} for name in ("yfcc15m", "cc12m", "laion400m")},
            "visual_genome.annotations": "made",
            "walk_subgraphs.per_complexity": max(2, round(WALKS * self.share)),
            "walk_subgraphs.times": {},
            "evaluate.training_set": "none",
        }

    def run(self, kinds: list[str]) -> None:
        """Measure every stage without a cached cost."""
        listed = subprocess.run(
            ["dvc", "stage", "list", "--name-only"],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        every = listed.stdout.split()
        for kind in kinds:
            if kind not in self.costs:
                self.costs[kind] = self._measured([stage for stage in every if stage.split("@")[0] == kind])
                write_json(self.kept, self.costs)
                print(
                    f"  {kind:<22}" + "".join(f"{name} {value:>10,.1f}  " for name, value in self.costs[kind].items()), flush=True
                )

    def _measured(self, stages: list[str]) -> Cost:
        cost: Cost = {"cpu_s": 0.0, "wall_s": 0.0, "peak_mb": 0.0, "rows": 0.0}
        for stage in stages:
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            command = ["dvc", "repro", "--single-item", "--force", "--quiet", stage]
            process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stderr=subprocess.PIPE, text=True)
            while process.poll() is None:
                cost["peak_mb"] = max(cost["peak_mb"], memory(process.pid))
                time.sleep(0.25)
            if process.returncode:
                raise SystemExit(
                    f"{stage} ended with status {process.returncode}:\n{process.stderr.read() if process.stderr else ''}"
                )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cost["wall_s"] += time.perf_counter() - started
            cost["cpu_s"] += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            cost["rows"] += rows(self.folder / "metrics", stage)
        return cost


def rows(metrics: Path, stage: str) -> int:
    """Return the number of a stage's input rows from its ledger, or 0 if it has no ledger."""
    ledger = metrics / f"{stage.replace('@', '_')}.json"
    found = json.loads(ledger.read_text()) if ledger.exists() else {}
    return int(found.get("in", 0))


def make(folder: Path, data: Path, share: float) -> None:
    """Make the inputs of a share, once."""
    if (folder / "done").exists():
        return
    recombined.write_annotations(folder, data, max(30, round(IMAGES * share)))
    for seed, (name, texts) in enumerate(recombined.corpora(data).items()):
        recombined.write_captions(folder / f"{name}.txt", texts, max(300, round(CAPTIONS * share)), seed)
    (folder / "done").touch()


def figures(of_share: dict[float, dict[str, Cost]], shares: list[float]) -> dict[str, Any]:
    """Return the sums at the largest share, and every stage's exponent."""
    last = of_share[shares[-1]]
    made: dict[str, Any] = {key: sum(cost[key] for cost in last.values()) for key in ("cpu_s", "wall_s")}
    made["negatives_cpu_s"] = sum(cost["cpu_s"] for key, cost in last.items() if key in NEGATIVES)
    made["peak_mb"] = max(cost["peak_mb"] for cost in last.values())
    at = {key: {share: of_share[share][key] for share in [NOTHING, *shares]} for key in last}
    made["exponents"] = {key: costs.Measured.of(of_stage).exponent() for key, of_stage in at.items()}
    made["stages"] = last
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, nargs="+", default=[0.001, 0.003], help="of full size, ascending")
    parser.add_argument("--old", type=Path, help="another checkout to compare with")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "full_size", help="where inputs, outputs and costs lie")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="the real files")
    parser.add_argument("--take", action="store_true", help="write the costs into results/full_size.json, which the page quotes")
    parser.add_argument("--stages", nargs="+", default=list(STAGES), choices=STAGES)
    asked = parser.parse_args()
    checkouts = {"new": ROOT} | ({"old": asked.old.resolve()} if asked.old else {})
    found: dict[str, dict[float, dict[str, Cost]]] = {name: {} for name in checkouts}
    for share in [NOTHING, *asked.share]:
        made = asked.keep / "made" / f"{share:g}"
        make(made, asked.data, share)
        for name, checkout in checkouts.items():
            print(f"{share:.2%} of full size, {name}", flush=True)
            sitting = Sitting(asked.keep / name / f"{share:g}", checkout, made, share)
            sitting.run(asked.stages)
            found[name][share] = sitting.costs
    if asked.take:
        costs.take(found["new"], CAPTIONS)
    totals: dict[str, Any] = {name: figures(of_share, asked.share) for name, of_share in found.items()}
    if asked.old:
        totals["ratio"] = round(totals["old"]["cpu_s"] / totals["new"]["cpu_s"], 2)
        totals["negatives_ratio"] = round(totals["old"]["negatives_cpu_s"] / max(totals["new"]["negatives_cpu_s"], 1e-9), 2)
    print(json.dumps({"share": asked.share[-1], **totals}))


if __name__ == "__main__":
    main()
