"""The whole pipeline with DVC, on a tiny sample, in an empty clone, killed again and again; and without, to compare the bytes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from ruamel.yaml import YAML

from tests.running import set_parameters
from tests.stage_runs import TINY, digest
from tests.writing.server import reply, serving

ROOT = Path(__file__).resolve().parents[1]
DIGESTS = Path(__file__).with_name("digests.json")
NAMES = YAML(typ="safe", pure=True).load(ROOT / "dvc.yaml")["stages"]
KILLED, ORPHANED = "gen_hn_prod", "filter_vg"
"""With the first DVC is killed, too, in the second DVC alone; ``test_faults.py`` kills each stage."""

pytestmark = pytest.mark.slow


class Project:
    """A clone of the project in a folder of its own, with its own DVC cache."""

    def __init__(self, folder: Path, **environment: str):
        self.folder = folder
        self.ran_again: list[str] = []
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "DVC_SITE_CACHE_DIR": str(folder.parent / f"{folder.name}-site"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "OPENAI_API_KEY": "none",
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
        set_parameters(self.folder / "params.yaml", values)

    def write_captions(self, folder: Path, **values: object) -> None:
        """Run ``caption`` by hand with other parameters, for its answers; its outputs go to ``folder``."""
        parameters = self.folder / "params.yaml"
        before = parameters.read_bytes()
        self.set(**values)
        inputs = ["--subgraphs", "data/walk_subgraphs/subgraphs.parquet", "--answers", "data/language_model_answers"]
        outputs = [word for name in ("out", "rejects", "metrics") for word in (f"--{name}", str(folder / name))]
        self.run("python", "-m", "stages.caption", *inputs, *outputs)
        parameters.write_bytes(before)

    def repro(self) -> list[str]:
        """``dvc repro``; the names of the stages that ran."""
        return re.findall(r"^Running stage '(.*)':", self.run("dvc", "repro"), re.MULTILINE)

    def kill(self, stage: str) -> None:
        """``dvc repro``, killed in the ``stage``, with all that it started or, where that is ``ORPHANED``, alone."""
        process = subprocess.Popen(
            ["dvc", "repro"], cwd=self.folder, env=self.environment, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert process.stdout is not None
        running = (line.split("'")[1] for line in process.stdout if line.startswith("Running stage '"))
        assert stage in running
        time.sleep(Random(stage).uniform(0, 4 if stage == KILLED else 1))
        (os.kill if stage == ORPHANED else os.killpg)(process.pid, signal.SIGKILL)
        process.stdout.close()
        process.wait()
        assert process.returncode == -signal.SIGKILL

    def repro_beside_an_orphan(self, stage: str) -> None:
        """``dvc repro`` at once, and again for as long as it says that an earlier run's process is still writing."""
        while True:
            command = ["dvc", "repro", stage]
            done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
            if done.returncode == 0:
                return
            errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
            assert len(errors) == 1 and "which an earlier run left behind" in errors[0], done.stderr[-6000:]
            time.sleep(1)

    def left_over(self) -> list[str]:
        """What unfinished work left behind, also what it is kept in for the next run."""
        files = (path.relative_to(self.folder) for name in ("data", "metrics") for path in (self.folder / name).rglob("*"))
        hidden = (path for path in files if any(part.startswith(".") for part in path.parts) and path.name != ".gitignore")
        return sorted(str(path) for path in hidden if (self.folder / path).is_file())

    def commit_of_another_machine(self) -> str:
        """Commit all, with a lock that names another table of ranks than the one that was made here; the commit's name."""
        lock = self.folder / "dvc.lock"
        own = lock.read_text()
        ranks = self.digests()["data/evaluate/ranks.parquet"]
        lock.write_text(own.replace(ranks, ranks[::-1]))
        for command in (["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "another machine's"]):
            self.run("git", *command)
        lock.write_text(own)
        return self.run("git", "rev-parse", "HEAD").strip()

    def metrics(self) -> dict[str, dict]:
        return {file.stem: json.loads(file.read_text()) for file in sorted((self.folder / "metrics").glob("*.json"))}

    def lock(self) -> dict[str, dict]:
        """By the stages that ran."""
        return YAML(typ="safe", pure=True).load(self.folder / "dvc.lock")["stages"]

    def digests(self) -> dict[str, str]:
        return {out["path"]: out["md5"] for stage in self.lock().values() for out in stage.get("outs", [])}


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """Another locale, time zone and order of sets; two workers, DVC killed alone and with its stage; then it goes on with one.

    The stage of which DVC alone was killed goes on beside the next run.
    """
    project = Project(tmp_path_factory.mktemp("one") / "project", LC_ALL="C", TZ="Asia/Kathmandu", PYTHONHASHSEED="random")
    project.set(**TINY | {"run.workers": 2})
    project.kill(ORPHANED)
    project.repro_beside_an_orphan(ORPHANED)
    project.kill(KILLED)
    project.set(**{"run.workers": 1, "audit.grammar_queries": 10})
    project.repro()
    project.set(**{"audit.grammar_queries": TINY["audit.grammar_queries"]})
    project.ran_again = project.repro()
    return project


def test_every_stage_ran(project):
    assert {path.split("@")[0] for path in project.lock()} == set(NAMES)


def test_every_ledger_adds_up(project):
    ledgers = {name: metrics for name, metrics in project.metrics().items() if "unit" in metrics}
    assert len(ledgers) >= 12
    for name, ledger in ledgers.items():
        assert ledger["in"] == ledger["kept"] + sum(ledger["dropped"].values()), name
        assert ledger["in"] > 0, name


def test_a_second_run_changes_nothing(project):
    assert project.repro() == []


def test_a_changed_threshold_runs_its_stage_and_what_follows(project):
    """The last thing that changed; all that is compared below has it."""
    assert project.ran_again == ["audit", "report"]


def test_experiments_find_what_is_kept_in_workspaces_of_their_own(project, tmp_path):
    """``--temp`` leaves the features that it encodes for others, ``--queue`` finds WordNet and a language model's paid answers.

    Then ``compare`` sets one beside a revision whose table another machine made.
    """
    committed = project.commit_of_another_machine()
    features = project.folder / "data" / "features"
    kept = {path.name for path in features.iterdir()}
    shutil.rmtree(features)
    project.run("dvc", "exp", "run", "--temp", "-n", "five", "-S", "evaluate.folds=5", "evaluate")
    assert {path.name for path in features.iterdir()} == kept
    with serving(lambda request, number: reply("a thing")) as (address, requests):
        llm = {"caption.writer": "llm", "caption.llm.base_url": address, "caption.llm.model": "tiny"}
        project.write_captions(tmp_path, **llm)
        asked = len(requests)
        changes = [word for key, value in llm.items() for word in ("-S", f"{key}={value}")]
        project.run("dvc", "exp", "run", "--queue", *changes, "-S", "caption.seed=5", "caption")
        project.run("dvc", "exp", "run", "--run-all")
        assert asked and len(requests) == asked
    stored = (project.folder / "data" / "language_model_answers").rglob("*.json")
    assert len(list(stored)) == asked and "Success" in project.run("dvc", "queue", "status")
    compared = project.run("python", "-m", "stages.page.compare", committed, "five")
    assert "less that of" in compared
    assert project.repro() == []


def test_nothing_half_written_is_left(project):
    assert project.left_over() == []


def test_the_same_bytes_undisturbed_and_after_kills_with_two_workers(project, undisturbed):
    """In another folder and process, without DVC, with one worker: the same tables, figures, drawings and page."""
    for stage, files in undisturbed.wrote.items():
        assert {path: digest(project.folder / path) for path in files} == files, stage


def test_the_tables_are_those_of_the_last_release(project):
    """A change of bytes is a change of the benchmark: ``python -m tests.test_end_to_end`` accepts it knowingly.

    Only what does not hang on a processor's way with floating point is held: all up to the negatives, but for the pictures.
    """
    assert held(project.digests()) == json.loads(DIGESTS.read_text())


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
