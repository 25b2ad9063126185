#!/usr/bin/env bash
# krippendorff 0.9.0: the alpha of the same ratings is another where NumPy holds them as unsigned integers.
#
# For interval and ratio ratings, alpha sums squared differences. The package takes each difference in the type of the ratings, so
# that 1 - 2 is 255 in uint8 and 4,294,967,295 in uint32, and makes a float of it only then. There is no warning: NumPy gives none
# for arrays. So, of four raters' 1 to 5 for 40 pictures that mostly agree or are off by one,
#   1. the interval alpha is 0.755 for int64, int8 and float64, as by its definition, and 0.36 for unsigned types: agreement that
#      one reports becomes agreement that one discards. The ratio alpha falls from 0.741 to 0.39;
#   2. int8 does not help in general: of 20 to 100 it gives another ratio alpha, for a sum of two ratings does not fit;
#   3. with value_counts, the type of value_domain does the same. Nominal and ordinal alphas do not depend on it.
# Files and tables often keep small ratings as uint8. Convert them to float first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check krippendorff==0.9.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import warnings

import krippendorff
import numpy as np

warnings.simplefilter("error")
LEVELS = ("nominal", "ordinal", "interval", "ratio")
pictures = np.arange(40)
truth = 1 + pictures * 7 % 5
ratings = np.array([np.clip(truth + (pictures * (3 + rater) + rater) % 3 - 1, 1, 5) for rater in range(4)])


def alphas(values: np.ndarray) -> dict[str, float]:
    """Return Krippendorff's alpha of (raters, pictures) for each level of measurement."""
    return {level: float(krippendorff.alpha(values, level_of_measurement=level)) for level in LEVELS}


def by_definition(values: np.ndarray) -> float:
    """Return the interval alpha of a full table by its definition: 1 - observed / expected disagreement."""
    observed = np.mean([np.var(unit, ddof=1) for unit in values.T.astype(float)])
    return float(1 - observed / np.var(values.astype(float), ddof=1))


right = alphas(ratings.astype(np.float64))
assert abs(right["interval"] - by_definition(ratings)) < 1e-12, (right, by_definition(ratings))
found = {}
for dtype in (np.float64, np.int64, np.int8, np.uint8, np.uint16, np.uint32, np.uint64):
    found[dtype] = alphas(ratings.astype(dtype))
    print(f"1 to 5 as {np.dtype(dtype)}:", {level: round(alpha, 3) for level, alpha in found[dtype].items()})
    same = {level for level in LEVELS if abs(found[dtype][level] - right[level]) < 1e-9}
    unsigned = np.issubdtype(dtype, np.unsignedinteger)
    assert same == (set(LEVELS[:2]) if unsigned else set(LEVELS)), (dtype, found[dtype])
percent = ratings * 20
small = alphas(percent.astype(np.int8))["ratio"]
print(f"20 to 100, ratio alpha: {small:.3f} as int8, {alphas(percent)['ratio']:.3f} as int64")
assert abs(small - alphas(percent)["ratio"]) > 0.01

counts = np.array([[np.sum(unit == value) for value in range(1, 6)] for unit in ratings.T])
domain = {
    dtype: float(
        krippendorff.alpha(value_counts=counts, value_domain=np.arange(1, 6, dtype=dtype), level_of_measurement="interval")
    )
    for dtype in (np.int64, np.uint8)
}
print("from counts, by the type of value_domain:", {np.dtype(key).name: round(alpha, 3) for key, alpha in domain.items()})
assert abs(domain[np.int64] - right["interval"]) < 1e-9 and abs(domain[np.uint8] - found[np.uint8]["interval"]) < 1e-9
assert [round(alpha[level], 3) for alpha in (right, found[np.uint8]) for level in LEVELS[2:]] == [0.755, 0.741, 0.358, 0.385]
PY
