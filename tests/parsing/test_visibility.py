"""Tests of which atoms of titles are kept: by given weights, and by the shipped ones on captions written for this."""

from itertools import chain

import pytest
from spacy.tokens import Doc

from stages.parsing.extraction import extract
from stages.parsing.seen import frequency
from stages.parsing.signs import Features
from stages.parsing.surface import Surface
from stages.parsing.trees import Tokens, Tree
from stages.parsing.visibility import PARTS, SURE, SURE_IN_TITLES, Shown
from stages.parsing.words import Words
from tests.parsing.trees import VOCAB, doc

LAMP = (
    "red/JJ/amod>lamp desk/NN/compound>lamp lamp/NN/ROOT>lamp with/IN/prep>lamp a/DT/det>dream dream/NN/pobj>with of/IN/prep>dream "
    "steel/NN/pobj>of"
)
EVERY = {"object": 1.5, "attribute": 1.0, "relation": 1.0}


def surface(tree, **changes):
    return Surface(Tokens.of(tree), title=True, capitals=[False] * len(tree), plain=False)._replace(**changes)


def shown(weights, **changes):
    tree = doc(LAMP)
    draft = Shown(weights).only(extract(Words(tree)), surface(tree, **changes))
    low = draft.words.low
    return (
        {low[head] for head in draft.objects},
        [low[a.words[0]] for a in draft.attributes],
        [low[r.words[0]] for r in draft.relations],
    )


def test_an_atom_is_shown_where_its_signs_weigh_more_than_nothing():
    assert shown(EVERY) == ({"lamp", "dream", "steel"}, ["red"], ["with", "of"])
    assert shown(EVERY | {"a tag=JJ": -1.0}) == ({"lamp", "dream", "steel"}, [], ["with", "of"])
    assert shown(EVERY | {"r by=of": -2.0}) == ({"lamp", "dream", "steel"}, ["red"], ["with"])


def test_what_is_said_of_an_object_goes_with_it():
    assert shown(EVERY | {"o sort=cognition": -2.0}) == ({"lamp", "steel"}, ["red"], [])


def test_an_object_must_surely_be_shown():
    assert shown(EVERY | {"object": SURE["o"] - 0.1}, title=False) == (set(), [], [])
    assert shown(EVERY | {"object": SURE_IN_TITLES - 0.1}) == (set(), [], [])
    assert shown(EVERY | {"object": SURE_IN_TITLES + 0.1}) == shown(EVERY)


def test_the_captions_other_words_say_together_as_much_as_one_sign():
    has = {f"o title has={word}": -0.5 for word in ("red", "desk", "lamp", "with", "a", "dream", "of", "steel")}
    assert shown(EVERY | {"object": SURE_IN_TITLES + 0.6} | has) == shown(EVERY | {"object": SURE_IN_TITLES + 0.1})
    assert shown(EVERY | {"object": SURE_IN_TITLES + 0.4} | has) == (set(), [], [])
    assert shown(EVERY | {"r title has=dream": -8 * (1 - SURE["r"])})[2] == []


def test_words_weigh_by_the_part_that_they_have_unless_their_sign_has_its_own_weight():
    row = [0] * len(PARTS)
    row[PARTS.index("o word")], row[PARTS.index("r object")] = -250, 30
    weights = Shown.of({"o word=lamp": 1.0}, {"lamp": row, "mug": row}).weights
    assert weights["o word=lamp"] == 1.0
    assert (weights["o word=mug"], weights["r object=mug"], weights["a of=mug"]) == (-2.5, 0.3, 0.0)


def test_signs_name_the_words_that_say_an_atom_and_those_about_it():
    tree = doc(LAMP)
    draft = extract(Words(tree))
    features = Features(draft, surface(tree))
    low = draft.words.low
    lamp, dream = (set(chain(*features.object_parts(low.index(name)))) for name in ("lamp", "dream"))
    assert {"a of=lamp"} <= set(chain(*features.attribute_parts(draft.attributes[0])))
    assert {"r subject=lamp", "r object=dream", "r by=with"} <= {
        feature for r in draft.relations for feature in chain(*features.relation_parts(r))
    }
    assert {"o word=lamp", "o with word=desk", "o before=red", "o after=with", "o of= ROOT"} <= lamp
    assert {"o word=dream", "o before=a", "o after=of", "o of=with pobj"} <= dream
    assert "a word=red" in chain(*features.attribute_parts(draft.attributes[0]))
    assert {f"r word={word}" for word in ("with", "of")} <= {
        feature for r in draft.relations for feature in chain(*features.relation_parts(r))
    }


def test_signs_tell_what_was_left_out_beside_a_word_and_how_it_is_written():
    tree = doc("lamp/NN/ROOT>lamp shoe/NN/appos>lamp")
    draft = extract(Words(Tree.of(tree)._replace(start=[5, 10], end=[9, 14])))
    features = Features(draft, Surface(Tokens.of(tree), capitals=[True, False], unread=1, plain=False))
    first, second = set(chain(*features.object_parts(0))), set(chain(*features.object_parts(1)))
    assert {"o marked gap before=True", "o marked capital=True", "o unread=many"} <= first
    assert {"o marked gap before=False", "o marked capital=False"} <= second


def test_frequency_counts_the_singular_too():
    assert frequency("dog") == 4
    assert frequency("sittingducks") == 0


@pytest.mark.parametrize(
    ("caption", "objects"),
    [
        ("Green Leather Shoulder Bag with Brass Buckle", {"shoulder bag", "buckle"}),
        ("The Silent Legacy", set()),
        ("Blue Cotton Curtain - Wholesale Bargain", {"curtain"}),
    ],
)
def test_things_are_kept_and_titles_are_not(parser, caption, objects):
    assert set(next(parser.parse([caption])).graph.objects) == objects


def test_an_empty_caption_has_nothing_to_show():
    empty = Doc(VOCAB, words=[])
    assert not Shown(EVERY).only(extract(Words(empty)), surface(empty)).objects
