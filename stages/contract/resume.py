"""Long work is stored where a killed run can resume it: not in the outputs, which DVC removes before a stage runs."""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stages.contract.files import digest_of_file, scratch, write_json


def fingerprint(files: Iterable[Path], values: Any) -> str:
    """Return a name for this work: 16 hexadecimal digits of the files' contents and names, and of the ``values`` (as JSON)."""
    digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode())
    for path in files:
        digest.update(f"\0{path.name}\0{digest_of_file(path)}".encode())
    return digest.hexdigest()[:16]


def code(*packages: str) -> list[Path]:
    """Return the files of packages of ``stages/`` that do the work, for its fingerprint, without Markdown pages."""
    files = (path for package in packages for path in (STAGES / package).rglob("*"))
    return sorted(path for path in files if path.is_file() and path.suffix != ".md" and "__pycache__" not in path.parts)


STAGES = Path(__file__).resolve().parents[1]


@contextmanager
def work_folder(folder: Path, name: str) -> Iterator[Path]:
    """Yield ``folder/name`` with the results of an interrupted run of the same ``name``; remove it when the block succeeds.

    Work of another name has other inputs or parameters. It stays until this has succeeded, so that a mistaken parameter does not
    cost days. Other files in ``folder`` are not touched.

    Raises:
        CrepeError: another run is using ``folder``.
    """
    work = folder / name
    with scratch(work.with_name("work")):
        work.mkdir(exist_ok=True)
        (work / MARK).touch()
        yield work
        for other in sorted(folder.iterdir()):
            if (other / MARK).is_file():
                shutil.rmtree(other)
    if not any(folder.iterdir()):
        folder.rmdir()


MARK = ".work-of-a-stage"
"""The file that marks a folder of unfinished work."""


def mark_done(mark: Path, value: Any, *files: Path) -> None:
    """Mark a part of the work as done in the file ``mark``, with its ``value`` (JSON) and the ``files`` next to it."""
    write_json(mark, {"value": value, "files": {path.name: digest_of_file(path) for path in files}})


def load_done(mark: Path) -> Any | None:
    """Return the value of a part of the work that is marked as done; ``None`` if it, or one of its files, is missing or changed."""
    try:
        done = json.loads(mark.read_bytes())
        whole = all(digest_of_file(mark.with_name(name)) == digest for name, digest in done["files"].items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return done["value"] if whole else None
