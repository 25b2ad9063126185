"""Tests of the benchmark of each table's benefit, on made-up annotations."""

import pytest

from stages.graphs.box import Box
from stages.negatives import meanings
from stages.negatives.known_things import KnownThings, Thing
from tests.benchmarks import tables
from tests.benchmarks.knowledge import Triple

KNOWN = [
    Triple(1, (0, 1), "dog", "on", "table"),
    Triple(1, (0, 1), "dog", "near", "table"),
    Triple(1, (1, 0), "table", "under", "dog"),
    Triple(2, (0, 1), "man", "ride", "horse"),
]
THINGS = [["red", "wet"], ["blue", "dry"], ["maroon", "red"]]


def people() -> tables.People:
    """Return what people say of an image, in VRD's triples, and of some described things."""
    boxes = {"dog": Box(0, 0, 10, 10), "table": Box(0, 5, 10, 10), "lamp": Box(50, 0, 10, 10)}
    things = [Thing((name,), box, distinct=True) for name, box in boxes.items()]
    image = KnownThings(things, [(0, "on", 1), (0, "near", 1), (1, "under", 0)], meanings.shipped())
    return tables.People([image], KNOWN, things=[*THINGS])


def test_a_table_that_rules_something_out_is_missed() -> None:
    of = ("excluded places", "touching places", "opposite places", "symmetric verbs")
    rows = {row["table"]: row for row in tables.measured(people(), [f"relations.txt [{name}]" for name in of])}
    places = rows["relations.txt [excluded places]"]
    assert places["without"]["false"] < places["with"]["false"]
    touching = rows["relations.txt [touching places]"]
    # The lamp is apart from the dog, and "on" needs overlapping boxes.
    assert touching["without"]["apart"] < touching["with"]["apart"]
    assert touching["with"]["misplaced"] == touching["without"]["misplaced"] == 0
    opposite = rows["relations.txt [opposite places]"]
    assert opposite["without"]["opposite"] < opposite["with"]["opposite"]
    assert opposite["without"]["false"] == opposite["with"]["false"]
    assert rows["relations.txt [symmetric verbs]"]["with"] == rows["relations.txt [symmetric verbs]"]["without"]


@pytest.mark.parametrize("name", ["class colour", "neighbours"])
def test_a_table_of_attributes_is_missed(name: str) -> None:
    (row,) = tables.measured(people(), [f"attributes.txt [{name}]"])
    assert row["without"] != row["with"]


def test_tables_of_nouns_are_missed() -> None:
    (row,) = tables.measured(people(), ["wordnet.txt [too wide]"])
    assert row["without"]["near"] >= row["with"]["near"] and row["without"]["odd"] == row["with"]["odd"]


def test_counts_are_left_out_by_source() -> None:
    rows = {row["table"]: row for row in tables.sources(people())}
    assert rows.keys() == {"gqa.parquet", "compounds.parquet"}
    assert all(0 <= share <= 1 for row in rows.values() for share in (*row["with"].values(), *row["without"].values()))


def test_tables_are_whole_again_afterwards() -> None:
    whole = tables.of_attributes(people())
    with tables.without_class("colour"):
        assert tables.of_attributes(people()) != whole
    assert tables.of_attributes(people()) == whole
