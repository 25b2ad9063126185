"""Intervals keep their coverage, and controls remove what they control for."""

import numpy as np
import pytest

from stages.evaluation.figures import recalls
from stages.evaluation.ranks import rank
from stages.evaluation.statistics import correlation, difference, effect_of_seeing, macro, matched, quantiles, remaining, slope


def test_a_difference_is_the_difference_of_the_means():
    values, first = np.array([1, 0, 1, 1, 0, 0.0]), np.array([1, 1, 1, 0, 0, 0], dtype=bool)
    found = difference(values, first, ~first, np.arange(6))
    assert found["d"] == pytest.approx(100 / 3, abs=1e-3) and (found["n_first"], found["n_second"]) == (3, 3)
    assert difference(values, first, np.zeros(6, dtype=bool), np.arange(6)) is None


def test_matching_takes_away_what_only_difficulty_makes():
    """Unseen items are long here, and long ones are hard. Having been seen makes no difference, and the interval shows it."""
    images, covered, apart = np.arange(800) // 4, 0, 0
    for seed in range(200):
        draw = np.random.default_rng(seed)
        long = draw.random(800) < 0.5
        unseen = draw.random(800) < np.where(long, 0.8, 0.2)
        right = (draw.random(800) < np.where(long, 0.3, 0.7)).astype(float)
        apart += difference(right, ~unseen, unseen, images)["low"] > 0
        controlled = matched(right, ~unseen, unseen, long.tolist(), images)
        covered += controlled["low"] <= 0 <= controlled["high"]
    assert apart > 195 and 0.91 < covered / 200 < 0.985


@pytest.mark.parametrize(("seen", "unseen"), [(1, 1), (2, 2), (1, 5), (5, 1)])
def test_intervals_hold_where_strata_hold_few_queries(seen, unseen):
    """A query that is alone on its side of a stratum equals that side's mean, which does not make it certain."""
    covered, strata = 0, np.repeat(np.arange(40), seen + unseen)
    first = np.tile(np.arange(seen + unseen) < seen, 40)
    for seed in range(300):
        right = (np.random.default_rng(seed).random(len(strata)) < 0.5).astype(float)
        found = matched(right, first, ~first, strata.tolist(), np.arange(len(strata)))
        covered += found["low"] <= 0 <= found["high"]
    assert 0.91 < covered / 300 < 0.985


def test_matching_keeps_what_having_been_seen_makes():
    draw = np.random.default_rng(3)
    unseen = draw.random(4000) < 0.5
    right = (draw.random(4000) < np.where(unseen, 0.4, 0.6)).astype(float)
    raw = difference(right, ~unseen, unseen, np.arange(4000))
    controlled = matched(right, ~unseen, unseen, draw.integers(0, 5, 4000).tolist(), np.arange(4000))
    assert controlled["d"] == pytest.approx(20, abs=4) and remaining(raw, controlled) == pytest.approx(100, abs=8)


def test_strata_that_hold_one_side_only_are_left_out():
    values, first = np.array([1, 0, 1, 0.0]), np.array([True, False, True, False])
    found = matched(values, first, ~first, ["a", "a", "b", "c"], np.arange(4))
    assert (found["d"], found["n_first"], found["n_second"]) == (100, 1, 1)
    assert matched(values, first, ~first, ["a", "b", "c", "d"], np.arange(4)) is None


def test_slope_is_least_squares_with_an_interval():
    draw = np.random.default_rng(4)
    n = draw.integers(4, 13, 3000)
    right = (draw.random(3000) < 0.8 - 0.05 * (n - 4)).astype(float)
    found = slope(right, n, np.arange(3000))
    assert found["d"] == pytest.approx(100 * np.polyfit(n, right, 1)[0], abs=1e-3)
    assert found["low"] < -5 < found["high"] < 0
    assert slope(right, np.full(3000, 4), np.arange(3000)) is None


def test_a_gap_not_told_from_zero_has_no_share_that_remains():
    assert remaining({"d": 1.0, "low": -1.0, "high": 3.0}, {"d": 0.5}) is None
    assert remaining(None, {"d": 0.5}) is None


def test_quantiles_keep_equal_values_together():
    groups = quantiles(np.array([1, 1, 1, 1, 2, 3, 4, 5.0]), 4)
    assert len(set(groups[:4])) == 1 and groups[-1] > groups[4] >= groups[0]


def test_figures_carry_n_error_and_chance():
    figures = recalls(rank(np.array([2.0, 1, 0, 0, 1, 2, 1, 1, 0]), np.array([3, 3, 3])), np.array([7, 7, 8]))
    assert (figures["n"], figures["images"]) == (3, 2)
    assert figures["r1"] == pytest.approx(50) and figures["r1_chance"] == pytest.approx(33.333)
    assert figures["avg"] == pytest.approx((50 + 100) / 2) and figures["r5"] == 100
    assert figures["rank_mean"] == pytest.approx((1 + 3 + 1.5) / 3, abs=1e-4) and figures["ties"] == pytest.approx(33.333)
    assert recalls(rank(np.zeros(0), np.zeros(0, dtype=int)), np.zeros(0)) == {"n": 0, "images": 0}


def test_the_effect_of_seeing_is_freed_of_skill_and_of_difficulty():
    """The second run is better by 30 points, and its unseen items are easy: neither may count as an effect of seeing."""
    draw = np.random.default_rng(1)
    n = 40_000
    images = np.arange(n) // 2
    seen_first, seen_second = draw.random(n) < 0.5, draw.random(n) < 0.5
    easy = 0.2 * seen_first
    first = (draw.random(n) < 0.2 + easy + 0.1 * seen_first).astype(float)
    second = (draw.random(n) < 0.5 + easy + 0.1 * seen_second).astype(float)
    found = effect_of_seeing(first, second, seen_first, seen_second, images)
    assert found["low"] < 10 < found["high"] and found["high"] - found["low"] < 4
    assert found["n_first"] == (seen_first & ~seen_second).sum()


def test_no_effect_without_queries_that_one_alone_has_seen():
    ones = np.ones(4)
    assert effect_of_seeing(ones, ones, ones > 0, ones > 0, np.arange(4)) is None


def test_correlation_agrees_with_a_hand_computed_one():
    found = correlation([1, 2, 3, 4], [2, 4, 5, 9])
    assert found["r"] == pytest.approx(0.9648, abs=1e-4) and found["slope"] == pytest.approx(2.2)
    assert found["low"] == pytest.approx(np.tanh(np.arctanh(found["r"]) - 1.959964))


@pytest.mark.parametrize(("x", "y"), [([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3]), ([], [])])
def test_too_few_points_correlate_with_nothing(x, y):
    assert correlation(x, y)["r"] is None


def test_three_points_have_no_interval():
    assert correlation([1, 2, 3], [1, 2, 4])["low"] is None


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
