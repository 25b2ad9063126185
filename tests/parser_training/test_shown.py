"""Learning which atoms are shown, from captions written for this."""

import pytest

from stages.parameters.sections import Language
from stages.parser_training import shown
from stages.parser_training.web import WebCaption, accepts, comparable, resolved
from stages.parsing.parser import Parser
from tests.running import section


def caption(text, required, acceptable=()):
    return WebCaption("laion", "tuning", text, required, list(acceptable))


def test_facts_agree_by_alternatives_and_wildcards():
    one = caption("Red Desk Lamp", [("*lamp", "is", "red|crimson")], [("desk",)])
    assert accepts(one, [("desk lamp", "is", "red"), ("lamps",)])
    assert not accepts(one, [("desk lamp", "is", "blue")])
    assert comparable(resolved([("lamp", "is", "crimson"), ("desk",)], one)) == {("lamp", "is", "crimson"), ("desk",)}
    assert comparable(resolved([("desk",)], one)) == {("*lamp", "is", "red"), ("desk",)}


@pytest.fixture(scope="module")
def every():
    captions = [
        *(
            caption(f"Red {thing} | Volume 2", [(thing.lower(), "is", "red")])
            for thing in ("Lamp", "Chair", "Bag", "Shoe", "Plate")
        ),
        *(caption(f"The {thing} of Winter | Volume 2", []) for thing in ("Queen", "Raven", "Castle", "Stranger", "Garden")),
    ]
    return shown.examples(Parser(section(Language)), captions)


def test_every_atom_is_an_example_with_the_readers_answer(every):
    assert [right for _, right in every[0].atoms][:1] == [True]
    assert not any(right for example in every[5:] for _, right in example.atoms)


def test_what_is_learned_makes_graphs_right(every):
    weights = shown.learned(every)
    assert all(shown.is_right(example, weights) for example in every)
    assert weights == shown.learned(every)
    counts = shown.cross_validated(every, [])
    assert counts["laion"][0] == len(every)
    assert counts["laion"][2] >= counts["laion"][1]


def test_all_that_a_description_says_is_shown(every):
    descriptions = shown.descriptions(Parser(section(Language)), ["a castle behind a garden", "the red queen"])
    assert [right for one in descriptions for _, right in one.atoms] == [True] * 5
    assert all(shown.loses_an_atom(one, {}) for one in descriptions)
    assert not any(shown.loses_an_atom(one, shown.learned([*every, *descriptions])) for one in descriptions)
