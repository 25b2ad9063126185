"""The only way to write and read the tables of :mod:`stages.contract.schemas`.

A table is one Parquet file. Its schema is checked when it is written and when it is read, so that a file of an earlier version is
an error and not a wrong number. It also records the digests of the tables from which it was made, so that combining tables of
different versions is an error (:func:`lineage`).
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from stages.contract.errors import AGAIN, InputError, one_line
from stages.contract.files import complete
from stages.contract.schemas import TABLES


@contextmanager
def writer(name: str, path: str | Path, made_from: Mapping[str, str] | None = None) -> Iterator[Any]:
    """Yield a function that writes rows of the table ``name``, as dictionaries or as an Arrow table.

    Args:
        made_from: the :func:`lineage` of the tables from which this one is made.

    ``with writer("seen_atoms", "atoms.parquet") as write: write([{"kind": "object", "atom": "dog", "count": 3}])``
    """
    schema = TABLES[name].schema
    columns = set(schema.names)
    with complete(path, alone=True) as partial, partial.open("w+b") as file, pq.ParquetWriter(file, schema, **HOW) as parquet:
        rows: list[Mapping[str, Any]] = []
        pieces: list[pa.Table] = []

        def flush(end: bool = False) -> None:
            # Row groups of one size for any batches of the caller, so that the bytes do not depend on the distribution of the work.
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
        file.seek(0)
        digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
        parquet.add_key_value_metadata({DIGEST: digest, MADE_FROM: json.dumps(dict(made_from or {}), sort_keys=True)})


DIGEST, MADE_FROM = "digest", "made_from"
"""Keys in a table's footer: a digest of its compressed rows, and those of the tables from which it was made, as JSON."""
OR_ANOTHER = f"{AGAIN}, or name another file"
"""The remedy for a file that cannot be read: it may be of somebody else's making, and is never to be deleted."""
ROW_GROUP = 16_384
HOW: dict[str, Any] = {"compression": "zstd", "store_schema": True, "write_page_checksum": True}
"""Options of writing. With checksums a flipped bit is an error when it is read, not a wrong number."""


def write(name: str, path: str | Path, rows: Iterable[Mapping[str, Any]], made_from: Mapping[str, str] | None = None) -> None:
    """Write all ``rows`` of the table ``name``."""
    with writer(name, path, made_from) as put:
        put(rows)


def lineage(inputs: Mapping[str, Path]) -> dict[str, str]:
    """Return the lineage of a table made from ``inputs``: their digests, and those of their own sources, by name.

    Raises:
        InputError: an input is missing or damaged, or two inputs were made from different tables of one name.
    """
    digests: dict[str, tuple[str, Path]] = {}
    for role, path in inputs.items():
        with _opened(path, f"a table of {role}") as parquet:
            about = {key.decode(): value.decode() for key, value in (parquet.metadata.metadata or {}).items()}
        own_digest = {role: about[DIGEST]} if DIGEST in about else {}
        for name, digest in (json.loads(about.get(MADE_FROM, "{}")) | own_digest).items():
            known, other = digests.setdefault(name, (digest, path))
            if known != digest:
                wrong = f"it and {other} were built from different versions of {name}, and do not belong together"
                raise InputError(path, wrong, "run dvc repro, which makes them again")
    return {name: digest for name, (digest, _) in sorted(digests.items())}


def check(name: str, path: str | Path) -> pq.ParquetFile:
    """Open the table ``name`` at ``path``; an InputError if it is missing, is not a Parquet file, or has another schema."""
    parquet = _opened(Path(path), f"a table of {name}")
    if not parquet.schema_arrow.equals(TABLES[name].schema):
        remedy = "name such a table, or run dvc repro if another version made this one"
        raise InputError(path, f"does not have the columns of a table of {name}", remedy)
    return parquet


def count(name: str, path: str | Path) -> int:
    """Return the number of rows of the table ``name``; raises as :func:`check`."""
    with check(name, path) as parquet:
        return int(parquet.metadata.num_rows)


def _opened(path: Path, what: str) -> pq.ParquetFile:
    if path.is_dir():
        raise InputError(path, f"is a folder, and {what} was expected", "name the file in it")
    if not path.is_file():
        raise InputError(path, f"there is no such file, and {what} was expected", "run dvc repro, which makes it")
    try:
        return pq.ParquetFile(path, page_checksum_verification=True)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            wrong = f"cannot be read ({os.strerror(error.errno)})"
            raise InputError(path, wrong, "allow this user to read it, or check the disk") from None
        raise InputError(path, f"is not a complete Parquet file ({one_line(error)})", OR_ANOTHER) from None


def verify(name: str, path: str | Path) -> None:
    """Read the whole table ``name``, for a reader that does not notice flipped bits, such as DuckDB; raises as :func:`read`.

    Words stay encoded as dictionary indices, which makes it twice as fast: 25 million rows of compounds a CPU second.
    """
    check(name, path).close()
    words = [column for column, kind, _ in TABLES[name].columns if kind == pa.string()]
    with pq.ParquetFile(path, page_checksum_verification=True, read_dictionary=words) as parquet, _whole(path):
        for _ in parquet.iter_batches(batch_size=65_536):
            pass


def read(name: str, path: str | Path, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table ``name``, streamed; errors are those of :func:`check`, or that a part of it is damaged."""
    for batch in batches(name, path, columns):
        yield from batch.to_pylist()


def batches(name: str, path: str | Path, columns: list[str] | None = None, size: int = 4096) -> Iterator[pa.RecordBatch]:
    """Yield the table as Arrow tables of ``size`` rows, the last one shorter, for readers that select rows early."""
    with check(name, path) as parquet, _whole(path):
        yield from parquet.iter_batches(columns=columns, batch_size=size)


def read_arrow(name: str, path: str | Path, columns: list[str] | None = None) -> pa.Table:
    """Return the whole table ``name`` in memory, for tables that are known to be small; raises as :func:`read`."""
    with check(name, path) as parquet, _whole(path):
        return parquet.read(columns=columns)


@contextmanager
def _whole(path: str | Path) -> Iterator[None]:
    """Raise an :class:`InputError` for a page with a wrong checksum or compression. Errors of the machine, with a number, pass."""
    try:
        yield
    except pa.ArrowMemoryError:
        raise
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None):
            raise
        raise InputError(path, f"is damaged ({one_line(error)})", OR_ANOTHER) from None
