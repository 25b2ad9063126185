"""Stages depend on large packages only where needed, and the page names places that exist."""

import re

from stages.contract.resume import code
from tests.readme import STAGES as PAGE
from tests.test_pipeline import packages_of


def test_evaluate_depends_on_neither_parsing_nor_writing():
    assert not packages_of("evaluate.py") & {"parsing", "writing", "negatives", "world"}


def test_what_the_page_sends_people_to_is_there():
    table = PAGE.read_text(encoding="utf-8").partition("## Where to find what")[2].partition("##")[0]
    places = re.findall(r"`(\w+/[\w./]*)`", table)
    assert len(places) > 15
    assert [place for place in places if not (PAGE.parent / place).exists()] == []


def test_pages_for_people_run_no_stage_again():
    assert code("models") and not any(file.suffix == ".md" for file in code("models"))
