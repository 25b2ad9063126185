"""Ranks agree with every order that ties allow."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.evaluation.ranks import rank


def by_hand(scores, k):
    """Return the truth's mean rank and its fraction of ranks up to k, over all orders of the captions, stably sorted by score."""
    ranks = []
    for order in permutations(range(len(scores))):
        ranking = sorted(order, key=lambda i: -scores[i])
        ranks.append(1 + ranking.index(0))
    return np.mean(ranks), np.mean([r <= k for r in ranks])


@given(st.lists(st.lists(st.integers(0, 2), min_size=2, max_size=5), min_size=1, max_size=4), st.sampled_from([1, 3, 5]))
def test_expected_ranks_are_means_over_all_orders(sets, k):
    ranks = rank(np.array([float(s) for scores in sets for s in scores]), np.array([len(scores) for scores in sets]))
    for i, scores in enumerate(sets):
        mean, share = by_hand(scores, k)
        assert ranks.expected[i] == pytest.approx(mean)
        assert ranks.recall(k)[i] == pytest.approx(share)
        assert ranks.ties[i] == scores[1:].count(scores[0])


def test_a_model_with_nothing_to_say_stands_at_chance():
    ranks = rank(np.zeros(16), np.array([5, 11]))
    for k in (1, 3, 5):
        assert np.allclose(ranks.recall(k), ranks.chance(k))
    assert ranks.chance(1).tolist() == [0.2, 1 / 11]


def test_scores_that_are_not_numbers_are_refused():
    with pytest.raises(ValueError, match="1 scores are not numbers"):
        rank(np.array([1.0, np.nan, 0.0]), np.array([3]))


def test_no_sets_at_all():
    assert len(rank(np.zeros(0), np.zeros(0, dtype=int))) == 0
