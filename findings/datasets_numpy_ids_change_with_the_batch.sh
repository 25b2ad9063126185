#!/usr/bin/env bash
# datasets 5.2.0: in numpy format, ids change with the batch that they are read in, by the null of another row.
#
# with_format("numpy") turns an integer column with a null into float32, not float64, and does so batch by batch; a row that is read
# alone keeps its integer. float32 has every integer up to 16,777,216 only, and ids often are larger. So
#   1. ds[0], ds[:2] and ds[:4] give the first id as 100000001, 100000001 and 100000000.0, and three ids of a column become one;
#   2. map(batched=True) stores other ids for batch_size 1, 2 and 4, and iter(batch_size=...) gives others, with no warning;
#   3. a float64 column is float64 by row and float32 by slice, without any null: 0.7 by row is at least 0.7, and the same 0.7 of a
#      slice is 0.699999988 and less, where it meets a float64.
# with_format("numpy", dtype=numpy.float64) and with_format("pandas") do neither up to 2^53.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check datasets==5.2.0 numpy==2.4.6 pyarrow==26.0.1 pandas==3.1.1
cd "$folder"
export HF_HOME="$folder/cache" HF_HUB_OFFLINE=1
"$folder/venv/bin/python" - <<'PY'
import numpy as np
from datasets import Dataset, disable_progress_bars

disable_progress_bars()
ids = [100000001, 100000002, 100000003, None]
plain = Dataset.from_dict({"id": ids, "score": [0.7, 0.7, 0.7, 0.7]})
ds = plain.with_format("numpy")

first = [ds[0]["id"], ds[:2]["id"][0], ds[:4]["id"][0]]
print("first id by row, of a slice of 2, of a slice of 4:", [f"{value.dtype} {value:.0f}" for value in first])
assert [(value.dtype, int(value)) for value in first] == [("int64", 100000001), ("int64", 100000001), ("float32", 100000000)]
whole = {int(value) for value in ds[:]["id"] if not np.isnan(value)}
print("different ids of the whole column:", whole)
assert whole == {100000000}


def copy(batch: dict) -> dict:
    """Return the ids of a batch as integers, -1 for none."""
    return {"copy": [-1 if value is None or np.isnan(value) else int(value) for value in batch["id"]]}


expected = {
    1: [100000001, 100000002, 100000003, -1],
    2: [100000001, 100000002, 100000000, -1],
    4: [100000000, 100000000, 100000000, -1],
}
for size, right in expected.items():
    mapped = list(ds.map(copy, batched=True, batch_size=size).with_format(None)["copy"])
    read = [value for batch in ds.iter(batch_size=size) for value in copy(batch)["copy"]]
    print(f"map and iter with batch_size={size}:", mapped, read)
    assert mapped == read == right, (mapped, read)

limit = np.float64(0.7)
row, batch = ds[0]["score"], ds[:]["score"]
print(f"score by row: {row.dtype}, at least 0.7 {row >= limit}; of a slice: {batch.dtype}, at least 0.7 {batch[0] >= limit}")
assert (row.dtype, batch.dtype) == ("float64", "float32") and row >= limit and not batch[0] >= limit
frame = plain.with_format("pandas")[:]
print("with_format('pandas'):", {name: str(dtype) for name, dtype in frame.dtypes.items()}, frame["id"].tolist()[:3])
assert frame["id"].tolist()[:3] == ids[:3] and frame["score"].dtype == "float64"
double = plain.with_format("numpy", dtype=np.float64)[:]
assert double["id"].tolist()[:3] == ids[:3] and double["score"].dtype == "float64"
PY
