"""The whole pipeline with DVC, on a miniature of the sample, in an empty clone; and again elsewhere, to compare the bytes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[1]
DIGESTS = Path(__file__).with_name("digests.json")
MINIATURE = {"sample.images": 40, "sample.training_images": 1500, "train.steps": 20, "walk_subgraphs.per_complexity": 12}

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("end_to_end")]


class Project:
    """A clone of the project in a folder of its own, with its own DVC cache."""

    def __init__(self, folder: Path, **environment: str):
        self.folder = folder
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "DVC_SITE_CACHE_DIR": str(folder.parent / f"{folder.name}-site"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            **environment,
        }
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True
        )
        for name in listed.stdout.decode().split("\0"):
            if name and (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        # What a full run left in git is not what a miniature will make.
        (folder / "dvc.lock").unlink(missing_ok=True)
        if (ROOT / ".nltk_data").is_dir():
            (folder / ".nltk_data").symlink_to(ROOT / ".nltk_data")
        self.run("git", "init", "--quiet")

    def run(self, *command: str) -> str:
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}"
        return done.stdout

    def set(self, **values: object) -> None:
        """Change parameters, as a user would by editing ``params.yaml``."""
        yaml = YAML()
        params = yaml.load(self.folder / "params.yaml")
        for key, value in values.items():
            *path, last = key.split(".")
            section = params
            for part in path:
                section = section[part]
            assert last in section, f"no such parameter: {key}"
            section[last] = value
        yaml.dump(params, self.folder / "params.yaml")

    def repro(self) -> list[str]:
        """``dvc repro``; the names of the stages that ran."""
        return re.findall(r"^Running stage '(.*)':", self.run("dvc", "repro"), re.MULTILINE)

    def metrics(self) -> dict[str, dict]:
        return {file.stem: json.loads(file.read_text()) for file in sorted((self.folder / "metrics").glob("*.json"))}

    def digests(self) -> dict[str, str]:
        lock = YAML(typ="safe", pure=True).load(self.folder / "dvc.lock")["stages"]
        return {out["path"]: out["md5"] for stage in lock.values() for out in stage.get("outs", [])}


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    project = Project(tmp_path_factory.mktemp("one") / "project")
    project.set(**MINIATURE)
    project.ran = project.repro()
    return project


def test_every_stage_ran(project):
    names = YAML(typ="safe", pure=True).load(ROOT / "dvc.yaml")["stages"]
    assert {name.split("@")[0] for name in project.ran} == set(names)


def test_every_ledger_adds_up(project):
    ledgers = {name: metrics for name, metrics in project.metrics().items() if "unit" in metrics}
    assert len(ledgers) >= 12
    for name, ledger in ledgers.items():
        assert ledger["in"] == ledger["kept"] + sum(ledger["dropped"].values()), name
        assert ledger["in"] > 0, name


def test_a_second_run_changes_nothing(project):
    assert project.repro() == []


def test_a_changed_threshold_runs_its_stage_and_what_follows(project):
    before = project.digests()
    project.set(**{"gen_hn_comp.negatives": 5})
    ran = set(project.repro())
    assert "gen_hn_comp" in ran
    assert ran <= {"gen_hn_comp", "evaluate", "audit", "report"}
    project.set(**{"gen_hn_comp.negatives": 6})
    project.repro()
    assert project.digests() == before


def test_nothing_half_written_is_left(project):
    assert not [path for path in project.folder.rglob(".*.partial")]


def test_the_same_bytes_elsewhere(project, tmp_path):
    """Another folder, one worker, another locale, time zone and hash seed: the same tables, the same figures."""
    other = Project(tmp_path / "elsewhere", LC_ALL="C", TZ="Asia/Kathmandu", PYTHONHASHSEED="12345")
    other.set(**MINIATURE, **{"run.workers": 1})
    other.repro()
    assert other.digests() == project.digests()
    assert other.metrics() == project.metrics()


def test_the_tables_are_those_of_the_last_release(project):
    """A change of bytes is a change of the benchmark: ``python -m tests.test_end_to_end`` accepts it knowingly.

    Only what does not hang on a processor's way with floating point is held: all up to the negatives, but for the pictures.
    """
    assert held(project.digests()) == json.loads(DIGESTS.read_text())


def held(digests: dict[str, str]) -> dict[str, str]:
    floating = ("data/sample", "data/gen_", "data/train/", "data/evaluate/", "metrics/")
    return {path: digest for path, digest in digests.items() if not path.startswith(floating)}


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        accepted = Project(Path(folder) / "project")
        accepted.set(**MINIATURE)
        accepted.repro()
        DIGESTS.write_text(json.dumps(held(accepted.digests()), indent=2, sort_keys=True) + "\n")
