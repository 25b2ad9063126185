"""DuckDB within bounds: a memory limit, a folder to spill to, and errors that a person can act on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa

from stages.contract.errors import CrepeError, more_memory

BATCH = 16_384


@contextmanager
def database(memory: str, workers: int, spill: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory that spills to the folder ``spill`` where ``memory`` (as ``2GB``) is not enough.

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
            f"DuckDB did not get by with {memory} ({first_line(error)}). Remedy: {more_memory('raise run.memory in params.yaml')}."
        ) from None
    except (duckdb.InterruptException, duckdb.InvalidInputException, RuntimeError) as error:
        # What DuckDB makes of Ctrl-C while a query runs, and while it asks Python for the rows of a table of Arrow's.
        if "interrupted" in str(error).lower() or "KeyboardInterrupt" in str(error):
            raise KeyboardInterrupt from None
        raise
    except duckdb.IOException as error:
        raise CrepeError(f"DuckDB could not read or write: {first_line(error)}. Remedy: free or allow the disk it names.") from None


def stream(connection: duckdb.DuckDBPyConnection, query: str, parameters: object = None, batch: int = BATCH) -> Iterator[pa.Table]:
    """The result of ``query``, ``batch`` rows at a time, never held as a whole."""
    for piece in connection.sql(query, params=parameters).to_arrow_reader(batch):
        yield pa.Table.from_batches([piece])


def first_line(error: duckdb.Error | UnicodeDecodeError) -> str:
    """Of what DuckDB says: it cuts long texts within a letter of several bytes, of which Python makes an error of another kind, or
    (3.11.2) one without a word."""
    text = error.object.decode(errors="ignore") if isinstance(error, UnicodeDecodeError) else str(error)
    return text.partition("\n")[0]
