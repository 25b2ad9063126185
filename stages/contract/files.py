"""Outputs that appear complete or not at all, and nothing removed that was not written here.

What is unfinished has a name of its own, ``.NAME.HOST-PID-START-N.partial`` (or ``.scratch``), which tells the process that writes
it: so two runs never share it, what a killed one left is known for what it is, and a run that is still at work is seen.
"""

import hashlib
import json
import os
import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing import parent_process
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import psutil

from stages.contract.errors import CrepeError, InputError

HOST = hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]
PARTIAL, SCRATCH = "partial", "scratch"
LONGEST_NAME = 100
"""Letters of an output's name that stand in that of its unfinished work; a name of a file has 255 bytes at most."""
_NAME = re.compile(rf"\.(.*)\.([^.-]*)-(\d+)-(\d+)-\d+\.(?:{PARTIAL}|{SCRATCH})", re.DOTALL)
_numbers = count()


@contextmanager
def complete(path: str | Path, folder: bool = False, alone: bool = False) -> Iterator[Path]:
    """Yield a path next to ``path`` to write to; move it there when the block ends well, remove it when it does not.

    Args:
        folder: the output is a folder, and the path that is yielded is a new, empty one.
        alone: another run that is writing the same output is an error: the later of the two would win.

    Raises:
        InputError: there is something at ``path`` that would be lost: a folder where a file is written, a file where a folder is,
            or a folder with files that the new one has not.
        CrepeError: another run is at work on it.
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
    """Try whether an output can be written to ``given``, before hours of work are done for it; nothing is left behind.

    Files in a folder that is to be replaced are looked at when that is done: only then it is known which are written again.

    Raises:
        InputError: a folder is where a file is written, or a file where a folder is.
        OSError: this user, or this disk, lets nobody write there.
    """
    path = _absolute(given)
    _refuse(given, path, folder)
    nearest = next(place for place in path.parents if place.exists())
    if not nearest.is_dir():
        raise _no_folder(path.parent)
    with TemporaryFile(dir=nearest):  # which has no name, so that a killed run leaves none
        pass


@contextmanager
def scratch(path: str | Path) -> Iterator[Path]:
    """Yield an empty folder next to the output ``path`` for intermediate files; it is gone when the block ends.

    Raises:
        CrepeError: another run is at work on ``path``.
    """
    with _unfinished(_absolute(path), SCRATCH, folder=True, alone=True) as folder:
        yield folder


@contextmanager
def _unfinished(path: Path, ending: str, folder: bool, alone: bool) -> Iterator[Path]:
    """A place for unfinished work on ``path``, which is gone when the block ends."""
    _make_folder(path.parent)
    _others(path, alone)
    own = _own(path, ending)
    try:
        if folder:
            own.mkdir()
        yield own
    finally:
        try:
            _remove(own)
        except KeyboardInterrupt:  # while it is removed: it goes first
            _remove(own)
            raise


def sweep(folder: Path) -> None:
    """Remove what killed runs left unfinished in ``folder``; what a living one writes stays."""
    for path, owner in _owned(folder):
        if owner.is_dead():
            _remove(path)


def write_json(path: str | Path, value: Any) -> None:
    """Write ``value`` as JSON with sorted keys, whole or not at all."""
    with complete(path) as partial:
        partial.write_text(
            json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8"
        )


def digest_of_file(path: Path) -> str:
    """SHA-256 over the bytes of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def shared(path: Path) -> Path:
    """Where ``path`` lies in the repository whose workspace this is, if DVC made the workspace for an experiment.

    ``dvc exp run --temp`` and ``--queue`` work below the repository's ``.dvc/tmp``; what was paid for, or took long to encode, is
    then found where it is, and what is new outlives the workspace.
    """
    here = _absolute(path)
    for parent in here.parents:
        if parent.name == "tmp" and parent.parent.name == ".dvc":
            workspace = next(place for place in here.parents if (place / "dvc.yaml").is_file())
            return parent.parent.parent / here.relative_to(workspace)
    return path


def component(source: str | Path, name: str) -> str:
    """``name``, which ``source`` gave, as one part of a path: where a file of that name is written, it lies in the folder.

    Raises:
        InputError: it has a separator or a sign that cannot be seen, is too long, or leads to the folder above.
    """
    plain = name.isprintable() and not set(name) & set("/\\") and len(os.fsencode(name)) <= LONGEST_COMPONENT
    if name in ("", ".", "..") or not plain:
        wrong = f"names {name[:80]!r}, which cannot be the name of a file"
        raise InputError(source, wrong, "rename it there, in letters and digits")
    return name


LONGEST_COMPONENT = 200
"""Bytes: what is unfinished has a longer name."""


def _absolute(path: str | Path) -> Path:
    """``path`` from the root on; a link at its end stays one, for it is the link that is replaced."""
    return Path(path).parent.resolve() / Path(path).name


# --- Who writes ----


class _Owner(NamedTuple):
    """What a name of unfinished work tells: of which output, and of the process."""

    name: str
    host: str
    pid: int
    started: int

    def is_dead(self) -> bool:
        """Whether it was a process of this machine that has ended; of other machines nobody here knows."""
        return self.host == HOST and _started(self.pid) != self.started


def _started(pid: int) -> int | None:
    """When the process began, in milliseconds; ``None`` where there is none of this number."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else round(process.create_time() * 1000)
    except psutil.Error:
        return None


def _own(path: Path, ending: str) -> Path:
    """A name for unfinished work on ``path`` that no other process, and nothing else in this one, has."""
    pid = os.getpid()
    return path.with_name(f".{path.name[:LONGEST_NAME]}.{HOST}-{pid}-{_started(pid)}-{next(_numbers)}.{ending}")


def _owned(folder: Path) -> Iterator[tuple[Path, _Owner]]:
    """The unfinished work in ``folder``, and whose it is."""
    for path in folder.glob(".*"):
        if match := _NAME.fullmatch(path.name):
            name, host, pid, started = match.groups()
            yield path, _Owner(name, host, int(pid), int(started))


def _others(path: Path, alone: bool) -> None:
    """Remove what killed runs left of ``path``, and tell of one that is still at work on it."""
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


# --- What may be replaced ----


def _refuse(given: Path, path: Path, folder: bool) -> None:
    if path.is_dir() and not folder:
        raise InputError(given, "is a folder, and a file is to be written there", "name a file, or another place")
    if folder and path.exists() and not path.is_dir():
        raise InputError(given, "is a file, and a folder is to be written there", "name a folder, or another place")
    if folder and (path.is_symlink() or path.name in ("", "..") or path in (Path.cwd(), *Path.cwd().parents)):
        raise InputError(given, "cannot be replaced as a whole", "name a new folder")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise _no_folder(folder) from None


def _no_folder(folder: Path) -> InputError:
    return InputError(folder, "is a file, or lies below one, and a folder is to be made there", "name another place")


def _replace_folder(given: Path, path: Path, partial: Path) -> None:
    """Put ``partial`` in the place of ``path``, if no file there is lost that is not written again."""
    before = _own(path, PARTIAL)
    if path.is_dir():
        lost = [file.relative_to(path) for file in sorted(path.rglob("*")) if not (partial / file.relative_to(path)).exists()]
        if lost:
            wrong = f"holds {lost[0]}, which this run did not write, and which would be lost"
            raise InputError(given, wrong, "name a new or an empty folder, or empty this one yourself")
        path.rename(before)
    partial.rename(path)
    _remove(before)


def _remove(path: Path) -> None:
    """Remove what was written under a name of unfinished work."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
