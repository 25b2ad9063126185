"""A clone of the project in its own folder, in which DVC runs."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from ruamel.yaml import YAML

from tests.running import set_parameters

ROOT = Path(__file__).resolve().parents[1]


class Project:
    """A clone that also has its own DVC cache."""

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
        # The lock of a full run, which is in git, does not match what a miniature will make.
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
        """Run ``caption`` without DVC and with other parameters, to store its answers; its outputs go to ``folder``."""
        parameters = self.folder / "params.yaml"
        before = parameters.read_bytes()
        self.set(**values)
        inputs = ["--subgraphs", "data/walk_subgraphs/subgraphs.parquet", "--answers", "data/language_model_answers"]
        outputs = [word for name in ("out", "rejects", "metrics") for word in (f"--{name}", str(folder / name))]
        self.run("python", "-m", "stages.caption", *inputs, *outputs)
        parameters.write_bytes(before)

    def repro(self) -> list[str]:
        """Run ``dvc repro`` and return the names of the stages that ran."""
        return re.findall(r"^Running stage '(.*)':", self.run("dvc", "repro"), re.MULTILINE)

    def kill(self, stage: str, alone: bool, within: float) -> None:
        """Run ``dvc repro`` and kill it, ``alone`` or with its children, at random ``within`` seconds of the ``stage``'s start."""
        process = subprocess.Popen(
            ["dvc", "repro"], cwd=self.folder, env=self.environment, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert process.stdout is not None
        running = (line.split("'")[1] for line in process.stdout if line.startswith("Running stage '"))
        assert stage in running
        time.sleep(Random(stage).uniform(0, within))
        (os.kill if alone else os.killpg)(process.pid, signal.SIGKILL)
        process.stdout.close()
        process.wait()
        assert process.returncode == -signal.SIGKILL

    def repro_beside_an_orphan(self, stage: str) -> None:
        """Run ``dvc repro`` at once, and again for as long as it reports that an earlier run's process is still writing."""
        while True:
            command = ["dvc", "repro", stage]
            done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
            if done.returncode == 0:
                return
            errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
            assert len(errors) == 1 and "which an earlier run left behind" in errors[0], done.stderr[-6000:]
            time.sleep(1)

    def left_over(self) -> list[str]:
        """Return the hidden files that unfinished work left behind, including work retained for the next run."""
        files = (path.relative_to(self.folder) for name in ("data", "metrics") for path in (self.folder / name).rglob("*"))
        hidden = (path for path in files if any(part.startswith(".") for part in path.parts) and path.name != ".gitignore")
        return sorted(str(path) for path in hidden if (self.folder / path).is_file())

    def commit_of_another_machine(self) -> str:
        """Commit everything, with a lock that names a different table of ranks from the one made here; return the commit's hash."""
        lock = self.folder / "dvc.lock"
        own = lock.read_text()
        ranks = self.digests()["data/evaluate/ranks.parquet"]
        lock.write_text(own.replace(ranks, ranks[::-1]))
        for command in (["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "another machine's"]):
            self.run("git", *command)
        lock.write_text(own)
        return self.run("git", "rev-parse", "HEAD").strip()

    def lock(self) -> dict[str, dict]:
        """Return the entries of ``dvc.lock``, by stage."""
        return YAML(typ="safe", pure=True).load(self.folder / "dvc.lock")["stages"]

    def digests(self) -> dict[str, str]:
        return {out["path"]: out["md5"] for stage in self.lock().values() for out in stage.get("outs", [])}
