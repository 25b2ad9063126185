#!/usr/bin/env bash
# pyarrow 26.0.1: a filter "in [0.0]" on a Parquet file loses the zeros of every row group that holds nothing but zeros.
#
# Parquet's rule is that the smallest value of a row group is written as -0.0 where it is zero. A row group of zeros alone so has
# -0.0 as its smallest and 0.0 as its largest value; pyarrow takes the column there for the constant -0.0, and its "in", unlike its
# "==", holds 0.0 and -0.0 for two values. The data has no negative zero at all. So
#   1. the number of rows that a filter finds depends on row_group_size: of 1,000 zeros, 1,000 are found in row groups of 1,500
#      rows, and none in row groups of 1,000 or 500, for float32 and float64;
#   2. in [0.0] and not in [0.0] together give 2,000 of 3,000 rows, and in [0.0, 1.0] gives the ones alone;
#   3. == 0.0, the same "in" on the table in memory, and the same labels as integers find all of them.
# Labels, scores or weights sorted by value, or mostly zero, are such columns. Filter such a column by == and |, or read it first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyarrow==26.0.1
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import math

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

labels = [0.0] * 1000 + [0.5] * 1000 + [1.0] * 1000
assert all(math.copysign(1, label) == 1 for label in labels)


def rows(filters: object) -> int:
    return pq.read_table("labels.parquet", filters=filters).num_rows


def count(values: list[float], type_: pa.DataType, size: int, zero: float) -> dict[str, int]:
    """Return how many rows each filter finds in a file of row groups of `size` rows."""
    table = pa.table({"label": pa.array(values, type_)})
    pq.write_table(table, "labels.parquet", row_group_size=size)
    return {
        "in [0]": rows([("label", "in", [zero])]),
        "not in [0]": rows([("label", "not in", [zero])]),
        "in [0, 1]": rows([("label", "in", [zero, zero + 1])]),
        "== 0": rows([("label", "==", zero)]),
        "in memory, in [0]": table.filter(pc.field("label").isin([zero])).num_rows,
    }


right = {"in [0]": 1000, "not in [0]": 2000, "in [0, 1]": 2000, "== 0": 1000, "in memory, in [0]": 1000}
wrong = {**right, "in [0]": 0, "in [0, 1]": 1000}
for type_ in (pa.float64(), pa.float32()):
    for size in (3000, 1500, 1000, 500):
        found = count(labels, type_, size, 0.0)
        print(f"{type_}, row groups of {size:,}: {found}")
        assert found == (right if size > 1000 else wrong), found
for size in (3000, 1000):
    found = count([int(2 * label) for label in labels], pa.int64(), size, 0)
    print(f"integers 0, 1, 2, row groups of {size:,}: {found}")
    assert found == right, found
PY
