"""The prose of the code and the pages: no private words, and docstrings of public functions begin with a verb."""

import pytest

from tests import prose

STAGES = [file for file in prose.CODE if file.is_relative_to(prose.ROOT / "stages")]


@pytest.mark.parametrize("file", [*prose.OTHERS, *prose.PAGES, *prose.CODE], ids=lambda file: str(file.relative_to(prose.ROOT)))
def test_words_are_plain(file):
    if file.name not in ("prose.py", "test_prose.py"):
        assert prose.private_words(file) == []


@pytest.mark.parametrize("file", STAGES, ids=lambda file: str(file.relative_to(prose.ROOT)))
def test_docstrings_begin_with_a_verb(file):
    assert prose.first_lines(file) == []


def test_a_noun_or_a_question_is_no_verb():
    assert not any(
        map(prose.begins_with_a_verb, ("Whether a box is empty.", "Boxes of an image.", "Does it touch?", "``x``, rounded."))
    )
    assert all(map(prose.begins_with_a_verb, ("Return whether a box is empty.", "Yield boxes.", "Pass it on.")))
