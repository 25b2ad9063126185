"""The README says what ``dvc.yaml`` does."""

from __future__ import annotations

from tests.readme import README, with_generated_parts


def test_the_stages_and_their_graph_are_those_of_dvc_yaml():
    text = README.read_text(encoding="utf-8")
    assert with_generated_parts(text) == text, "run python -m tests.readme"
