"""The whole pipeline on a tiny sample: with DVC in an empty clone, killed twice, and without DVC, to compare the bytes."""

import hashlib
import json
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.project import Project
from tests.stage_runs import TINY, digest

ROOT = Path(__file__).resolve().parents[1]
DIGESTS = Path(__file__).with_name("digests.json")
NAMES = YAML(typ="safe", pure=True).load(ROOT / "dvc.yaml")["stages"]
KILLED, ORPHANED = "gen_hn_prod", "filter_vg"
"""The first is killed together with DVC, during the second only DVC is killed; ``test_faults.py`` kills each stage."""

heavy = pytest.mark.heavy


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """Run two workers with another locale, time zone and hash seed; kill DVC alone and with its stage; then resume with one.

    The stage of which DVC alone was killed continues during the next run.
    """
    project = Project(tmp_path_factory.mktemp("one") / "project", LC_ALL="C", TZ="Asia/Kathmandu", PYTHONHASHSEED="random")
    project.set(**TINY | {"run.workers": 2})
    project.kill(ORPHANED, alone=True, within=1)
    project.repro_beside_an_orphan(ORPHANED)
    project.kill(KILLED, alone=False, within=4)
    project.set(**{"run.workers": 1, "audit.grammar_queries": 2})
    project.repro()
    project.set(**{"audit.grammar_queries": TINY["audit.grammar_queries"]})
    project.ran_again = project.repro()
    return project


@heavy
def test_every_stage_ran(project):
    assert {path.split("@")[0] for path in project.lock()} == set(NAMES)


def test_every_ledger_adds_up(undisturbed):
    metrics = {file.stem: json.loads(file.read_text()) for file in sorted((undisturbed.folder / "metrics").glob("*.json"))}
    ledgers = {name: figures for name, figures in metrics.items() if "unit" in figures}
    assert len(ledgers) >= 9
    for name, ledger in ledgers.items():
        assert ledger["in"] == ledger["kept"] + sum(ledger["dropped"].values()), name
        assert ledger["in"] > 0, name


@heavy
def test_a_second_run_changes_nothing(project):
    assert project.repro() == []


@heavy
def test_a_changed_threshold_runs_its_stage_and_what_follows(project):
    """This rerun was the last, so the outputs that are compared below include it."""
    assert project.ran_again == ["audit", "report"]


@heavy
def test_nothing_half_written_is_left(project):
    assert project.left_over() == []


@heavy
def test_the_same_bytes_undisturbed_and_after_kills_with_two_workers(project, undisturbed):
    """Another folder and process, without DVC and with one worker, give the same tables, figures, drawings and page."""
    assert {stage.split("@")[0] for stage in undisturbed.wrote} == set(NAMES)
    for stage, files in undisturbed.wrote.items():
        assert {path: digest(project.folder / path) for path in files} == files, stage


def test_the_tables_are_those_of_the_last_release(undisturbed):
    """Changed bytes are a changed benchmark: ``python -m tests.test_end_to_end`` accepts them deliberately.

    Only outputs that do not depend on the processor's floating-point arithmetic are compared: no sample, sets, models or figures.
    """
    files = {path: undisturbed.folder / path for wrote in undisturbed.wrote.values() for path in wrote}
    found = {path: hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest() for path, file in files.items()}
    assert held(found) == json.loads(DIGESTS.read_text())


def held(digests: dict[str, str]) -> dict[str, str]:
    floating = ("data/sample", "data/gen_", "data/mine_negatives/neighbours", "data/train/", "data/evaluate/", "metrics/")
    return {path: digest for path, digest in digests.items() if not path.startswith(floating)}


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        accepted = Project(Path(folder) / "project")
        accepted.set(**TINY)
        accepted.repro()
        DIGESTS.write_text(json.dumps(held(accepted.digests()), indent=2, sort_keys=True) + "\n")
