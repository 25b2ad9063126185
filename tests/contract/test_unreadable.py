"""A file without read permission is reported as such; nobody is advised to delete it. User ``nobody`` reads: root may read all."""

import ast
import os
import re
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
from stages.contract.errors import AGAIN, InputError, message_of

NOBODY = 65_534


@pytest.fixture
def forbidden() -> Iterator[Path]:
    """Yield a Parquet file that its reader can find but not read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.parquet"
        pq.write_table(pa.table({"caption": ["a dog"]}), path)
        path.parent.chmod(0o755)
        path.chmod(0)
        yield path


def test_no_remedy_is_to_delete_a_file():
    """An unreadable file may be somebody's work, and the project's own are rebuilt without deleting them."""
    files = [*(Path(__file__).resolve().parents[2] / "stages").rglob("*.py")]
    texts = [
        (file.name, node.value)
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value
    ]
    assert [text for text in texts if re.match(r"(delete|erase|empty|rm) ", text[1])] == []
    assert ("errors.py", AGAIN) in texts


@pytest.mark.parametrize("harm", [lambda data: data[:-100], lambda data: b"my notes"])
def test_a_file_that_is_no_table_is_made_again_or_another_is_named(harm: Callable[[bytes], bytes], tmp_path: Path) -> None:
    tables.write("seen_atoms", path := tmp_path / "mine.parquet", [{"kind": "object", "atom": "dog", "count": 1}])
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(InputError, match="Remedy: run dvc repro, which makes it again, or name another file"):
        tables.read_arrow("seen_atoms", path)
    assert path.exists()


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
