"""A foil takes the form of the slot; a wrong form would give the negative away without the image."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.text.inflection import clause_form, indefinite_article, inflect_like, participle, plural, singular
from tests.text.articles import with_articles_fixed


@pytest.mark.parametrize(
    ("foil", "slot", "kind", "expected"),
    [
        ("dog", "cats", "object", "dogs"),
        ("dog", "cat", "object", "dog"),
        ("shelf", "TV", "object", "shelf"),
        ("stop sign", "Street Lamp", "object", "Stop Sign"),
        ("stop sign", "street lamps", "object", "stop signs"),
        ("cup of coffee", "bottles", "object", "cups of coffee"),
        ("stop_sign", "lamp", "object", "stop sign"),
        ("water", "cups", "object", "water"),
        ("pants", "shirt", "object", "pants"),
        ("dog", "cat's", "object", "dog's"),
        ("dog", "men", "object", "dogs"),
        ("sit on", "standing on", "relation", "sitting on"),
        ("sit on", "stands on", "relation", "sits on"),
        ("sit on", "stand on", "relation", "sit on"),
        ("sit on", "stood on", "relation", "sat on"),
        ("sit on", "on", "relation", "sitting on"),
        ("attach to", "sitting on", "relation", "attached to"),
        ("attach to", "sits on", "relation", "is attached to"),
        ("under", "sit on", "relation", "are under"),
        ("wear", "attached to", "relation", "wearing"),
        ("have", "on", "relation", "with"),
        ("have", "holds", "relation", "has"),
        ("under", "On Top Of", "relation", "Under"),
        ("large", "smaller", "attribute", "larger"),
        ("large", "tallest", "attribute", "largest"),
        ("red", "Blue", "attribute", "Red"),
        ("moving", "parked", "attribute", "moving"),
    ],
)
def test_the_foil_takes_the_form_of_the_slot(foil, slot, kind, expected):
    assert inflect_like(foil, slot, kind) == expected


@given(
    st.sampled_from(["dog", "man", "bus", "leaf", "child", "wolf", "tooth", "potato", "stop sign", "knife", "photo", "surfboard"])
)
def test_a_plural_is_recognised_and_goes_back(noun):
    assert singular(plural(noun)) == noun


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("aircraft", "aircraft"),
        ("gazebo", "gazebos"),
        ("hoof", "hooves"),
        ("flamingo", "flamingos"),
        ("fish", "fish"),
        ("person", "people"),
        ("lego", "legos"),
        ("passer-by", "passers-by"),
        ("leaf", "leaves"),
        ("taxi", "taxis"),
        ("goose", "geese"),
        ("potato", "potatoes"),
        ("deer", "deer"),
        ("wine glass", "wine glasses"),
    ],
)
def test_of_several_plurals_the_commonest_is_written(noun, several):
    """The libraries list "aircrafts", "hoofs" and "legoes" first."""
    assert plural(noun) == several


@pytest.mark.parametrize(
    ("words", "article"),
    [
        ("STOP sign", "a"),
        ("SCHOOL bus", "a"),
        ("UK flag", "a"),
        ("USB stick", "a"),
        ("NASA logo", "a"),
        ("OPEN sign", "an"),
        ("rv", "an"),
        ("RV", "an"),
        ("tv", "a"),
        ("nfl logo", "an"),
        ("NBC sign", "an"),
        ("MBTA train", "an"),
        ("M&M", "an"),
        ("N95 mask", "an"),
        ("F16 jet", "an"),
        ("B52 bomber", "a"),
        ("x-ray", "an"),
        ("u-turn sign", "a"),
        ("SUV", "an"),
        ("hour", "an"),
        ("unicorn", "a"),
    ],
)
def test_letters_are_read_one_by_one_only_where_people_do(words, article):
    assert indefinite_article(words) == article


@pytest.mark.parametrize(
    ("relation", "after_noun", "clause"),
    [
        ("sitting on", "sitting on", ("is", "sitting on")),
        ("cover with", "covered with", ("is", "covered with")),
        ("covered with", "covered with", ("is", "covered with")),
        ("fly", "flying", ("is", "flying")),
        ("lie on", "lying on", ("is", "lying on")),
        ("in front of", "in front of", ("is", "in front of")),
        ("cut", "cutting", ("is", "cutting")),
        ("tie around", "tied around", ("is", "tied around")),
    ],
)
def test_relations_have_two_surfaces(relation, after_noun, clause):
    assert participle(relation) == after_noun
    assert clause_form(relation) == clause


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("a orange cat", "an orange cat"),
        ("An dog on an cup", "A dog on a cup"),
        ("a grass on a hour", "grass on an hour"),
        ("A pants on a bed", "Pants on a bed"),
        ("a grass field", "a grass field"),
        ("a man in a pants.", "a man in pants."),
        ("a 8 year old", "an 8 year old"),
    ],
)
def test_articles_are_mended(wrong, right):
    assert with_articles_fixed(wrong) == right


@given(st.text(max_size=40), st.text(max_size=20), st.sampled_from(["object", "attribute", "relation"]))
def test_strangers_text_does_not_break_it(foil, slot, kind):
    assert isinstance(inflect_like(foil, slot, kind), str)
    assert isinstance(with_articles_fixed(foil), str)
