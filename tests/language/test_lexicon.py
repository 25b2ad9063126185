"""Text files of tables are read part by part, and name none twice."""

from __future__ import annotations

import re

import pytest

from stages.language.lexicon import sections, words
from tests.test_pipeline import ROOT

FILES = [*sorted((ROOT / "stages" / "semantics").glob("*.txt")), ROOT / "stages" / "wording" / "lexicon.txt"]


def test_comments_are_no_rows(tmp_path):
    file = tmp_path / "tables.txt"
    file.write_text("# For people.\n\n[mass]\n# No plural.\nrain snow\n\n[class size]\nsmall\nlarge\n", encoding="utf-8")
    tables = sections(file)
    assert list(tables) == ["mass", "class size"]
    assert words(tables["mass"]) == {"rain", "snow"}
    assert tables["class size"].split() == ["small", "large"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_table_stands_twice_in_a_file(file):
    names = re.findall(r"^\[(.+)\]$", file.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(names) == sorted(sections(file))
