#!/usr/bin/env bash
# statsmodels 0.15.0: where not all raters rate every item, its two functions for Fleiss' kappa count "no rating" as a label.
#
# Fleiss' agreement of an item is that of the pairs of its own ratings. aggregate_raters, which the documentation of fleiss_kappa
# names for raw ratings, makes a category of NaN like any other: raters who both left an item out are of one mind on it, and one who
# did is at odds with one who did not. So, of six captions and four raters,
#   1. kappa is 0.534 for full ratings. Four of the 24 ratings go, all of captions on which everybody agreed: by the definition it
#      is 0.534 again, by statsmodels 0.204, with no warning. The only sign is nan among the categories that are returned;
#   2. where two of the four raters rate nothing and the other two always agree, kappa is 1 by definition and -0.021 by statsmodels;
#   3. fleiss_kappa does refuse counts of labels with unequal sums (AssertionError): the counts from aggregate_raters pass, for each
#      row holds four ratings, with the missing ones.
# Not all raters rate everything in a crowd. krippendorff.alpha takes NaN for missing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check statsmodels==0.15.0 numpy==2.4.6 scipy==1.17.1 pandas==3.1.1
"$folder/venv/bin/python" - <<'PY'
import warnings

import numpy as np
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

warnings.simplefilter("error")
full = np.array([[1, 1, 1, 1], [1, 1, 1, 2], [2, 2, 2, 2], [3, 3, 3, 3], [1, 1, 2, 3], [2, 2, 2, 3]], dtype=float)
part = full.copy()
part[[0, 0, 3, 2], [2, 3, 3, 0]] = np.nan


def counts(ratings: np.ndarray) -> np.ndarray:
    """Return how often each item was given each of the labels 1 to 3."""
    return np.stack([(ratings == label).sum(1) for label in (1, 2, 3)], axis=1)


def by_definition(table: np.ndarray) -> float:
    """Return Fleiss' kappa, the agreement of each item over its own pairs of ratings."""
    raters, shares = table.sum(1), table.sum(0) / table.sum()
    agreement = np.mean((table * (table - 1)).sum(1) / (raters * (raters - 1)))
    chance = np.sum(shares**2)
    return float((agreement - chance) / (1 - chance))


half = full.copy()
half[:, 2:] = np.nan
expected = {"all ratings": (0.534, 0.534), "four ratings missing": (0.534, 0.204), "two raters": (1.0, -0.021)}
for (name, right), ratings in zip(expected.items(), (full, part, half), strict=True):
    table, categories = aggregate_raters(ratings)
    found = by_definition(counts(ratings)), float(fleiss_kappa(table))
    print(f"{name}: by definition {found[0]:.3f}, statsmodels {found[1]:.3f}; categories {categories}")
    assert tuple(round(kappa, 3) for kappa in found) == right, (found, right)
    assert np.isnan(categories).any() == (name != "all ratings") and (table.sum(1) == 4).all()
try:
    fleiss_kappa(counts(part))
except AssertionError as error:
    print(f"fleiss_kappa of unequal counts: {type(error).__name__}")
else:
    raise SystemExit("no AssertionError")
PY
