import pytest

from stages.text import phrases


@pytest.mark.parametrize("phrase", phrases.PHRASES, ids=lambda p: p.name)
def test_every_phrase_is_found_in_its_example_and_nothing_else(phrase):
    found = phrases.find(phrase.example)
    assert len(found) == 1
    start, end, name = found[0]
    assert phrase.example[start:end] != phrase.example
    assert "\\" not in name


@pytest.mark.parametrize("phrase", phrases.PHRASES, ids=lambda p: p.name)
def test_a_normal_form_is_its_own_normal_form(phrase):
    # Otherwise, normalising a graph twice would differ from doing it once.
    name = phrases.find(phrase.example)[0][2]
    assert phrases.name(name) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("on top", "on top of"),
        ("to the right side of", "to the right of"),
        ("on the right hand side of", "to the right of"),
        ("in the very center of", "in the middle of"),
        ("holding", "holding"),
    ],
)
def test_names(text, name):
    assert phrases.name(text) == name


def test_parts_of_words_are_no_phrases():
    assert phrases.find("a button topper") == []
    assert phrases.find("shout of joy") == []
