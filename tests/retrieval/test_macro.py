"""Macro averages on queries counted by hand."""

import numpy as np

from stages.retrieval.statistics import macro

RIGHT = np.array([1, 1, 1, 0, 0, 1.0])
GROUPS = ["on", "on", "on", "on", "under", "behind"]


def test_every_group_counts_once():
    found = macro(RIGHT, GROUPS, np.arange(6), 1)
    assert found["r1"] == round(100 * (0.75 + 0 + 1) / 3, 3)
    assert (found["groups"], found["n"], found["left_out"]) == (3, 6, 0)


def test_small_groups_are_left_out_and_said():
    found = macro(RIGHT, GROUPS, np.arange(6), 2)
    assert (found["r1"], found["groups"], found["n"], found["left_out"]) == (75.0, 1, 4, 2)
    assert macro(RIGHT, GROUPS, np.arange(6), 9)["r1"] is None
    assert macro(np.zeros(0), [], np.zeros(0), 1)["n"] == 0


def test_the_error_is_that_of_a_mean_of_means():
    draw = np.random.default_rng(0)
    values = [macro(draw.random(300) < 0.6, ["a"] * 200 + ["b"] * 100, np.arange(300), 25) for _ in range(400)]
    spread = np.std([found["r1"] for found in values])
    assert abs(np.mean([found["r1_se"] for found in values]) - spread) < 0.25
