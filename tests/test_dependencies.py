"""The table of what each stage depends on is up to date, and large packages stay where they are needed."""

import re

from stages.resuming.resume import code
from tests.dependencies import PAGE, ROW, lines
from tests.test_pipeline import STAGES, packages_of


def test_the_table_of_the_page_is_right_within_a_tenth():
    rows = {stage: (int(n.replace(",", "")), packages) for stage, n, packages in ROW.findall(PAGE.read_text(encoding="utf-8"))}
    assert set(rows) == set(STAGES), "run python -m tests.dependencies"
    for stage, (n, packages) in rows.items():
        assert packages == ", ".join(sorted(packages_of(f"{stage}.py"))), f"{stage}: run python -m tests.dependencies"
        assert abs(n - lines(stage)) <= lines(stage) / 10, f"{stage}: run python -m tests.dependencies"


def test_evaluate_depends_on_neither_parsing_nor_writing():
    assert not packages_of("evaluate.py") & {"parsing", "writing", "foils", "world"}


def test_what_the_page_sends_people_to_is_there():
    table = PAGE.read_text(encoding="utf-8").partition("## Where to find what")[2].partition("##")[0]
    places = re.findall(r"`(\w+/[\w./]*)`", table)
    assert len(places) > 15
    assert [place for place in places if not (PAGE.parent / place).exists()] == []


def test_pages_for_people_run_no_stage_again():
    assert code("models") and not any(file.suffix == ".md" for file in code("models"))
