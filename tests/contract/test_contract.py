"""Tests of the contracts: outputs are whole, ledgers add up, a table has one schema, and errors are clear."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.contract import schemas, tables
from stages.contract.errors import InputError
from stages.contract.files import complete, write_json
from stages.contract.ledger import Ledger

ATOMS = [{"kind": "object", "atom": f"thing {i}", "count": i} for i in range(5)]


def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(RuntimeError), complete(tmp_path / "a.txt") as partial:
        partial.write_text("half")
        raise RuntimeError
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


def test_a_ledger_that_does_not_add_up_is_refused(tmp_path):
    ledger = Ledger("rows")
    ledger.read(3)
    ledger.keep()
    ledger.drop("too small")
    with pytest.raises(ValueError, match="3 rows in, but 1 kept and 1 dropped"):
        ledger.write(tmp_path / "a.json")
    ledger.drop("too small")
    ledger.write(tmp_path / "a.json", figure=0.5)
    expected = {"unit": "rows", "in": 3, "kept": 1, "dropped": {"too small": 2}, "figure": 0.5}
    assert json.loads((tmp_path / "a.json").read_text()) == expected
    assert str(ledger) == "3 rows in, 1 kept; dropped: 2 too small"


def test_json_has_no_nan(tmp_path):
    """NaN is not JSON, and DVC shows it as changed in every comparison."""
    with pytest.raises(ValueError):
        write_json(tmp_path / "a.json", {"share": float("nan")})
    assert not list(tmp_path.iterdir())


def test_a_table_comes_back_as_written(tmp_path):
    tables.write("seen_atoms", tmp_path / "a.parquet", ATOMS)
    assert list(tables.read("seen_atoms", tmp_path / "a.parquet")) == ATOMS
    assert list(tables.read("seen_atoms", tmp_path / "a.parquet", columns=["count"]))[4] == {"count": 4}


def test_a_folder_in_place_of_a_table_is_named(tmp_path):
    with pytest.raises(InputError, match=r"is a folder, and a table of seen_atoms was expected\. Remedy: name the file in it"):
        next(tables.read("seen_atoms", tmp_path))


def test_bytes_do_not_tell_how_rows_were_batched(tmp_path):
    with tables.writer("seen_atoms", tmp_path / "a.parquet") as write:
        for row in ATOMS:
            write([row])
    tables.write("seen_atoms", tmp_path / "b.parquet", ATOMS)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


@pytest.mark.parametrize(("size", "lengths"), [(1, [1] * 5), (2, [2, 2, 1]), (4, [4, 1]), (5, [5]), (9, [5])])
@pytest.mark.parametrize("row_group", [1, 3, 5])
def test_pieces_are_of_one_size_however_the_table_was_written(row_group, size, lengths, tmp_path):
    tables.write("seen_atoms", tmp_path / "a.parquet", iter(ATOMS))
    pq.write_table(pq.read_table(tmp_path / "a.parquet"), tmp_path / "b.parquet", row_group_size=row_group)
    pieces = list(tables.batches("seen_atoms", tmp_path / "b.parquet", size=size))
    assert [len(piece) for piece in pieces] == lengths and pa.Table.from_batches(pieces).to_pylist() == ATOMS


@pytest.mark.parametrize("row", [{"kind": "object", "atom": "dog"}, {"kind": "object", "atom": "dog", "count": 1, "more": 1}])
def test_a_row_with_other_columns_is_refused(tmp_path, row):
    with pytest.raises(ValueError, match="missing or unknown"):
        tables.write("seen_atoms", tmp_path / "a.parquet", [row])
    assert not list(tmp_path.iterdir())


def test_every_column_of_every_table_has_a_sentence():
    for name, table in schemas.TABLES.items():
        assert table.rows, name
        assert all(text for _, _, text in table.columns), name


def made(path, count=1, **inputs):
    """Write a table made from the ``inputs``."""
    row = {"kind": "object", "atom": "dog", "count": count}
    tables.write("seen_atoms", path, [row], tables.lineage(inputs))
    return path


def test_a_table_knows_what_it_was_made_from_and_the_same_makes_the_same_bytes(tmp_path):
    regions = made(tmp_path / "regions")
    for name in "ab":
        queries = made(tmp_path / name, regions=regions)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    ranks = made(tmp_path / "ranks", queries=queries)
    assert set(tables.lineage({"ranks": ranks})) == {"ranks", "queries", "regions"}
    assert len(list(tables.read("seen_atoms", ranks))) == 1


def test_tables_of_different_versions_are_an_error_where_they_meet(tmp_path):
    one, other = made(tmp_path / "one"), made(tmp_path / "other", count=2)
    queries = made(tmp_path / "queries", regions=one)
    captions = made(tmp_path / "captions", queries=queries)
    tables.lineage({"regions": one, "queries": queries, "captions": captions})
    with pytest.raises(InputError, match=r"other: it and .*captions were built from different versions of regions.*dvc repro"):
        tables.lineage({"captions": captions, "regions": other})
    with pytest.raises(InputError, match="no such file, and a table of regions was expected"):
        tables.lineage({"regions": tmp_path / "none"})
