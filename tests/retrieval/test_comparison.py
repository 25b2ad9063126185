import numpy as np
import pytest

from stages.retrieval.comparison import correlation, effect_of_seeing


def test_the_effect_of_seeing_is_freed_of_skill_and_of_difficulty():
    """The second run is better by 30 points and its unseen items are easy: neither may count as an effect of seeing."""
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
