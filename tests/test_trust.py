"""Every line of ``trust.tsv`` names a test or a case that exists."""

import ast
import re
from pathlib import Path

from tests.catalogue import READERS, trust

ROOT = Path(__file__).resolve().parents[1]


def test_every_id_has_a_test_that_is_there() -> None:
    rows = trust()
    assert [row["id"] for row in rows] == [f"T{n}" for n in range(1, len(rows) + 1)]
    cases = {f"{reader.name}: {case.what}" for reader in READERS for case in reader.cases}
    for row in rows:
        named = re.findall(r"`([^`]+)`", row["tests"])
        assert named and all(cell.strip() for cell in row.values()), f"{row['id']} has no test"
        for test in named:
            assert test in cases or _is_test(test), f"{row['id']}: there is no {test}"


def _is_test(test: str) -> bool:
    path, _, name = test.partition("::")
    if not name or not (ROOT / path).is_file():
        return False
    functions = (
        node for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)
    )
    return name.startswith("test_") and any(function.name == name for function in functions)
