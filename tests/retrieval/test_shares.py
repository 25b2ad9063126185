"""Shares near one, and values that hang together."""

import numpy as np

from stages.retrieval.shares import wilson_share


def test_interval_stays_within_nought_and_one():
    all_right = wilson_share(np.ones(50, dtype=bool), np.arange(50))
    assert all_right["share"] == 1.0 and all_right["high"] == 1.0 and 0.9 < all_right["low"] < 1.0


def test_like_values_of_one_image_count_less():
    yes = np.repeat([True, False, True, True], 25)
    apart, together = wilson_share(yes, np.arange(100)), wilson_share(yes, np.repeat(np.arange(4), 25))
    assert apart["share"] == together["share"] == 0.75
    assert together["high"] - together["low"] > 2 * (apart["high"] - apart["low"])


def test_nothing():
    assert wilson_share(np.array([]), np.array([])) == {"share": None, "low": None, "high": None, "n": 0}
