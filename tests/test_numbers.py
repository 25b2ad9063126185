"""``tests.numbers`` finds every number that decides a result, and no other, and the code has few of them."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.numbers import MOST_IN_CODE, entries, in_code, totals
from tests.running import ROOT

CODE = '''
"""A module of 5 lines."""

FAR = 2
"""How far. Of ten pairs nine are nearer: measured by tests.benchmarks.far."""
# Table 2 of the paper.
SHARES = (0.25, 0.5)
NAME = "3"
BEGIN, END = 0, 1
LESS, MORE = 1, 4
ONE, OTHERS = 0, (1, 2)
ABOUT = 5
"""Maximum distance (a guess)."""
TRIED = 60  # it bounds time
SIDES = {"left": -1, "right": 1}
CACHE = 1 << 16


class Weights:
    """Weights, as in section 4.1."""

    near: float = 1.5
    even: bool = True
    n: int = 0
    size: float = 0.0


def chosen(rows, least: int = 1, *, most=7):
    """Choose rows."""
    first, last = rows[0], rows[3:9]  # places
    key, table = first << 32 | last & 0xFFFF, np.zeros((3, 0))
    if len(rows) > 2 and rows[1] < 0.75:  # by convention
        return round(last, 4), values.round(6), first * -4, f"{first:5.2f}"
    turns = [(a, b, c) for a, b, c in combinations(rows, 3)]
    return sum(rows, axis=3) / (first + 1e-12)


@lru_cache(1 << 12)
def kept(near: int = 0, far: float = 0.0):
    return near
'''
PARAMETERS = """
# Two sections.
foils:
  # Least frequency. Of word lists as measured by Speer (2022).
  floor: 2.5
  # Draws.
  seed: 3
  # Speed only: rows a piece.
  piece: 500
  times: {4: 4.0, 5: 2.0}
  model: none
other:
  width: 7
"""
PIPELINE = "stages: {gen_hn_atom: {params: [foils]}, gen_hn_comp: {}, gen_hn_prod: {params: [foils.floor]}}"


def test_numbers_of_code(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(CODE)
    found = {(entry.name, entry.value): entry.source for entry in in_code(path, "module.py")}
    assert found == {
        ("FAR", "2"): "Of ten pairs nine are nearer: measured by tests.benchmarks.far.",
        ("SHARES", "0.25"): "Table 2 of the paper.",
        ("SHARES", "0.5"): "Table 2 of the paper.",
        ("LESS, MORE", "1"): None,
        ("LESS, MORE", "4"): None,
        ("ABOUT", "5"): "Maximum distance (a guess).",
        ("TRIED", "60"): "it bounds time it bounds time",
        ("near", "1.5"): "Weights, as in section 4.1.",
        ("chosen.least", "1"): None,
        ("chosen.most", "7"): None,
        ("chosen", "0.75"): "by convention Choose rows.",
        ("chosen", "-4"): None,
    }


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    package = tmp_path / "stages" / "foils"
    package.mkdir(parents=True)
    (package / "far.py").write_text('FAR = 3\nTABLE = "counts.json.gz"\n"""From counts.json.gz, of GQA."""\n')
    (package / "words.txt").write_text("# From Visual Genome, 9 images.\nturtle.n.02: 3 -0.5 a2\n")
    (package / "counts.json.gz").write_bytes(gzip.compress(json.dumps({"cup": [1, 2, True], "red": {"a": 0.5}}).encode()))
    pq.write_table(pa.table({"name": ["a", "b"], "n": [1, 2], "share": [0.5, 0.1]}), package / "shares.parquet")
    for stage in ("gen_hn_atom", "gen_hn_comp", "gen_hn_prod"):
        (tmp_path / "stages" / f"{stage}.py").write_text("")
    (tmp_path / "params.yaml").write_text(PARAMETERS)
    (tmp_path / "dvc.yaml").write_text(PIPELINE)
    return tmp_path


def test_numbers_of_tables_and_parameters(checkout: Path) -> None:
    found = entries(checkout)
    assert [(entry.place, entry.name, entry.numbers, entry.source) for entry in found] == [
        ("table", "counts.json", 3, '"""From counts.json.gz, of GQA."""'),
        ("code", "FAR", 1, None),
        ("table", "shares", 4, None),
        ("table", "words", 2, "From Visual Genome, 9 images."),
        ("parameter", "foils.floor", 1, "Of word lists as measured by Speer (2022)."),
        ("parameter", "foils.times", 2, None),
    ]
    assert totals(found) == {"code": 1, "tables": 9, "parameters": 3, "without_source": 3, "guesses": 0, "bounds": 0}


def test_the_code_has_few_numbers_and_every_number_has_its_source() -> None:
    found = entries(ROOT)
    in_the_code = [entry for entry in found if entry.place == "code"]
    assert 0 < len(in_the_code) <= MOST_IN_CODE, "\n".join(entry.line() for entry in in_the_code)
    assert not [entry.line() for entry in found if entry.source is None]


def test_a_number_of_another_meaning_is_not_apart(tmp_path: Path) -> None:
    """Exceptions hold only in their place: the size of a combination, rows of a table, the unit of an encoding."""
    path = tmp_path / "module.py"
    path.write_text(
        "LIGHTNESS = 100 / 255\nWEIGHTS, BIAS = 32099, 32098\nBIASES = 7\nfew = drawn(rows, 3), combinations(rows, 3)\n"
    )
    assert [(entry.name, entry.value) for entry in in_code(path, "module.py")] == [("BIASES", "7"), ("module", "3")]
