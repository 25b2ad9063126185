"""A stage ends with one line that says what to do; only our own faults have a traceback."""

import ast
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from stages.contract import errors, schemas
from stages.contract.errors import INTERRUPTED, InputError, run
from tests.running import ROOT


def failing(error: BaseException) -> Callable[[], None]:
    def main() -> None:
        raise error

    return main


@pytest.mark.parametrize("stage", ["train", "evaluate", "gen_hn_prod"])
def test_what_ends_ctrl_c_with_one_line_is_imported_first(stage: str) -> None:
    """The packages of these stages take seconds to import."""
    tree = ast.parse((Path(errors.__file__).parents[1] / f"{stage}.py").read_text(encoding="utf-8"))
    first = next(node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    assert isinstance(first, ast.Import) and first.names[0].name == "stages.contract"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (InputError("a.tsv", "is cut off", "fetch it again", row=3), "error: a.tsv, row 3: is cut off. Remedy: fetch it again."),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a.parquet"), "Remedy: free disk space"),
        (OSError(errno.ESTALE, os.strerror(errno.ESTALE), "a.parquet"), "Remedy: run the same command again"),
        (OSError(errno.EXDEV, os.strerror(errno.EXDEV), "a.parquet"), "Remedy: keep the folder on one disk"),
        (OSError(errno.EBUSY, os.strerror(errno.EBUSY), "a.parquet"), "Remedy: end what holds the file open"),
        (OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), "a"), "Remedy: run the same command again"),
        (OSError(errno.EFBIG, os.strerror(errno.EFBIG), "a.parquet"), "Remedy: lift the limit on a file's size"),
        (OSError(errno.ENOTCONN, os.strerror(errno.ENOTCONN), "a.parquet"), "Remedy: mount the disk again"),
        (OSError(errno.ENFILE, os.strerror(errno.ENFILE), "a.parquet"), "Remedy: end other programs"),
        (OSError(errno.EROFS, os.strerror(errno.EROFS), "a.parquet"), "Remedy: write to another place"),
        (PermissionError(errno.EACCES, "Permission denied", "data"), "Remedy: allow this user"),
        (pa.ArrowMemoryError("malloc of size 64 failed"), "Remedy: lower run.workers"),
        (MemoryError(), "error: out of memory. Remedy: lower run.workers"),
    ],
)
def test_one_line_with_a_remedy(error: BaseException, says: str) -> None:
    with pytest.raises(SystemExit) as caught:
        run(failing(error))
    assert says in str(caught.value.code)
    assert "\n" not in str(caught.value.code)


@pytest.mark.parametrize(
    "error", [ValueError("ours\nin two lines"), FileNotFoundError(errno.ENOENT, "no such file"), RecursionError()]
)
def test_our_own_faults_are_one_line_and_leave_their_traceback_in_a_file(error: Exception) -> None:
    with pytest.raises(SystemExit) as caught:
        run(failing(error))
    line = str(caught.value.code)
    assert line.startswith(f"error: {type(error).__name__}") and "\n" not in line and "Remedy: " in line
    log = Path(line.split("traceback, ")[1].split(",")[0])
    assert ("Traceback" in log.read_text() and "in failing" in log.read_text()) or "main" in log.read_text()
    log.unlink()


def test_a_reader_that_goes_away_ends_a_stage_quietly() -> None:
    code = "from stages.contract.errors import run; run(lambda: [print('x' * 1000) for _ in range(10000)])"
    command = f'{sys.executable} -c "{code}" | head -1 | cut -c1; echo ${{PIPESTATUS[0]}}'
    ended = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert ended.stdout.split() == ["x", "141"] and ended.stderr == ""


def test_a_limited_address_space_is_not_cured_by_more_memory_for_duckdb() -> None:
    code = "from stages.contract.errors import more_memory; print(more_memory('raise run.memory'))"
    limited = subprocess.run(
        ["bash", "-c", f'ulimit -v 8000000; {sys.executable} -c "{code}"'], cwd=ROOT, capture_output=True, text=True
    )
    assert "ulimit -v unlimited" in limited.stdout and "run.memory" not in limited.stdout


def test_an_interruption(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(failing(KeyboardInterrupt()))
    assert caught.value.code == 130
    told = capsys.readouterr().err
    assert told.startswith("interrupted: ") and told.count("\n") == 1


def test_an_interruption_while_a_stage_is_still_importing() -> None:
    code = "import stages.contract; raise KeyboardInterrupt"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (ended.stderr, ended.returncode) == (f"{INTERRUPTED}\n", -signal.SIGINT)
    ended = subprocess.run([sys.executable, "-c", code.replace("KeyboardInterrupt", "ValueError")], cwd=ROOT, capture_output=True)
    assert b"Traceback" in ended.stderr and ended.returncode == 1


@pytest.mark.parametrize("module", ["parameters.params", "sample"])
def test_a_python_without_the_packages_says_what_to_do(module: str) -> None:
    """These are the first modules that ``dvc repro`` runs, and the environment may not be activated."""
    ended = subprocess.run([sys.executable, "-S", "-m", f"stages.{module}"], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1 and ended.stderr.count("\n") == 1
    assert "has no package" in ended.stderr and "source .venv/bin/activate" in ended.stderr


def test_a_full_disk_under_arrow() -> None:
    """Arrow passes on the disk's own error."""

    def main() -> None:
        schema = schemas.TABLES["seen_atoms"].schema
        rows = [{"kind": "object", "atom": str(i), "count": i} for i in range(100_000)]
        with pa.OSFile("/dev/full", "wb") as full, pa.ipc.new_file(full, schema) as writer:
            writer.write_table(pa.Table.from_pylist(rows, schema))

    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with pytest.raises(SystemExit, match="Remedy: free disk space"):
        run(main)
