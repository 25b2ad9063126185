"""Run every stage on a tiny sample, as a fork of one process that has imported them all.

Stages thus start fast, and can be killed, interrupted and starved often. Commands and outputs are those of ``dvc.yaml``.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import json
import os
import shlex
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

import dvc.repo
from filelock import FileLock

from stages.contract.errors import run
from tests.running import read_words, write_parameters

ROOT = Path(__file__).resolve().parents[1]
TINY = {
    "run.workers": 1,
    "sample.images": 6,
    "sample.regions": 30,
    "sample.training_images": 150,
    "parse_train.shard": 30,
    "scene_graphs.piece": 2,
    "filter_vg.piece": 20,
    "foils.piece": 10,
    "foils.max_compounds": 5000,
    "walk_subgraphs.per_complexity": 3,
    "mine_negatives.piece": 50,
    "train.method": "negclip",
    "train.steps": 2,
    "train.batch": 16,
    "train.threads": 1,
    "evaluate.folds": 2,
    "audit.grammar_queries": 20,
    "report.gallery": 10,
}
"""Pieces of work are small enough for two workers to share every stage's work."""
LATE = ("gen_hn_comp", "gen_hn_prod", "gen_aro", "train", "analyse", "evaluate", "audit", "report")
"""Scripts that only heavy tests run in a pipeline; they take most of its time."""
RAN = "ran.json"


class Stage(NamedTuple):
    """A stage's name in ``dvc.yaml``, its script, its arguments, and the files and folders that it reads and writes."""

    name: str
    script: str
    arguments: list[str]
    deps: list[str]
    outs: list[str]


class Pipeline:
    """A folder with its own parameters, in which stages run."""

    def __init__(self, folder: Path):
        self.folder = folder

    @classmethod
    def make(cls, folder: Path, **changes: Any) -> Pipeline:
        """Return a new pipeline with the project's parameters except for ``changes``, whose keys are ``section.key``."""
        folder.mkdir(parents=True)
        shutil.copy2(ROOT / "dvc.yaml", folder)
        (folder / ".nltk_data").symlink_to(ROOT / ".nltk_data")
        (folder / ".dvc").mkdir()
        (folder / ".dvc" / "config").write_text("[core]\n    no_scm = true\n    analytics = false\n")
        shutil.copy2(ROOT / "params.yaml", folder)
        pipeline = cls(folder)
        pipeline.set(**changes)
        return pipeline

    def copy(self, folder: Path) -> Pipeline:
        """Return a copy of this pipeline in another folder."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Pipeline(folder)

    def set(self, **changes: Any) -> None:
        """Change parameters."""
        write_parameters(self.folder / "params.yaml", changes, before=self.folder / "params.yaml")

    def stages(self) -> list[Stage]:
        """Return all stages in the order of ``dvc.yaml``, in which they can run."""
        with dvc.repo.Repo(str(self.folder)) as repo:
            found = []
            for stage in repo.index.stages:
                # Of several commands, the first only checks parameters before a shell sees them.
                command = stage.cmd[-1] if isinstance(stage.cmd, list) else stage.cmd
                python, _, module, *arguments = shlex.split(command)
                assert python == "python"
                deps, outs = ([str(Path(p.fs_path).relative_to(self.folder)) for p in of] for of in (stage.deps, stage.outs))
                found.append(Stage(stage.addressing.split(":")[-1], module.removeprefix("stages."), arguments, deps, outs))
        return found

    def clear(self, stage: Stage) -> None:
        """Remove the stage's outputs, as DVC does before it runs."""
        for out in stage.outs:
            path = self.folder / out
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def start(self, stage: Stage, first: Callable[[], Any] = lambda: None) -> BaseProcess:
        """Start the stage in its own process group; its process calls ``first`` before anything else.

        When this returns, the stage's ``main`` is about to be called, so that signals reach the stage.
        """
        ready = get_context("fork").Event()
        process = get_context("fork").Process(target=self._serve, args=(stage, first, ready.set))
        process.start()
        while not ready.wait(0.1) and process.is_alive():
            pass
        return process

    def _serve(self, stage: Stage, first: Callable[[], Any], ready: Callable[[], None]) -> None:
        os.setpgrp()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(self.folder)
        log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        sys.stdout, sys.stderr = (os.fdopen(n, "w", buffering=1) for n in (1, 2))
        first()
        sys.argv = [stage.script, *stage.arguments]
        main = importlib.import_module(f"stages.{stage.script}").main

        def started() -> None:
            ready()
            main()

        run(started)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the stage is done, and a signal while its process ends does not concern it

    def run(self, stage: Stage, first: Callable[[], Any] = lambda: None) -> tuple[int, list[str]]:
        """Run the stage and return its exit status and the lines that it printed."""
        process = self.start(stage, first)
        process.join()
        return process.exitcode or 0, self.log()

    def run_all(self, without: Sequence[str] = ()) -> None:
        """Run every stage except those of some scripts, and record in a file how long each took and what it wrote."""
        seconds, wrote = {}, {}
        warm_up()
        for stage in (stage for stage in self.stages() if stage.script not in without):
            started = time.monotonic()
            status, lines = self.run(stage, lambda: sys.addaudithook(no_network))
            assert status == 0, "\n".join(lines)
            seconds[stage.name] = time.monotonic() - started
            wrote[stage.name] = self.digests(stage)
        (self.folder / RAN).write_text(json.dumps({"seconds": seconds, "wrote": wrote}))

    def log(self) -> list[str]:
        """Return the lines that the last stage printed."""
        return (self.folder / "log").read_text().splitlines()

    def digests(self, stage: Stage) -> dict[str, str]:
        """Return the digest of each file that the stage wrote."""
        return {str(path.relative_to(self.folder)): digest(path) for out in stage.outs for path in _files(self.folder / out)}

    def hidden(self) -> list[str]:
        """Return hidden leftovers: files of unfinished work, except work that is retained for the next run."""
        kept = {".read_captions", ".parse_train", ".filter_vg", ".mine_negatives", ".train", ".analyse", ".nltk_data", ".dvc"}
        parts = (path.relative_to(self.folder) for path in self.folder.rglob(".*"))
        return sorted(str(path) for path in parts if not kept.intersection(path.parts))


@cache
def warm_up() -> None:
    """Import modules in this process, for its forks: importing would take most of a stage's time."""
    for script in sorted(path.stem for path in (ROOT / "stages").glob("*.py")):
        importlib.import_module(f"stages.{script}")
    importlib.import_module("sklearn.linear_model")  # which stages import lazily
    read_words()


def no_network(event: str, arguments: tuple) -> None:
    """Exit if anything uses the network, since no parameter asks for it; an audit hook sees what every package does."""
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto") or (
        event == "socket.connect" and arguments[0].family != socket.AF_UNIX
    ):
        os.write(2, f"asked the network: {event} {arguments}".encode())
        os._exit(99)


class Undisturbed(Pipeline):
    """A pipeline whose stages have run once, without a network, with how long each took and what it wrote."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        ran = json.loads((folder / RAN).read_text())
        self.every = [stage for stage in self.stages() if stage.name in ran["seconds"]]
        self.seconds: dict[str, float] = ran["seconds"]
        self.wrote: dict[str, dict[str, str]] = ran["wrote"]

    @classmethod
    def once(cls, folder: Path, without: Sequence[str] = ()) -> Undisturbed:
        """Return the pipeline that all callers with this ``folder`` share: the first makes it, the others wait."""
        with FileLock(f"{folder}.lock"):
            if not (folder / RAN).exists():
                Pipeline.make(folder, **TINY).run_all(without)
        return cls(folder)

    def stage(self, script: str) -> Stage:
        """Return the first of the script's stages."""
        return next(stage for stage in self.every if stage.script == script)


def _files(path: Path) -> list[Path]:
    return sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path] if path.exists() else []


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# --- Separate disks ----

NEW_MOUNTS, READ_ONLY, REMOUNT, BIND, RECURSIVE, PRIVATE = 0x20000, 0x1, 0x20, 0x1000, 0x4000, 0x40000
PAGE = 4096


@cache
def can_mount() -> bool:
    """Return whether this user may give a process its own disks."""
    process = get_context("fork").Process(target=lambda: full(Path("/tmp")))  # noqa: S108
    process.start()
    process.join()
    return process.exitcode == 0


def full(folder: Path) -> None:
    """Put ``folder`` on a disk with one page of free space, for this process and its children only."""
    files = _files(folder) if folder != Path("/tmp") else []  # noqa: S108
    contents = {path: path.read_bytes() for path in files}
    size = PAGE + sum(-(-len(data) // PAGE) * PAGE for data in contents.values())
    _own_mounts()
    _mount(b"tmpfs", folder, b"tmpfs", 0, f"size={size}".encode())
    for path, data in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def read_only(folder: Path) -> None:
    """Make ``folder`` read-only, for this process and its children only."""
    _own_mounts()
    _mount(bytes(folder), folder, None, BIND, None)
    _mount(None, folder, None, BIND | REMOUNT | READ_ONLY, None)


def _own_mounts() -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_MOUNTS):
        raise OSError(ctypes.get_errno(), "unshare")
    _mount(None, Path("/"), None, RECURSIVE | PRIVATE, None)


def _mount(source: bytes | None, target: Path, kind: bytes | None, flags: int, options: bytes | None) -> None:
    if ctypes.CDLL(None, use_errno=True).mount(source, bytes(target), kind, ctypes.c_ulong(flags), options):
        raise OSError(ctypes.get_errno(), f"mount {target}")
