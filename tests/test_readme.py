"""The pages say what ``dvc.yaml`` does, and what was measured."""

import re

import pytest

from tests.readme import PAGES, README, ROOT, with_generated_parts


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_generated_parts_are_those_of_the_files_that_decide_them(page):
    assert with_generated_parts(page) == page.read_text(encoding="utf-8"), "run python -m tests.readme"


@pytest.mark.parametrize("page", [README, *sorted((ROOT / "stages").rglob("*.md"))], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
