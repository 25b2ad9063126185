"""Tests of text negatives: each of the five parts on written examples, paraphrases, and grammatical English."""

import re

import pytest

from stages.pairs.exchanged import PARTS, negatives
from stages.parameters.sections import Language
from stages.parsing.parser import Parser
from tests.running import section


@pytest.fixture(scope="module")
def found():
    """Return a function that gives all negatives of a caption, by part."""
    parser = Parser(section(Language))

    def of(caption):
        ((_, every),) = negatives([caption], parser, 100, 0)
        return {
            part: {one.caption for one in every if one.part == part} for part in PARTS if any(one.part == part for one in every)
        }

    return of


PAPER = "The horse is eating the grass and the zebra is drinking the water"


@pytest.mark.parametrize(
    ("caption", "part", "negative"),
    [
        (PAPER, "noun", "The zebra is eating the grass and the horse is drinking the water"),
        (PAPER, "verb phrase", "The horse is drinking the grass and the zebra is eating the water"),
        ("a girl in white facing a man in black", "adjective", "a girl in black facing a man in white"),
        ("a man quickly running and a woman slowly walking", "adverb", "a man slowly running and a woman quickly walking"),
        ("a small brown dog sits on a large old sofa", "noun phrase", "a large old sofa sits on a small brown dog"),
        # Numbers, articles and capitals are adjusted.
        ("two dogs and a cat on a bed", "noun", "two cats and a dog on a bed"),
        ("an orange car behind a dog", "noun", "an orange dog behind a car"),
        ("a dog beneath cookies", "noun", "a cookie beneath dogs"),
        ("A small brown dog sits on a large old sofa", "adjective", "An old brown dog sits on a large small sofa"),
        ("A small brown dog sits on a large old sofa", "noun phrase", "A large old sofa sits on a small brown dog"),
    ],
)
def test_two_parts_change_places(found, caption, part, negative):
    assert negative in found(caption)[part]


@pytest.mark.parametrize(
    "caption",
    [
        "a cat and a dog",
        "a cat next to a dog",
        "a big red dog",
        "a dog",
        "a cup and another cup",
        "a red cup and a red plate next to a table and a chair",
        "a green bucket and pail",
    ],
)
def test_what_says_the_same_is_no_negative(found, caption):
    assert not found(caption).get("noun phrase") and not found(caption).get("adjective")
    if "red" not in caption:
        assert not found(caption)


@pytest.mark.parametrize(
    ("caption", "part"),
    [("people standing and sitting on a beach", "verb phrase"), ("a few small kids playing a game", "adjective")],
)
def test_nor_where_the_graph_has_not_both_parts(found, caption, part):
    assert part not in found(caption)


@pytest.mark.parametrize("relation", ["on top of", "in front of", "to the left of", "on the right of"])
def test_nouns_that_a_relation_is_said_with_stay(found, relation):
    assert found(f"a cat is {relation} the red car")["noun"] == {f"a car is {relation} the red cat"}


def test_they_stay_where_the_words_of_the_relation_stand_apart(found):
    assert found("a cat sits on a desk in front of a car")["noun"] == {
        "a desk sits on a cat in front of a car",
        "a car sits on a desk in front of a cat",
        "a cat sits on a car in front of a desk",
    }


@pytest.mark.parametrize("caption", ["a big dog is next to a cat", "a large bowl full of other foods"])
def test_so_do_adjectives(found, caption):
    assert not any("big to" in text or "other of" in text for text in found(caption).get("adjective", ()))


def test_noun_phrases_have_three_tokens(found):
    assert "noun phrase" not in found("a dog behind a car")


@pytest.mark.parametrize(
    "caption",
    [
        "a very tall flat screen on top of a wooden stand",
        "A yellow and green checkered motorcycle parked in front of a store window.",
    ],
)
def test_no_half_of_a_noun_phrase_is_exchanged(found, caption):
    assert "noun phrase" not in found(caption)


def test_none_equals_the_caption_or_another():
    parser = Parser(section(Language))
    captions = [PAPER, "two dogs and a cat on a bed", "a red cup on a red table", "a man with a hat and a man with a bag"]
    for caption, every in negatives(captions, parser, 100, 0):
        texts = [one.caption.lower() for one in every]
        assert len(set(texts)) == len(texts) and caption.lower() not in texts


def test_one_of_each_kind_that_the_caption_has_and_the_same_for_the_same_caption():
    parser = Parser(section(Language))
    caption = "a small brown dog quickly eats a large old bone and a tall thin man slowly drinks a cold red soda"
    ((_, few),) = negatives([caption], parser, 1, 0)
    parts = [one.part for one in few]
    assert len(set(parts)) == len(parts) >= 4
    assert next(negatives(["a dog", caption][1:], parser, 1, 0))[1] == few
    assert next(negatives([caption], parser, 1, 1))[1] != few
    ((_, more),) = negatives([caption], parser, 2, 0)
    counts = [sum(one.part == part for one in more) for part in set(parts)]
    assert max(counts) == 2 and set(parts) == {one.part for one in more}


def test_no_kind_is_left_out_by_chance():
    parser = Parser(section(Language))
    for seed in range(5):
        ((_, three),) = negatives(["a small brown dog sits on a large old sofa"], parser, 1, seed)
        assert sorted(one.part for one in three) == ["adjective", "noun", "noun phrase"]


@pytest.mark.parametrize(
    "caption", ["a man and a woman sitting on a bench", "a small red cup and a small red plate and a dog next to a table"]
)
def test_two_things_that_are_joined_do_not_change_what_is_said_of_both(found, caption):
    first, second = re.findall(r"man|woman|cup|plate", caption)[:2]
    exchanged = caption.replace(first, "?", 1).replace(second, first, 1).replace("?", second, 1)
    assert not any(exchanged in of_part for of_part in found(caption).values())


def test_joined_things_change_their_own_attributes(found):
    assert "a red plate and a blue cup" in found("a red cup and a blue plate")["noun"]


def test_what_owns_gives_way_to_nothing_that_does_not(found):
    nouns = found("men's shoes and women's dress on sale")["noun"]
    assert "women's shoes and men's dress on sale" in nouns and not any("shoes's" in caption for caption in nouns)


@pytest.mark.parametrize(
    "caption", ["stand on the glass and shirt holding the wed", "An older newly wed couple stand under an umbrella in the rain ."]
)
def test_a_word_that_looks_like_a_contraction_stays_whole(found, caption):
    """spaCy splits "wed" into "we" and "d", as it does "we'd"."""
    exchanged = [text for some in found(caption).values() for text in some]
    assert exchanged and all("wed" in text.split() for text in exchanged)


@pytest.mark.parametrize("word", ["cannot", "gotta", "gonna", "dont", "whats", "yall"])
def test_half_a_word_is_no_part(found, word):
    for caption in (f"the {word} of a man and the dog", f"red {word} and blue cup on a table", f"a man {word} run and jump"):
        assert all(word in text.lower() for some in found(caption).values() for text in some), caption


@pytest.mark.parametrize(
    ("caption", "exchanged", "broken"),
    [
        ("the sheep are looking at a dog", "the dogs are looking at a sheep", "the dog are looking"),
        ("several deer behind a rabbit", "several rabbits behind a deer", "several rabbit behind"),
        ("two wine glasses beside a plate", "two plates beside a wine glass", "beside a wine glasses"),
        ("two glasses of wine beside a plate", "two plates of wine beside a glass", "beside a glasses"),
    ],
)
def test_what_changes_places_keeps_the_captions_numbers(found, caption, exchanged, broken):
    nouns = found(caption)["noun"]
    assert exchanged in nouns and not any(broken in text for text in nouns)
