"""DuckDB stays within its limits: results come in pieces, and errors name the parameter."""

import threading

import pyarrow as pa
import pytest

from stages.contract import tables
from stages.contract.duck import database, stream
from stages.contract.errors import CrepeError


def test_results_come_in_pieces(tmp_path):
    with database("200MB", 1, tmp_path) as db:
        pieces = list(stream(db, "SELECT i FROM range(?) AS r(i) ORDER BY i", [100_000]))
    assert len(pieces) > 1
    assert sum(len(piece) for piece in pieces) == 100_000


def test_too_little_memory_names_the_parameter(tmp_path):
    query = "SELECT list(repeat(i::VARCHAR, 50)) FROM range(5000000) AS r(i)"
    with pytest.raises(CrepeError, match=r"raise run\.memory"), database("20MB", 1, tmp_path) as db:
        db.execute(query).fetchall()


def test_ctrl_c_in_a_query_is_ctrl_c(tmp_path):
    """DuckDB turns it into a RuntimeError, which would end a stage with a traceback."""
    query = "SELECT count(*) FROM range(100000000) AS a(i), range(1000) AS b(j) WHERE i * j % 7 = 3"
    with pytest.raises(KeyboardInterrupt), database("200MB", 1, tmp_path) as db:
        timer = threading.Timer(0.2, db.interrupt)
        timer.start()
        db.execute(query).fetchall()


def test_ctrl_c_while_a_query_asks_for_rows_is_ctrl_c(tmp_path):
    """DuckDB calls Python for the rows of an Arrow table, and turns whatever is raised there into an error of the query."""

    def rows():
        yield pa.record_batch({"i": [1]})
        raise KeyboardInterrupt

    reader = pa.RecordBatchReader.from_batches(pa.schema([("i", pa.int64())]), rows())
    with pytest.raises(KeyboardInterrupt), database("200MB", 1, tmp_path) as db:
        db.register("rows", reader).execute("SELECT * FROM rows").fetchall()


def test_rows_and_arrow_tables_write_the_same_bytes(tmp_path):
    """Row groups must not depend on how the rows arrived."""
    rows = [{"kind": "object", "atom": f"thing {i}", "count": i} for i in range(tables.ROW_GROUP * 2 + 5)]
    tables.write("seen_atoms", tmp_path / "rows.parquet", rows)
    with tables.writer("seen_atoms", tmp_path / "mixed.parquet") as write:
        write(rows[:10])
        write(pa.Table.from_pylist(rows[10:20_000]))
        write(rows[20_000:])
    assert (tmp_path / "rows.parquet").read_bytes() == (tmp_path / "mixed.parquet").read_bytes()
