"""What goes with what: the common word speaks for itself, the rare one by its kind, and nothing is refused for want of captions."""

import pyarrow as pa
import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.contract.param_schema import Run
from stages.contract.schemas import TABLES
from stages.foils import sense
from stages.foils.sense import Sense, classes
from stages.graphs.graph import SceneGraph
from tests.running import section

EATING = [(person, "eat", food) for person in ("man", "woman", "girl", "dog") for food in ("cake", "apple", "pizza", "bread")]
LYING = [(thing, "on", furniture) for thing in ("cup", "book", "plate", "lamp") for furniture in ("table", "bed", "desk", "shelf")]
WEARING = [(person, "wear", clothing) for person in ("man", "woman", "girl") for clothing in ("hat", "shirt", "dress", "coat")]
COLOURS = [(colour, thing) for colour in ("red", "blue", "green") for thing in ("cup", "car", "hat", "door")]
FURS = [("furry", animal) for animal in ("dog", "cat", "bear", "rabbit")]


def rows(count=20):
    triples = [("object_relation_object", *triple) for triple in (*EATING, *LYING, *WEARING)]
    pairs = [("attribute_object", *pair, "") for pair in (*COLOURS, *FURS)]
    return [dict(zip(("kind", "first", "second", "third", "count"), (*row, count), strict=True)) for row in (*triples, *pairs)]


@pytest.fixture(scope="module")
def known():
    return Sense(pa.Table.from_pylist(rows(), schema=TABLES["seen_compounds"].schema), 0.25)


@pytest.mark.parametrize(
    "triple", [("man", "eat", "cake"), ("boy", "eat", "sandwich"), ("horse", "eat", "carrot"), ("mug", "on", "dresser")]
)
def test_what_people_say_and_what_is_like_it(known, triple):
    assert known.relation(*triple) > 0.9


@pytest.mark.parametrize(
    "triple", [("bed", "eat", "cake"), ("wardrobe", "eat", "carrot"), ("man", "wear", "table"), ("cake", "eat", "man")]
)
def test_what_nobody_says(known, triple):
    subject, relation, object_ = triple
    assert known.senseless(SceneGraph((subject, object_), (), ((0, relation, 1),)))


def test_an_attribute_goes_with_its_noun_and_with_nouns_of_its_kind(known):
    assert known.attribute("furry", "fox") > 1 > 0.25 > known.attribute("furry", "car")
    assert known.senseless(SceneGraph(("bowl",), ((0, "furry"),)))


def test_a_graph_fits_as_its_worst_part_does(known):
    good, bad = SceneGraph(("man", "hat"), (), ((0, "wear", 1),)), SceneGraph(("man", "hat"), ((1, "furry"),), ((0, "wear", 1),))
    assert known.fit(good) > 1 and known.fit(bad) == known.attribute("furry", "hat")


def test_where_few_captions_are_known_little_is_refused():
    few = Sense(pa.Table.from_pylist(rows(count=1)[:3], schema=TABLES["seen_compounds"].schema), 0.25)
    assert not few.senseless(SceneGraph(("dog", "car"), ((1, "red"),), ((0, "in", 1),)))
    assert not Sense.none().senseless(SceneGraph(("bed", "cake"), (), ((0, "eat", 1),)))


def test_what_stands_the_other_way_round_in_all_captions_is_senseless(known):
    assert known.relation("plate", "on", "desk") > 1 > 0.25 > known.relation("desk", "on", "plate")


def test_what_is_said_often_enough_has_sense_though_chance_would_have_it_more_often():
    table = [*rows(), {**rows()[0], "second": "on", "first": "man", "third": "bed", "count": 3}]
    assert Sense(pa.Table.from_pylist(table, schema=TABLES["seen_compounds"].schema), 0.25).relation("man", "on", "bed") == 1


def test_people_have_said_what_goes_with_what():
    shipped = sense.load(sense.SHIPPED, 0.2)
    assert shipped.relation("window", "on", "building") > 1 > 0.01 > shipped.relation("building", "on", "window")


def test_a_rare_sense_is_no_meaning_that_captions_have():
    assert {chain[1] for chain in classes("governor")} == {"noun.person"}
    assert "noun.artifact" in {chain[1] for chain in classes("mug")}


def test_the_compounds_of_all_training_sets_are_summed_and_the_rarest_left_out(tmp_path, monkeypatch):
    row = {"kind": "attribute_object", "first": "red", "second": "cup", "third": "", "count": 2}
    for name in "ab":
        (tmp_path / name).mkdir()
        atom = {**row, "kind": "object", "first": "cup", "second": ""}
        tables.write("occurrences", tmp_path / name / "occurrences.parquet", [row, {**row, "first": name, "count": 3}, atom])
    monkeypatch.setattr(sense, "SHIPPED", tmp_path / "a" / "occurrences.parquet")
    sense.write(tmp_path / "out.parquet", [tmp_path / "a", tmp_path / "b"], 2, section(Run, memory="100MB", workers=1), tmp_path)
    assert [*tables.read("seen_compounds", tmp_path / "out.parquet")] == [{**row, "first": "a", "count": 6}, {**row, "count": 6}]
    assert sense.load(tmp_path / "out.parquet", 0.1) is sense.load(tmp_path / "out.parquet", 0.1)


def test_no_training_set(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        sense.write(tmp_path / "out.parquet", [tmp_path / "c"], 2, section(Run, memory="100MB", workers=1), tmp_path)
