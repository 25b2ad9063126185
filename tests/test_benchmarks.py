"""Every benchmark can be imported, and those that need no external data run in their smallest form."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.models.made import tiny_clip

ROOT = Path(__file__).resolve().parents[1]
NAMES = sorted(path.stem for path in (ROOT / "tests" / "benchmarks").glob("*.py"))
SMALLEST = {
    "evaluate": "--rows 2 --architecture local-dir:{model}",
    "evaluate aro": "--suite aro --rows 2 --architecture local-dir:{model}",
    "evaluate retrieval": "--suite retrieval --rows 1 --architecture local-dir:{model}",
    "evaluate_scale": "encode --crops 40 --captions 160",
    "exports": "--rows 20 --old .",
    "first_run": "--smallest",
    "harnesses": "--rows 20",
    "parse_train": "--captions 300 --rounds 1",
    "photographs": "--smallest",
    "parse_speed": "{captions} --old . --rounds 1",
}
"""Arguments with which a benchmark, or one of its tasks, finishes in seconds."""


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_can_be_imported(name):
    importlib.import_module(f"tests.benchmarks.{name}")


@pytest.mark.heavy
@pytest.mark.parametrize("what", SMALLEST)
def test_a_benchmark_runs_in_its_smallest_form(what, tmp_path):
    captions = tmp_path / "captions.txt"
    captions.write_text("".join(f"a red dog on mat number {i}\n" for i in range(20)))
    arguments = SMALLEST[what].format(captions=captions, model=tiny_clip(tmp_path / "model")).split()
    command = [sys.executable, "-m", f"tests.benchmarks.{what.split()[0]}", *arguments]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures
    assert not any(value for key, value in figures.items() if key.endswith("_differing"))


def test_harnesses_may_differ_in_ties_alone():
    our = {"right": [2.0, 1.0, 0.0], "wrong": [1.0, 2.0], "tie": [1.0, 1.0 + 1e-6], "lost": [1.0, 0.0]}
    compared = importlib.import_module("tests.benchmarks.harnesses").compared
    same = {"right": True, "wrong": False, "tie": True, "lost": True}
    assert compared(our, same) == {"cases": 4, "ties": 1, "ties_right": 1, "differing": 0}
    other = {"right": False, "wrong": False, "tie": False, "new": True}
    assert compared(our, other) == {"cases": 4, "ties": 1, "ties_right": 0, "differing": 3}, (
        "one by its rank, two are only on one side"
    )
