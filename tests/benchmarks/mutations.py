"""Measure how many flipped comparisons the tests detect: ``python -m tests.benchmarks.mutations [MODULE …]``.

Every comparison, ``and``, ``or`` and ``not`` of the filters, splits, walks and validity checks is flipped, one at a time, in a copy
of the project, and the module's tests run there. No existing tool does this, because half of these comparisons are in SQL.
Survivors are printed; the last line gives figures as JSON.
"""

import argparse
import ast
import json
import os
import re
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = {
    "stages/graphs/box.py": ["tests/graphs/test_box.py"],
    "stages/images/crop_rule.py": ["tests/images/test_crop_rule.py"],
    "stages/annotations/visual_genome.py": ["tests/annotations/test_visual_genome.py", "tests/test_catalogue.py"],
    "stages/filter_vg.py": ["tests/test_filter_vg.py"],
    "stages/split.py": ["tests/test_split.py"],
    "stages/subgraphs/walks.py": ["tests/subgraphs/test_walks.py", "tests/test_walk_subgraphs.py"],
    "stages/walk_subgraphs.py": ["tests/test_walk_subgraphs.py"],
    "stages/negatives/evidence.py": ["tests/negatives/test_evidence.py"],
    "stages/negatives/known_things.py": ["tests/negatives/test_evidence.py"],
    "stages/negatives/checks.py": ["tests/negatives/test_checks.py"],
}
FLIPPED = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "=": "<>", "<>": "="},
    **{"in": "not in", "not in": "in", "is": "is not", "is not": "is", "IN": "NOT IN", "IS NULL": "IS NOT NULL"},
    **{"IS NOT NULL": "IS NULL", "and": "or", "or": "and", "AND": "OR", "OR": "AND", "not": "", "BETWEEN": "NOT BETWEEN"},
}
OF_PYTHON = re.compile(r"<=|>=|==|!=|<|>|\bnot in\b|\bis not\b|\bin\b|\bis\b")
OF_SQL = re.compile(r"<=|>=|<>|(?<![<>=:$])=(?!=)|<|>|\bIS NOT NULL\b|\bIS NULL\b|\bBETWEEN\b|\bAND\b|\bOR\b|\bIN\b")
SECONDS = 40
"""Processor seconds. A mutant whose tests take longer is in an endless loop, which somebody would notice."""


class Mutant(NamedTuple):
    """A span of a module's text and its replacement."""

    start: int
    end: int
    new: str


def mutants(text: str) -> Iterator[Mutant]:
    """Yield every comparison and logical operator in a module, Python's and SQL's, flipped."""
    lines = [0]
    for line in text.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def place(line: int | None, column: int | None) -> int:
        return len(text.encode()[: lines[(line or 1) - 1] + (column or 0)].decode())

    def between(before: ast.expr, after: ast.expr, operators: re.Pattern[str]) -> Iterator[Mutant]:
        start, end = place(before.end_lineno, before.end_col_offset), place(after.lineno, after.col_offset)
        for found in operators.finditer(text, start, end):
            yield Mutant(*found.span(), FLIPPED[found.group()])

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and not (isinstance(node.left, ast.Name) and node.left.id == "__name__"):
            for before, after in zip([node.left, *node.comparators], node.comparators, strict=False):
                yield from between(before, after, OF_PYTHON)
        elif isinstance(node, ast.BoolOp):
            for before, after in zip(node.values, node.values[1:], strict=False):
                yield from between(before, after, re.compile(r"\band\b|\bor\b"))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            start = place(node.lineno, node.col_offset)
            yield Mutant(start, start + len("not"), "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\bSELECT\b|\bMACRO\b", node.value):
            start, end = place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)
            for found in OF_SQL.finditer(text, start, end):
                yield Mutant(*found.span(), FLIPPED[found.group()])


def seen(folder: Path, tests: list[str]) -> bool:
    """Return whether a test fails in the copy of the project at ``folder``."""
    process = get_context("fork").Process(target=_test, args=(folder, tests))
    process.start()
    process.join()
    return process.exitcode != 0


def _test(folder: Path, tests: list[str]) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    os.chdir(folder)
    sys.path[:] = [str(folder), *(path for path in sys.path if Path(path).resolve() != ROOT)]
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123
    # Without xdist, tests run one after another, in the same order every time.
    os._exit(pytest.main(["-c", ".pytest.ini", "-o", "addopts=--import-mode=importlib", "-x", "-q", "-p", "no:xdist", *tests]))


def flip(module: str, tests: list[str], folder: Path) -> tuple[int, int]:
    """Flip every operator in a module; return the number of flips and the number that the tests detect."""
    path, text = folder / module, (ROOT / module).read_text(encoding="utf-8")
    assert not seen(folder, tests), f"the tests of {module} fail as they are"
    killed, every = 0, sorted(set(mutants(text)))
    for mutant in every:
        path.write_text(text[: mutant.start] + mutant.new + text[mutant.end :], encoding="utf-8")
        if seen(folder, tests):
            killed += 1
        else:
            line = text.count("\n", 0, mutant.start) + 1
            around = " ".join(text[max(0, mutant.start - 40) : mutant.end + 40].split())
            print(f"{module}:{line}: {text[mutant.start : mutant.end]!r} -> {mutant.new!r} in … {around} …", flush=True)
    path.write_text(text, encoding="utf-8")
    return len(every), killed


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("modules", nargs="*", default=list(TESTS))
    figures = {}
    # Imports take most of the tests' time; forks of this process inherit them.
    import duckdb  # noqa: F401
    import hypothesis  # noqa: F401
    import open_clip  # noqa: F401
    import spacy  # noqa: F401
    import torch  # noqa: F401

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "project"
        for name in ("stages", "tests"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("params.yaml", "dvc.yaml", "README.md", ".pytest.ini"):
            shutil.copy2(ROOT / name, folder)
        (folder / ".nltk_data").symlink_to(ROOT / ".nltk_data")
        for module in arguments.parse_args().modules:
            every, killed = flip(module, TESTS[module], folder)
            figures[module] = {"flipped": every, "seen": killed}
            print(f"{module}: {killed} of {every} seen", flush=True)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
