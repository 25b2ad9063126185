"""What may not be read is told as that, and nobody is advised to delete it. Root may read everything, so nobody's account asks."""

import os
import tempfile
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.captions import corpus
from stages.contract import tables
from stages.contract.errors import message_of

NOBODY = 65_534


@pytest.fixture
def forbidden() -> Iterator[Path]:
    """A Parquet file that its reader may find, and not read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.parquet"
        pq.write_table(pa.table({"caption": ["a dog"]}), path)
        path.parent.chmod(0o755)
        path.chmod(0)
        yield path


def as_nobody(read: Callable[[], Any], answer: Connection) -> None:
    if os.getuid() == 0:
        os.setuid(NOBODY)
    try:
        read()
        answer.send("it was read")
    except Exception as error:
        answer.send(message_of(error))


@pytest.mark.parametrize(
    "read",
    [
        lambda path: tables.read_arrow("regions", path),
        lambda path: tables.verify("regions", path),
        lambda path: tables.lineage({"regions": path}),
        lambda path: list(corpus.read(path, "parquet", corpus.Column("caption"))),
    ],
    ids=["read", "verify", "lineage", "captions"],
)
def test_a_parquet_file_that_may_not_be_read(forbidden: Path, read: Callable[[Path], Any]) -> None:
    here, there = get_context("fork").Pipe()
    process = get_context("fork").Process(target=as_nobody, args=(lambda: read(forbidden), there))
    process.start()
    said = here.recv()
    process.join()
    assert str(forbidden) in said and "Permission denied" in said
    assert "Remedy: allow this user to read" in said and "delete" not in said
