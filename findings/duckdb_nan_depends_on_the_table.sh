#!/usr/bin/env bash
# duckdb 2.0.0: a score of NaN is no value, the largest one, or no larger than its neighbours, depending on the kind of table.
#
# DuckDB reads NaN of a pandas frame or of NumPy arrays as NULL, and that of an Arrow or Polars table as greater than every number.
# In a Parquet file it is the latter, too, but DuckDB trusts the smallest and largest value that the file states, and Parquet leaves
# NaN out of both: an option of read_parquet, can_have_nan, is false. So, of the scores 0.2, 0.9, 0.6 and NaN,
#   1. "score > 0.9" finds 0 rows of a pandas frame, 1 of an Arrow table, 1 of the file that DuckDB writes of that table, and 0 of
#      the files that pyarrow and Polars write of it;
#   2. "score <= 0.9" finds 3, 3, 3 and 4: of pyarrow's file the NaN, too, which is greater. Both together do not make a whole;
#   3. isnan(score) finds 0 rows of pyarrow's file although the mean of its column is NaN. The mean is 0.567 of the frame.
# read_parquet(path, can_have_nan = true), and a table created from the file, give what the Arrow table gives.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    duckdb==2.0.0 pandas==3.1.1 numpy==2.4.6 pyarrow==26.0.1 polars==2.1.0
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import math

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

scores = [0.2, 0.9, 0.6, math.nan]
frame = pd.DataFrame({"score": scores})
arrays = {"score": np.array(scores)}
arrow = pa.table({"score": scores})
polars = pl.DataFrame({"score": scores})
pq.write_table(arrow, "pyarrow.parquet")
polars.write_parquet("polars.parquet")
connection = duckdb.connect()
connection.execute("COPY arrow TO 'duckdb.parquet'")
connection.execute("CREATE TABLE stored AS SELECT * FROM 'pyarrow.parquet'")

missing, largest, within = (0, 3, 0, 0.567), (1, 3, 1, math.nan), (0, 4, 0, math.nan)
for table, expected in {
    "frame": missing,
    "arrays": missing,
    "arrow": largest,
    "polars": largest,
    "'duckdb.parquet'": largest,
    "'pyarrow.parquet'": within,
    "'polars.parquet'": within,
    "read_parquet('pyarrow.parquet', can_have_nan = true)": largest,
    "stored": largest,
}.items():
    conditions = ("score > 0.9", "score <= 0.9", "isnan(score)")
    queries = [f"SELECT count(*) FROM {table} WHERE {condition}" for condition in conditions]
    *counts, mean = (connection.execute(query).fetchall()[0][0] for query in [*queries, f"SELECT avg(score) FROM {table}"])
    found = dict(zip((*conditions, "mean"), (*counts, round(mean, 3)), strict=True))
    print(f"{table}: {found}")
    assert np.array_equal(list(found.values()), expected, equal_nan=True), (found, expected)
PY
