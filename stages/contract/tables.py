"""The only way to write and read the tables of :mod:`stages.contract.schemas`.

A table is one Parquet file. Its schema is checked when it is written and when it is read, so that a file of an earlier version is
found at once and not by the number that comes out wrong.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from stages.contract.errors import InputError
from stages.contract.files import complete
from stages.contract.schemas import TABLES


@contextmanager
def writer(name: str, path: str | Path) -> Iterator[Any]:
    """Write the table ``name`` piece by piece: the block gets a function that takes rows, as dictionaries or as an Arrow table.

    >>> with writer("seen_atoms", "atoms.parquet") as write:  # doctest: +SKIP
    ...     write([{"kind": "object", "atom": "dog", "count": 3}])
    """
    schema = TABLES[name].schema
    columns = set(schema.names)
    with complete(path, alone=True) as partial, pq.ParquetWriter(partial, schema, **HOW) as parquet:
        rows: list[Mapping[str, Any]] = []
        pieces: list[pa.Table] = []

        def flush(end: bool = False) -> None:
            # Row groups of one size whatever the callers' batches, so that the bytes do not tell how the work was shared out.
            if rows:
                pieces.append(pa.Table.from_pylist(rows, schema=schema))
                rows.clear()
            waiting = pa.concat_tables(pieces) if pieces else schema.empty_table()
            ready = len(waiting) if end else len(waiting) // ROW_GROUP * ROW_GROUP
            for start in range(0, ready, ROW_GROUP):
                parquet.write_table(waiting.slice(start, min(ROW_GROUP, ready - start)).combine_chunks())
            pieces[:] = [waiting.slice(ready)]

        def write(more: Iterable[Mapping[str, Any]] | pa.Table) -> None:
            if isinstance(more, pa.Table):
                flush()
                pieces.append(more.select(schema.names).cast(schema))
                flush()
                return
            for row in more:
                if row.keys() != columns:
                    raise ValueError(f"table {name}: columns {sorted(row.keys() ^ columns)} are missing or unknown")
                rows.append(row)
                if len(rows) == ROW_GROUP:
                    flush()

        yield write
        flush(end=True)


ROW_GROUP = 16_384
HOW: dict[str, Any] = {"compression": "zstd", "store_schema": True, "write_page_checksum": True}
"""How tables are written. With checksums a flipped bit is an error when it is read, and no wrong number."""


def write(name: str, path: str | Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write all ``rows`` of the table ``name``."""
    with writer(name, path) as put:
        put(rows)


def check(name: str, path: str | Path) -> pq.ParquetFile:
    """Open the table ``name`` at ``path``.

    Raises:
        InputError: the file is missing, is no Parquet file, or has another schema.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(path, f"there is no such file, and a table of {name} was expected", "run dvc repro, which makes it")
    try:
        parquet = pq.ParquetFile(path, page_checksum_verification=True)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            wrong = f"cannot be read ({os.strerror(error.errno)})"
            raise InputError(path, wrong, "allow this user to read it, or look after its disk") from None
        raise InputError(path, f"is not a whole Parquet file ({_line(error)})", "delete it and run dvc repro") from None
    if not parquet.schema_arrow.equals(TABLES[name].schema):
        raise InputError(path, f"has not the columns of a table of {name}", "it was made by another version: run dvc repro")
    return parquet


def verify(name: str, path: str | Path) -> None:
    """Go through the whole table ``name``, for a reader that does not see flipped bits, such as DuckDB; raises as :func:`read`.

    Words are left as places in their dictionaries, which makes it twice as fast: 25 million rows of compounds a CPU second.
    """
    check(name, path).close()
    words = [column for column, kind, _ in TABLES[name].columns if kind == pa.string()]
    with pq.ParquetFile(path, page_checksum_verification=True, read_dictionary=words) as parquet, _whole(path):
        for _ in parquet.iter_batches(batch_size=65_536):
            pass


def read(name: str, path: str | Path, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """The rows of the table ``name``, streamed.

    Raises:
        InputError: as :func:`check`, or a part of the file is damaged.
    """
    for batch in batches(name, path, columns):
        yield from batch.to_pylist()


def batches(name: str, path: str | Path, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The same as pieces of Arrow tables, of which a reader may take what it needs before rows are made."""
    with check(name, path) as parquet, _whole(path):
        yield from parquet.iter_batches(columns=columns, batch_size=4096)


def read_arrow(name: str, path: str | Path, columns: list[str] | None = None) -> pa.Table:
    """The whole table ``name`` in memory, for tables that are known to be small; raises as :func:`read`."""
    with check(name, path) as parquet, _whole(path):
        return parquet.read(columns=columns)


@contextmanager
def _whole(path: str | Path) -> Iterator[None]:
    """Tell a page whose checksum, or packing, is wrong. Errors of the machine have a number, and pass."""
    try:
        yield
    except pa.ArrowMemoryError:
        raise
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None):
            raise
        raise InputError(path, f"is damaged ({_line(error)})", "delete it and run dvc repro, which makes it") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
