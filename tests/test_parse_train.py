"""read_captions and parse_train: counts, ledgers, the same bytes however they run, and nothing done twice after a kill."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from stages import parse_train, read_captions
from stages.contract import tables
from stages.contract.errors import CrepeError, InputError, ParameterError
from stages.contract.ledger import Ledger
from stages.contract.resume import MARK
from tests.running import write_all_parameters

ROOT = Path(__file__).resolve().parents[1]
WORDS = ("dog", "cat", "bus", "red", "tall", "man", "tree", "sky")


class Project:
    """A folder with parameters and one training set, in which the stages run as with DVC.

    The outputs of reading are in ``in``, those of parsing in ``out``; retained work is in ``reading`` and ``parsing``.
    """

    def __init__(self, folder: Path, captions: list[str], **changes: Any):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        (folder / "captions.txt").write_text("".join(f"{c}\n" for c in captions), encoding="utf-8")
        self.options: dict[str, Any] = {}
        self.reading = {"min_words": 1, "max_words": 100, "max_lines": 100, "rejects_per_reason": 2}
        self.settings = {"shard": 50, "keep_graphs": True}
        self.running = {"workers": 1, "memory": "500MB", "runner": "local", "most_dropped": 0.5}
        self.change(**changes)

    def change(self, **changes: Any) -> Project:
        for key, value in changes.items():
            section = next((part for part in (self.settings, self.running) if key in part), self.options)
            section[key] = value
        sets = {"web": {"path": "captions.txt", "format": "txt"}}
        language = {"pipeline": "bundled", "parser": "tests.made_parser.MadeParser", "conventions": "names"}
        language |= {"parser_options": self.options}
        every = {"language": language, "read_captions": self.reading, "parse_train": self.settings, "run": self.running}
        every["training_sets"] = sets
        write_all_parameters(self.folder / "params.yaml", every)
        return self

    def run(self) -> None:
        self.read()
        self.parse()

    def read(self, training_set: str = "web") -> None:
        outputs = ["--captions=in/captions.parquet", "--rejects=in/rejects.parquet", "--metrics=in/metrics.json"]
        self._main(read_captions, [f"--training-set={training_set}", *outputs, "--work=reading"])

    ARGUMENTS = (
        *("--captions=in/captions.parquet", "--occurrences=out/occurrences.parquet", "--graphs=out/graphs.parquet"),
        *("--metrics=out/metrics.json", "--work=parsing"),
    )

    def parse(self) -> None:
        self._main(parse_train, self.ARGUMENTS)

    def _main(self, stage: Any, arguments: Sequence[str]) -> None:
        with contextlib.chdir(self.folder), mock.patch.object(sys, "argv", ["stage", *arguments]):
            stage.main()

    def fork(self) -> BaseProcess:
        """Start parsing in a fork, which need not import anything."""
        process = get_context("fork").Process(target=self.parse)
        process.start()
        return process

    def start(self) -> subprocess.Popen[str]:
        """Start parsing as a shell does: in a process group that a terminal can interrupt.

        Tests in a shell's background ignore interrupts, which children would inherit.
        """
        return subprocess.Popen(
            [sys.executable, "-m", "stages.parse_train", *self.ARGUMENTS],
            cwd=self.folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, start_new_session=True, text=True,
            stderr=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip

    def bytes(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for kind in ("in", "out") for path in sorted((self.folder / kind).iterdir())}

    def done(self) -> list[Path]:
        return list(self.folder.glob("parsing/*/parsed-*.json"))


def captions(n: int) -> list[str]:
    drawn = random.Random(0)
    return [" ".join(drawn.choices(WORDS, k=drawn.randint(1, 4))) for _ in range(n)]


def test_counts_ledger_and_rejects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["red dog", "red dog.", "<b>dog</b> red", "", "12", "34", "56", "собака", "cat cat"]
    Project(tmp_path, rows).run()
    assert "9 captions in, 4 kept; dropped: 3 no_letters, 1 empty, 1 not_english" in capsys.readouterr().out
    counts = {tuple(row.values())[:4]: row["count"] for row in tables.read("occurrences", tmp_path / "out/occurrences.parquet")}
    assert counts["object", "dog", "", ""] == 3  # twice "red dog" and once "dog red"
    assert counts["attribute_object", "red", "dog", ""] == 2
    assert counts["object", "cat", "", ""] == 1  # captions are counted, not mentions
    graphs = list(tables.read("training_graphs", tmp_path / "out/graphs.parquet"))
    assert [(row["caption"], row["count"]) for row in graphs] == [("cat cat", 1), ("dog red", 1), ("red dog", 2)]
    assert graphs[2]["attributes"] == [{"object": 1, "attribute": "red"}]
    ledger = json.loads((tmp_path / "in/metrics.json").read_bytes())
    assert ledger["in"] == 9 == ledger["kept"] + sum(ledger["dropped"].values())
    assert ledger["distinct"] == 3 == json.loads((tmp_path / "out/metrics.json").read_bytes())["in"]
    rejects = list(tables.read("rejects", tmp_path / "in/rejects.parquet"))
    assert Counter(row["reason"] for row in rejects) == {"no_letters": 2, "empty": 1, "not_english": 1}  # at most two of each
    assert rejects[0]["item"] == "captions.txt:4"
    assert not (tmp_path / "reading").exists() and not (tmp_path / "parsing").exists()


def test_keep_no_graphs_or_some(tmp_path: Path) -> None:
    project = Project(tmp_path, captions(600))
    project.run()
    every = {row["caption"]: row for row in tables.read("training_graphs", tmp_path / "out/graphs.parquet")}
    whole = project.bytes()
    project.change(keep_graphs=False).run()
    assert list(tables.read("training_graphs", tmp_path / "out/graphs.parquet")) == []
    assert project.bytes()[str(tmp_path / "out/occurrences.parquet")] == whole[str(tmp_path / "out/occurrences.parquet")]
    project.change(keep_graphs=100).run()
    some = list(tables.read("training_graphs", tmp_path / "out/graphs.parquet"))
    assert 60 < len(some) < 140
    assert all(every[row["caption"]] == row for row in some)


def test_killed_ten_times_and_nothing_parsed_twice(tmp_path: Path) -> None:
    quiet = Project(tmp_path / "quiet", captions(900))
    quiet.run()
    log = tmp_path / "log"
    project = Project(tmp_path / "killed", captions(900), log=str(log), delay=0.001)
    project.read()
    drawn = random.Random(1)
    for _ in range(10):
        before, process = len(project.done()), project.fork()
        # Some kills fall before the first shard, the others within a shard after one or two more are done.
        while process.is_alive() and len(project.done()) == before and drawn.random() > 0.02:
            time.sleep(0.005)
        time.sleep(drawn.random() * 0.05)
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        assert not (project.folder / "out").exists()
    project.parse()
    assert list(project.bytes().values()) == list(quiet.bytes().values())
    assert sorted(path.name for path in project.folder.iterdir()) == ["captions.txt", "in", "out", "params.yaml"]
    parsed = Counter(log.read_text().splitlines())
    # Only the shard that a kill interrupted starts again.
    assert parsed.total() <= len(parsed) + 10
    assert len(parsed) > 8


@pytest.mark.parametrize(("step", "pieces"), [("read", 1), ("parse", 10)])
def test_kept_work_that_is_damaged_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, pieces: int) -> None:
    project = Project(tmp_path, captions(600))
    project.run()
    whole = project.bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "write", mock.Mock(side_effect=OSError("no space left")))
        with pytest.raises(OSError, match="no space"):
            getattr(project, step)()
    kept = sorted(path for path in project.folder.glob("*ing/*/*") if path.is_file() and path.name != MARK)
    assert len(kept) > pieces
    for number, path in enumerate(kept):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 4
        path.write_bytes(b"" if number % 3 == 2 else content)
    project.run()
    assert project.bytes() == whole


def test_a_killed_runs_work_is_named_by_the_pipeline_that_parsed_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `auto`, another pipeline may be installed before the next run."""
    named = []
    monkeypatch.setattr("stages.parse_train.fingerprint", lambda files, values: named.append(json.dumps(values)) or "name")
    for pipeline in (["bundled"], ["en_core_web_sm", "3.8.0"]):
        monkeypatch.setattr("stages.parse_train.identity", lambda *_, pipeline=pipeline: pipeline)
        Project(tmp_path / pipeline[0], ["a dog on a mat"]).run()
    assert named[0] != named[1]


def test_killed_while_the_outputs_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parsed work is retained until the last output is complete, and an incomplete output is never visible."""
    project = Project(tmp_path, captions(200), log=str(tmp_path / "log"))
    project.read()
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "write", mock.Mock(side_effect=OSError("no space left")))
        with pytest.raises(OSError, match="no space"):
            project.parse()
    assert project.done()
    parsed = (tmp_path / "log").read_text()
    project.run()
    assert (tmp_path / "log").read_text() == parsed


@pytest.mark.parametrize(("edited", "kept"), [("captions", "parsing"), ("parsing", "reading"), ("text", "reading")])
def test_an_edit_of_a_room_throws_away_only_what_hangs_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edited, kept) -> None:
    """A change to the parser does not read 400 million captions again; one to the reader retains graphs of the same captions."""
    project = Project(tmp_path / "project", captions(200))
    project.read()
    stages = tmp_path / "stages"
    shutil.copytree(ROOT / "stages", stages, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr("stages.contract.resume.STAGES", stages)
    monkeypatch.setattr(Ledger, "write", mock.Mock(side_effect=OSError("no space left")))

    def work() -> dict[str, set[str]]:
        for step in (project.read, project.parse):
            with pytest.raises(OSError, match="no space"):
                step()
        found: dict[str, set[str]] = {}
        for path in filter(Path.is_dir, project.folder.glob("*ing/*")):
            found.setdefault(path.parent.name, set()).add(path.name)
        return found

    before = work()
    (stages / edited / "__init__.py").write_text("# edited\n")
    after = work()
    assert [step for step in before if before[step] == after[step]] == [kept] and before.keys() == {"reading", "parsing"}


def test_a_worker_that_dies_is_told_and_the_next_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "dies").touch()
    log = tmp_path / "log"
    project = Project(tmp_path, [*captions(600), "fatal dog"], dies=str(tmp_path / "dies"), log=str(log), workers=2)
    with pytest.raises(CrepeError, match=r"worker process was killed by SIGKILL.*it continues where this one stopped"):
        project.run()
    assert not (tmp_path / "out").exists()
    first = len(project.done())
    assert first
    project.change(workers=1).run()
    parsed = Counter(log.read_text().splitlines())
    assert parsed.total() <= len(parsed) + 2


def test_other_captions_are_not_mixed_with_old_work(tmp_path: Path) -> None:
    (tmp_path / "dies").touch()
    project = Project(tmp_path, [*captions(300), "fatal dog"], dies=str(tmp_path / "dies"))
    project.read()
    process = project.fork()
    process.join()
    assert project.done()
    Project(tmp_path, captions(100), dies=str(tmp_path / "dies")).run()
    assert json.loads((tmp_path / "in/metrics.json").read_bytes())["in"] == 100


@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted_with_one_clear_line(tmp_path: Path, workers: int) -> None:
    project = Project(tmp_path, captions(4000), delay=0.02, workers=workers)
    project.read()
    process = project.start()
    while process.poll() is None and not project.done():
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the stage and to its workers
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("interrupted: ")
    assert out == ""


def test_an_empty_file_stops_before_any_output(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is empty"):
        Project(tmp_path, []).read()
    assert not (tmp_path / "in").exists()


def test_a_training_set_of_which_nothing_is_usable_stops_before_any_output(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"nothing in it is usable: 2 not_english, 1 no_letters, the first captions\.txt:1.*looked for cap"
    ):
        Project(tmp_path, ["Ein Hund läuft auf der Straße", "Eine Katze auf dem Sofa", "12"]).read()
    assert not (tmp_path / "in").exists() or not list((tmp_path / "in").iterdir())


def test_a_file_of_which_nothing_is_usable_stops_and_a_small_one_does_not(tmp_path: Path) -> None:
    project = Project(tmp_path, [])
    (folder := tmp_path / "shards").mkdir()
    (folder / "a.txt").write_text("a dog\n" * 20)
    (folder / "b.txt").write_text("12\n" * 9)
    (folder / "c.txt").write_text("a cat\n")
    parameters = json.loads((tmp_path / "params.yaml").read_text())
    parameters["training_sets"]["web"]["path"] = str(folder)
    write_all_parameters(tmp_path / "params.yaml", parameters)
    project.read()
    assert json.loads((tmp_path / "in/metrics.json").read_bytes())["kept"] == 21
    (folder / "b.txt").write_text("12\n" * 10)
    with pytest.raises(InputError, match=r"b\.txt: nothing in it is usable: 10 no_letters, the first row 1, '12'"):
        project.read()


def test_long_captions_are_cut_to_their_first_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "A wooden boat lies on a calm lake. " + "Behind it stand tall dark trees under a grey sky. " * 12
    Project(tmp_path, [text, "a dog", "12"]).read()
    kept = [row["caption"] for row in tables.read("distinct_captions", tmp_path / "in/captions.parquet")]
    assert (
        kept[0].startswith("A wooden boat lies on a calm lake. Behind") and kept[0].endswith("sky") and len(kept[0].split()) == 98
    )
    assert kept[1:] == ["a dog"]
    assert json.loads((tmp_path / "in/metrics.json").read_bytes())["shortened"] == 1
    assert "more than" not in capsys.readouterr().out


def test_the_last_line_says_what_much_was_dropped_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = Project(tmp_path, ["a dog", "12", "34", ""], most_dropped=0.3)
    project.read()
    assert capsys.readouterr().out.endswith("; more than 30% for one reason: no_letters (50%)\n")


def test_errors_name_the_training_set(tmp_path: Path) -> None:
    project = Project(tmp_path, ["a dog"])
    parameters = json.loads((tmp_path / "params.yaml").read_text())
    Path(tmp_path / "x.tsv").write_text("url\ttitle\nu\ta dog\n")
    parameters["training_sets"]["web"] = {"path": str(tmp_path / "x.tsv"), "format": "tsv", "column": "caption", "header": True}
    write_all_parameters(tmp_path / "params.yaml", parameters)
    with pytest.raises(InputError, match=r"has no column .caption..*training_sets\.web;"):
        project.run()


def test_an_unknown_training_set(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="name one of web"):
        Project(tmp_path, ["a dog"]).read("other")
