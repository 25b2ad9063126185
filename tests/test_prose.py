"""The prose of the code and the pages: no private words, and docstrings of public functions begin with a verb."""

from tests import prose


def test_words_are_plain():
    files = (file for file in (*prose.OTHERS, *prose.PAGES, *prose.CODE) if file.name not in ("prose.py", "test_prose.py"))
    assert [(file, words) for file in files if (words := prose.private_words(file))] == []


def test_docstrings_begin_with_a_verb():
    assert [(file, lines) for file in prose.CODE if (lines := prose.first_lines(file))] == []


def test_a_noun_or_a_question_is_no_verb():
    assert not any(
        map(prose.begins_with_a_verb, ("Whether a box is empty.", "Boxes of an image.", "Does it touch?", "``x``, rounded."))
    )
    assert all(map(prose.begins_with_a_verb, ("Return whether a box is empty.", "Yield boxes.", "Pass it on.")))
