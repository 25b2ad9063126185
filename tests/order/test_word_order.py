"""Shuffles move what they may move, and nothing else."""

from collections import Counter

import pytest

from stages.order.word_order import NAMING, RETRIEVAL, shuffled

WORDS = ["remarkable", "scene", "with", "a", "blue", "ball", "behind", "a", "green", "chair"]
TAGS = ["JJ", "NN", "IN", "DT", "JJ", "NN", "IN", "DT", "JJ", "NN"]


@pytest.mark.parametrize("name", RETRIEVAL)
def test_a_shuffle_keeps_the_words_and_repeats(name):
    found = shuffled(name, WORDS, TAGS, "0:7")
    assert Counter(found.split()) == Counter(WORDS) and found.split() != WORDS
    assert found == shuffled(name, WORDS, TAGS, "0:7")
    assert len({shuffled(name, WORDS, TAGS, f"{seed}:7") for seed in range(8)}) > 1


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
    assert all(shuffled(name, words, tags, "0:7") is None for name in RETRIEVAL)
    assert shuffled("all_words", words, tags, "0:7", other=False) == " ".join(words)
