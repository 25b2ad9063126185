"""Intervals keep their coverage with few or unequal clusters, and where nothing varies."""

import numpy as np
import pytest
from scipy import stats

from stages.evaluation.intervals import CHANGE, Z95, of_mean, of_means, student, wilson, wilson_share
from stages.evaluation.statistics import difference, matched, paired, slope
from tests.benchmarks import intervals


def test_clusters_of_one_give_student_s_interval():
    values = np.random.default_rng(0).random(12)
    found = of_mean(values, np.arange(12))
    assert found.error == pytest.approx(values.std(ddof=1) / np.sqrt(12)) and found.freedom == pytest.approx(11)
    assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, 11, values.mean(), found.error))


def test_sides_of_single_queries_give_welch_s_error():
    draw = np.random.default_rng(0)
    some, others = draw.random(5), draw.random(40)
    found = of_means(np.r_[some, others], np.repeat([0, 1], [5, 40]), np.array([1.0, -1.0]), np.arange(45))
    assert found.error == pytest.approx(np.sqrt(some.var(ddof=1) / 5 + others.var(ddof=1) / 40))


def test_copies_of_a_query_in_one_image_tell_no_more_than_one():
    """Otherwise, asking everything ten times would make every difference certain."""
    values = np.random.default_rng(0).random(50)
    once = of_mean(values, np.arange(50))
    assert of_mean(np.tile(values, 10), np.tile(np.arange(50), 10)) == pytest.approx(once)
    assert of_mean(np.tile(values, 10), np.arange(500)).error < once.error / 3


@pytest.mark.parametrize(
    ("share", "images", "correlation"), [(0.02, 100, 0.4), (0.98, 100, 0.2), (0.1, 20, 0.4), (0.9, 60, 0.0), (0.5, 20, 0.4)]
)
def test_shares_near_0_and_1_are_covered_as_often_as_is_said(share, images, correlation):
    """The symmetric interval covered the truth in only 85 to 88 of 100 cases there."""
    _, held = intervals.of_shares(share, images, correlation, 400, seed=7)
    assert 0.915 <= held <= 0.99


def test_of_single_queries_a_share_has_wilson_s_interval():
    right = np.arange(100) < 95
    found = of_mean(right.astype(float), np.arange(100))
    assert (found.low, found.high) == pytest.approx(wilson(0.95, 100, student(found.freedom)))
    assert 0.88 < found.low < 0.9 and 0.97 < found.high < 0.99


def test_one_cluster_has_no_standard_error():
    assert np.isnan(of_mean(np.ones(5), np.zeros(5))[1:]).all()


def test_a_side_of_one_image_has_no_interval():
    """This holds for any number of queries: their mean is the image's own, and they add nothing to the spread."""
    draw = np.random.default_rng(0)
    first = np.arange(60) < 20
    images = np.where(first, 0, np.arange(60))
    assert difference(draw.random(60), first, ~first, images)["low"] is None


def test_a_stratum_of_one_image_is_not_certain():
    """The stratum's mean is its image's own, so the stratum shows none of the spread between images."""
    images = np.repeat(np.arange(40), 5)
    second = images % 2 == 0
    covered = 0
    for seed in range(300):
        right = (np.random.default_rng(seed).random(40) < 0.5)[images].astype(float)
        found = matched(right, ~second, second, (images // 2).tolist(), images)
        covered += found["low"] <= 0 <= found["high"]
    assert 0.91 < covered / 300 < 0.985


@pytest.mark.parametrize("clusters", [5, 10, 30])
def test_intervals_hold_with_few_and_unequal_clusters(clusters):
    """The normal quantile and one factor for all clusters covered 75 to 89 of 100 cases. With five images, ours is too wide."""
    draw, covered = np.random.default_rng(1), 0
    for _ in range(600):
        images = np.repeat(np.arange(clusters), np.maximum(1, draw.lognormal(1.5, 1, clusters).round().astype(int)))
        right = draw.random(len(images)) < draw.beta(1, 1, clusters)[images]
        found = of_mean(right, images)
        covered += found.low <= 0.5 <= found.high
    assert 0.91 < covered / 600 < (0.98 if clusters > 5 else 0.996)


@pytest.mark.parametrize("right", [0, 1])
def test_a_side_that_is_all_right_or_all_wrong_is_not_certain(right):
    """Twenty queries that are all right only show that at most a sixth of others may be wrong."""
    values = np.r_[np.full(20, right), np.arange(400) % 2]
    found = difference(values, np.arange(420) < 20, np.arange(420) >= 20, np.arange(420))
    reach, other = 100 * Z95**2 / (20 + Z95**2), 100 * stats.t.ppf(0.975, 399) * 0.5 / np.sqrt(399)
    inside, outside = found["d"] - found["low"], found["high"] - found["d"]
    assert sorted((inside, outside)) == pytest.approx([other, np.hypot(reach, other)], abs=2e-3)
    assert (inside > outside) == bool(right)


def test_two_sides_that_are_all_alike_have_newcombe_s_interval():
    values = np.r_[np.ones(20), np.zeros(30)]
    found = difference(values, values > 0, values == 0, np.arange(50))
    below = 100 * np.hypot(Z95**2 / (20 + Z95**2), Z95**2 / (30 + Z95**2))
    assert (found["d"], found["se"], found["high"]) == (100, 0, 100) and found["low"] == pytest.approx(100 - below, abs=1e-3)


def test_a_side_that_hangs_on_few_queries_reaches_as_far_as_these():
    """Three queries that happen to be right have nine tenths of the weight."""
    first = np.r_[np.ones(3), np.ones(100), np.zeros(100)] > 0
    strata = np.r_[np.zeros(3), np.ones(100), np.zeros(90), np.ones(10)].tolist()
    found = matched(np.r_[np.ones(103), np.arange(100) % 2], first, ~first, strata, np.arange(203))
    assert found["d"] - found["low"] > 45 and found["high"] - found["d"] < 12


def test_pairs_that_never_differ_have_an_interval():
    found = paired(np.ones(40), np.ones(40), np.arange(40))
    reach = 100 * Z95**2 / (40 + Z95**2)
    assert (found["d"], found["low"], found["high"]) == (0, pytest.approx(-reach, abs=1e-3), pytest.approx(reach, abs=1e-3))
    third = of_mean(np.full(30, 1 / 3), np.arange(30))
    assert third.low == pytest.approx(1 / 3 * 30 / (30 + Z95**2)) and third.high < 1 / 3 + Z95**2 / (30 + Z95**2)


def test_a_slope_of_what_is_always_right_has_an_interval():
    found = slope(np.ones(90), np.arange(90) % 9 + 4, np.arange(90))
    assert found["low"] < found["d"] == 0 < found["high"]


def test_intervals_end_where_values_do():
    first = np.arange(40) < 20
    found = difference(np.where(first, np.arange(40) > 0, np.arange(40) > 38).astype(float), first, ~first, np.arange(40))
    assert found["high"] == 100 and found["low"] > 70
    assert of_mean(np.r_[-1, np.ones(5)], np.arange(6), CHANGE).high == pytest.approx(1)


def test_wilson_s_share_is_wider_with_few_images():
    yes, images = np.arange(200) % 4 > 0, np.arange(200) // 40
    found = wilson_share(np.roll(yes, 3) | (images == 0), images)
    of = of_mean((np.roll(yes, 3) | (images == 0)).astype(float), images)
    assert found["high"] - found["low"] > 2.3 * of.error


def test_a_share_s_interval_stays_within_nought_and_one():
    all_right = wilson_share(np.ones(50, dtype=bool), np.arange(50))
    assert all_right["share"] == 1.0 and all_right["high"] == 1.0 and 0.9 < all_right["low"] < 1.0


def test_a_share_of_nothing():
    assert wilson_share(np.array([]), np.array([])) == {"share": None, "low": None, "high": None, "n": 0}
