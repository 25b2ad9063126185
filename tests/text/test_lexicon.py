"""Tests of reading text files of tables part by part; no name may occur twice."""

import re

import pytest

from stages.text.lexicon import sections, table, words
from tests.test_pipeline import ROOT

TABLE = re.compile(r"^\[(.+)\]$", re.MULTILINE)
FILES = [path for path in sorted((ROOT / "stages").glob("*/*.txt")) if TABLE.search(path.read_text(encoding="utf-8"))]


def test_comments_are_no_rows(tmp_path):
    file = tmp_path / "tables.txt"
    file.write_text("# For people.\n\n[mass]\n# No plural.\nrain snow\n\n[class size]\nsmall\nlarge\n", encoding="utf-8")
    tables = sections(file)
    assert list(tables) == ["mass", "class size"]
    assert words(tables["mass"]) == {"rain", "snow"}
    assert tables["class size"].split() == ["small", "large"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_no_table_stands_twice_in_a_file(file):
    assert sorted(TABLE.findall(file.read_text(encoding="utf-8"))) == sorted(sections(file))


@pytest.mark.parametrize("line", ["guy", "man:", ": guy"])
def test_a_line_with_a_gap_is_refused_with_its_words(line):
    with pytest.raises(ValueError, match=f"not of the form 'head: items': '{line}'"):
        table(f"woman: lady\n{line}")
