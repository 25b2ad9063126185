#!/usr/bin/env bash
# scipy 1.17.1: the cosine distance of two boolean vectors is 0 as soon as they have one True in common, and 1 if they have none.
#
# scipy.spatial.distance.cosine takes the products of the vectors in the type that they have. NumPy's inner product of booleans says
# whether any attribute is common, not how many are, and each length is 1. Nothing warns. So, of objects as vectors of attributes,
#   1. two that share one of ten attributes have the distance 0, as if they were equal;
#   2. cdist and pdist with the metric "cosine", and scikit-learn, give the right distance for the same arrays: a loop over pairs
#      and the matrix of all pairs disagree. So do cosine of the vectors and of the same vectors as 0 and 1;
#   3. with weights, even if all are 1, cosine is right, and jaccard, dice and hamming are, for booleans.
# Convert to float first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.4.6 scikit-learn==1.9.1
"$folder/venv/bin/python" - <<'PY'
import math
import warnings

import numpy as np
from scipy.spatial.distance import cdist, cosine, dice, hamming, jaccard, pdist
from sklearn.metrics.pairwise import cosine_distances

warnings.simplefilter("error")
things = np.zeros((4, 20), dtype=bool)
things[0, :10] = True
things[1, 9:] = True
things[2, :9] = True
things[3, :10] = True
for other, expected in ((1, 1 - 1 / math.sqrt(110)), (2, 1 - 9 / math.sqrt(90)), (3, 0.0)):
    a, b = things[0], things[other]
    found = {
        "cosine of booleans": cosine(a, b),
        "of 0 and 1": cosine(a.astype(int), b.astype(int)),
        "cdist of booleans": cdist([a], [b], "cosine")[0, 0],
        "pdist of booleans": pdist(np.array([a, b]), "cosine")[0],
        "scikit-learn": cosine_distances([a], [b])[0, 0],
        "with weights of 1": cosine(a, b, w=np.ones(20)),
    }
    print(f"{(a & b).sum()} of {a.sum()} and {b.sum()} attributes in common:", {k: round(float(v), 3) for k, v in found.items()})
    assert found.pop("cosine of booleans") == 0.0
    assert all(abs(value - expected) < 1e-9 for value in found.values()), (found, expected)

matrix = cdist(things, things, "cosine")
loop = np.array([[cosine(a, b) for b in things] for a in things])
print("first row of all pairs, by cdist:", matrix[0].round(3), "by a loop over cosine:", loop[0].round(3))
assert (loop == (things.astype(int) @ things.T == 0)).all() and abs(matrix[0, 1] - 0.905) < 1e-3
for name, metric in (("jaccard", jaccard), ("dice", dice), ("hamming", hamming)):
    assert abs(metric(things[0], things[1]) - cdist(things[:1], things[1:2], name)[0, 0]) < 1e-12, name
PY
