"""What goes with what: what people say, or something like it, has sense, and nothing is refused for want of captions."""

import pyarrow as pa
import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.contract.schemas import TABLES
from stages.foils import sense
from stages.foils.scenes import Scenes
from stages.foils.sense import Sense
from stages.graphs.graph import SceneGraph
from stages.parameters.sections import Run
from tests.benchmarks.votes import plain
from tests.foils.known import people
from tests.running import section

PEOPLE, ANIMALS, FOOD = ("man", "woman", "girl", "boy"), ("dog", "cat", "parrot", "bear"), ("cake", "apple", "pizza", "bread")
FURNITURE, THINGS, CLOTHES = ("table", "bed", "desk", "shelf"), ("cup", "book", "plate", "lamp"), ("hat", "shirt", "dress", "coat")
SAID = [(eater, "eat", food) for eater in PEOPLE + ANIMALS for food in FOOD if (eater, food) != ("parrot", "bread")]
SAID += [(thing, "on", place) for thing in THINGS + FOOD for place in FURNITURE if (thing, place) != ("lamp", "shelf")]
SAID += [(person, "wear", clothing) for person in PEOPLE for clothing in CLOTHES]
CALLED = [(colour, thing) for colour in ("red", "blue", "green") for thing in THINGS + CLOTHES + FURNITURE]
CALLED += [("furry", animal) for animal in ANIMALS[:3]] + [("hungry", animal) for animal in ANIMALS]


def table(count=20, also=()):
    rows = [("object_relation_object", *triple) for triple in (*SAID, *also)]
    rows += [("attribute_object", *pair, "") for pair in CALLED]
    names = ("kind", "first", "second", "third", "count")
    made = [dict(zip(names, (*row, count), strict=True)) for row in rows]
    return pa.Table.from_pylist(made, schema=TABLES["seen_compounds"].schema)


def of(known, subject, relation, object_):
    """How well a relation goes with its subject and its object."""
    return known.weighed("relation", relation, (subject, object_))


@pytest.fixture(scope="module")
def known():
    return Sense.of(table(), 0.5)


@pytest.mark.parametrize("triple", [("man", "eat", "cake"), ("parrot", "eat", "bread"), ("lamp", "on", "shelf")])
def test_what_people_say_and_what_is_like_it(known, triple):
    assert of(known, *triple) > 0.55 > of(known, "bed", *triple[1:])


@pytest.mark.parametrize(
    "triple", [("bed", "eat", "cake"), ("shelf", "eat", "bread"), ("man", "wear", "table"), ("dog", "wear", "pizza")]
)
def test_what_nobody_says(known, triple):
    subject, relation, object_ = triple
    assert known.senseless(SceneGraph((subject, object_), (), ((0, relation, 1),)))


def test_an_attribute_goes_with_its_noun_and_with_like_nouns(known):
    assert known.weighed("attribute", "furry", ("bear",)) > 0.7 > 0.5 > known.weighed("attribute", "furry", ("cup",))


def test_a_graph_fits_as_its_worst_part_does(known):
    good, bad = SceneGraph(("man", "hat"), (), ((0, "wear", 1),)), SceneGraph(("man", "hat"), ((1, "furry"),), ((0, "wear", 1),))
    assert known.fit(good) == 1 and known.fit(bad) == known.weighed("attribute", "furry", ("hat",)) < 0.5


def test_what_stands_the_other_way_round_in_all_captions_is_senseless(known):
    assert of(known, "plate", "on", "desk") == 1 and of(known, "desk", "on", "plate") < 0.3


def test_one_caption_may_have_been_misread():
    odd = ("bed", "adore", "lamp")
    assert of(Sense.of(table(count=1, also=[odd]), 0.5), *odd) < 0.5
    assert of(Sense.of(table(count=2, also=[odd]), 0.5), *odd) == 1


def test_where_no_captions_are_known_nothing_is_refused():
    assert not Sense.none().senseless(SceneGraph(("bed", "cake"), (), ((0, "eat", 1),)))


def test_a_noun_that_no_caption_has_is_like_its_kind(known):
    assert not known.knows("jackal") and known.knows("wooden table")
    assert of(known, "jackal", "eat", "cake") > 0.8 > 0.5 > of(known, "jackal", "eat", "bed")
    assert of(known, "wardrobe", "eat", "cake") < 0.5


def test_of_what_nothing_is_known_in_wordnet_either_anything_is_sensible(known):
    assert of(known, "qwertz", "eat", "cake") == 1


def test_verb_and_place_must_both_be_said():
    """People sit on a bed and stand at a desk, and do not sit at a bed."""
    said = [(person, "sit on", place) for person in PEOPLE for place in ("bed", "shelf")]
    said += [(person, relation, "desk") for person in PEOPLE for relation in ("sit at", "stand at")]
    model = Sense.of(table(also=said), 0.5)
    assert of(model, "man", "sit at", "desk") == 1
    assert of(model, "man", "sit at", "bed") < of(model, "man", "sit on", "bed")


def test_what_of_like_things_is_hardly_ever_said_does_not_go_with_them():
    """Kites are flown and dogs are walked: of both people say so much that "walking a kite" is no want of captions."""
    said = [(person, "fly", toy) for person in PEOPLE for toy in ("kite", "balloon")]
    said += [(person, "walk", animal) for person in PEOPLE for animal in ANIMALS]
    model = Sense.of(table(also=said), 0.5)
    assert (
        model._association("relation", "walk", ("man", "dog")) > 1 > 0.1 > model._association("relation", "walk", ("man", "kite"))
    )
    assert of(model, "man", "walk", "kite") < 0.2 < of(model, "man", "walk", "dog")


def counted(rows):
    """What is always said, and ``rows`` of kind, words and count."""
    names = ("kind", "first", "second", "third", "count")
    made = [*table().to_pylist(), *(dict(zip(names, row, strict=True)) for row in rows)]
    return Sense.of(pa.Table.from_pylist(made, schema=TABLES["seen_compounds"].schema), 0.5)


def test_a_colour_that_people_hardly_ever_give_to_such_things_does_not_go_with_them():
    """Everybody sees how green trees are, and hardly anybody that one is blue."""
    colours = (("green", 500), ("blue", 2))
    model = counted([("attribute_object", colour, tree, "", n) for tree in ("tree", "bush", "hedge") for colour, n in colours])
    assert model.weighed("attribute", "blue", ("tree",)) < 0.5 < model.weighed("attribute", "blue", ("cup",))


def test_the_share_of_what_is_said_of_like_things(known):
    assert known.said("relation", "eat", ("parrot", "bread")) > 0.9 > 0.1 > known.said("relation", "eat", ("cup", "table"))
    assert known.said("attribute", "hungry", ("bear",)) > 0.4 > 0.1 > known.said("attribute", "red", ("bear",))
    assert Sense.none().said("attribute", "red", ("bear",)) == 1


def test_people_have_said_what_goes_with_what():
    assert of(people(), "window", "on", "building") == 1 and of(people(), "building", "on", "window") < 0.3


def test_the_compounds_of_all_training_sets_are_summed_and_the_rarest_left_out(tmp_path, monkeypatch):
    row = {"kind": "attribute_object", "first": "red", "second": "cup", "third": "", "count": 2}
    for name in "ab":
        (tmp_path / name).mkdir()
        atom = {**row, "kind": "object", "first": "cup", "second": ""}
        tables.write("occurrences", tmp_path / name / "occurrences.parquet", [row, {**row, "first": name, "count": 3}, atom])
    monkeypatch.setattr(sense, "SHIPPED", tmp_path / "a" / "occurrences.parquet")
    sense.write(tmp_path, [tmp_path / "a", tmp_path / "b"], 2, section(Run, memory="100MB", workers=1))
    assert [*tables.read("seen_compounds", tmp_path / sense.TABLE)] == [{**row, "first": "a", "count": 6}, {**row, "count": 6}]
    assert sense.load(tmp_path, 0.1, Scenes.none()).floor == 0.1


def test_no_training_set(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        sense.write(tmp_path, [tmp_path / "c"], 2, section(Run, memory="100MB", workers=1))


@pytest.mark.parametrize("nouns", [("cup", "table"), ("table", "cup"), ("man", "horse"), ("zyx", "table")])
def test_what_is_said_of_like_nouns_is_what_all_rows_say(nouns):
    for relation in ("on", "ride"):
        assert people().said("relation", relation, nouns) == pytest.approx(plain(people(), relation, nouns), abs=2e-6)
