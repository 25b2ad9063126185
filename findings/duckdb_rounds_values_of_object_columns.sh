#!/usr/bin/env bash
# duckdb 2.0.0 with pandas 3.1.1: numbers of an object column are rounded where DuckDB did not happen to look.
#
# DuckDB takes the type of a pandas column of Python objects from about 1,000 rows of it, in even steps. Where these are whole
# numbers, the column is INTEGER, and a value such as 0.5 in any other row is rounded to a whole number: no error, no warning. (Text
# in such a row is an error.) So, of a column of credits 0 and 1 with a half for a tie,
#   1. a frame of 1,000 rows is right, and longer ones need not be: credit 0.5 becomes 0, 1.5 becomes 2, and sums are off;
#   2. the same values in another order give another type and another sum: right where the half stands in a row that is looked at;
#   3. numbers within lists and dictionaries are rounded in the same way.
# SET pandas_analyze_sample to the number of rows, or give the column a dtype: both give the right sums.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.0 pandas==3.1.1
"$folder/venv/bin/python" - <<'PY'
import duckdb
import pandas as pd


def credits(number: int, row: int, value: float = 0.5) -> list[float]:
    """Return 0, 1, 0, 1 ... with one value that is not whole."""
    values: list[float] = [0, 1] * (number // 2)
    values[row] = value
    return values


def total(values: list[float], dtype: type = object, setting: str = "") -> tuple[str, float]:
    """Return the type that DuckDB gives the column, and its sum."""
    frame = pd.DataFrame({"credit": pd.Series(values, dtype=dtype)})
    with duckdb.connect() as connection:
        connection.execute(setting)
        connection.register("scores", frame)
        return connection.execute("SELECT any_value(typeof(credit)), sum(credit) FROM scores").fetchone()


for number, row, value, expected in (
    (1_000, 501, 0.5, ("DOUBLE", 499.5)),
    (2_000, 501, 0.5, ("INTEGER", 999)),
    (50_000, 501, 0.5, ("INTEGER", 24_999)),
    (50_000, 503, 1.5, ("INTEGER", 25_001)),
    (50_000, 551, 0.5, ("INTEGER", 24_999)),
    (50_000, 500, 0.5, ("DOUBLE", 25_000.5)),
    (50_000, 550, 0.5, ("DOUBLE", 25_000.5)),
):
    values = credits(number, row, value)
    found = total(values)
    print(f"{number:,} rows, {value} in row {row}: Python's sum {sum(values):,}, DuckDB's {found}")
    assert found == expected, found
values = credits(50_000, 501)
for name, found in (
    ("one thread", total(values, setting="SET threads = 1")),
    ("pandas_analyze_sample", total(values, setting="SET pandas_analyze_sample = 50000")),
    ("dtype float", total(values, float)),
):
    print(f"50,000 rows, 0.5 in row 501, {name}: {found}")
    assert (found[1] == sum(values)) == (name != "one thread"), found

lists: list[object] = [[0, 1]] * 50_000
lists[501] = [0.5, 1.5]
records: list[object] = [{"credit": 0}] * 50_000
records[501] = {"credit": 1.5}
frame = pd.DataFrame({"list": pd.Series(lists, dtype=object), "record": pd.Series(records, dtype=object)})
nested = duckdb.sql("SELECT * FROM frame LIMIT 1 OFFSET 501").fetchall()[0]
print(f"[0.5, 1.5] and {{'credit': 1.5}} in row 501: {nested}")
assert nested == ([0, 2], {"credit": 2}), nested
PY
