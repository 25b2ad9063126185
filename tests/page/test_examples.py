"""Tests of the examples that compare two runs, on queries whose answers are known."""

import dataclasses

import numpy as np
import pyarrow as pa

from stages.page.examples import table
from tests.page.test_compare import a_run

TRUTHS = [f"a red dog {i}" for i in range(16)]


def with_captions(run):
    """Return the run with captions; the first negative scores highest wherever the truth does not."""
    scores = [[0.5, 0.9 if above else 0.1, 0.0] for above in run.ranks.above]
    captions = {"truth": TRUTHS, "negatives": [["a blue dog", "a cat"]] * 16, "scores": scores}
    return dataclasses.replace(run, captions=pa.table(captions))


def test_seen_that_both_know_and_unseen_that_the_first_misses():
    """Among queries 0 to 3 (SC), both runs know 0 and 1; among 4 to 7 (UC), the first misses 6 and 7, and the second 5 and 7."""
    first = with_captions(a_run("a", [0, 0, 1, 0, 0, 0, 1, 2, *[0] * 8], model="small"))
    second = with_captions(a_run("b", [0, 0, 0, 1, 0, 1, 0, 1, *[0] * 8], model="large"))
    grid = table(first, second, [first, second])
    assert sorted(row[2] for row in grid.rows if row[0] == "SC") == ["a red dog 0", "a red dog 1"]
    (unseen,) = (row for row in grid.rows if row[0] == "UC")
    assert unseen[1:] == ["HN-Atom", "a red dog 6", "a blue dog", "2 of 5", "a red dog 6", "1 of 5"]
    assert [group for group, _ in grid.heads][3:] == ["small", "small", "large", "large"] and "small misses" in grid.caption


def test_a_query_that_the_first_only_ties_on_is_none_that_it_misses():
    """For a model that gives equal scores, the caption "put first" was once the truth itself, in a table of its misses."""
    alike = a_run("a", [0] * 16)
    alike = with_captions(dataclasses.replace(alike, ranks=dataclasses.replace(alike.ranks, ties=np.full(16, 4))))
    assert table(alike, with_captions(a_run("b", [0] * 16)), [alike]).rows == []


def test_nothing_to_show_is_no_table():
    first = with_captions(a_run("a", [0] * 4 + [1] * 12))
    never = with_captions(a_run("b", [1] * 16))
    assert table(first, never, [first, never]).rows == []
