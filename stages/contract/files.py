"""Outputs that appear complete or not at all, without removing files of others.

Unfinished work has its own name, ``.NAME.HOST-PID-START-N.partial`` (or ``.scratch``), which identifies the writing process:
so two runs never share it, leftovers of a killed run are recognised, and a run that is still active is noticed.
"""

import hashlib
import json
import os
import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import parent_process
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import psutil

from stages.contract.errors import CrepeError, InputError


def _namespace() -> str:
    """Return the namespace of process numbers, as of a container; containers may share a host name and a folder."""
    with suppress(OSError):
        return str(Path("/proc/self/ns/pid").readlink())
    return ""


def check_folder(folder: Path, remedy: str) -> None:
    """Check that an input is a folder.

    Raises:
        InputError: it is not.
    """
    if not folder.is_dir():
        raise InputError(folder, "is no folder" if folder.exists() else "there is no such folder", remedy)


HOST = hashlib.sha256(f"{socket.gethostname()} {_namespace()}".encode()).hexdigest()[:8]
PARTIAL, SCRATCH = "partial", "scratch"
LONGEST_NAME = 100
"""Maximum letters of an output's name within that of its unfinished work; a file name has at most 255 bytes."""
_NAME = re.compile(rf"\.(.*)\.([^.-]*)-(\d+)-(\d+)-\d+\.(?:{PARTIAL}|{SCRATCH})", re.DOTALL)
_numbers = count()


@contextmanager
def complete(path: str | Path, folder: bool = False, alone: bool = False) -> Iterator[Path]:
    """Yield a path next to ``path`` to write to; move it there when the block succeeds, remove it otherwise.

    Args:
        folder: the output is a folder, and the path that is yielded is a new, empty one.
        alone: another run that is writing the same output is an error, because the later one would win.

    Raises:
        InputError: there is something at ``path`` that would be lost: a folder where a file is written, a file where a folder is,
            or a folder with files that the new one lacks.
        CrepeError: another run is writing it.
    """
    given, path = Path(path), _absolute(path)
    _refuse(given, path, folder)
    with _unfinished(path, PARTIAL, folder, alone) as partial:
        yield partial
        if folder:
            _replace_folder(given, path, partial)
        else:
            partial.replace(path)


def check_place(given: Path, folder: bool) -> None:
    """Check that an output can be written to ``given``, before hours of work; nothing is left behind.

    Files in a folder to be replaced are checked when that is done: only then is it known which are written again.

    Raises:
        InputError: a folder is where a file is written, or a file where a folder is.
        OSError: this user cannot write there, or the disk cannot be written.
    """
    path = _absolute(given)
    _refuse(given, path, folder)
    nearest = next(place for place in path.parents if place.exists())
    if not nearest.is_dir():
        raise _no_folder(path.parent)
    with TemporaryFile(dir=nearest):  # which has no name, so that a killed run leaves nothing
        pass


@contextmanager
def scratch(path: str | Path) -> Iterator[Path]:
    """Yield an empty folder next to the output ``path`` for intermediate files; it is gone when the block ends.

    Raises:
        CrepeError: another run is writing ``path``.
    """
    with _unfinished(_absolute(path), SCRATCH, folder=True, alone=True) as folder:
        yield folder


@contextmanager
def _unfinished(path: Path, ending: str, folder: bool, alone: bool) -> Iterator[Path]:
    """Yield a path for unfinished work on ``path``, and remove it at the end."""
    _make_folder(path.parent)
    _others(path, alone)
    unfinished = _own(path, ending)
    try:
        if folder:
            unfinished.mkdir()
        yield unfinished
    finally:
        try:
            _remove(unfinished)
        except KeyboardInterrupt:  # during removal: finish it first
            _remove(unfinished)
            raise


def sweep(folder: Path) -> None:
    """Remove unfinished work of killed runs in ``folder``; that of active runs stays."""
    for path, owner in _owned(folder):
        if owner.is_dead():
            _remove(path)


def write_json(path: str | Path, value: Any) -> None:
    """Write ``value`` as JSON with sorted keys, complete or not at all."""
    with complete(path) as partial:
        partial.write_text(
            json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8"
        )


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def shared(path: Path) -> Path:
    """Return the place of ``path`` in the main repository, if DVC made this workspace for an experiment.

    ``dvc exp run --temp`` and ``--queue`` work below the repository's ``.dvc/tmp``; paid or slow results are then reused from the
    main repository, and new ones outlive the workspace.
    """
    here = _absolute(path)
    for parent in here.parents:
        if parent.name == "tmp" and parent.parent.name == ".dvc":
            workspace = next(place for place in here.parents if (place / "dvc.yaml").is_file())
            return parent.parent.parent / here.relative_to(workspace)
    return path


def component(source: str | Path, name: str) -> str:
    """Return ``name``, from ``source``, checked to be one part of a path: a file of that name lies in its folder.

    Raises:
        InputError: it has a separator or an invisible character, is too long, or leads to the folder above.
    """
    plain = name.isprintable() and not set(name) & set("/\\") and len(os.fsencode(name)) <= LONGEST_COMPONENT
    if name in ("", ".", "..") or not plain:
        wrong = f"names {name[:80]!r}, which cannot be the name of a file"
        raise InputError(source, wrong, "rename it there to letters and digits")
    return name


LONGEST_COMPONENT = 200
"""Bytes: unfinished work has a longer name."""


def _absolute(path: str | Path) -> Path:
    """Return ``path`` as an absolute path; a link at its end is not resolved, because the link is replaced."""
    return Path(path).parent.resolve() / Path(path).name


# --- The writing process ----


class _Owner(NamedTuple):
    """The parts of a name of unfinished work: the output, and the process."""

    name: str
    host: str
    pid: int
    started: int

    def is_dead(self) -> bool:
        """Return whether it was a process of this machine that has ended; for other machines this is unknown."""
        return self.host == HOST and _started(self.pid) != self.started


def _started(pid: int) -> int | None:
    """Return when the process began; ``None`` if no process has this number.

    On Linux in ticks since the machine started, because a clock that is set back moves psutil's time; elsewhere in milliseconds.
    """
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        with suppress(OSError, IndexError, ValueError):
            return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
        return round(process.create_time() * 1000)
    except psutil.Error:
        return None


def _own(path: Path, ending: str) -> Path:
    """Return a name for unfinished work on ``path`` that is unique across processes, and within this one."""
    pid = os.getpid()
    return path.with_name(f".{path.name[:LONGEST_NAME]}.{HOST}-{pid}-{_started(pid)}-{next(_numbers)}.{ending}")


def _owned(folder: Path) -> Iterator[tuple[Path, _Owner]]:
    """Yield the unfinished work in ``folder``, with its owner."""
    for path in folder.glob(".*"):
        if match := _NAME.fullmatch(path.name):
            name, host, pid, started = match.groups()
            yield path, _Owner(name, host, int(pid), int(started))


def _others(path: Path, alone: bool) -> None:
    """Remove killed runs' leftovers of ``path``, and refuse where another run is writing it."""
    for other, owner in _owned(path.parent):
        if owner.name != path.name[:LONGEST_NAME]:
            continue
        if owner.is_dead():
            _remove(other)
        elif alone and owner.host == HOST and owner.pid != os.getpid() and parent_process() is None:
            raise CrepeError(
                f"{path}: process {owner.pid}, which an earlier run left behind, is still writing it. "
                f"Remedy: wait until it ends, or end it (kill {owner.pid}), and run the same command again."
            )


# --- Safe replacement ----


def _refuse(given: Path, path: Path, folder: bool) -> None:
    if path.is_dir() and not folder:
        raise InputError(given, "is a folder, but a file is to be written there", "name a file, or another place")
    if folder and path.exists() and not path.is_dir():
        raise InputError(given, "is a file, but a folder is to be written there", "name a folder, or another place")
    if folder and (path.is_symlink() or path.name in ("", "..") or path in (Path.cwd(), *Path.cwd().parents)):
        raise InputError(given, "cannot be replaced as a whole", "name a new folder")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise _no_folder(folder) from None


def _no_folder(folder: Path) -> InputError:
    return InputError(folder, "is a file, or lies below one, but a folder is needed there", "name another place")


def _replace_folder(given: Path, path: Path, partial: Path) -> None:
    """Put ``partial`` in place of ``path``, if every file there is also in ``partial``."""
    before = _own(path, PARTIAL)
    if path.is_dir():
        lost = [file.relative_to(path) for file in sorted(path.rglob("*")) if not (partial / file.relative_to(path)).exists()]
        if lost:
            wrong = f"holds {lost[0]}, which this run did not write and which would be lost"
            raise InputError(given, wrong, "name a new or an empty folder, or move that file to another place")
        path.rename(before)
    partial.rename(path)
    _remove(before)


def _remove(path: Path) -> None:
    """Remove unfinished work, file or folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
