"""Outputs are whole or absent, and a run removes only what it wrote."""

import errno
import fcntl
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from stages.contract.errors import CrepeError, InputError
from stages.contract.files import LOCK, check_place, complete, scratch, shared, sweep
from stages.contract.resume import work_folder
from tests.running import ROOT


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """Return a folder that holds somebody's work."""
    (tmp_path / "mine" / "inner").mkdir(parents=True)
    (tmp_path / "mine" / "inner" / "thesis.tex").write_text("years")
    return tmp_path / "mine"


def written(path: Path, *files: str) -> None:
    with complete(path, folder=True) as folder:
        for file in files:
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text("new")


def test_a_file_is_not_written_over_a_folder(full: Path) -> None:
    with pytest.raises(InputError, match="is a folder, but a file is to be written there"), complete(full):
        raise AssertionError("nothing may be done before it is known that it can be kept")
    assert names(full) == ["inner", "inner/thesis.tex"]


@pytest.mark.parametrize("place", [".", "..", "/", "inner/.."])
def test_places_that_are_no_file(full: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.chdir(full)
    for folder in (False, True):
        with pytest.raises(InputError), complete(place, folder=folder):
            raise AssertionError
    assert names(full) == ["inner", "inner/thesis.tex"]


def test_a_folder_with_files_that_are_not_written_anew_stays(full: Path) -> None:
    with pytest.raises(InputError, match=r"inner.*did not write"):
        written(full, "model.bin")
    assert names(full.parent) == ["mine", "mine/inner", "mine/inner/thesis.tex"]


def test_an_empty_folder_and_our_own_output_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for _ in range(2):
        written(tmp_path / "out", "a", "b/c")
    assert names(tmp_path) == ["out", "out/a", "out/b", "out/b/c"]


def test_a_folder_is_not_written_over_a_file_or_through_a_link(tmp_path: Path, full: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to(full)
    for name in ("file", "link"):
        with pytest.raises(InputError):
            written(tmp_path / name, "inner/thesis.tex")
    assert (tmp_path / "file").read_text() == "old" and (full / "inner" / "thesis.tex").read_text() == "years"


def test_a_link_to_a_file_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    """The link may lead into DVC's cache."""
    (tmp_path / "cached").write_text("old")
    (tmp_path / "out").symlink_to(tmp_path / "cached")
    with complete(tmp_path / "out") as partial:
        partial.write_text("new")
    assert (tmp_path / "cached").read_text() == "old" and (tmp_path / "out").read_text() == "new"


def test_what_killed_runs_left_goes_and_what_is_like_it_stays(tmp_path: Path) -> None:
    here = f"5 {socket.gethostname()}"
    stays = {".out.ijklmnop.partial": "", ".out.elsewher.partial": "5 another-machine"}
    owners = {".out.abcdefgh.partial": here, ".other.abcdefgh.partial": here, **stays}
    for name, owner in owners.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / LOCK).write_text(owner)
    others = [".out.partial", ".out.my-own.partial", ".out.qrstuvwx.partial"]
    for name in others:
        (tmp_path / name).mkdir()

    def left() -> set[str]:
        return {path.name for path in tmp_path.iterdir()}

    with complete(tmp_path / "out") as partial:
        partial.write_text("whole")
    assert left() == {*owners, *others, "out"} - {".out.abcdefgh.partial"}
    sweep(tmp_path)
    assert left() == {*stays, *others, "out"}, "one without an owner's number is being made"


@pytest.mark.parametrize("host", [socket.gethostname(), "another-container"])
def test_work_of_an_active_process_stays_whatever_its_number_and_machine(tmp_path: Path, host: str) -> None:
    """Neither a clock that was set back nor another container's process numbers make a locked file look abandoned."""
    work = tmp_path / ".out.abcdefgh.partial"
    work.mkdir()
    with (work / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        print(2**22 + 1, host, end="", file=lock, flush=True)
        sweep(tmp_path)
        assert work.is_dir()
    sweep(tmp_path)
    assert work.is_dir() == (host != socket.gethostname())


def test_on_a_disk_without_locks_nothing_of_others_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with scratch(tmp_path / "out"), complete(tmp_path / "out", alone=True) as partial:
        partial.write_text("whole")
        sweep(tmp_path)
        assert len(names(tmp_path)) > 4
    assert names(tmp_path) == ["out"]


def test_a_run_killed_while_it_tries_a_place_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody would find it: if the output's folder does not exist yet, another folder is tried."""
    monkeypatch.setattr(Path, "unlink", lambda self, missing_ok=False: None)
    check_place(tmp_path / "out" / "table.parquet", folder=False)
    assert list(tmp_path.iterdir()) == []


def test_what_is_interrupted_while_it_is_removed_goes_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove, interruptions = shutil.rmtree, [KeyboardInterrupt]

    def interrupted(path: Path) -> None:
        if interruptions:
            raise interruptions.pop()
        remove(path)

    monkeypatch.setattr(shutil, "rmtree", interrupted)
    with pytest.raises(KeyboardInterrupt), scratch(tmp_path / "out"):
        pass
    assert names(tmp_path) == []


HOLDING = """
import sys
from stages.contract.files import complete, scratch
with scratch(sys.argv[1]) as folder, complete(sys.argv[1]) as partial:
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_a_run_that_an_earlier_one_left_behind_is_told_and_shares_no_name(tmp_path: Path) -> None:
    out = tmp_path / "out"
    holding = [sys.executable, "-c", HOLDING, str(out)]
    with subprocess.Popen(holding, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as orphan:
        assert orphan.stdout and orphan.stdout.readline() == "ready\n"
        before = names(tmp_path)
        told = rf"process {orphan.pid} on .*, which an earlier run left behind, is still writing it.*Remedy: .*kill {orphan.pid}"
        for way in (scratch(out), complete(out, alone=True)):
            with pytest.raises(CrepeError, match=told), way:
                raise AssertionError
        with complete(out) as partial:  # several runs may write what is cached for all of them
            partial.write_text("whole")
            assert set(before) < set(names(tmp_path))
        sweep(tmp_path)
        assert set(before) <= set(names(tmp_path))
        orphan.kill()
    with complete(out, alone=True) as partial:
        partial.write_text("whole")
    assert names(tmp_path) == ["out"]


def test_a_work_folder_removes_earlier_work_and_nothing_else(full: Path) -> None:
    (full / "0123456789abcdef").mkdir()
    with pytest.raises(RuntimeError), work_folder(full, "first"):
        raise RuntimeError
    with pytest.raises(RuntimeError), work_folder(full, "second") as work:
        assert (full / "first").exists() and work == full / "second"
        raise RuntimeError
    with work_folder(full, "first"):
        assert (full / "second").exists(), "another start, a mistaken one, removes nothing"
    assert names(full) == ["0123456789abcdef", "inner", "inner/thesis.tex"]


def test_only_this_module_and_that_of_kept_work_remove_anything() -> None:
    removing = re.compile(r"shutil\.rmtree|\.unlink\(|os\.remove")
    found = {str(file.relative_to(ROOT)) for file in (ROOT / "stages").rglob("*.py") if removing.search(file.read_text())}
    assert found <= {
        "stages/contract/files.py",
        "stages/contract/resume.py",
        "stages/models/features.py",
    }


def test_workspaces_of_experiments_share_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, workspace = tmp_path / "repo", tmp_path / "repo" / ".dvc" / "tmp" / "exps" / "standalone" / "tmp1"
    (workspace / "data").mkdir(parents=True)
    for place in (repository, workspace):
        (place / "dvc.yaml").touch()
    monkeypatch.chdir(workspace)
    assert shared(Path("data/features")) == repository / "data" / "features"
    assert shared(workspace / ".nltk_data") == repository / ".nltk_data"
    monkeypatch.chdir(repository)
    assert shared(Path("data/features")) == Path("data/features")
