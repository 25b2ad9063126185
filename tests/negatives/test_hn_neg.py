"""Tests of HN-Neg: denials are grammatical and false, and every caption of a cleared set denies one thing in the same words."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.contract.schemas import CLEARED, PAPER
from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph
from stages.negatives import denial, hn_neg
from stages.negatives.caption import Caption
from stages.negatives.checks import checked
from stages.negatives.making import WORDS_OF_THE_CAPTION
from stages.text.tokens import words
from tests.negatives.captions import captioned, spans_of
from tests.negatives.known import evidence_of, fact, in_boxes, knowing, named, vocabulary
from tests.writing.graphs import graphs

VASE = SceneGraph(("vase", "television"), ((0, "yellow"),), ((0, "on", 1),))
CUP = SceneGraph(("cup", "table"), (), ((0, "on", 1),))
RED_CUP = SceneGraph(("cup", "table"), ((0, "red"),), ((0, "on", 1),))
OF_DOG = SceneGraph(("dog", "bed"), (), ((0, "lie on", 1),))
LYING = SceneGraph(("dog", "bed", "shelf"), ((0, "old"),), ((0, "lie on", 1),))
NEGATIONS = {"not", "no", "without"}
NO_WORDS = knowing(vocabulary())
LEFT_OUT = (*WORDS_OF_THE_CAPTION, "identical_graph")
NOT_YELLOW, NOT_ON = "vase that is not yellow on television", "yellow vase not on television"


def denials(caption):
    return checked(hn_neg.denials(caption), caption, NO_WORDS, PAPER, LEFT_OUT)


def found(graph, known=None, bare=True, seed="0"):
    return {denied.caption: denied for denied in denials(captioned(graph, seed, known=known, bare=bare))}


# --- paper ----


def test_the_examples_of_the_paper():
    negated = found(VASE)
    assert negated["there is no yellow vase on television"].edit == "caption"
    assert negated["vase that is not yellow on television"].edit == "attribute"
    assert negated["yellow vase not on television"].edit == "relation"
    assert all(denied.reason is None for denied in negated.values())


@pytest.mark.parametrize(
    ("attributes", "relations", "text", "reason"),
    [
        # the three checks of A.4: another vase that is not yellow, another vase off the television, another television
        ((), (), NOT_YELLOW, "another_without_attribute"),
        (((2, "yellow"),), (), NOT_YELLOW, None),
        # one annotator calls it yellow, and another calls it blue
        (((0, "blue"), (2, "yellow")), (), NOT_YELLOW, "contested"),
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
    """If a dog is on a sofa and another one on grass, 450 pixels away, the second is not on the sofa."""
    graph = SceneGraph(("dog", "sofa"), (), ((0, "on", 1),))
    described = fact(SceneGraph(("dog", "grass"), (), ((0, "on", 1),)), Box(550, 0, 100, 100))
    for facts, reason in (([], None), ([described], "another_pair")):
        known = in_boxes(graph, [Box(0, 0, 100, 100), Box(0, 50, 200, 100)], facts)
        caption = replace(captioned(graph, bare=True), known=known)
        said = {denied.caption: denied.reason for denied in denials(caption)}
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
    """The text is never "there is no cup and a dog on a bed"."""
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
    every = [n.caption for seed in range(40) for n in denials(captioned(graph, str(seed))) if not n.reason]
    assert any(said in text for text in every)


@pytest.mark.parametrize(
    ("plurals", "said"),
    [((), "There is something on a table. There is no cup."), ((0,), "There is something on a table. There are no cups.")],
)
def test_what_is_said_to_be_there_is_something_else(plurals, said):
    captions = [captioned(CUP, str(seed), plurals=plurals) for seed in range(40)]
    assert any(said == n.caption for caption in captions for n in denials(caption) if not n.reason)


@pytest.mark.parametrize(
    ("graph", "plurals"),
    [
        (SceneGraph(("cup", "table", "dog", "bed"), (), ((0, "on", 1), (2, "on", 3))), (0, 2)),
        (SceneGraph(("boy", "cup", "table"), ((0, "two"),), ((0, "hold", 1), (1, "on", 2))), (0, 1)),
    ],
)
def test_what_stands_for_many_is_one_and_numbers_are_not_denied(graph, plurals):
    for seed in range(20):
        texts = [n.caption for n in denials(captioned(graph, str(seed), plurals=plurals))]
        assert any("omething" in text for text in texts)
        assert not [t for t in texts if re.search("(omething|omeone)( that| who)? (are|have)|no two", t)]


def test_what_began_a_sentence_loses_its_capital():
    """The text is never "Men that are not Old are wearing a hat."."""
    old = SceneGraph(("man", "hat"), ((0, "old"),), ((0, "wear", 1),))
    texts = [n.caption for seed in range(8) for n in denials(captioned(old, str(seed), plurals=(0,)))]
    assert "Men that are not old are wearing a hat." in texts and not any("not Old" in text for text in texts)


def test_a_sentence_keeps_its_capitals_and_stops():
    for seed in range(12):
        for denied in denials(captioned(LYING, str(seed))):
            if denied.caption.endswith("."):
                assert all(sentence[:1].isupper() for sentence in denied.caption.rstrip(".").split(". "))
                assert ". ." not in denied.caption and ".." not in denied.caption


@pytest.mark.parametrize(
    ("said", "denied"), [("covers", "does not cover"), ("have", "do not have"), ("attached to", "not attached to")]
)
def test_verbs_are_denied(said, denied):
    assert denial.without(said) == denied


def test_a_caption_of_which_no_phrase_begins_a_clause_has_no_whole_to_deny():
    """A language model may write "this horse", whose "this" is not one of our articles, and so not part of the phrase."""
    graph = SceneGraph(("horse", "fence"), ((0, "brown"), (1, "wooden")), ((0, "behind", 1),))
    text = "This brown horse is behind a wooden fence."
    said = Caption(text, graph, spans_of(text, graph), evidence_of(graph))
    assert denial.whole(said) is None and {d.edit for d in denials(said)} == {"attribute", "relation", "something"}


@given(graphs(least=2), st.integers(0, 50), st.booleans())
def test_every_negation_denies_once_and_changes_the_graph(graph, seed, bare):
    caption = captioned(graph, str(seed), bare=bare)
    before = sum(word in NEGATIONS for word in words(caption.text))
    for denied in denials(caption):
        if denied.caption:
            assert sum(word in NEGATIONS for word in words(denied.caption)) == before + 1
            assert denied.graph.n < graph.n
            assert "  " not in denied.caption


def test_nothing_is_denied_that_the_caption_speaks_of_elsewhere():
    chair = SceneGraph(("chair", "table", "table top"), ((0, "blue"),), ((0, "next to", 1), (0, "by", 2), (2, "on", 1)))
    for seed in range(12):
        for denied in denials(captioned(chair, str(seed))):
            if denied.reason is None and "here is no" in denied.caption:
                name = denied.caption.split("here is no ")[1].rstrip(".").split()[-1]
                assert denied.edit == "caption" or denied.caption.count(name) == 1


def test_someone_is_not_no_person():
    """The text "Someone is on a bed; there is no man" may describe a woman, but "there is no person" contradicts the rest."""
    man, person = (found(SceneGraph((name, "bed"), (), ((0, "on", 1),))) for name in ("man", "person"))
    assert any("someone" in text and "no man" in text for text in man)
    assert person and not any("someone" in text or "something" in text for text in person if "no person" in text)


# --- cleared ----

NAMES = ("cup", "mug", "bottle", "table", "desk", "chair", "dog", "cat", "lamp", "car", "horse")
NOUNS = named(*NAMES)
SHOWN = SceneGraph(("cup", "table", "dog", "lamp"), ((0, "red"),), ((0, "on", 1),))


def sets(caption, knowledge=NOUNS):
    """Return the truths and the valid negatives."""
    truths, there = hn_neg.absences(caption, knowledge)
    settled = checked(there, caption, knowledge, CLEARED, LEFT_OUT)
    return truths, [candidate for candidate in settled if candidate.reason is None]


def denied_words(caption, text):
    """Return what is denied after ``caption``."""
    said = re.fullmatch(re.escape(caption.rstrip(".")) + r"(?:, with| and) no (.+) in sight\.?", text)
    return said[1] if said else None


@given(graphs(least=2), st.integers(0, 50), st.booleans())
def test_truths_and_negatives_differ_in_the_denied_thing_alone(graph, seed, bare):
    known = SceneGraph((*graph.objects, "dog", "lamp"), graph.attributes, graph.relations)
    caption = captioned(graph, str(seed), known=known, bare=bare)
    truths, negatives = sets(caption)
    assert all(denied_words(caption.text, truth.caption) == truth.denied for truth in truths)
    assert all(denied_words(caption.text, negative.caption) == negative.atom for negative in negatives)
    assert {truth.graph for truth in truths} | {negative.graph for negative in negatives} <= {graph}
    names = {name for truth in truths for name in [truth.denied]} | {negative.atom for negative in negatives}
    assert names.isdisjoint(graph.objects)
    for truth in truths:
        assert caption.known.object(truth.denied) <= NOUNS.max_true
    for negative in negatives:
        assert caption.known.object(negative.atom) == 1


def test_what_the_crop_shows_is_denied_in_negatives_and_what_it_does_not_in_truths():
    truths, negatives = sets(captioned(RED_CUP, known=SHOWN, bare=True))
    assert {negative.caption for negative in negatives} == {
        "red cup on table, with no dog in sight",
        "red cup on table, with no lamp in sight",
    }
    assert {truth.denied for truth in truths} <= {"bottle", "chair", "cat", "car", "horse"}
    assert truths and len(truths) <= hn_neg.TRIED


def test_where_the_crop_shows_nothing_else_there_is_no_set():
    assert sets(captioned(RED_CUP, bare=True)) == ([], [])


def test_what_may_be_there_is_not_denied_in_a_truth():
    caption = captioned(RED_CUP, known=SHOWN, bare=True)
    strict, lenient = (sets(caption, replace(NOUNS, max_true=limit))[0] for limit in (0.0, 1.0))
    assert strict == [] and len(lenient) == 5


def test_what_a_description_names_whose_region_meets_the_crop_is_not_denied_in_a_truth():
    """Boxes are drawn loosely: a description of the floor reached into a crop that ended above the floor's own box."""
    denied = {}
    for height in (400, 420):
        caption = captioned(RED_CUP, known=SHOWN, bare=True)
        caption.known.descriptions.append((Box(0, 416, 800, 184), ("old car",)))
        caption.known.crop = Box(0, 0, 800, height)
        denied[height] = {truth.denied for truth in sets(caption)[0]}
    assert "car" in denied[400] and denied[420] == denied[400] - {"car"}


def test_what_the_caption_calls_otherwise_is_not_denied():
    """The caption "A girl is lying on a bed, with no lady in sight." contradicts itself."""
    known = SceneGraph((*TWO.objects, "lady", "dog"), (), TWO.relations)
    caption = captioned(TWO, known=known)
    denied = {negative.atom for negative in sets(caption, named(*known.objects))[1]}
    assert "dog" in denied and "lady" not in denied


@pytest.mark.parametrize("name", ["hand", "sky", "water", "front", "thing", "sailing"])
def test_a_place_or_a_matter_is_not_denied(name):
    """Nobody can say whether a crop shows no water."""
    known = SceneGraph((*OF_DOG.objects, name, "lamp"), (), OF_DOG.relations)
    denied = {negative.atom for negative in sets(captioned(OF_DOG, known=known, bare=True), named(*known.objects))[1]}
    assert denied == {"lamp"}


@pytest.mark.parametrize("name", ["apple", "bucket", "bed", "book", "kite", "trousers"])
def test_what_is_part_of_something_or_has_an_abstract_sense_is_denied(name):
    """An apple is part of an apple tree, and a book is a written work."""
    known = SceneGraph((*CUP.objects, name), (), CUP.relations)
    denied = {negative.atom for negative in sets(captioned(CUP, known=known, bare=True), named(*known.objects))[1]}
    assert denied == {name}


def test_a_part_of_something_that_is_there_is_not_denied_in_a_truth():
    """Nobody can say whether a car shows no wheel; where nothing has wheels, there are none."""
    words = named("cup", "table", "lamp", "car", "wheel", "horse")
    for other, denied in (("car", {"horse"}), ("lamp", {"car", "horse", "wheel"})):
        caption = captioned(CUP, known=SceneGraph((*CUP.objects, other), (), CUP.relations), bare=True)
        assert {truth.denied for truth in sets(caption, words)[0]} - {"lamp"} == denied


def test_what_others_call_otherwise_is_not_denied_in_negatives():
    """One annotator sees a jacket where another sees a sweater."""
    known = SceneGraph(("dog", "bed", "jacket"), (), ((0, "lie on", 1),))
    where = [Box(0, 0, 90, 90), Box(0, 50, 200, 90), Box(300, 0, 90, 90)]
    words = replace(named("dog", "bed", "jacket", "horse"), max_true=0.02)
    for names, denied in (((), True), (("sweater",), False), (("jacket",) * 5 + ("sweater",), True), (("table",), True)):
        facts = [fact(SceneGraph((name,)), Box(290, 0, 120, 100)) for name in names]
        caption = replace(captioned(OF_DOG, bare=True), known=in_boxes(known, where, facts))
        assert bool(sets(caption, words)[1]) == denied, names


def test_what_the_crop_cuts_or_what_is_only_described_is_not_denied_in_negatives():
    crop, known = Box(0, 0, 400, 400), SceneGraph(("dog", "bed", "lamp"), (), ((0, "lie on", 1),))
    boxes = [Box(0, 0, 90, 90), Box(0, 50, 200, 90)]
    for lamp, shown in ((Box(300, 0, 90, 90), True), (Box(350, 0, 190, 90), False)):
        caption = replace(captioned(OF_DOG, bare=True), known=in_boxes(known, [*boxes, lamp]).within(crop))
        assert bool(sets(caption, named("dog", "bed", "lamp", "horse"))[1]) == shown
    described = [fact(SceneGraph(("lamp",)), Box(300, 0, 90, 90))]
    caption = replace(captioned(OF_DOG, bare=True), known=in_boxes(OF_DOG, boxes, described).within(crop))
    assert sets(caption, named("dog", "bed", "lamp", "horse")) == ([], [])


def test_absent_things_that_are_as_usual_as_those_that_are_there_come_first(monkeypatch):
    caption = captioned(RED_CUP, known=SHOWN, bare=True)
    usual = {"dog": (5.0, 1.0), "lamp": (1.0, 0.0), "car": (5.0, 0.9), "bottle": (1.2, 0.0), "horse": (3.0, 0.0)}
    monkeypatch.setattr(hn_neg, "_usual", lambda name, *_: usual.get(name, (99.0, 0.0)))
    assert [truth.denied for truth in sets(caption)[0]][:3] == ["car", "bottle", "horse"]


@pytest.mark.parametrize(
    ("graph", "bare", "name", "said"),
    [
        (CUP, True, "mirror", "cup on table, with no mirror in sight"),
        (SceneGraph(("cup", "box")), False, "car", "There is a cup and a box, with no car in sight."),
        # Where something is "with" somebody already, "with" is not used again.
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
            denied = caption.substituted([denial.absence(caption, name)], graph)
            assert denied.text.endswith(said)
