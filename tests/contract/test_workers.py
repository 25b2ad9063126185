"""Tests of distributed work: every task is answered once, and a worker's error is raised here."""

import builtins
import errno
import os
import time
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import psutil
import pytest

from stages.contract.errors import CrepeError, InputError, MissingPackage
from stages.contract.resume import MARK, code, fingerprint, load_done, mark_done, work_folder
from stages.contract.workers import Machine, each


def square(n: int) -> int:
    time.sleep(0.002 * (n % 3))
    if n == 1000:
        raise InputError("a.txt", "is wrong", "mend it", row=n)
    if n == 2000:
        raise ValueError("a fault of ours")
    if n == 2500:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a.parquet")
    if n == 3000:
        os._exit(7)
    return n * n


@pytest.mark.parametrize("workers", [1, 3])
def test_every_task_is_answered_once(workers: int) -> None:
    answers = list(each(square, range(20), workers))
    assert sorted(answers) == [(n, n * n) for n in range(20)]


def test_tasks_are_read_as_workers_are_free() -> None:
    """Tasks are never all in memory."""
    read: list[int] = []
    answers = each(square, (read.append(n) or n for n in range(50)), 2)  # type: ignore[func-returns-value]
    next(answers)
    assert len(read) <= 4
    answers.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("bad", "error", "says"),
    [
        (1000, CrepeError, r"a\.txt, row 1000: is wrong\. Remedy: mend it"),
        (2000, RuntimeError, "a fault of ours"),
        (2500, CrepeError, r"No space left on device: 'a\.parquet'\. Remedy: free disk space"),
        (3000, CrepeError, "ended with status 7"),
    ],
)
def test_what_goes_wrong_in_a_worker(bad: int, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        list(each(square, [1, bad, 2, 3], 2))


class Called(NamedTuple):
    """A task: its number, the folder in which started tasks write theirs, the task it waits for, and the bulk of a large task."""

    number: int
    folder: Path
    waits_for: int
    ballast: bytes = bytes(1 << 20)

    def begun(self, number: int) -> bool:
        end = time.monotonic() + 60
        while not (found := (self.folder / str(number)).exists()) and time.monotonic() < end:
            time.sleep(0.01)
        return found


def call(task: Called) -> bool:
    (task.folder / str(task.number)).touch()
    return task.begun(task.waits_for)


def test_all_workers_work_at_once(tmp_path: Path) -> None:
    tasks = [Called(0, tmp_path, waits_for=1), Called(1, tmp_path, waits_for=0)]
    assert sorted(each(call, tasks, 2)) == [(0, True), (1, True)]


def test_a_worker_goes_on_while_its_answer_is_looked_at(tmp_path: Path) -> None:
    tasks = [Called(n, tmp_path, waits_for=n) for n in range(5)]
    answers = each(call, tasks, 2)
    next(answers)
    assert tasks[2].begun(2)
    assert len(list(answers)) == 4


def siblings(_task: int) -> int:
    """Return the number of workers, including this one."""
    children = psutil.Process(os.getppid()).children()
    return sum("spawn_main" in " ".join(child.cmdline()) for child in children)


def test_no_more_workers_than_tasks() -> None:
    assert list(each(siblings, [0], 8)) == [(0, 1)]


def test_no_task() -> None:
    assert list(each(square, [], 2)) == []


def test_a_missing_ray() -> None:
    ordinary = builtins.__import__

    def without_ray(name: str, *rest: object) -> object:
        if name == "ray":
            raise ImportError(name)
        return ordinary(name, *rest)  # type: ignore[arg-type]

    with mock.patch.object(builtins, "__import__", without_ray), pytest.raises(MissingPackage, match="pip install ray"):
        list(each(square, [1], Machine(1, "ray")))


def test_fingerprint_tells_content_names_and_values_apart(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    a.write_text("x")
    b.write_text("x")
    assert fingerprint([a], {"k": 1, "l": 2}) == fingerprint([a], {"l": 2, "k": 1})
    names = {fingerprint([a], 1), fingerprint([b], 1), fingerprint([a], 2), fingerprint([a, b], 1)}
    a.write_text("y")
    assert len(names | {fingerprint([a], 1)}) == 5


def test_code_is_what_is_written_and_not_what_python_makes_of_it(tmp_path: Path) -> None:
    for name in ("b.py", "a.txt", "inner/c.py", "__pycache__/b.pyc", "inner/__pycache__/c.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [path.relative_to(tmp_path).as_posix() for path in code(tmp_path)] == ["a.txt", "b.py", "inner/c.py"]


def test_work_is_kept_until_it_is_done(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    with pytest.raises(KeyboardInterrupt), work_folder(folder, "one") as work:
        (work / "shard").touch()
        raise KeyboardInterrupt
    with pytest.raises(ValueError, match="again"), work_folder(folder, "one") as work:
        assert (work / "shard").exists()
        raise ValueError("again")
    with work_folder(folder, "two") as work:
        # Other inputs: none of the earlier work counts as done, and none is removed before this is done.
        assert [path.name for path in work.iterdir()] == [MARK] and (folder / "one" / "shard").exists()
    assert not folder.exists()


def test_sealed_work_is_opened_only_whole(tmp_path: Path) -> None:
    mark, part = tmp_path / "mark.json", tmp_path / "part"
    assert load_done(mark) is None
    part.write_bytes(b"0123456789")
    mark_done(mark, {"n": 3}, part)
    assert load_done(mark) == {"n": 3}
    for damaged in (b"0123456788", b"012345678"):
        part.write_bytes(damaged)
        assert load_done(mark) is None
    part.unlink()
    assert load_done(mark) is None
    for nonsense in ("", "{", "[]", "{}", '{"files": 3}'):
        mark.write_text(nonsense)
        assert load_done(mark) is None
