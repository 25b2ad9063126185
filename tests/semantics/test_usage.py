"""Tests of how much more often than by chance people say things, on made-up counts of cars, dogs and their actions."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from stages.contract import tables
from stages.contract.schemas import TABLES
from stages.graphs.graph import SceneGraph
from stages.parameters.sections import Run
from stages.semantics import usage
from stages.semantics.usage import KINDS, Usage, chain

SAID = [
    *(("attribute", "red", "car", 60), ("attribute", "parked", "car", 40), ("attribute", "red", "apple", 30)),
    *(("attribute", "furry", "dog", 50), ("attribute", "brown", "dog", 50), ("attribute", "furry", "cat", 30)),
    *(("subject", "eat", "dog", 40), ("subject", "on", "car", 30), ("subject", "on", "apple", 30)),
    *(("object", "eat", "apple", 40), ("object", "on", "road", 60)),
    *(("together", "road", "car", 40), ("together", "car", "road", 40)),
    *(("together", "cat", "dog", 20), ("together", "dog", "cat", 20)),
]


def rows(said: list[tuple[str, str, str, int]]) -> list[dict]:
    return [dict(zip(TABLES["usage"].schema.names, (*row[:3], "captions", row[3]), strict=True)) for row in said]


@pytest.fixture(scope="module")
def known() -> Usage:
    return usage_of(rows(SAID))


def usage_of(said: list[dict]) -> Usage:
    return Usage(pa.Table.from_pylist(said, TABLES["usage"].schema))


def test_a_ratio_is_how_many_times_as_often_as_of_all_nouns(known: Usage) -> None:
    assert known.attribute("car", "parked") > 2
    assert known.attribute("dog", "parked") < 0.1


def test_a_noun_without_counts_is_as_its_kind(known: Usage) -> None:
    assert known.attribute("poodle", "furry") == pytest.approx(known.attribute("dog", "furry"), rel=0.5)
    assert known.attribute("kitten", "parked") < 0.2
    assert known.attribute("quxy car", "parked") == known.attribute("car", "parked")
    assert known.attribute("sports car", "parked") == pytest.approx(known.attribute("car", "parked"), rel=0.01)


def test_what_nobody_knows_is_one(known: Usage) -> None:
    assert known.attribute("qux", "red") == 1
    assert known.attribute("dog", "quxy") == 1
    assert known.together("qux", "zork") == 1
    assert Usage.none().attribute("dog", "red") == Usage.none().relation("dog", "eat", "car") == 1
    assert Usage.none().together("dog", "car") == 1
    assert Usage.none().sensible(SceneGraph(("dog",), ((0, "parked"),)), 0.5)


def test_an_unknown_word_is_said_like_its_family(known: Usage) -> None:
    assert known.attribute("dog", "dark red") == known.attribute("dog", "red") < 1
    assert known.relation("dog", "eat up", "apple") == known.relation("dog", "eat", "apple")


def test_no_end_of_a_relation_makes_up_for_the_other(known: Usage) -> None:
    assert known.relation("dog", "eat", "apple") > 1
    assert known.relation("car", "eat", "apple") < 0.4
    assert known.relation("dog", "eat", "road") < 0.4
    assert known.relation("car", "eat", "road") < 0.2


def test_a_step_is_as_by_hand() -> None:
    # Ten are said where one source expects two: K of its expected mentions count, so half of both, (5 + 1) / (1 + 1).
    assert usage._stepped(np.ones(1), np.array([[10.0]]), np.array([[2.0]])).tolist() == [3.0]
    # None is said where one source expects half and another none, below a kind that is said half as often as others.
    assert usage._stepped(np.array([0.5]), np.zeros((2, 1)), np.array([[0.5], [0.0]])).tolist() == [0.5 * 1 / 1.25]


def test_a_source_that_never_says_a_word_tells_nothing_of_it() -> None:
    other = [{**row, "source": "gqa"} for row in rows(SAID) if row["word"] != "parked"]
    both = usage_of(rows(SAID) + other)
    assert both.attribute("car", "parked") == pytest.approx(usage_of(rows(SAID)).attribute("car", "parked"), rel=0.01)


def test_shares_are_of_a_class(known: Usage) -> None:
    assert known.share("apple", "red") > 0.8
    assert known.share("dog", "brown") > 0.8
    assert known.share("car", "red") + known.share("car", "brown") <= 1


def test_words_of_one_group_share_their_uses() -> None:
    """Black computers are dark."""
    assert usage.shipped().share("computer", "dark") == usage.shipped().share("computer", "black") > 0.2


def test_together_is_the_same_both_ways(known: Usage) -> None:
    assert known.together("car", "road") == known.together("road", "car") > 1
    assert known.together("dog", "road") == known.together("road", "dog") < 0.2


def test_an_odd_truth_allows_odd_negatives(known: Usage) -> None:
    odd, odder = (SceneGraph((noun, "road"), ((0, attribute),)) for noun, attribute in (("dog", "parked"), ("cat", "parked")))
    assert not known.sensible(odd, 0.5)
    assert known.sensible(odd, 0.5, truth=odd)
    assert known.sensible(odder, 0.5, truth=odd) == (known.attribute("cat", "parked") >= known.attribute("dog", "parked"))
    assert known.sensible(SceneGraph(("car", "road"), ((0, "red"),), ((0, "on", 1),)), 0.5)


def test_a_chain_ends_with_the_noun_and_begins_with_everything() -> None:
    assert chain("dog")[0] == usage.ROOT
    assert "animal.n.01" in chain("dog")
    assert chain("dog")[-1] == "dog"


def test_a_chain_is_one_whatever_the_order_of_hypernyms() -> None:
    # In WordNet, wheeled vehicles are both vehicles and containers.
    assert "vehicle.n.01" in chain("bicycle")
    assert "container.n.01" not in chain("bicycle")


def test_sources_are_pooled_and_the_same_bytes_whatever_the_workers(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    occurrences = [
        {"kind": "attribute_object", "first": "xyzzy", "second": "dog", "third": "", "count": 3},
        {"kind": "object_relation_object", "first": "dog", "second": "xyzzy", "third": "cat", "count": 2},
        {"kind": "object", "first": "dog", "second": "", "third": "", "count": 9},
    ]
    tables.write("occurrences", corpus / "occurrences.parquet", occurrences)
    graph = SceneGraph(("qux", "dog", "dog"))
    caption = {name: None for name in TABLES["training_graphs"].schema.names} | {"caption": "x", "count": 1}
    tables.write("training_graphs", corpus / "graphs.parquet", [caption | graph.columns()])
    written = []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        folder.mkdir()
        running = Run(workers=workers, memory="500MB", runner="local", most_dropped=0.1)
        usage.write(folder, [corpus], None, 10**6, running)
        written.append((folder / usage.TABLE).read_bytes())
    assert written[0] == written[1]
    said = {(row["kind"], row["word"], row["noun"]): row["count"] for row in tables.read("usage", folder / usage.TABLE)}
    assert said["attribute", "xyzzy", "dog"] == 3
    assert said["subject", "xyzzy", "dog"] == said["object", "xyzzy", "cat"] == 2
    assert said["together", "qux", "dog"] == said["together", "dog", "qux"] == 1
    # These are GQA's counts, too many to write by hand: most bananas are yellow.
    assert usage.read(folder).share("banana", "yellow") > 0.4


def test_the_most_frequent_pairs_are_kept(tmp_path: Path) -> None:
    usage.write(tmp_path, [], None, 10, Run(workers=1, memory="500MB", runner="local", most_dropped=0.1))
    said = Counter((row["kind"], row["source"]) for row in tables.read("usage", tmp_path / usage.TABLE))
    assert said == {("together", "regions"): 10} | {(kind, source): 10 for kind in KINDS[:3] for source in ("gqa", "regions")}
