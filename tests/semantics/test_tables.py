"""The benchmark of what each table buys, on annotations that were made up."""

from tests.benchmarks import tables
from tests.benchmarks.knowledge import Triple

KNOWN = [
    Triple(1, (0, 1), "dog", "on", "table"),
    Triple(1, (0, 1), "dog", "near", "table"),
    Triple(1, (1, 0), "table", "under", "dog"),
    Triple(2, (0, 1), "man", "ride", "horse"),
]
THINGS = [["red", "wet"], ["blue", "dry"], ["maroon", "red"]]


def test_a_table_that_rules_something_out_is_missed() -> None:
    of = ("relations.txt [excluded places]", "attributes.txt [class colour]", "relations.txt [opposite places]")
    rows = {row["table"]: row for row in tables.measured(KNOWN, THINGS, of)}
    places = rows["relations.txt [excluded places]"]
    assert places["without"]["false"] < places["with"]["false"]
    colours = rows["attributes.txt [class colour]"]
    assert colours["without"]["false"] < colours["with"]["false"]
    assert rows["relations.txt [opposite places]"]["with"] == rows["relations.txt [opposite places]"]["without"]


def test_counts_are_left_out_by_source() -> None:
    rows = {row["table"]: row for row in tables.sources(KNOWN)}
    assert rows.keys() == {"gqa.parquet", "compounds.parquet"}
    assert all(0 <= share <= 1 for row in rows.values() for share in (*row["with"].values(), *row["without"].values()))


def test_tables_are_whole_again_afterwards() -> None:
    whole = tables.of_attributes(THINGS)
    with tables.without_class("colour"):
        assert tables.of_attributes(THINGS) != whole
    assert tables.of_attributes(THINGS) == whole
