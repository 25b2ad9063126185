"""If an input changes while a stage reads it, the stage stops at its end."""

import os
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from stages.console import command
from stages.contract import inputs
from stages.contract.errors import InputError, run


class Paths(NamedTuple):
    """The paths of a command line."""

    table: Path
    out: command.Output
    work: Path = Path("work")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["stage", "--table=in.txt", "--out=out.txt"])
    (tmp_path / "params.yaml").write_text("a: 1")
    (tmp_path / "in.txt").write_text("one")
    yield tmp_path
    inputs.forget()


def change(name: str) -> None:
    Path(name).write_text("another")


def replace(name: str) -> None:
    Path("new").write_text(Path(name).read_text())
    Path("new").replace(name)


@pytest.mark.parametrize("name", ["in.txt", "params.yaml"])
@pytest.mark.parametrize("happens", [change, replace, os.remove])
def test_an_input_that_changes_while_a_stage_runs_stops_it(folder, capsys, name, happens):
    def main() -> None:
        command.parse(Paths, "A stage.")
        happens(name)
        Path("out.txt").write_text("made")

    with pytest.raises(SystemExit, match=rf"{name}: has changed while the stage read it"):
        run(main)


def test_what_stays_and_what_the_stage_writes_stop_nothing(folder):
    def main() -> None:
        command.parse(Paths, "A stage.")
        Path("out.txt").write_text("made")
        Path("work").mkdir()

    run(main)


def test_a_file_that_is_watched_besides(folder):
    inputs.watch([folder / "shard.tsv"])
    inputs.check()
    (folder / "shard.tsv").touch()
    with pytest.raises(InputError, match=r"shard\.tsv: has changed"):
        inputs.check()


def test_a_closed_output_fails_no_stage_that_is_done(folder, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    run(lambda: print("done"))
