"""Every line of ``TRUST.md`` has a test, which is there."""

import ast
import re
from pathlib import Path

from tests.catalogue import READERS

PAGE = Path(__file__).with_name("TRUST.md")
ROOT = PAGE.parents[1]


def test_every_id_has_a_test_that_is_there() -> None:
    rows = [line.strip("|").split("|") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| T")]
    assert [row[0].strip() for row in rows] == [f"T{n}" for n in range(1, len(rows) + 1)]
    cases = {f"{reader.name}: {case.what}" for reader in READERS for case in reader.cases}
    for name, *said, tests in rows:
        named = re.findall(r"`([^`]+)`", tests)
        assert named and all(cell.strip() for cell in said), f"{name} has no test"
        for test in named:
            assert test in cases or _is_test(test), f"{name}: there is no {test}"


def _is_test(test: str) -> bool:
    path, _, name = test.partition("::")
    if not name or not (ROOT / path).is_file():
        return False
    functions = (
        node for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)
    )
    return name.startswith("test_") and any(function.name == name for function in functions)
