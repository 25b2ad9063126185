"""The two ways to choose: what each promises, on scores that the tests make."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.foils import choose
from stages.foils.choose import Scored

SIZE = 4


def queries(n, seed=0, noise=0.0, advantage=1.0, scorers=2, candidates=20, slots=2):
    """Queries whose truths are more plausible than their candidates by ``advantage``; two calls with noise are two scorers."""
    fixed, noisy = np.random.default_rng(7), np.random.default_rng(seed)
    made = []
    for i in range(n):
        gains = fixed.normal(-advantage, 2.0, (candidates, scorers)) + noise * noisy.normal(0, 1, (candidates, scorers))
        made.append(Scored(f"q{i:04}", gains[:, 0], np.sign(gains).astype(np.int8), fixed.integers(0, slots, candidates)))
    return made


def test_paper_takes_the_most_plausible():
    query = Scored("a", np.array([1.0, 5.0, 3.0, 3.0]), np.zeros((4, 0), np.int8), np.zeros(4, int))
    assert choose.paper([query], 2) == {"a": [1, 2]}
    assert choose.paper([query], 5) == {}


def test_unbalanced_truths_come_first_and_balanced_ones_do_not():
    made = queries(600)
    chance = 1 / (SIZE + 1)
    by_plausibility = choose.shares(choose.paper(made, SIZE), made)
    assert by_plausibility[0] < 0.05
    chosen = choose.balanced(made, SIZE, 0)
    assert len(chosen) > 400
    assert np.abs(choose.shares(chosen, made) - chance).max() < 0.05


def test_a_balanced_set_replaces_one_atom():
    made = {query.query_id: query for query in queries(50)}
    for query_id, places in choose.balanced(list(made.values()), SIZE, 0).items():
        assert len(set(places)) == SIZE
        assert len(set(made[query_id].slots[places])) == 1


def test_calibration_takes_from_the_advantage_that_a_judge_sees():
    truth = queries(1500, seed=1, noise=3.0, advantage=3.0, scorers=1, slots=1)
    judge = queries(1500, seed=2, noise=3.0, advantage=3.0, scorers=1, slots=1)
    plain = choose.shares(choose.balanced(truth, SIZE, 0), judge)[0]
    targets = choose.calibrated(truth, judge, SIZE, 0)
    assert plain > 1 / (SIZE + 1) + 0.05
    assert choose.shares(choose.balanced(truth, SIZE, 0, targets), judge)[0] < plain - 0.03


def test_a_query_with_too_few_candidates_of_one_atom_is_left_out():
    query = Scored("a", np.arange(6.0), np.ones((6, 1), np.int8), np.array([0, 0, 0, 1, 1, 1]))
    assert choose.ways(query, SIZE, 0) is None
    assert choose.balanced([query], SIZE, 0) == {}


def test_the_choice_does_not_hang_on_the_order_of_the_queries():
    made = queries(80)
    assert choose.balanced(made, SIZE, 3) == choose.balanced(made[::-1], SIZE, 3)
    assert choose.balanced(made, SIZE, 3) != choose.balanced(made, SIZE, 4)


def test_nothing_comes_of_nothing():
    assert choose.balanced([], SIZE, 0) == {}
    assert choose.calibrated([], [], SIZE, 0).size == 0
    assert choose.shares({}, []).size == 0


@given(st.integers(0, SIZE), st.integers(0, SIZE))
@settings(deadline=None)
def test_ties_share_the_ranks_that_they_allow(above, equal):
    if above + equal > SIZE:
        return
    row = choose._histograms(SIZE)[above * (SIZE + 1) + equal]
    assert row.sum() == pytest.approx(1)
    assert set(np.flatnonzero(row)) == set(range(above, above + equal + 1))
