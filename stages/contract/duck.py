"""DuckDB within bounds: a memory limit, a folder to spill to, and errors with a remedy."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa

from stages.contract.errors import CrepeError, more_memory

BATCH = 16_384


@contextmanager
def database(memory: str, workers: int, spill: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a database in memory that spills to the folder ``spill`` where ``memory`` (as ``2GB``) is not enough.

    The order of rows is not kept between operators: every query whose rows are written needs an ``ORDER BY`` of a total key.

    Raises:
        CrepeError: a query did not fit into the memory or the disk; the message says which parameter to raise.
    """
    settings = {"memory_limit": memory, "threads": str(workers), "temp_directory": str(spill)}
    try:
        with duckdb.connect(config={**settings}) as connection:
            connection.execute("SET enable_progress_bar = false")
            yield connection
    except duckdb.OutOfMemoryException as error:
        raise CrepeError(
            f"{memory} is not enough for DuckDB ({first_line(error)}). Remedy: {more_memory('raise run.memory in params.yaml')}."
        ) from None
    except (duckdb.InterruptException, duckdb.InvalidInputException, RuntimeError) as error:
        # DuckDB's error for Ctrl-C during a query, and while it reads rows of an Arrow table from Python.
        if "interrupted" in str(error).lower() or "KeyboardInterrupt" in str(error):
            raise KeyboardInterrupt from None
        raise
    except duckdb.IOException as error:
        raise CrepeError(f"DuckDB cannot read or write: {first_line(error)}. Remedy: free or allow the disk it names.") from None


def stream(connection: duckdb.DuckDBPyConnection, query: str, parameters: object = None, batch: int = BATCH) -> Iterator[pa.Table]:
    """Yield the result of ``query``, ``batch`` rows at a time, never held as a whole."""
    for piece in connection.sql(query, params=parameters).to_arrow_reader(batch):
        yield pa.Table.from_batches([piece])


def first_line(error: duckdb.Error | UnicodeDecodeError) -> str:
    """Return the first line of DuckDB's message, which may be cut inside a character of several bytes.

    Python makes a UnicodeDecodeError of it or, in 3.11.2, an error without a message.
    """
    text = error.object.decode(errors="ignore") if isinstance(error, UnicodeDecodeError) else str(error)
    return text.partition("\n")[0]
