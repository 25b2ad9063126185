"""The two ways to choose: what each promises, on scores that the tests make."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.foils import balancing
from stages.foils.balancing import Scored

SIZE = 4
NOTHING = np.zeros((1, 21, 21), np.float32)


def queries(n, seed=0, noise=0.0, advantage=1.0, scorers=2, candidates=20, slots=2, likeness=NOTHING):
    """Queries whose truths are more plausible than their candidates by ``advantage``; two calls with noise are two scorers."""
    fixed, noisy = np.random.default_rng(7), np.random.default_rng(seed)
    made = []
    for i in range(n):
        gains = fixed.normal(-advantage, 2.0, (candidates, scorers)) + noise * noisy.normal(0, 1, (candidates, scorers))
        slot = fixed.integers(0, slots, candidates)
        made.append(Scored(f"q{i:04}", gains[:, 0], np.sign(gains).astype(np.int8), slot, likeness))
    return made


def all_ways(made, judges=None):
    judges = judges or made
    return [balancing.ways(query, SIZE, 0, judge.signs) for query, judge in zip(made, judges, strict=True)]


def shares(chosen, made):
    """For each scorer the share of the sets whose truth it puts first, a tie counting for its part."""
    sets = [query.signs[list(chosen[query.query_id])] for query in made if query.query_id in chosen]
    return np.mean([np.where((s > 0).any(axis=0), 0, 1 / (1 + (s == 0).sum(axis=0))) for s in sets], axis=0)


def test_paper_takes_the_most_plausible():
    query = Scored("a", np.array([1.0, 5.0, 3.0, 3.0]), np.zeros((4, 0), np.int8), np.zeros(4, int), NOTHING)
    assert balancing.paper(query, 2) == [1, 2]
    assert balancing.paper(query, 5) is None


def test_unbalanced_truths_come_first_and_balanced_ones_do_not():
    made = queries(600)
    assert shares({query.query_id: balancing.paper(query, SIZE) for query in made}, made)[0] < 0.05
    chosen = balancing.balanced(all_ways(made), SIZE, 0)
    assert len(chosen.places) > 400
    assert np.abs(shares(chosen.places, made) - 1 / (SIZE + 1)).max() < 0.05
    assert chosen.shares[:2] == pytest.approx(shares(chosen.places, made))


def test_a_balanced_set_replaces_one_atom():
    made = {query.query_id: query for query in queries(50)}
    for query_id, places in balancing.balanced(all_ways(made.values()), SIZE, 0).places.items():
        assert len(set(places)) == SIZE
        assert len(set(made[query_id].slots[places])) == 1


def swaps(candidates=20):
    """Likenesses as swaps have them: a caption is an order of six words, and like another by the words in the same place."""
    draw = np.random.default_rng(3)
    orders = [np.arange(6)]
    while len(orders) <= candidates:
        order = orders[draw.integers(0, len(orders))].copy()
        order[draw.permutation(6)[:2]] = order[draw.permutation(6)[:2]]
        order = draw.permutation(6) if len(set(order)) < 6 else order
        orders.append(order)
    alike = np.array([[np.mean(a == b) for b in orders] for a in orders], np.float32)
    # The truth is more like each of them than they are like each other.
    alike[0] += 0.2
    alike[:, 0] += 0.2
    return alike[None]


def test_the_truth_is_not_the_caption_that_is_most_like_the_others():
    made = queries(300, slots=1, likeness=swaps())

    def first(places):
        shared = made[0].likeness[0][np.ix_([0, *(p + 1 for p in places)], [0, *(p + 1 for p in places)])].sum(axis=0)
        return shared.argmax() == 0

    by_plausibility = [balancing.paper(query, SIZE) for query in made]
    chosen = balancing.balanced(all_ways(made), SIZE, 0).places
    assert np.mean([first(places) for places in by_plausibility]) > 0.6
    assert len(chosen) > 100
    assert np.mean([first(places) for places in chosen.values()]) < 0.3


def test_calibration_takes_from_the_advantage_that_a_judge_sees():
    truth = queries(1500, seed=1, noise=3.0, advantage=3.0, scorers=1, slots=1)
    judge = queries(1500, seed=2, noise=3.0, advantage=3.0, scorers=1, slots=1)
    options = all_ways(truth, judge)
    plain = shares(balancing.balanced(options, SIZE, 0).places, judge)[0]
    targets = balancing.calibrated(options, SIZE, 0)
    assert plain > 1 / (SIZE + 1) + 0.05
    assert shares(balancing.balanced(options, SIZE, 0, targets).places, judge)[0] < plain - 0.03


def test_a_query_with_too_few_candidates_of_one_atom_is_left_out():
    query = Scored("a", np.arange(6.0), np.ones((6, 1), np.int8), np.array([0, 0, 0, 1, 1, 1]), NOTHING)
    assert balancing.ways(query, SIZE, 0) is None


def test_the_choice_does_not_hang_on_the_order_of_the_queries():
    made = all_ways(queries(80))
    assert balancing.balanced(made, SIZE, 3).places == balancing.balanced(made[::-1], SIZE, 3).places
    assert balancing.balanced(made, SIZE, 3).places != balancing.balanced(made, SIZE, 4).places


def test_nothing_comes_of_nothing():
    chosen = balancing.balanced([], SIZE, 0)
    assert chosen.places == {} and chosen.shares.size == 0
    assert balancing.calibrated([], SIZE, 0).size == 0


@given(st.integers(0, SIZE), st.integers(0, SIZE))
@settings(deadline=None)
def test_ties_share_the_ranks_that_they_allow(above, equal):
    if above + equal > SIZE:
        return
    row = balancing._histograms(SIZE)[above * (SIZE + 1) + equal]
    assert row.sum() == pytest.approx(1)
    assert set(np.flatnonzero(row)) == set(range(above, above + equal + 1))
