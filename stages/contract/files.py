"""Outputs that appear complete or not at all, without removing files of others.

Unfinished work is in a folder of its own, ``.NAME.RANDOM.partial``, with a file that its process keeps locked. So two runs
never share it, a killed run's is recognised, and a run that is still active is noticed, also one in a container or on another
machine, if the disk has locks.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from typing import Any

from stages.contract.errors import CrepeError, InputError


def check_folder(folder: Path, remedy: str) -> None:
    """Raise an InputError, with the ``remedy``, where an input is no folder."""
    if not folder.is_dir():
        raise InputError(folder, "is no folder" if folder.exists() else "there is no such folder", remedy)


LONGEST_NAME = 100
"""Maximum letters of an output's name within that of its unfinished work; a file name has at most 255 bytes."""
PARTIAL = ".partial"
_NAME = re.compile(rf"\.(.*)\.[a-z0-9_]{{8}}{re.escape(PARTIAL)}", re.DOTALL)
LOCK = ".process"
"""The locked file in a folder of unfinished work. It has the process's number and machine, and is empty until it is locked."""


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
    with _unfinished(path, folder, alone) as partial:
        yield partial
        if folder and path.is_dir():
            _make_way(given, path, partial)
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
    """Yield an empty folder next to the output ``path``, which no other run may be writing; it is gone when the block ends."""
    with _unfinished(_absolute(path), folder=True, alone=True) as folder:
        yield folder


def sweep(folder: Path) -> None:
    """Remove unfinished work of killed runs in ``folder``; that of active runs stays."""
    for _ in _active(folder):
        pass


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


# --- Unfinished work ----


@contextmanager
def _unfinished(path: Path, folder: bool, alone: bool) -> Iterator[Path]:
    """Yield a path for unfinished work on ``path``, and remove it at the end."""
    _make_folder(path.parent)
    for owner in _active(path.parent, path.name[:LONGEST_NAME]):
        process, _, host = owner.partition(" ")
        if alone and process != str(os.getpid()) and parent_process() is None:
            raise CrepeError(
                f"{path}: process {process} on {host}, which an earlier run left behind, is still writing it. "
                f"Remedy: wait until it ends, or end it (kill {process}), and run the same command again."
            )
    work = Path(mkdtemp(PARTIAL, f".{path.name[:LONGEST_NAME]}.", path.parent))
    with (work / LOCK).open("w") as lock:
        try:
            with suppress(OSError):  # on a disk without locks nothing of others is removed
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            print(os.getpid(), socket.gethostname(), end="", file=lock, flush=True)
            if folder:
                (work / path.name).mkdir()
            yield work / path.name
        finally:
            try:
                shutil.rmtree(work)
            except KeyboardInterrupt:  # during removal: finish it first
                shutil.rmtree(work)
                raise


def _active(folder: Path, name: str = "") -> Iterator[str]:
    """Yield the processes of active runs with unfinished work (on the output ``name``) in ``folder``; remove killed runs' work.

    That of another machine stays, because some network disks keep locks on one machine only.
    """
    for work in folder.glob(f".*{PARTIAL}"):
        match = _NAME.fullmatch(work.name)
        if not match or name not in ("", match[1]):
            continue
        with suppress(FileNotFoundError), (work / LOCK).open("r+") as lock:  # another run may remove it at the same time
            if not (owner := lock.read()):
                continue
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield owner
            except OSError:  # a disk without locks: nobody knows
                continue
            else:
                if owner.partition(" ")[2] == socket.gethostname():
                    shutil.rmtree(work)


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


def _make_way(given: Path, path: Path, partial: Path) -> None:
    """Move the folder ``path`` into unfinished work, if every file there is also in ``partial``, which takes its place."""
    lost = [file.relative_to(path) for file in sorted(path.rglob("*")) if not (partial / file.relative_to(path)).exists()]
    if lost:
        wrong = f"holds {lost[0]}, which this run did not write and which would be lost"
        raise InputError(given, wrong, "name a new or an empty folder, or move that file to another place")
    path.rename(partial.with_name(".before"))
