"""HN-Neg: grammatical negations that are false, and sets in which every caption denies one thing."""

import random
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stages.negatives.negative import Negative
from stages.productivity import hn_neg_balanced
from stages.productivity.denial import whole, without
from stages.productivity.hn_neg import denying, in_one_way, names, negations
from stages.productivity.hn_neg_balanced import Denials, _denied_after, _missing, denials
from stages.productivity.shown import things_beside

from stages.geometry.box import Box
from stages.graphs.graph import SceneGraph, Spans
from stages.negatives.caption import Caption
from stages.negatives.meanings import Meanings
from stages.negatives.vocabulary import Vocabulary
from stages.wording.tokens import words
from tests.negatives.captions import captioned
from tests.negatives.known import MEANINGS, evidence_of, fact, in_boxes, named, people
from tests.writing.graphs import graphs

VASE = SceneGraph(("vase", "television"), ((0, "yellow"),), ((0, "on", 1),))
CUP = SceneGraph(("cup", "table"), (), ((0, "on", 1),))
RED_CUP = SceneGraph(("cup", "table"), ((0, "red"),), ((0, "on", 1),))
OF_DOG = SceneGraph(("dog", "bed"), (), ((0, "lie on", 1),))
LYING = SceneGraph(("dog", "bed", "shelf"), ((0, "old"),), ((0, "lie on", 1),))
NEGATIONS = {"not", "no", "without"}
NO_WORDS = named()
NAMES = ("cup", "mug", "bottle", "table", "desk", "chair", "dog", "cat", "lamp")
NOUNS = named(*NAMES)


def missed(monkeypatch, natural=None):
    """Knowledge of :data:`NAMES`, of which it is ``natural`` to miss some, or any."""
    fits = natural or dict.fromkeys(NAMES, 1.0)
    monkeypatch.setattr(hn_neg_balanced, "remarkable", lambda names, *_: np.array([fits.get(name, 0.0) for name in names]))
    return NOUNS._replace(max_true=1.0)


def atoms_replaced(caption, foils):
    """The HN-Atoms of a caption, with ``foils`` by the atom's kind and index."""
    replaced = []
    for (kind, index), own in foils.items():
        atom = next((a for a in caption.graph.atoms() if (a.kind, a.index) == (kind, index)), None)
        for foil in own if atom else ():
            edited = caption.with_foil(atom, foil)
            if not isinstance(edited, str):
                replaced.append(Negative(edited.text, kind, atom.text, edited.spans, edited.graph, None, foil))
    return replaced


def found(graph, known=None, bare=True, seed="0"):
    return {negation.text: negation for negation in negations(captioned(graph, seed, known=known, bare=bare), NO_WORDS.vocabulary)}


def test_the_examples_of_the_paper():
    negated = found(VASE)
    assert negated["there is no yellow vase on television"].edit == "caption"
    assert negated["vase that is not yellow on television"].edit == "attribute"
    assert negated["yellow vase not on television"].edit == "relation"
    assert all(negation.reason is None for negation in negated.values())


NOT_YELLOW, NOT_ON = "vase that is not yellow on television", "yellow vase not on television"


@pytest.mark.parametrize(
    ("attributes", "relations", "text", "reason"),
    [
        # the three checks of A.4: another vase that is not yellow, another vase off the television, another television
        ((), (), NOT_YELLOW, "another_without_attribute"),
        (((2, "yellow"),), (), NOT_YELLOW, None),
        (((2, "orange"),), (), NOT_YELLOW, "another_without_attribute"),
        ((), (), NOT_ON, "another_pair"),
        ((), ((2, "on", 1),), NOT_ON, None),
    ],
)
def test_the_whole_graph_is_asked(attributes, relations, text, reason):
    """``attributes`` and ``relations`` are those of another vase."""
    known = SceneGraph(("vase", "television", "vase"), ((0, "yellow"), *attributes), ((0, "on", 1), *relations))
    assert found(VASE, known)[text].reason == reason


def test_a_thing_that_is_only_described_far_away_may_be_the_one_of_which_it_is_denied():
    """Of a dog on a sofa, and 450 pixels away another on grass, it may be said that it is not on the sofa."""
    graph = SceneGraph(("dog", "sofa"), (), ((0, "on", 1),))
    described = fact(SceneGraph(("dog", "grass"), (), ((0, "on", 1),)), Box(550, 0, 100, 100))
    for facts, reason in (([], None), ([described], "another_pair")):
        known = in_boxes(graph, [Box(0, 0, 100, 100), Box(0, 50, 200, 100)], facts)
        caption = replace(captioned(graph, bare=True), known=known)
        said = {negation.text: negation.reason for negation in negations(caption, NO_WORDS.vocabulary)}
        assert said["dog not on sofa"] == reason


def test_another_may_have_none_but_that_there_is_none_is_false():
    boy = SceneGraph(("boy", "hat"), (), ((0, "have", 1),))
    negated = found(boy, SceneGraph(("boy", "hat", "boy"), (), ((0, "have", 1),)))
    assert negated["boy with no hat"].reason == "another_without_object"
    assert negated["boy with something; there is no hat"].reason is None


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        (SceneGraph(("boy", "hat"), (), ((0, "have", 1),)), "boy without hat"),
        (SceneGraph(("boy", "hat"), (), ((0, "have", 1),)), "boy with no hat"),
        (SceneGraph(("boy", "hat"), (), ((0, "wear", 1),)), "boy wearing no hat"),
        (SceneGraph(("boy", "bench"), (), ((0, "sit on", 1),)), "boy sitting on something; there is no bench"),
        (SceneGraph(("cat", "bed"), ((0, "black"), (0, "white")), ((0, "on", 1),)), "white cat that is not black on bed"),
    ],
)
def test_forms(graph, text):
    assert text in found(graph)


def test_what_begins_a_list_is_not_denied_as_if_it_were_all():
    """Not "there is no cup and a dog on a bed"."""
    listed = SceneGraph(("dog", "bed", "cup"), ((2, "red"),), ((0, "on", 1),))
    assert not [text for text in found(listed, bare=False) if "no red cup and" in text.lower()]


SCENE = SceneGraph(("cup", "lamp", "dog", "table"), ((0, "red"),), ((2, "on", 3),))
TWO = SceneGraph(("girl", "bed", "cup", "table"), (), ((0, "lie on", 1), (2, "on", 3)))


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        (SceneGraph(("cup", "dog"), ((0, "red"),)), "no red cup or dog"),
        (SceneGraph(("cup", "dog"), ((0, "red"),)), "a red cup and no dog"),
        (SCENE, "no red cup, lamp or dog on a table"),
        (TWO, "No girl is lying on a bed, and "),
        (TWO, ", and there is no cup on a table."),
        (TWO, "Someone is lying on a bed, and "),
    ],
)
def test_each_clause_and_the_last_thing_of_a_list_is_denied(graph, said):
    every = [n.text for seed in range(40) for n in negations(captioned(graph, str(seed)), NO_WORDS.vocabulary) if not n.reason]
    assert any(said in text for text in every)


@pytest.mark.parametrize(
    ("plurals", "said"),
    [((), "There is something on a table. There is no cup."), ((0,), "There is something on a table. There are no cups.")],
)
def test_what_is_said_to_be_there_is_something_else(plurals, said):
    captions = [captioned(CUP, str(seed), plurals=plurals) for seed in range(40)]
    assert any(said == n.text for caption in captions for n in negations(caption, NO_WORDS.vocabulary) if not n.reason)


@pytest.mark.parametrize(
    ("graph", "plurals"),
    [
        (SceneGraph(("cup", "table", "dog", "bed"), (), ((0, "on", 1), (2, "on", 3))), (0, 2)),
        (SceneGraph(("boy", "cup", "table"), ((0, "two"),), ((0, "hold", 1), (1, "on", 2))), (0, 1)),
    ],
)
def test_what_stands_for_many_is_one_and_numbers_are_not_denied(graph, plurals):
    for seed in range(20):
        texts = [n.text for n in negations(captioned(graph, str(seed), plurals=plurals), NO_WORDS.vocabulary)]
        assert any("omething" in text for text in texts)
        assert not [t for t in texts if re.search("(omething|omeone)( that| who)? (are|have)|no two", t)]


def test_what_began_a_sentence_loses_its_capital():
    """Not "Men that are not Old are wearing a hat."."""
    old = SceneGraph(("man", "hat"), ((0, "old"),), ((0, "wear", 1),))
    texts = [n.text for seed in range(8) for n in negations(captioned(old, str(seed), plurals=(0,)), NO_WORDS.vocabulary)]
    assert "Men that are not old are wearing a hat." in texts and not any("not Old" in text for text in texts)


def test_nothing_is_denied_that_the_caption_calls_otherwise():
    """The caption "A girl is lying on a bed. There is no lady." contradicts itself."""
    known = SceneGraph((*TWO.objects, "lady", "dog"), (), TWO.relations)
    nouns = Vocabulary({"object": dict.fromkeys(known.objects, 9), "attribute": {}, "relation": {}})
    denied = {n.atoms for n in negations(captioned(TWO, known=known), nouns) if n.edit == "existence"}
    assert "dog" in denied and "lady" not in denied


def test_a_sentence_keeps_its_capitals_and_stops():
    for seed in range(12):
        for negation in negations(captioned(LYING, str(seed)), NO_WORDS.vocabulary):
            if negation.text.endswith("."):
                assert all(sentence[:1].isupper() for sentence in negation.text.rstrip(".").split(". "))
                assert ". ." not in negation.text and ".." not in negation.text


@pytest.mark.parametrize(
    ("said", "denied"), [("covers", "does not cover"), ("have", "do not have"), ("attached to", "not attached to")]
)
def test_verbs_are_denied(said, denied):
    assert without(said) == denied


def test_a_caption_of_which_no_phrase_begins_a_clause_has_no_whole_to_deny():
    """A language model's "this horse", whose "this" is no article of ours, and so no part of the phrase."""
    graph = SceneGraph(("horse", "fence"), ((0, "brown"), (1, "wooden")), ((0, "behind", 1),))
    text = "This brown horse is behind a wooden fence."
    places = {(atom.kind, atom.index): (text.index(atom.text), text.index(atom.text) + len(atom.text)) for atom in graph.atoms()}
    kinds = ("object", "attribute", "relation")
    spans = Spans(*(tuple(place for (of, _), place in places.items() if of == kind) for kind in kinds))
    said = Caption(text, graph, spans, evidence_of(graph), {atom: (place,) for atom, place in places.items()}, False)
    assert whole(said) is None and len(list(negations(said, NO_WORDS.vocabulary))) == 5


@given(graphs(least=2), st.integers(0, 50), st.booleans())
def test_every_negation_denies_once_and_changes_the_graph(graph, seed, bare):
    caption = captioned(graph, str(seed), bare=bare)
    before = sum(word in NEGATIONS for word in words(caption.text))
    for negation in negations(caption, NO_WORDS.vocabulary):
        if negation.text:
            assert sum(word in NEGATIONS for word in words(negation.text)) == before + 1
            assert negation.graph.n < graph.n
            assert "  " not in negation.text


@given(graphs(least=2), st.integers(0, 50))
def test_denials_are_different_captions_with_one_negation_each(graph, seed):
    caption = captioned(graph, str(seed))
    foils = {(atom.kind, atom.index): ["purple"] if atom.kind == "attribute" else ["behind"] for atom in graph.atoms()}
    found = denials(caption, atoms_replaced(caption, foils), NO_WORDS, random.Random(seed))
    if not isinstance(found, Denials):
        return
    texts = [found.truth.text, *(negative.text for negative in found.negatives)]
    assert len({text.lower() for text in texts}) == len(texts) >= 6
    assert {sum(word in NEGATIONS for word in words(text)) for text in texts} == {1}


def test_the_truth_denies_a_foil_and_every_negative_says_something_false():
    foils = {("attribute", 0): ["blue"], ("relation", 0): ["under"]}
    for seed in range(20):
        caption = captioned(RED_CUP, bare=True)
        found = denials(caption, atoms_replaced(caption, foils), NO_WORDS, random.Random(seed))
        assert found.truth.text in ("cup that is not blue on table", "red cup not under table")
        for negative in found.negatives:
            denied_truth = negative.atoms in ("red | cup", "cup | on | table")
            affirmed_foil = (0, "blue") in negative.graph.attributes or (0, "under", 1) in negative.graph.relations
            assert denied_truth or affirmed_foil


def test_with_more_foils_there_is_more_to_choose_from():
    foils = {("attribute", 0): ["blue", "green"], ("relation", 0): ["under", "behind"]}
    caption = captioned(RED_CUP, bare=True)
    found = denials(caption, atoms_replaced(caption, foils), NO_WORDS, random.Random(0))
    assert len(found.negatives) == 14
    # Either place is denied as often as the other.
    assert sum("that is not" in negative.text for negative in found.negatives) == 7


def test_too_few_places_are_said():
    caption = captioned(RED_CUP, bare=True)
    only = atoms_replaced(caption, {("attribute", 0): ["blue"]})
    assert denials(caption, only, NO_WORDS, random.Random(0)) == "fewer_than_two_places"


def test_what_hardly_anybody_says_is_not_denied():
    """Nobody says of a man that he is not selling his bag, though he is not."""
    graph = SceneGraph(("man", "bag"), ((0, "young"),), ((0, "carry", 1),))
    caption = captioned(graph, bare=True)
    told = replace(caption, known=evidence_of(graph, Meanings({}, {}, MEANINGS.habits, people())))
    for foil, expected in (("sell", "fewer_than_two_places"), ("hold", None)):
        replaced = atoms_replaced(caption, {("attribute", 0): ["old"], ("relation", 0): [foil]})
        found = denials(told, replaced, NO_WORDS, random.Random(0))
        assert found == expected if expected else isinstance(found, Denials)


def test_nothing_that_is_denied_holds_a_foil():
    # "not on a round table" is no false statement about a cup on a square one.
    graph = SceneGraph(("cup", "table"), ((1, "square"),), ((0, "on", 1),))
    foils = {("attribute", 0): ["round"], ("relation", 0): ["under"]}
    caption = captioned(graph, bare=True)
    assert denials(caption, atoms_replaced(caption, foils), NO_WORDS, random.Random(0)) == "places_inside"


def test_nothing_is_denied_that_the_caption_speaks_of_elsewhere():
    chair = SceneGraph(("chair", "table", "table top"), ((0, "blue"),), ((0, "next to", 1), (0, "by", 2), (2, "on", 1)))
    for seed in range(12):
        for negation in negations(captioned(chair, str(seed)), NO_WORDS.vocabulary):
            if negation.reason is None and "here is no" in negation.text:
                denied = negation.text.split("here is no ")[1].rstrip(".").split()[-1]
                assert negation.edit == "caption" or negation.text.count(denied) == 1


def test_what_the_picture_shows_beside_the_caption_is_denied():
    shown = SceneGraph(("cup", "table", "dog", "lamp"), ((0, "red"),), ((0, "on", 1),))
    caption = captioned(RED_CUP, known=shown, bare=True)
    texts = {n.text: n.reason for n in negations(caption, NOUNS.vocabulary)}
    assert texts["red cup on table, with no dog in sight"] is None and texts["red cup on table, with no lamp in sight"] is None
    assert "red cup on table, with no table in sight" not in texts


def test_a_set_denies_in_one_way():
    shown = SceneGraph(("cup", "table", "dog", "lamp", "cat"), ((0, "red"),), ((0, "on", 1),))
    caption = captioned(RED_CUP, known=shown, bare=True)
    valid = [n for n in in_one_way(negations(caption, NOUNS.vocabulary), 4, random.Random(0)) if n.reason is None]
    assert len(valid) >= 4 and all(" no " in n.text for n in valid)


def test_a_whole_object_is_denied_in_truth_and_negatives_alike(monkeypatch):
    shown = SceneGraph(("cup", "table", "dog", "lamp"), ((0, "red"),), ((0, "on", 1),))
    caption = captioned(RED_CUP, known=shown, bare=True)
    knowledge = missed(monkeypatch)
    found = denials(caption, atoms_replaced(caption, {("attribute", 0): ["blue"]}), knowledge, random.Random(0))
    texts = [found.truth.text, *(negative.text for negative in found.negatives)]
    assert all(", with no " in text for text in texts) and len(set(texts)) == len(texts)
    assert found.truth.text.startswith("red cup on table") and found.truth.atoms not in ("dog", "lamp")
    assert {n.atoms for n in found.negatives if n.foil is None} == {"dog", "lamp"}
    knowledge = missed(monkeypatch, dict.fromkeys(NAMES, 1.0) | {"dog": 0.5})
    found = denials(caption, atoms_replaced(caption, {("attribute", 0): ["blue"]}), knowledge, random.Random(0))
    assert {n.atoms for n in found.negatives if n.foil is None} == {"lamp"}


def test_after_a_foil_the_thing_that_gave_way_to_it_is_denied(monkeypatch):
    """Who overlooks the "no" finds as much of it there as of the truth; after one foil of two the truth's is denied, too."""
    caption = captioned(CUP, bare=True)
    knowledge = missed(monkeypatch)
    replaced = atoms_replaced(caption, {("object", 0): ["lamp", "dog", "cat", "bottle"], ("object", 1): ["desk", "chair"]})
    for seed in range(12):
        found = denials(caption, replaced, knowledge, random.Random(seed))
        shown = [n.atoms == ("table" if n.foil in ("desk", "chair") else "cup") for n in found.negatives]
        assert 4 <= sum(shown) < len(shown)
        assert [n.atoms == found.truth.atoms for n in found.negatives] == [not own for own in shown]
        assert all(n.atoms not in n.graph.objects for n in found.negatives)


def test_negatives_of_the_least_acceptable_foils_are_left_out(monkeypatch):
    caption = captioned(CUP, bare=True)
    sensible = ["mug", "bowl", "plate", "bottle", "vase", "book", "lamp", "laptop", "candle", "knife", "pizza", "keyboard"]
    replaced = atoms_replaced(caption, {("object", 0): ["bridge", *sensible]})
    replaced = [n._replace(acceptability=0.6 if n.foil == "bridge" else 0.9) for n in replaced]
    knowledge = missed(monkeypatch)
    drawn = {n.foil for seed in range(12) for n in denials(caption, replaced, knowledge, random.Random(seed)).negatives}
    assert drawn - {None} < set(sensible)


def test_where_nothing_that_is_there_can_be_denied_there_is_no_set(monkeypatch):
    """Of a cup on a table, all six "with no lamp in sight", its foils alone would make the negatives false."""
    caption = captioned(RED_CUP, bare=True)
    knowledge = missed(monkeypatch)
    only = atoms_replaced(caption, {("attribute", 0): ["blue", "green"]})
    assert denials(caption, only, knowledge, random.Random(0)) == "fewer_than_two_places"


@pytest.mark.parametrize(
    ("graph", "bare", "name", "said"),
    [
        (CUP, True, "mirror", "cup on table, with no mirror in sight"),
        (SceneGraph(("cup", "box")), False, "car", "There is a cup and a box, with no car in sight."),
        # Where something is "with" somebody already, nothing else is.
        (
            SceneGraph(("man", "ball", "tree"), (), ((0, "hold", 1), (2, "behind", 0))),
            False,
            "car",
            "holding a ball, with a tree behind him and no car in sight.",
        ),
    ],
)
def test_what_is_not_there_is_denied_as_people_do(graph, bare, name, said):
    for seed in range(8):
        caption = captioned(graph, str(seed), bare=bare)
        if bare or caption.text.endswith("."):
            denied = denying(caption, name)
            assert denied.text.endswith(said)
            replaced = Negative(caption.text.replace("dog", "cat"), "object", "dog", (), caption.graph, None, "cat")
            assert _denied_after(caption, replaced, name).text == denied.text.replace("dog", "cat")


def test_what_is_missing_is_what_one_would_miss(monkeypatch):
    """The most natural first, of what is surely not there; nothing where nobody would miss anything."""
    caption = captioned(CUP, bare=True)
    knowledge = missed(monkeypatch, {"lamp": 0.7, "chair": 0.9, "mug": 0.95, "dog": 0.8, "cat": 0.3})
    assert _missing(caption, [], knowledge) == "chair"  # a mug is a cup
    assert _missing(caption, ["chair"], knowledge) == "dog"
    assert _missing(caption, [], knowledge._replace(max_true=0.0)) is None
    assert _missing(caption, ["chair", "dog", "lamp"], knowledge) is None


def test_what_is_only_shown_or_meant_otherwise_is_not_denied():
    """A sailboat on a curtain, a stuffed bear, and a baby that is a beanie baby are not there."""
    objects = ("dog", "bed", "sailboat", "curtain", "bear", "baby", "beanie baby", "lamp")
    known = SceneGraph(objects, ((4, "stuffed"),), ((0, "lie on", 1), (2, "on", 3)))
    names = Vocabulary({"object": dict.fromkeys(objects, 9), "attribute": {}, "relation": {}})
    there = things_beside(captioned(OF_DOG, known=known, bare=True), names, surely=True)
    assert "lamp" in there and {"sailboat", "bear", "baby"}.isdisjoint(there)


def test_a_bare_word_of_many_senses_is_not_denied():
    """No cover of a book, a bed or a bag? Nobody denies what may be anything."""
    objects = ("dog", "bed", "cover", "counter", "lamp")
    names = Vocabulary({"object": dict.fromkeys(objects, 9), "attribute": {}, "relation": {}})
    asked = captioned(OF_DOG, known=SceneGraph(objects), bare=True)
    assert things_beside(asked, names, surely=True) == ["lamp"]


def test_what_a_foil_names_is_not_denied():
    caption = captioned(VASE, "0", bare=True)
    replaced = atoms_replaced(caption, {("object", 0): ["lamp"]})
    assert names(caption, replaced[0].graph, "lamp") and not names(caption, replaced[0].graph, "dog")


PLAIN = Vocabulary({"object": dict.fromkeys(("dog", "bed", "lamp", "camera", "desk", "cup"), 9), "attribute": {}, "relation": {}})


CROP = Box(0, 0, 400, 400)


def _beside(graph, boxes, facts=()):
    """What may be denied of a crop with an annotated dog on a bed."""
    known = in_boxes(graph, [Box(*box) for box in boxes], facts).within(CROP)
    caption = replace(captioned(OF_DOG, bare=True), known=known, crop=CROP)
    return things_beside(caption, PLAIN, surely=True)


def test_what_the_crop_cuts_or_hardly_shows_is_not_denied():
    for lamp, denied in (((300, 0, 90, 90), True), ((350, 0, 90, 90), False), ((300, 0, 9, 9), False)):
        known = SceneGraph(("dog", "bed", "lamp"), (), ((0, "lie on", 1),))
        assert ("lamp" in _beside(known, [(0, 0, 90, 90), (0, 50, 200, 90), lamp])) == denied


def test_what_is_looked_at_and_never_named_for_itself_is_not_denied():
    """A dog that faces the camera: the camera took the picture."""
    faces = fact(SceneGraph(("dog", "camera"), (), ((0, "face", 1),)), Box(100, 100, 50, 50))
    lies = [fact(SceneGraph(("camera",)), Box(x, 100, 50, 50)) for x in (105, 110)]
    boxes = [(0, 0, 90, 90), (0, 50, 200, 90)]
    assert "camera" not in _beside(OF_DOG, boxes, [faces] * 3)
    assert "camera" in _beside(OF_DOG, boxes, [faces, *lies])


def test_what_others_call_otherwise_is_not_denied():
    """One's desk is another's counter."""
    boxes = [(0, 0, 90, 90), (0, 50, 200, 90), (0, 200, 400, 200), (0, 205, 400, 190)]
    for other, denied in (("counter", False), ("cup", True)):
        known = SceneGraph(("dog", "bed", "desk", other), (), ((0, "lie on", 1),))
        assert ("desk" in _beside(known, boxes)) == denied


def test_a_being_that_somebody_made_is_not_denied():
    known = SceneGraph(("dog", "bed", "baby", "lamp"), ((2, "beanie"),), ((0, "lie on", 1),))
    names = Vocabulary({"object": dict.fromkeys(known.objects, 9), "attribute": {}, "relation": {}})
    there = things_beside(captioned(OF_DOG, known=known, bare=True), names, surely=True)
    assert "lamp" in there and "baby" not in there
