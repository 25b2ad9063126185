"""Shuffles move what they may move, and nothing else."""

from collections import Counter

import pytest

from stages.parsing import pipeline
from stages.suites.word_order import NAMING, ORDER, RETRIEVAL, alternatives, penn_tags, shuffled

WORDS = ["remarkable", "scene", "with", "a", "blue", "ball", "behind", "a", "green", "chair"]
TAGS = ["JJ", "NN", "IN", "DT", "JJ", "NN", "IN", "DT", "JJ", "NN"]
CAPTION = [" ".join(WORDS)]


@pytest.mark.parametrize("name", RETRIEVAL)
def test_a_shuffle_keeps_the_words_and_repeats(name):
    found = shuffled(name, WORDS, TAGS, "0:7", unlike=CAPTION)
    assert Counter(found.split()) == Counter(WORDS) and found.split() != WORDS
    assert found == shuffled(name, WORDS, TAGS, "0:7", unlike=CAPTION)
    assert len({shuffled(name, WORDS, TAGS, f"{seed}:7") for seed in range(8)}) > 1


def test_a_comma_does_not_make_another_word():
    captions = "two men at a desk near a plant", "two men, at a desk, near a plant"
    one, other = penn_tags(pipeline.load("bundled"), [caption.split(" ") for caption in captions])
    assert one == other and one[4].startswith("NN")


def test_nouns_stay_nouns_and_adjectives_adjectives():
    tag_of = dict(zip(WORDS, TAGS, strict=True))
    found = shuffled("nouns_and_adjectives", WORDS, TAGS, "0:7").split()
    assert [tag_of[word] for word in found] == TAGS


def test_all_but_them_leaves_them_where_they_are():
    found = shuffled("all_but_nouns_and_adjectives", WORDS, TAGS, "0:7").split()
    assert [(i, w) for i, (w, t) in enumerate(zip(WORDS, TAGS, strict=True)) if t in NAMING] == [
        (i, w) for i, (w, t) in enumerate(zip(found, TAGS, strict=True)) if t in NAMING
    ]


def test_trigrams_stay_whole_and_words_stay_in_theirs():
    threes = [tuple(WORDS[i : i + 3]) for i in range(0, len(WORDS), 3)]
    among = shuffled("trigrams", WORDS, TAGS, "0:7")
    assert all(" ".join(three) in among for three in threes)
    within = shuffled("within_trigrams", WORDS, TAGS, "0:7").split()
    assert [Counter(within[i : i + 3]) for i in range(0, len(WORDS), 3)] == [Counter(three) for three in threes]


@pytest.mark.parametrize("words", [["dog"], ["dog", "dog"], ["a", "a", "a", "a"]])
def test_where_there_is_no_other_order_there_is_none(words):
    tags = ["NN" if word == "dog" else "DT" for word in words]
    assert all(shuffled(name, words, tags, "0:7", unlike=[" ".join(words)]) is None for name in RETRIEVAL)
    assert shuffled("all_words", words, tags, "0:7") == " ".join(words)


def test_the_alternatives_of_a_short_caption_differ_from_it_and_from_each_other():
    """Swapping "while" and "an" is also a shuffle within trigrams, so the alternatives could coincide."""
    words, tags = ["a", "red", "dog", "while", "an", "orange", "book"], ["DT", "JJ", "NN", "IN", "DT", "JJ", "NN"]
    for seed in range(500):
        found = alternatives(words, tags, f"{seed}:7")
        assert list(found) == list(ORDER) and None not in found.values()
        assert len({" ".join(words), *found.values()}) == 5


def test_an_alternative_that_can_only_repeat_another_is_none():
    """The two trigrams have only one other order, which swapping the two nouns also gives."""
    found = alternatives(["on", "a", "cat", "on", "a", "dog"], ["IN", "DT", "NN", "IN", "DT", "NN"], "0:7")
    assert found["nouns_and_adjectives"] == "on a dog on a cat" and found["trigrams"] is None
