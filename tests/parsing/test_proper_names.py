import pytest

from stages.parsing.proper_names import is_name


@pytest.mark.parametrize("word", ["lucas", "warwickshire", "azendus"])
def test_places_people_and_unknown_words_are_names(word):
    assert is_name(word)


@pytest.mark.parametrize("word", ["frisbee", "sleeveless", "snow-capped", "playmats", "guardsmen"])
def test_words_of_english_are_no_names_nor_are_names_that_say_what_a_thing_is(word):
    assert not is_name(word)


def test_a_name_that_ends_like_no_plural_is_not_asked_for_its_singular(monkeypatch):
    asked = []
    monkeypatch.setattr("stages.text.normal.singular", lambda word: asked.append(word) or word)
    assert is_name("zorvex")
    assert is_name("zorvexes")
    assert asked == ["zorvexes"]
