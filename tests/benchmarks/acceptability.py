"""``python -m tests.benchmarks.acceptability``: makes the trees anew that say what readers find acceptable, from what they judged.

``candidates.csv`` (``stages/foils/acceptability.json.gz``) has a row for each candidate that a reader judged and that says a
compound: the ``image`` that it is of, its ``type``, the ``edit``, what it replaces (``atom``, ``foil``), the judgment (``natural``,
``odd``, ``nonsense``), the ``reading``, whether it was then ``valid``, what it claims (a graph's objects, attributes and relations)
among which ``others``, and its signs. The ``strict`` reading's readers were asked what would stand out among five, and their
judgments count twice as much as those of the ``first``, and of ``pairs``, halves of HN-Comp's; ``accepted`` is what trees let pass
before such a reader judged it. ``denials.csv``
(``stages/productivity/absences.json.gz``) has one for each "with no … in sight" that was judged beside a caption: the ``image``,
the ``name``, whether it is ``there``, the judgment and the signs.

Prints, last line JSON, how well trees that were learned of other images tell what strict readers call ``nonsense``, and not
``natural``, from the rest (area under the ROC curve): of all, and of those that are valid or there, beside the first sign alone.
"""

import csv
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from stages.foils import acceptability
from stages.productivity import absences

CANDIDATES, DENIALS = (Path(__file__).with_name(name) for name in ("candidates.csv", "denials.csv"))
JUDGED = {"natural": 1.0, "odd": 0.5, "nonsense": 0.0}
WEIGHT = {"strict": 1.0, "first": 0.5, "pairs": 0.5, "accepted": 1.0}
FOLDS = 10


def model() -> GradientBoostingRegressor:
    """Many trees, each of which sees few signs: of a dozen leaves and all signs at a time they tell 74 of 100 cases, these 77."""
    return GradientBoostingRegressor(
        n_estimators=400,
        learning_rate=0.05,
        max_leaf_nodes=24,
        max_depth=10,
        min_samples_leaf=12,
        subsample=0.6,
        max_features=0.25,
        random_state=0,
    )


def exported(fitted: GradientBoostingRegressor) -> dict[str, Any]:
    """What :class:`stages.foils.acceptability.Trees` is made of."""
    rows: list[list[float]] = []
    roots = []
    for (tree,) in fitted.estimators_:
        nodes, first = tree.tree_, len(rows)
        roots.append(first)
        for i in range(nodes.node_count):
            leaf = nodes.children_left[i] < 0
            below = [i, i] if leaf else [int(nodes.children_left[i]), int(nodes.children_right[i])]
            value = round(fitted.learning_rate * float(nodes.value[i].item()), 5) if leaf else 0.0
            sign, threshold = (0, 0.0) if leaf else (int(nodes.feature[i]), float(nodes.threshold[i]))
            rows.append([sign, threshold, below[0] + first, below[1] + first, value])
    depth = max(int(tree.tree_.max_depth) for (tree,) in fitted.estimators_)
    return {"rows": rows, "roots": roots, "base": round(float(fitted.init_.constant_.item()), 5), "depth": depth}


def read(path: Path, names: Sequence[str]) -> tuple[list[dict[str, str]], np.ndarray, np.ndarray]:
    """The rows of a file, their signs, and how they were judged."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return (
        rows,
        np.array([[float(row[name]) for name in names] for row in rows]),
        np.array([JUDGED[row["judgment"]] for row in rows]),
    )


def learn(path: Path, names: Sequence[str], trees: Path, among: str) -> dict[str, Any]:
    """Make the ``trees`` of a file of judgments; how well such of other images do, of all and of those that are ``among``."""
    rows, signs, judged = read(path, names)
    reading, learned = np.array([row["reading"] for row in rows]), np.zeros(len(rows))
    weight, images = np.array([WEIGHT[each] for each in reading]), [row["image"] for row in rows]
    for known, asked in GroupKFold(FOLDS).split(signs, judged, images):
        learned[asked] = model().fit(signs[known], judged[known], weight[known]).predict(signs[asked])
    strict = reading == "strict"
    asked_of = {"all": strict, among: strict & np.array([row[among] == "True" for row in rows]), "accepted": reading == "accepted"}
    asked_of = {name: few for name, few in asked_of.items() if few.any()}
    figures: dict[str, Any] = {"n": len(rows)} | {name: int(few.sum()) for name, few in asked_of.items()}
    for name, bad in (("nonsense", judged == 0), ("not_natural", judged < 1)):
        for which, few in asked_of.items():
            auc = (round(float(roc_auc_score(bad[few], -score[few])), 3) for score in (learned, signs[:, 0]))
            figures[f"{name}_{which}"] = dict(zip(("trees", names[0]), auc, strict=True))
    made = model().fit(signs, judged, weight)
    text = json.dumps(exported(made), separators=(",", ":"))
    trees.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{trees.name}: {trees.stat().st_size:,} bytes")
    return figures


def main() -> None:
    of_candidates = learn(CANDIDATES, acceptability.SIGNS, acceptability.TREES, "valid")
    of_denials = learn(DENIALS, absences.SIGNS, absences.TREES, "there")
    print(json.dumps({"candidates": of_candidates, "denials": of_denials}))


if __name__ == "__main__":
    main()
