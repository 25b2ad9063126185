"""HN-Comp: pairs of foils, and the second compound that a balanced truth has."""

from pathlib import Path

import pytest
from stages.systematicity import hn_comp, second_compound, systematic
from stages.systematicity.second_compound import Truth
from stages.systematicity.systematic import CompoundTask, one_compound

from stages.geometry.box import Box
from stages.graphs.graph import SceneGraph, Spans
from stages.negatives import hn_atom
from stages.negatives.evidence import Evidence
from stages.negatives.vocabulary import Vocabulary
from tests.negatives.known import MEANINGS, fact, in_boxes, knowing

WORDS = Vocabulary(
    {
        "object": dict(car=9, bus=8, truck=7, wheel=5, dog=5, cat=5, table=4, bed=4, cup=3, shelf=3, grass=3),
        "attribute": {"pink": 9, "blue": 8, "black": 7, "green": 7},
        "relation": {"on": 9, "under": 8, "in": 5},
    }
)
CROP = {"image_id": 1, "region_id": 7, "x": 0, "y": 0, "width": 100, "height": 100}


def row(caption, graph, spans):
    return {**CROP, "caption": caption, **graph.columns(), **spans.columns()}


PINK_CAR = row("a pink car", SceneGraph(("car",), ((0, "pink"),)), Spans(((7, 10),), ((2, 6),), ()))
DOG_ON_TABLE = row("a dog on a table", SceneGraph(("dog", "table"), (), ((0, "on", 1),)), Spans(((2, 5), (11, 16)), (), ((6, 8),)))
CUP_ON_GRASS = row("a cup on grass", SceneGraph(("cup", "grass"), (), ((0, "on", 1),)), Spans(((2, 5), (9, 14)), (), ((6, 8),)))


def image(graph):
    return in_boxes(graph, [Box(10, 10, 20, 20)] * len(graph.objects))


def valid(region, known):
    found = [r for r in hn_atom.candidates(region, "region-7", known, knowing(WORDS), 20) if r["reason"] is None]
    return [{**r, "plausibility": float(-i)} for i, r in enumerate(found)]


def said(region):
    return SceneGraph.from_columns(region)


@pytest.mark.parametrize("region", [PINK_CAR, DOG_ON_TABLE])
def test_each_atom_of_the_truth_stands_beside_a_wrong_partner(region):
    known = image(said(region))
    found = list(hn_comp.candidates("region-7", region, valid(region, known), 30))
    assert found
    for negative in found:
        graph = SceneGraph.from_columns(negative)
        assert " and " in negative["caption"]
        assert set(said(region).compounds()).isdisjoint(graph.compounds())
        assert {atom.text for atom in said(region).atoms()} <= {atom.text for atom in graph.atoms()}
        assert len(negative["spans"]) == 2


def test_the_papers_example():
    found = hn_comp.candidates("region-7", PINK_CAR, valid(PINK_CAR, image(said(PINK_CAR))), 99)
    captions = {negative["caption"] for negative in found}
    assert captions & {"a blue car and a pink bus", "a pink bus and a blue car"}


def with_second(region, known, regions=()):
    return next(second_compound.with_second(region, regions, known, knowing(WORDS), 0), None)


def test_a_second_compound_is_true_of_the_crop_and_said_in_the_same_words():
    known = image(SceneGraph(("car", "wheel"), ((0, "pink"), (1, "black"))))
    truth = with_second(PINK_CAR, known)
    assert truth is not None
    assert truth.second.caption == "a black wheel"
    assert truth.whole[0] in ("a pink car and a black wheel", "a black wheel and a pink car")
    assert SceneGraph.from_columns({**truth.whole[1].columns()}).n == 4


def test_a_second_relation_names_other_things():
    known = image(SceneGraph(("dog", "table", "cup", "bed"), (), ((0, "on", 1), (2, "on", 3))))
    truth = with_second(DOG_ON_TABLE, known)
    assert truth is not None
    assert truth.second.caption == "a cup on a bed"


@pytest.mark.parametrize(
    ("caption", "second"), [("a dog on a table", "a black cup"), ("the dog is on a table", "the cup is black")]
)
def test_where_no_second_relation_is_known_an_attribute_is_said(caption, second):
    at = [caption.index(word) for word in ("dog", "on", "table")]
    spans = Spans(((at[0], at[0] + 3), (at[2], at[2] + 5)), (), ((at[1], at[1] + 2),))
    known = image(SceneGraph(("dog", "table", "cup"), ((0, "black"), (2, "black")), ((0, "on", 1),)))
    truth = with_second(row(caption, said(DOG_ON_TABLE), spans), known)
    assert truth is not None and truth.second.caption == second
    (cup,), (black,) = truth.second.spans.objects, truth.second.spans.attributes
    assert (second[slice(*cup)], second[slice(*black)]) == ("cup", "black")


def beside_a_second(region, known):
    """A region's truth of two compounds and its candidates."""
    truth = with_second(region, known)
    other = valid({**region, **truth.second.columns()}, known)
    found = hn_comp.balanced_candidates("region-7", region, truth, valid(region, known), other, 0.0, 60, 0)
    return truth, [negative for negative in found if negative["reason"] is None]


@pytest.mark.parametrize(
    ("region", "second"),
    [
        (PINK_CAR, SceneGraph(("car", "wheel"), ((0, "pink"), (1, "black")))),
        (DOG_ON_TABLE, SceneGraph(("dog", "table", "cup", "grass"), (), ((0, "on", 1), (2, "on", 3)))),
    ],
)
def test_negatives_beside_two_compounds_spoil_both(region, second):
    """Were they splits of the one, the truth would be the only caption that speaks of two things."""
    truth, found = beside_a_second(region, image(second))
    one, other = (set(graph.compounds()) for graph in (truth.graph, truth.second.graph))
    for negative in found:
        graph = SceneGraph.from_columns(negative)
        assert not set(graph.compounds()) & (one | other)
        words = {atom.text for atom in graph.atoms()}
        assert all(words & {atom.text for atom in own.atoms()} for own in (truth.graph, truth.second.graph))
        assert len(negative["spans"]) == 2
    assert len(found) > 10


def test_what_a_negative_replaces_stands_in_the_whole_truth():
    truth, found = beside_a_second(PINK_CAR, image(SceneGraph(("car", "wheel"), ((0, "pink"), (1, "black")))))
    for negative in found:
        replaced = {truth.whole[0][span["start"] : span["end"]] for span in negative["spans"]}
        assert replaced == set(negative["atom"].split(" | "))


@pytest.mark.parametrize("relation", [("cup", "on", "table"), ("table", "under", "cup")])
def test_what_shares_two_atoms_or_turns_the_first_round_is_no_second_relation(relation):
    known = image(SceneGraph(("dog", "table", *sorted({relation[0], relation[2]})), (), ((0, "on", 1),)))
    one, other = (known.things.index(next(t for t in known.things if t.names[0] == name)) for name in (relation[0], relation[2]))
    known.relations.append((one, relation[1], other))
    assert with_second(DOG_ON_TABLE, known) is None


def test_the_article_goes_with_the_noun():
    """The noun "grass" takes none, "a table" has one: each brings its own into the other's place."""
    known = image(SceneGraph(("dog", "table", "cup", "grass"), (), ((0, "on", 1), (2, "on", 3))))
    on_table, on_grass = with_second(DOG_ON_TABLE, known), with_second(CUP_ON_GRASS, known)
    assert on_table is not None and on_table.second.caption == "a cup on grass"
    assert on_grass is not None and on_grass.second.caption == "a dog on a table"


@pytest.mark.parametrize(
    "known",
    [
        SceneGraph(("car",), ((0, "pink"),)),  # there is nothing else
        SceneGraph(("car", "wheel"), ((0, "pink"),)),  # nothing is known of the wheel
        SceneGraph(("car", "car"), ((0, "pink"), (1, "black"))),  # a second car is no second compound
    ],
)
def test_where_nothing_else_is_known_there_is_no_second_compound(known):
    assert with_second(PINK_CAR, image(known)) is None


def elsewhere(region_id, caption, graph, spans, x=0):
    """A region of the same image, 20 pixels wide, ``x`` pixels from the left."""
    return {**row(caption, graph, spans), "region_id": region_id, "x": x, "y": 10, "width": 20, "height": 20}


BLACK_DOG = SceneGraph(("dog",), ((0, "black"),)), Spans(((8, 11),), ((2, 7),), ())


def test_what_somebody_wrote_of_a_part_of_the_crop_comes_first():
    known = image(SceneGraph(("car", "wheel", "dog"), ((0, "pink"), (1, "green"), (2, "black"))))
    green_wheel = SceneGraph(("wheel",), ((0, "green"),)), Spans(((16, 21),), ((10, 15),), ())
    assert with_second(PINK_CAR, known).second.caption == "a black dog"
    written = elsewhere(8, "one small green wheel", *green_wheel)
    assert with_second(PINK_CAR, known, [written]).second.caption == "one small green wheel"


@pytest.mark.parametrize(
    "other",
    [
        elsewhere(8, "a black dog", *BLACK_DOG, x=90),  # half of it lies beside the crop
        elsewhere(8, "a black dog", SceneGraph(("dog",), ((0, "black"),)), Spans((None,), ((2, 7),), ())),
        elsewhere(8, "dog is black", SceneGraph(("dog",), ((0, "black"),)), Spans(((0, 3),), ((7, 12),), ())),
        elsewhere(8, "a black car", SceneGraph(("car",), ((0, "black"),)), Spans(((8, 11),), ((2, 7),), ())),
        elsewhere(8, "a pink dog", SceneGraph(("dog",), ((0, "pink"),)), Spans(((7, 10),), ((2, 6),), ())),
    ],
    ids=["outside", "no_place", "a_sentence", "the_same_thing", "the_same_attribute"],
)
def test_a_caption_that_does_not_stand_well_beside_the_first_is_no_second(other):
    known = image(SceneGraph(("car", "dog"), ((0, "pink"), (1, "blue"))))
    assert with_second(PINK_CAR, known, [other]).second.caption == "a blue dog"


def test_what_is_misspelt_is_no_second_and_has_none():
    """A "cra" may be the car of the other half."""
    known = image(SceneGraph(("car", "dog", "cra"), ((0, "pink"), (1, "blue"), (2, "black"))))
    cra = elsewhere(8, "a black cra", SceneGraph(("cra",), ((0, "black"),)), Spans(((8, 11),), ((2, 7),), ()))
    assert with_second(PINK_CAR, known, [cra]).second.caption == "a blue dog"
    assert with_second(cra, known) is None


def test_what_says_nothing_is_no_second():
    """That a dog is present is said of every dog; no region of which that is said is asked about, alone or beside another."""
    here = elsewhere(8, "a present dog", SceneGraph(("dog",), ((0, "present"),)), Spans(((10, 13),), ((2, 9),), ()))
    assert one_compound(elsewhere(8, "a blue dog", SceneGraph(("dog",), ((0, "blue"),)), Spans(((7, 10),), ((2, 6),), ())))
    assert not one_compound(here)
    assert with_second(PINK_CAR, image(SceneGraph(("car", "dog"), ((0, "pink"), (1, "present"))))) is None


def test_what_is_only_described_must_lie_in_the_crop_with_all_of_its_region():
    """The box is the region's, and the thing may be anywhere in there."""
    facts = [fact(SceneGraph(("wheel",), ((0, "black"),)), Box(40, 10, width, 20)) for width in (50, 90)]
    found = [with_second(PINK_CAR, Evidence.of(None, [fact], MEANINGS).within(Box.of(PINK_CAR))) for fact in facts]
    assert found[0].second.caption == "a black wheel" and found[1] is None


@pytest.mark.parametrize(
    ("caption", "relation"),
    [
        ("a dog is on a table", "with"),
        ("a dog is on a table", "of"),
        ("the dog on the table", "with"),
        ("a dog on lots of a table", "in"),
    ],
)
def test_no_second_compound_that_nobody_would_say(caption, relation):
    """As in "a cup is with a bed", "a cup is of a bed", "the cup with the bed", "a cup in lots of a bed"."""
    at = [(caption.index(word), caption.index(word) + len(word)) for word in ("dog", "table", "on")]
    region = row(caption, SceneGraph(("dog", "table"), (), ((0, "on", 1),)), Spans(tuple(at[:2]), (), (at[2],)))
    words = Vocabulary({**WORDS.counts, "relation": {**WORDS.counts["relation"], "with": 5, "of": 5}})
    known = image(SceneGraph(("dog", "table", "cup", "bed"), (), ((0, "on", 1), (2, relation, 3))))
    assert not [*second_compound.with_second(region, [], known, knowing(words), 0)]


def test_what_a_name_says_is_not_said_again():
    """Things count as what the first words of their names say; nobody says "a black black bear"."""
    words = Vocabulary({**WORDS.counts, "object": {**WORDS.counts["object"], "black bear": 5}})
    known = image(SceneGraph(("car", "black bear"), ((0, "pink"),)))
    assert not [*second_compound.with_second(PINK_CAR, [], known, knowing(words), 0)]


@pytest.mark.parametrize(
    ("caption", "graph", "more"),
    [
        ("a dog on a table", SceneGraph(("dog", "table"), (), ((0, "on", 1),)), False),
        ("there are several dogs on the table", SceneGraph(("dogs", "table"), (), ((0, "on", 1),)), False),
        ("she is wearing a dog on the table", SceneGraph(("dog", "table"), (), ((0, "on", 1),)), True),
        ("no dog is on the table", SceneGraph(("dog", "table"), (), ((0, "on", 1),)), True),
        ("the dog is on the table in", SceneGraph(("dog", "table"), (), ((0, "on", 1),)), True),
    ],
)
def test_a_caption_of_one_compound_says_no_more_than_that(caption, graph, more):
    def span(word):
        return caption.index(word), caption.index(word) + len(word)

    spans = Spans(tuple(map(span, graph.objects)), (), (span(" on ")[0:1] + span(" on")[1:],))
    half = second_compound.Half(caption, graph, spans)
    assert half.says_more == more


def test_one_person_is_not_told_as_two():
    one, other = (SceneGraph(("man", thing), (), ((0, "with", 1),)) for thing in ("shirt", "cup"))
    assert not second_compound._of_other_things(one, other, lambda a, b: a == b)
    on = SceneGraph(("cup", "table"), (), ((0, "on", 1),)), SceneGraph(("lamp", "table"), (), ((0, "under", 1),))
    assert second_compound._of_other_things(*on, lambda a, b: a == b)
    shelves = SceneGraph(("book shelf",), ((0, "tall"),)), SceneGraph(("bookshelf",), ((0, "full"),))
    assert not second_compound._of_other_things(*shelves, lambda a, b: a == b)


def test_both_halves_together_are_as_acceptable_as_a_negative_must_be():
    """Two odd halves are odder than one."""
    known = image(SceneGraph(("car", "wheel"), ((0, "pink"), (1, "black"))))
    truth = with_second(PINK_CAR, known)
    own, other = valid(PINK_CAR, known), valid({**PINK_CAR, **truth.second.columns()}, known)
    fits = {"bus": 0.9, "truck": 0.8}
    own, other = ([{**r, "acceptability": fits.get(r["foil"], 1.0)} for r in rows] for rows in (own, other))
    found = list(hn_comp.balanced_candidates("region-7", PINK_CAR, truth, own, other, 0.75, 999, 0))
    for r in found:
        foils = r["foil"].split(" | ")
        half = len(r["objects"]) // 2
        scene = hn_comp._of_one_scene(r["objects"][:half], r["objects"][half:])
        product = fits.get(foils[0], 1.0) * fits.get(foils[1], 1.0)
        assert r["acceptability"] == pytest.approx(product * scene, abs=1e-4)
        assert (r["reason"] == "senseless") == (r["acceptability"] < 0.75)
    assert {r["reason"] for r in found if set(r["foil"].split(" | ")) == {"bus", "truck"}} == {"senseless"}
    assert {None, "senseless"} <= {r["reason"] for r in found}


def test_halves_whose_things_are_at_home_in_other_scenes_make_an_odd_pair():
    whole = hn_comp._of_one_scene
    assert whole(["car", "zyx"], ["bus"]) > 0.9 > 0.7 > whole(["printer", "bottle"], ["wedding cake", "zebra"]) >= 0.5


def test_the_first_second_compound_with_a_full_set_is_taken(monkeypatch):
    """Of those with fewer negatives than a set takes the one with the most, and the search ends with a full set."""
    region = {**PINK_CAR, "atoms": [{}]}
    truths = [Truth(region["caption"], said(region), second_first=i > 1) for i in range(4)]
    monkeypatch.setattr(systematic, "with_second", lambda *_: iter(truths))
    monkeypatch.setattr(systematic, "candidates", lambda *_: [])
    monkeypatch.setattr(hn_comp, "balanced_candidates", lambda *_: [{"reason": None}] * numbers.pop(0))
    task = CompoundTask([], Path(), 60, 20, 6, 0, True)
    for numbers, place, left in (([2, 7, 9], 1, 1), ([6], 0, 0), ([1, 3, 3, 2], 1, 0), ([0, 0, 0, 0], 0, 0)):
        _, truth = systematic._beside_a_second(region, [], image(said(region)), knowing(WORDS), task)
        assert truth is truths[place] and len(numbers) == left


def test_who_has_no_foil_of_its_own_is_not_searched_for_a_second(monkeypatch):
    monkeypatch.setattr(systematic, "with_second", None)
    task = CompoundTask([], Path(), 60, 20, 6, 0, True)
    asked, truth = systematic._beside_a_second({**PINK_CAR, "atoms": []}, [], image(said(PINK_CAR)), knowing(WORDS), task)
    assert asked.rows == [] and truth is not None
