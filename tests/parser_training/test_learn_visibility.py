"""Tests of learning which atoms are shown, from captions written for this."""

import pytest

from stages.parser_training import learn_visibility
from stages.parser_training.web import WebCaption, accepts, comparable, resolved
from stages.parsing.visibility import Shown

KNOWN = learn_visibility.vectors(
    [
        *(f"{thing} 1 0" for thing in ("lamp", "chair", "bag", "shoe", "plate", "sofa")),
        *(f"{name} 0 1" for name in ("queen", "raven", "castle", "stranger", "garden", "knight")),
    ]
)
"""Word vectors that separate things from the words of titles; no caption has a sofa or a knight."""


def caption(text, required, acceptable=()):
    return WebCaption("laion", "tuning", text, required, list(acceptable))


def test_facts_agree_by_alternatives_and_wildcards():
    one = caption("Red Desk Lamp", [("*lamp", "is", "red|crimson")], [("desk",)])
    assert accepts(one, [("desk lamp", "is", "red"), ("lamps",)])
    assert not accepts(one, [("desk lamp", "is", "blue")])
    assert comparable(resolved([("lamp", "is", "crimson"), ("desk",)], one)) == {("lamp", "is", "crimson"), ("desk",)}
    assert comparable(resolved([("desk",)], one)) == {("*lamp", "is", "red"), ("desk",)}


def test_names_agree_however_their_plural_ends():
    parsed = [("denim jeans", "is", "blue"), ("mountain pass",), ("bus", "in front of", "glasses")]
    one = caption("", [("*jeans", "is", "blue"), ("mountain pass",), ("bus|coaches", "in front of", "sunglasses|glasses")])
    assert accepts(one, parsed)
    assert comparable(resolved(parsed, one)) == comparable(parsed)


@pytest.fixture(scope="module")
def every(parser):
    captions = [
        *(
            caption(f"Red {thing} | Volume 2", [(thing.lower(), "is", "red")])
            for thing in ("Lamp", "Chair", "Bag", "Shoe", "Plate")
        ),
        *(caption(f"The {thing} of Winter | Volume 2", []) for thing in ("Queen", "Raven", "Castle", "Stranger", "Garden")),
    ]
    return learn_visibility.examples(parser, captions)


def test_every_atom_is_an_example_with_the_readers_answer(every):
    assert [right for _, right in every[0].atoms][:1] == [True]
    assert not any(right for example in every[5:] for _, right in example.atoms)


def learned(captions):
    return Shown.of(*learn_visibility.learned(captions, KNOWN))


def test_what_is_learned_makes_graphs_right(every):
    weights = learned(every)
    assert all(learn_visibility.is_right(example, weights) for example in every)
    assert weights.weights == learned(every).weights
    counts = learn_visibility.cross_validated(every, [], KNOWN)
    assert counts["laion"][0] == len(every)
    assert counts["laion"][2] >= counts["laion"][1]


def test_all_that_a_description_says_is_shown(every, parser):
    descriptions = learn_visibility.descriptions(parser, ["a castle behind a garden", "the red queen"])
    assert [right for one in descriptions for _, right in one.atoms] == [True] * 5
    assert all(learn_visibility.loses_an_atom(one, Shown({})) for one in descriptions)
    weights = learned([*every, *descriptions])
    assert not any(learn_visibility.loses_an_atom(one, weights) for one in descriptions)


def test_a_word_that_no_caption_has_weighs_what_its_like_do(every):
    weights = learned(every).weights
    assert weights["o word=sofa"] > 0 > weights["o word=knight"]
    assert weights["o title has=sofa"] > 0 > weights["o title has=knight"]
    assert "o word=spoon" not in weights


def test_vectors_are_those_of_the_first_words_and_of_one_length(monkeypatch):
    monkeypatch.setattr(learn_visibility, "WORDS", 2)
    found = learn_visibility.vectors(["a 3 4\n", "b 0 -7\n", "c 1 1\n"])
    assert {word: vector.tolist() for word, vector in found.items()} == {
        "a": pytest.approx([0.6 * learn_visibility.LENGTH, 0.8 * learn_visibility.LENGTH]),
        "b": [0, -learn_visibility.LENGTH],
    }
