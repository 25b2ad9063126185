"""Weights of a suite's sets, by which no shortcut solves it: a file with a line of JSON a set, written by the audit.

``{"subset": …, "query_id": …, "source": [file, key], "weight": 0 to 1}``
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from stages.contract.errors import InputError
from stages.contract.files import complete
from stages.contract.json_files import read_json_lines
from stages.evaluation.sets import RetrievalSet

REMEDY = "write it again from this folder: python -m stages.suites.audit SUITE FOLDER --weights FILE"


def subsets(sets: Iterable[RetrievalSet]) -> dict[str, list[RetrievalSet]]:
    """Return the sets of a suite by name, in order; of a suite with several parts, by part and name."""
    by_set: dict[tuple[str, str], list[RetrievalSet]] = {}
    for s in (s for s in sets if s.negatives or s.others):
        by_set.setdefault((s.suite, s.name), []).append(s)
    parts = len({suite for suite, _ in by_set}) > 1
    return {f"{suite}.{name}" if parts else name: sets_here for (suite, name), sets_here in sorted(by_set.items())}


def write(path: Path, of_suite: Mapping[str, Sequence[RetrievalSet]], weight: Mapping[str, np.ndarray]) -> None:
    """Write the weight of each set of each subset."""
    with complete(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
        for name, sets in of_suite.items():
            for s, set_weight in zip(sets, weight[name].tolist(), strict=True):
                line = {"subset": name, "query_id": s.query.query_id, "source": s.source, "weight": round(set_weight, 4)}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


def read(path: Path, sets: Sequence[RetrievalSet]) -> list[RetrievalSet]:
    """Return the ``sets`` of a suite with their weights.

    Raises:
        InputError: the file is missing or malformed, or was written for other sets.
    """
    weight: dict[tuple[str, str], float] = {}
    for row, line in enumerate(read_json_lines(path, REMEDY), start=1):
        try:
            key, value = (str(line["subset"]), str(line["query_id"])), float(line["weight"])
        except (KeyError, TypeError, ValueError):
            raise InputError(path, "has no subset, query_id and weight", REMEDY, row) from None
        if not 0 <= value <= 1 or key in weight:
            raise InputError(path, "has a weight outside 0 and 1, or a query twice", REMEDY, row)
        weight[key] = value
    key_of = {id(s): (name, s.query.query_id) for name, sets_here in subsets(sets).items() for s in sets_here}
    if other := weight.keys() ^ set(key_of.values()):
        first = " ".join(min(other))
        raise InputError(path, f"does not match these sets: {len(other):,} differ, the first is {first}", REMEDY)
    # A set without negatives has no line: nothing can be wrong in it.
    return [replace(s, weight=weight[key_of[id(s)]] if id(s) in key_of else 0.0) for s in sets]
