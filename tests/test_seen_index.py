"""seen_index: sums over occurrences, in the order of the keys."""

import random
from collections import Counter
from pathlib import Path

import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.parameters.sections import Run
from stages.seen_index import seen_index
from tests.running import section

RUNNING = section(Run, memory="500MB", workers=2)
KINDS = ("object", "attribute", "relation", "attribute_object", "object_relation_object")


def occurrences(n: int) -> list[dict]:
    drawn = random.Random(2)
    rows = []
    for _ in range(n):
        kind = drawn.choice(KINDS)
        parts = [drawn.choice("abcdé") for _ in range(1 + (kind not in KINDS[:3]) + (kind == KINDS[4]))]
        first, second, third = (*parts, "", "")[:3]
        rows.append({"kind": kind, "first": first, "second": second, "third": third, "count": drawn.randint(1, 5)})
    return rows


def index(tmp_path: Path, rows: list[dict]) -> tuple[dict, dict, dict]:
    tables.write("occurrences", tmp_path / "occurrences.parquet", rows)
    paths = tmp_path / "atoms.parquet", tmp_path / "compounds.parquet"
    ledger, kinds = seen_index(tmp_path / "occurrences.parquet", *paths, RUNNING)
    assert ledger.rows_in == ledger.kept + ledger.dropped.total()
    atoms = {(row["kind"], row["atom"]): row["count"] for row in tables.read("seen_atoms", paths[0])}
    compounds = {tuple(row.values())[:4]: row["count"] for row in tables.read("seen_compounds", paths[1])}
    assert list(atoms) == sorted(atoms)
    assert list(compounds) == sorted(compounds)
    assert sum(kinds.values()) == len(atoms) + len(compounds) == ledger.kept
    return atoms, compounds, dict(kinds)


def test_sums(tmp_path: Path) -> None:
    rows = occurrences(3000)
    expected: Counter = Counter()
    for row in rows:
        expected[tuple(row.values())[:4]] += row["count"]
    atoms, compounds, _ = index(tmp_path, rows)
    assert atoms == {key[:2]: count for key, count in expected.items() if key[0] in KINDS[:3]}
    assert compounds == {key: count for key, count in expected.items() if key[0] not in KINDS[:3]}


def test_nothing_seen(tmp_path: Path) -> None:
    assert index(tmp_path, []) == ({}, {}, dict.fromkeys(KINDS, 0))


def test_a_missing_or_broken_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="run dvc repro"):
        seen_index(tmp_path / "none.parquet", tmp_path / "a", tmp_path / "c", RUNNING)
    (tmp_path / "cut.parquet").write_bytes(b"PAR1\0\0")
    with pytest.raises(InputError, match="not a complete Parquet file"):
        seen_index(tmp_path / "cut.parquet", tmp_path / "a", tmp_path / "c", RUNNING)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cut.parquet"]
