import pytest

from stages.parsing.names import is_name, is_verb_only


@pytest.mark.parametrize("word", ["finland", "lucas", "warwickshire", "erkki", "azendus"])
def test_places_people_and_unknown_words_are_names(word):
    assert is_name(word)


@pytest.mark.parametrize(
    "word",
    [
        "christmas",
        "frisbee",
        "windows",
        "polynesian",
        "nebulizer",
        "insulated",
        "sleeveless",
        "snow-capped",
        "playmats",
        "guardsmen",
    ],
)
def test_words_of_english_are_no_names_nor_are_names_that_say_what_a_thing_is(word):
    assert not is_name(word)


def test_a_name_that_ends_like_no_plural_is_not_asked_for_its_singular(monkeypatch):
    asked = []
    monkeypatch.setattr("stages.language.normal.singular", lambda word: asked.append(word) or word)
    assert is_name("zorvex")
    assert is_name("zorvexes")
    assert asked == ["zorvexes"]


def test_only_verbs_that_are_no_nouns_are_surely_verbs():
    assert [is_verb_only(word) for word in ("performs", "celebrates", "walks", "dogs", "grass")] == [
        True,
        True,
        False,
        False,
        False,
    ]
