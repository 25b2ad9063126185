"""Measure the cost of ``make`` after its set-up, stage by stage, in clean clones of two checkouts, one after the other:

    python -m tests.benchmarks.first_run [OLD_CHECKOUT] [--smallest]

Each checkout's last commit is cloned into a temporary folder, with this checkout's environment, and DVC runs its whole pipeline
there. For each stage it prints processor and wall seconds, old and new; "all" includes DVC's own. The last line is JSON.
``--smallest`` runs only ``sample`` and ``read_captions`` of this checkout on a few images.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from tests.running import ROOT, set_parameters

ALL = "all"
SMALLEST = {"sample.images": 4, "sample.training_images": 60}
SHIM = """#!{python}
import json, resource, subprocess, sys, time
start = time.time()
code = subprocess.call([{python!r}, *sys.argv[1:]])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open({log!r}, "a") as file:
    file.write(json.dumps([sys.argv[2].rsplit(".", 1)[-1], used.ru_utime + used.ru_stime, time.time() - start]) + "\\n")
sys.exit(code)
"""
"""Precedes Python in PATH while a pipeline runs: it runs a stage and logs its cost."""
Costs = dict[str, list[float]]
"""Processor and wall seconds, by stage."""


def measure(checkout: Path, folder: Path, smallest: bool) -> Costs:
    """Return the cost of each stage in a clean clone of ``checkout``, summed over its training sets.

    Raises:
        subprocess.CalledProcessError: the pipeline failed.
    """
    subprocess.run(["git", "clone", "--quiet", str(checkout), str(folder)], check=True)
    for name in (".venv", ".nltk_data"):
        (folder / name).symlink_to((ROOT / name).resolve())
    if smallest:
        set_parameters(folder / "params.yaml", SMALLEST)
    log, programs = folder.parent / f"{folder.name}.jsonl", folder.parent / f"{folder.name}.bin"
    programs.mkdir()
    (programs / "python").write_text(SHIM.format(python=sys.executable, log=str(log)))
    (programs / "python").chmod(0o755)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    targets = ["read_captions"] if smallest else []
    subprocess.run([sys.executable, "-m", "dvc", "repro", "-q", *targets], cwd=folder, env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    costs: Costs = defaultdict(lambda: [0.0, 0.0])
    for line in log.read_text(encoding="utf-8").splitlines():
        stage, cpu, wall = json.loads(line)
        costs[stage] = [costs[stage][0] + cpu, costs[stage][1] + wall]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**costs, ALL: [cpu, time.time() - start]}


def show(new: Costs, old: Costs) -> None:
    """Print a row per stage."""
    print(f"{'stage':16} {'cpu s: old':>12} {'new':>8} {'wall s: old':>12} {'new':>8}")
    for stage in [*(name for name in new if name != ALL), *(name for name in old if name not in new), ALL]:
        (a, b), (c, d) = ([f"{value:.1f}" for value in costs[stage]] if stage in costs else ["", ""] for costs in (old, new))
        print(f"{stage:16} {a:>12} {c:>8} {b:>12} {d:>8}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", nargs="?", type=Path, help="a checkout of the version to compare with")
    parser.add_argument("--smallest", action="store_true", help="two stages on a few images")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        old = measure(args.old.resolve(), Path(temporary) / "old", args.smallest) if args.old else {}
        new = measure(ROOT, Path(temporary) / "new", args.smallest)
    show(new, old)
    figures = {"new_s": round(new[ALL][0], 1), "new_wall_s": round(new[ALL][1], 1)}
    if old:
        figures |= {
            "old_s": round(old[ALL][0], 1),
            "old_wall_s": round(old[ALL][1], 1),
            "ratio": round(new[ALL][0] / old[ALL][0], 3),
        }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
