"""The pages match ``dvc.yaml`` and the measurements, they are short, and the figures that they quote can be taken from a run."""

import json
import re
import textwrap

import pytest

from stages.contract.schemas import CLEARED, PAPER
from stages.evaluation.summary import ON_CLEARED
from tests import readme
from tests.readme import BENCHMARKS, PAGES, README, ROOT, with_generated_parts

WRITTEN = [README, *sorted((ROOT / "stages").rglob("*.md")), BENCHMARKS]
"""The pages that people wrote: all except the generated ``tests/CATALOGUE.md``."""
MOST_LINES, MOST_OF_README, WIDTH = 900, 150, 120


def place(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_generated_parts_are_those_of_the_files_that_decide_them(page):
    assert with_generated_parts(page) == page.read_text(encoding="utf-8"), "run python -m tests.readme"


@pytest.mark.parametrize("page", WRITTEN, ids=place)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", WRITTEN, ids=place)
def test_lines_are_short_but_for_tables_and_commands(page):
    prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert [line for line in prose.splitlines() if len(line) > WIDTH and not line.startswith("|")] == []


def test_pages_are_short():
    lines = {page: page.read_text(encoding="utf-8").count("\n") for page in WRITTEN}
    assert lines[README] <= MOST_OF_README
    assert sum(lines.values()) <= MOST_LINES


@pytest.fixture
def metrics(tmp_path, monkeypatch):
    """Return a function that writes the metrics of a made-up run, and let the pages read a separate results file."""

    def run(name, r1):
        every = {"n": 200, "r1": r1, "r1_chance": 20.0, "r1_low": r1 - 5, "r1_high": r1 + 5}
        text = {"shortcut_r1": 90.0, "trained_r1": 95.0, "held_out_r1": 30.0}
        text |= {f"{key}_{end}": value for key, value in text.items() for end in ("low", "high")}
        one = {"all": every | text, "shortcuts": {"best": "ngram", "held_out": "neural"}}
        asked = {protocol: {"sys": {"atom": one}} for protocol in (PAPER, ON_CLEARED, CLEARED)} | {"aro": {"relation": one}}
        false = {protocol: {"atom": {"share": 0.99, "n": 800}} for protocol in (PAPER, CLEARED)}
        folder = tmp_path / name
        folder.mkdir()
        (folder / "evaluate.json").write_text(json.dumps(asked))
        (folder / "audit.json").write_text(json.dumps({"truly_false": false}))
        return folder

    monkeypatch.setattr(readme, "SAMPLE", tmp_path / "sample.json")
    monkeypatch.setattr(readme, "TYPES", {"sys_atom": "HN-Atom, systematicity"})
    return run


def test_what_is_taken_of_a_run_is_what_the_table_says(metrics):
    readme.SAMPLE.write_text(json.dumps({"runs": [readme.taken(metrics("one", 60.0))]}))
    assert readme.ours().splitlines()[2] == (
        "| HN-Atom, systematicity | 60.0 / *95.0* | 60.0 / *95.0* | 60.0 / *95.0* | 20.0 | 200 / 200 |"
    )
    assert readme.false().splitlines()[2] == "| HN-Atom, systematicity | 99.0 % of 800 | 99.0 % of 800 |"
    assert textwrap.shorten(readme.finding(), 1000).endswith("beats text alone on no type.")


def test_of_several_runs_the_pages_have_means_and_ranges(metrics):
    runs = [readme.taken(metrics(str(seed), r1)) for seed, r1 in enumerate((50.0, 60.0, 64.0))]
    readme.SAMPLE.write_text(json.dumps({"runs": runs}))
    assert "| 58.0 (50.0–64.0) / *95.0 (95.0–95.0)* |" in readme.ours()
