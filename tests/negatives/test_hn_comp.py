"""Tests of HN-Comp: one compound's atoms are split over two, with wrong partners; a cleared truth has a second compound."""

from itertools import product

import pytest

from stages.graphs.box import Box, union
from stages.graphs.graph import SceneGraph, Spans
from stages.negatives import hn_comp, second_compound
from stages.negatives.caption import Caption
from stages.negatives.evidence import Evidence
from stages.negatives.frame import in_frame, is_one_compound
from stages.negatives.hn_comp import Halves
from stages.negatives.meanings import LIKELY
from tests.negatives.captions import region_row, written
from tests.negatives.known import MAX_TRUE, MEANINGS, evidence_of, fact, in_boxes, knowing, vocabulary, with_usage

NOUNS = ("car", "bus", "truck", "wheel", "dog", "cat", "table", "bed", "cup", "shelf", "grass", "horse", "chair", "box")
WORDS = vocabulary(NOUNS, ("pink", "blue", "black", "green"), ("on", "under", "in"))
KNOWLEDGE = knowing(WORDS)
CROP = Box(0, 0, 100, 100)
PINK_CAR = "a pink car", SceneGraph(("car",), ((0, "pink"),))
DOG_ON_TABLE = "a dog on a table", SceneGraph(("dog", "table"), (), ((0, "on", 1),))
CUP_ON_GRASS = "a cup on grass", SceneGraph(("cup", "grass"), (), ((0, "on", 1),))


def image(graph, boxes=None):
    return in_boxes(graph, boxes or [Box(10, 10, 20, 20)] * len(graph.objects))


def region(said, known):
    """Return the caption of a region in an image of which ``known`` is known."""
    return Caption.of_region(region_row(*said), known.within(CROP))


def compounds_of(graph):
    return {compound.parts for compound in graph.compounds()}


def splits(labelled, negative):
    """Return whether a graph of two compounds has every atom of one compound, and none next to its own partner."""
    (own,), both = labelled.compounds(), list(negative.compounds())
    a, *between, b = own.parts
    with_a = [c.parts for c in both if c.parts[0] == a]
    with_b = [c.parts for c in both if c.parts[-1] == b]
    apart = any(one != other for one, other in product(with_a, with_b))
    related = all(c.parts[1:-1] == tuple(between) for c in both)
    return len(both) == 2 and apart and related and own.parts not in {c.parts for c in both} and b not in {p[-1] for p in with_a}


# --- paper ----


def alone(said, graph=None, seed="0", knowledge=KNOWLEDGE):
    known = image(graph or said[1])
    found = hn_comp.paper(Halves(region(said, known), knowledge, 20), seed)
    return [candidate for candidate in found if candidate.reason is None]


@pytest.mark.parametrize("said", [PINK_CAR, DOG_ON_TABLE])
def test_each_atom_of_the_truth_stands_next_to_a_wrong_partner(said):
    found = alone(said)
    assert found
    for negative in found:
        assert " and " in negative.caption and splits(said[1], negative.graph)
        assert {said[0][slice(*span)] for span in negative.spans} <= set(negative.atom.split(" | "))


@pytest.mark.parametrize("said", [PINK_CAR, DOG_ON_TABLE])
def test_kinds_atoms_and_foils_are_in_one_order(said):
    """The audit looks up each foil by its kind. Once, half of all objects were looked up as attributes."""
    for negative in alone(said):
        for kind, atom, foil in zip(negative.edit.split("+"), negative.atom.split(" | "), negative.foil.split(" | "), strict=True):
            assert (kind, atom) in {(each.kind, each.text) for each in said[1].atoms()}
            assert (kind, foil) in {(each.kind, each.text) for each in negative.graph.atoms()}


def test_refused_halves_are_counted():
    known = SceneGraph(("car", "car"), ((0, "pink"), (1, "blue")))
    halves = Halves(region(PINK_CAR, image(known)), KNOWLEDGE, 20)
    hn_comp.paper(halves, "0")
    assert halves.refused["paper"]["half may_be_true"] == 1 and not halves.refused["cleared"]


def test_the_papers_example():
    captions = {negative.caption for negative in alone(PINK_CAR)}
    assert captions & {"a blue car and a pink truck", "a pink truck and a blue car"}


def test_the_pairs_do_not_depend_on_anything_but_the_seed():
    one, again, other = ([negative.caption for negative in alone(PINK_CAR, seed=seed)] for seed in ("0", "0", "1"))
    assert one == again != other and len(set(one)) == len(one)


def test_the_whole_is_false_and_no_half_is_known_to_be_true():
    """No half mentions the blue car, which exists. A cat may be on a table: the other half makes the caption false."""
    known = SceneGraph(("car", "car"), ((0, "pink"), (1, "blue")))
    captions = [negative.caption for negative in alone(PINK_CAR, known)]
    assert captions and not any("blue car" in caption for caption in captions)
    room = image(SceneGraph(("dog", "table", "cat", "bed"), (), ((0, "on", 1),)))
    negatives = hn_comp.paper(Halves(region(DOG_ON_TABLE, room), KNOWLEDGE, 20), "0")
    halves = [[room.within(CROP).triple(*compound.parts) for compound in n.graph.compounds()] for n in negatives]
    assert all(min(pair) <= MAX_TRUE for pair in halves) and any(max(pair) > MAX_TRUE for pair in halves)
    assert all(max(pair) < LIKELY for pair in halves)


def test_a_half_with_the_others_foil_says_too_much():
    """The negative has a blue car and a pink bus, but never two cars or two buses."""
    for negative in alone(PINK_CAR):
        assert len(set(negative.graph.objects)) == 2


# --- cleared ----


def anywhere(box):
    return True


def with_second(said, known, fit=anywhere, knowledge=KNOWLEDGE):
    return next(second_compound.second_compounds(region(said, known), known, CROP, fit, knowledge), None)


def pairs(said, known, fit=anywhere, knowledge=KNOWLEDGE):
    return list(hn_comp.cleared(Halves(region(said, known), knowledge, 20), known, CROP, fit, "0"))


@pytest.mark.parametrize(
    ("said", "known"),
    [
        (PINK_CAR, SceneGraph(("car", "wheel"), ((0, "pink"), (1, "black")))),
        (DOG_ON_TABLE, SceneGraph(("dog", "table", "cup", "grass"), (), ((0, "on", 1), (2, "on", 3)))),
        (DOG_ON_TABLE, SceneGraph(("dog", "table", "cup", "bed"), (), ((0, "on", 1), (2, "in", 3)))),
    ],
)
def test_a_truth_of_two_compounds_is_split_over_two_wrong_ones(said, known):
    apart = [Box(10 + 50 * (o >= len(said[1].objects)), 10, 20, 20) for o in range(len(known.objects))]
    ((truth, candidates),) = pairs(said, image(known, apart))
    second = compounds_of(known) - compounds_of(said[1])
    assert compounds_of(truth.graph) == compounds_of(said[1]) | second and " and " in truth.caption
    valid = [candidate for candidate in candidates if candidate.reason is None]
    assert len(valid) > 5
    for negative in valid:
        assert not compounds_of(negative.graph) & compounds_of(truth.graph)
        assert {atom.text for atom in said[1].atoms()} <= {atom.text for atom in negative.graph.atoms()}
        (own,) = said[1].compounds()
        parted = {(c.parts[0], c.parts[-1]) for c in negative.graph.compounds()}
        assert {own.parts[0], own.parts[-1]} <= {part for pair in parted for part in pair}
        assert (own.parts[0], own.parts[-1]) not in parted
        relations = sorted(r for _, r, _ in negative.graph.relations)
        assert relations == sorted(r for _, r, _ in truth.graph.relations)
        replaced = [truth.caption[slice(*span)] for span in negative.spans]
        assert replaced and set(replaced) <= {atom.text for atom in truth.graph.atoms()}


def test_atoms_of_the_second_compound_are_partners_too():
    """The negative "A pink wheel and a black car" uses only the truth's words."""
    ((_, candidates),) = pairs(PINK_CAR, image(SceneGraph(("car", "wheel"), ((0, "pink"), (1, "black")))))
    captions = {candidate.caption for candidate in candidates if candidate.reason is None}
    assert captions & {"a black car and a pink wheel", "a pink wheel and a black car"}


def test_the_label_s_compound_comes_first_as_often_as_second():
    known = image(SceneGraph(("car", "wheel"), ((0, "pink"), (1, "black"))))
    truths = set()
    for seed in range(12):
        found = hn_comp.cleared(Halves(region(PINK_CAR, known), KNOWLEDGE, 20), known, CROP, anywhere, str(seed))
        truths |= {truth.caption for truth, _ in found}
    assert truths == {"a pink car and a black wheel", "a black wheel and a pink car"}


def test_a_second_compound_is_true_of_the_crop_and_said_in_the_same_words():
    found = with_second(PINK_CAR, image(SceneGraph(("car", "wheel"), ((0, "pink"), (1, "black")))))
    assert found is not None and found.second.text == "a black wheel"
    (wheel,), (black,) = found.second.spans.objects, found.second.spans.attributes
    assert (found.second.text[slice(*wheel)], found.second.text[slice(*black)]) == ("wheel", "black")
    assert found.second.known.probability(found.second.graph) == 1


def test_the_crop_shows_both_compounds_and_must_be_fit():
    boxes = [Box(10, 10, 20, 20), Box(150, 60, 20, 70)]
    known = image(SceneGraph(("car", "wheel"), ((0, "pink"), (1, "black"))), boxes)
    found = with_second(PINK_CAR, known)
    assert found.crop == union([CROP, boxes[1]]) and found.caption.known.object("wheel") == 1
    assert with_second(PINK_CAR, known, fit=lambda box: box.width <= 100) is None
    assert [truth.crop for truth, _ in pairs(PINK_CAR, known)] == [found.crop]


def test_those_of_the_same_relation_and_the_smallest_crop_come_first():
    graph = SceneGraph(("dog", "table", "cup", "bed", "cat", "box"), (), ((0, "on", 1), (2, "under", 3), (4, "on", 5)))
    boxes = [Box(10, 10, 20, 20)] * 4 + [Box(300, 300, 20, 20)] * 2
    known = image(graph, boxes)
    every = second_compound.second_compounds(region(DOG_ON_TABLE, known), known, CROP, anywhere, KNOWLEDGE)
    assert [found.second.text for found in every] == ["a cat on a box", "a cup under a bed"]
    colours = image(SceneGraph(("car", "box", "cup"), ((0, "pink"), (1, "blue"), (2, "black"))), [*boxes[:1], boxes[-1], boxes[0]])
    every = second_compound.second_compounds(region(PINK_CAR, colours), colours, CROP, anywhere, KNOWLEDGE)
    assert [found.second.text for found in every] == ["a black cup", "a blue box"]


@pytest.mark.parametrize("relation", [("cup", "on", "table"), ("table", "under", "cup")])
def test_what_shares_a_thing_with_the_first_is_no_second_relation(relation):
    names = ("dog", "table", "cup")
    s, r, o = relation
    graph = SceneGraph(names, (), ((0, "on", 1), (names.index(s), r, names.index(o))))
    assert with_second(DOG_ON_TABLE, image(graph)) is None


def test_the_article_goes_with_the_noun():
    """The noun "grass" has no article and "a table" has one: each keeps its own when they change places."""
    known = image(SceneGraph(("dog", "table", "cup", "grass"), (), ((0, "on", 1), (2, "on", 3))))
    assert with_second(DOG_ON_TABLE, known).second.text == "a cup on grass"
    assert with_second(CUP_ON_GRASS, known).second.text == "a dog on a table"


@pytest.mark.parametrize(
    "known",
    [
        SceneGraph(("car",), ((0, "pink"),)),  # there is no other thing
        SceneGraph(("car", "wheel"), ((0, "pink"),)),  # nothing is known of the wheel
        SceneGraph(("car", "car"), ((0, "pink"), (1, "black"))),  # a second car is not a second compound
        SceneGraph(("car", "cra"), ((0, "pink"), (1, "black"))),  # an unknown word: it may mean the car
        SceneGraph(("car", "dog"), ((0, "pink"), (1, "wet"))),  # a word of another class is phrased differently
        SceneGraph(("car", "dog"), ((0, "pink"), (1, "black"), (1, "blue"))),  # nobody knows whether this dog is black
        SceneGraph(("car", "thing"), ((0, "pink"), (1, "black"))),  # it may be the car
    ],
)
def test_where_nothing_else_is_known_there_is_no_second_compound(known):
    assert with_second(PINK_CAR, image(known)) is None


def test_what_is_only_described_is_no_second():
    """The box is the region's, and the thing may be anywhere in it."""
    facts = [fact(SceneGraph(("wheel",), ((0, "black"),)), Box(40, 10, 50, 20))]
    assert with_second(PINK_CAR, Evidence.of(None, facts, MEANINGS)) is None


def test_what_boxes_or_annotators_dispute_is_no_second():
    graph = SceneGraph(("dog", "table", "cup", "bed"), (), ((0, "on", 1), (2, "on", 3)))
    apart = [*[Box(10, 10, 20, 20)] * 3, Box(500, 10, 20, 20)]
    assert with_second(DOG_ON_TABLE, image(graph, apart)) is None
    disputed = SceneGraph(graph.objects, (), (*graph.relations, (2, "under", 3)))
    assert with_second(DOG_ON_TABLE, image(disputed)) is None


@pytest.mark.parametrize(
    ("text", "relation"),
    [("a dog is on a table", "with"), ("a dog is on a table", "of"), ("the dog on the table", "with")],
)
def test_no_second_compound_that_nobody_would_say(text, relation):
    """Nobody says "a cup is with a bed", "a cup is of a bed" or "the cup with the bed"."""
    words = vocabulary(NOUNS, ("pink",), ("on", "with", "of"))
    known = image(SceneGraph(("dog", "table", "cup", "bed"), (), ((0, "on", 1), (2, relation, 3))))
    assert with_second((text, DOG_ON_TABLE[1]), known, knowledge=knowing(words)) is None


def test_a_caption_with_further_words_has_no_second():
    """There need not be several cups as well."""
    known = image(SceneGraph(("dog", "table", "cup", "bed"), (), ((0, "on", 1), (2, "on", 3))))
    assert with_second(("several dog on a table", DOG_ON_TABLE[1]), known) is None
    assert with_second(("there is a dog on a table", DOG_ON_TABLE[1]), known).second.text == "there is a cup on a bed"


def test_what_a_name_says_is_not_said_again():
    """A thing counts as having what the first words of its name say: nobody says "a black black bear"."""
    words = vocabulary((*NOUNS, "black bear"), ("pink", "black"), ())
    known = image(SceneGraph(("car", "black bear"), ((0, "pink"),)))
    assert with_second(PINK_CAR, known, knowledge=knowing(words)) is None


def test_what_people_hardly_ever_say_is_no_second():
    """An annotator who writes of a blue dog was wrong, or means a toy."""
    known = image(SceneGraph(("car", "dog"), ((0, "pink"), (1, "blue"))))
    careful = knowing(WORDS, with_usage(), least_association=0.1)
    assert with_second(PINK_CAR, known).second.text == "a blue dog"
    assert with_second(PINK_CAR, known, knowledge=careful) is None


# --- what a region of one compound is ----


@pytest.mark.parametrize(
    ("text", "graph", "whole"),
    [
        (*DOG_ON_TABLE, True),
        ("there are several dogs on the table", SceneGraph(("dogs", "table"), (), ((0, "on", 1),)), True),
        ("she is wearing a dog on the table", DOG_ON_TABLE[1], False),
        ("no dog is on the table", DOG_ON_TABLE[1], False),
        ("the dog is on the table in", DOG_ON_TABLE[1], False),
        ("a present dog", SceneGraph(("dog",), ((0, "present"),)), False),
        ("a car and a dog", SceneGraph(("car", "dog")), False),
        ("a black dog on a table", SceneGraph(("dog", "table"), ((0, "black"),), ((0, "on", 1),)), False),
    ],
)
def test_a_caption_of_one_compound_says_no_more_than_that(text, graph, whole):
    assert is_one_compound(written(text, graph)) == whole


def test_a_caption_that_does_not_name_an_atom_in_one_piece_is_no_frame():
    row = region_row(*PINK_CAR) | Spans((None,), ((2, 6),), ()).columns()
    caption = Caption.of_region(row, evidence_of(PINK_CAR[1]))
    assert not is_one_compound(caption) and in_frame(caption, SceneGraph(("dog",), ((0, "black"),))) is None


@pytest.mark.parametrize(
    ("text", "graph", "other", "said"),
    [
        ("the car is pink", PINK_CAR[1], SceneGraph(("umbrella",), ((0, "black"),)), "the umbrella is black"),
        ("an orange car", SceneGraph(("car",), ((0, "orange"),)), SceneGraph(("umbrella",), ((0, "black"),)), "a black umbrella"),
        ("pink cars", SceneGraph(("cars",), ((0, "pink"),)), SceneGraph(("dog",), ((0, "black"),)), None),
        ("a pink car", PINK_CAR[1], SceneGraph(("grass",), ((0, "green"),)), None),
        ("the dog is on the table", DOG_ON_TABLE[1], SceneGraph(("cups", "grass"), (), ((0, "on", 1),)), None),
    ],
)
def test_another_compound_in_the_places_of_the_first(text, graph, other, said):
    framed = in_frame(written(text, graph, evidence_of(other)), other)
    assert (framed and framed.text) == said


def test_one_person_is_not_told_as_two():
    one, other = (SceneGraph(("man", thing), (), ((0, "with", 1),)) for thing in ("shirt", "cup"))
    assert not second_compound._of_other_things(one, other, MEANINGS.alike)
    on = SceneGraph(("cup", "table"), (), ((0, "on", 1),)), SceneGraph(("lamp", "shelf"), (), ((0, "under", 1),))
    assert second_compound._of_other_things(*on, MEANINGS.alike)
