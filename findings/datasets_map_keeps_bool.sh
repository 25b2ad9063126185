#!/usr/bin/env bash
# datasets 5.2.0: map() that replaces a column of booleans stores every number but 0 as True.
#
# For a column that exists already, map() first tries the type that the column had. Numbers are then converted to booleans where the
# column was boolean (and text to numbers where it was a number), with no warning. A column of whole numbers that becomes halves, or
# of text that becomes numbers, takes the new type. So, of a column "correct" that is replaced by credits with a half for a tie,
#   1. the halves are True: the mean of 1, 0, 0.5, 0 is 0.375, and that of the stored column is 0.5. Probabilities of 0.1 to 0.4 all
#      become True. It is so by row and by batch, for Python's numbers and NumPy's, for lists and for fields of dictionaries;
#   2. remove_columns=["correct"] does not help: the type of the removed column is used all the same;
#   3. the same function under another name of the column, or on an IterableDataset, gives the numbers;
#   4. whole numbers replaced by text such as "007" stay whole numbers: 7.
# Pass features= with the new type, or write to a new column.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check datasets==5.2.0 numpy==2.4.6 pyarrow==26.0.1 pandas==3.1.1
cd "$folder"
export HF_HOME="$folder/cache" HF_HUB_OFFLINE=1
"$folder/venv/bin/python" - <<'PY'
import warnings

import numpy as np
from datasets import Dataset, Features, Value, disable_progress_bars

warnings.simplefilter("error", UserWarning)
disable_progress_bars()
credits = [1.0, 0.0, 0.5, 0.0]
plain = Dataset.from_dict({"row": [0, 1, 2, 3], "correct": [True, False, True, False], "id": [5, 6, 7, 8]})


def by_row(row: dict) -> dict:
    return {"correct": credits[row["row"]]}


def by_batch(batch: dict) -> dict:
    return {"correct": np.array(credits)[batch["row"]]}


fields = Dataset.from_dict({"row": [0, 1, 2, 3], "answer": [{"correct": True, "all": [True, False]}] * 4})
nested = fields.map(lambda row: {"answer": {"correct": 0.3, "all": [0.5, 0.0]}})
typed = Features({**plain.features, "correct": Value("float64")})
found = {
    "by row": plain.map(by_row)["correct"][:],
    "by batch, NumPy": plain.map(by_batch, batched=True)["correct"][:],
    "remove_columns": plain.map(by_row, remove_columns=["correct"])["correct"][:],
    "features": plain.map(by_row, features=typed)["correct"][:],
    "another name": plain.map(lambda row: {"credit": credits[row["row"]]})["credit"][:],
    "IterableDataset": [row["correct"] for row in plain.to_iterable_dataset().map(by_row)],
}
for name, values in found.items():
    print(f"{name}: {list(values)}, mean {sum(values) / 4}")
stored = [True, False, True, False]
assert all(list(found[name]) == stored for name in ("by row", "by batch, NumPy", "remove_columns")), found
assert all(type(value) is bool for value in found["by row"])
assert all(list(found[name]) == credits for name in ("features", "another name", "IterableDataset")), found

probabilities = list(plain.map(lambda row: {"correct": (row["row"] + 1) / 10})["correct"])
print("0.1 to 0.4:", probabilities, "- of dictionaries:", nested[0]["answer"])
assert probabilities == [True] * 4 and nested[0]["answer"] == {"correct": True, "all": [True, False]}
text = list(plain.map(lambda row: {"id": f"{row['id']:03d}"})["id"])
halves = list(plain.map(lambda row: {"id": row["id"] / 2})["id"])
print("whole numbers replaced by text '005' ...:", text, "- by halves:", halves)
assert text == [5, 6, 7, 8] and halves == [2.5, 3.0, 3.5, 4.0]
PY
