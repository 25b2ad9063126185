"""Work that takes long is kept where a killed run can go on from it: not in the outputs, which DVC removes before a stage runs."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def fingerprint(files: Iterable[Path], values: Any) -> str:
    """A name for exactly this work: 16 hexadecimal digits of what the files hold, their names, and the ``values`` (as JSON)."""
    digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode())
    for path in files:
        with path.open("rb") as stream:
            digest.update(f"\0{path.name}\0{hashlib.file_digest(stream, 'sha256').hexdigest()}".encode())
    return digest.hexdigest()[:16]


@contextmanager
def kept(folder: Path, name: str) -> Iterator[Path]:
    """Yield ``folder/name`` with what an interrupted run of this ``name`` left in it; ``folder`` goes when the block ends well.

    Work of another name is of other inputs or parameters and goes at once.
    """
    work = folder / name
    for other in sorted(folder.glob("*")):
        if other != work:
            shutil.rmtree(other)
    work.mkdir(parents=True, exist_ok=True)
    yield work
    shutil.rmtree(folder)
