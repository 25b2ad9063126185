"""Work that takes long is kept where a killed run can go on from it: not in the outputs, which DVC removes before a stage runs."""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stages.contract.files import digest_of_file, scratch, write_json


def fingerprint(files: Iterable[Path], values: Any) -> str:
    """A name for exactly this work: 16 hexadecimal digits of what the files hold, their names, and the ``values`` (as JSON)."""
    digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode())
    for path in files:
        digest.update(f"\0{path.name}\0{digest_of_file(path)}".encode())
    return digest.hexdigest()[:16]


def code(*rooms: str) -> list[Path]:
    """The files of rooms of ``stages/``, who do the work, for its fingerprint; not the pages for people."""
    files = (path for room in rooms for path in (STAGES / room).rglob("*"))
    return sorted(path for path in files if path.is_file() and path.suffix != ".md" and "__pycache__" not in path.parts)


STAGES = Path(__file__).resolve().parents[1]


@contextmanager
def work_folder(folder: Path, name: str) -> Iterator[Path]:
    """Yield ``folder/name`` with what an interrupted run of this ``name`` left in it; it goes when the block ends well.

    Work of another name is of other inputs or parameters. It stays until this has ended well, so that a mistaken parameter costs
    nobody days. What was not left here by this function stays.

    Raises:
        CrepeError: another run is at work in ``folder``.
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
"""The file by which a folder of unfinished work is known."""


def mark_done(mark: Path, value: Any, *files: Path) -> None:
    """Say in the file ``mark`` that a piece of work is done: ``value`` (JSON) is known of it, and ``files`` next to it hold it."""
    write_json(mark, {"value": value, "files": {path.name: digest_of_file(path) for path in files}})


def load_done(mark: Path) -> Any | None:
    """The value of a piece of work that is marked done; ``None`` where it, or a file of it, is not: it is done again."""
    try:
        done = json.loads(mark.read_bytes())
        whole = all(digest_of_file(mark.with_name(name)) == digest for name, digest in done["files"].items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return done["value"] if whole else None
