"""In cleared sets, no shortcut scorer ranks the truth first more often than chance, and every machine makes the same sets."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.selection.candidate_sets import CandidateSets
from stages.selection.cleared import Bounds, correction, draw, moved, problem, select, solve
from stages.selection.selector import Selector
from stages.shortcuts import ngram, scorers
from tests.running import ROOT
from tests.selection import made
from tests.selection.made import PLAUSIBILITY, SETTINGS, SIZE, chosen, groups, permuted, questions, sets, training_set

CHANCE = 1 / (SIZE + 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return training_set(tmp_path_factory.mktemp("captions"))


@pytest.fixture(scope="module")
def asked():
    return questions()


@pytest.fixture(scope="module")
def picked(folder, asked):
    return chosen(folder, asked)


def first(folder, found, name):
    """Return, by query, how often a scorer that learned from the other half of the captions ranks the truth first."""
    scorer = scorers.scorers(ngram.training_captions([folder], scorers.EVALUATING, 10_000))[name]
    right = {}
    for query_id, captions in found.items():
        scores = scorer(captions)
        right[query_id] = float(scores[0] == scores.max()) / (scores == scores.max()).sum()
    return right


def test_a_likely_truth_comes_first_as_often_as_chance_in_every_group(folder, asked, picked):
    found, member = sets(asked, picked), groups(asked)
    some = {q.query_id: (q.truths[0].caption, *q.truths[0].negatives[:SIZE]) for q in asked}
    assert np.mean([*first(folder, some, "ngram").values()]) > CHANCE + 0.1, "or nothing would have to be done"
    assert len(found) > 100
    for name in ("ngram", "bag", "longer"):
        right = first(folder, found, name)
        for group in made.GROUPS:
            own = [value for query_id, value in right.items() if member[query_id] == (group,)]
            assert len(own) > 40 and abs(np.mean(own) - CHANCE) < 0.09, (name, group)


def test_a_set_is_of_one_slot_and_kinds_are_asked_as_often_as_truths_have_them(asked, picked):
    by_id = {question.query_id: question.truths[0] for question in asked}
    kinds = []
    for query_id, (number, places) in picked.items():
        assert number == 0 and len(set(places)) == SIZE
        assert len({by_id[query_id].slots[place] for place in places}) == 1
        kinds.append(by_id[query_id].kinds[places[0]])
    assert np.mean(kinds) == pytest.approx(1 / 3, abs=0.06)


def test_far_foils_have_a_price(folder, asked):
    def far(price):
        found = sets(asked, chosen(folder, asked[:60], SETTINGS.model_copy(update={"far_price": price})))
        return np.mean([caption.endswith("hill") for of in found.values() for caption in of[1:]])

    assert far(0.9) < far(0.0)


def test_the_order_of_queries_and_candidates_changes_nothing(folder, asked):
    other = permuted(asked[:80], 3)
    assert sets(other, chosen(folder, other, batch=37)) == made.some_sets(folder)
    another = chosen(folder, asked[:80], SETTINGS.model_copy(update={"seed": 1}))
    assert sets(asked, another) != made.some_sets(folder)


def test_threads_and_processors_change_nothing(folder):
    """The last bits of a matrix product vary with threads and OpenBLAS's kernels, and those of a logarithm with NumPy's."""
    one = made.some_sets(folder)
    assert len(one) > 20
    elsewhere = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "OPENBLAS_CORETYPE": "Prescott"}
    elsewhere |= {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"}
    command = [sys.executable, "-W", "ignore", "-m", "tests.selection.made", str(folder)]
    done = subprocess.run(command, env={**os.environ, **elsewhere}, capture_output=True, text=True, check=True, cwd=ROOT)
    assert {key: tuple(captions) for key, captions in json.loads(done.stdout).items()} == one


def test_of_alternative_truths_one_is_taken(folder, asked):
    """Each query of HN-Comp and HN-Neg has several truths."""
    both = [one._replace(truths=[*one.truths, *other.truths]) for one, other in zip(asked, asked[::-1], strict=True)]
    found = chosen(folder, both[:80])
    assert {number for number, _ in found.values()} == {0, 1}
    assert all(max(places) < len(asked[0].truths[0].negatives) for _, places in found.values())


def test_queries_are_chosen_so_many_at_once(folder, asked):
    """Queries beyond a block wait in a file, and are chosen separately."""
    settings = SETTINGS.model_copy(update={"at_once": 60})
    apart = chosen(folder, asked[:60]), chosen(folder, asked[60:100])
    assert chosen(folder, asked[:100], settings, batch=25) == apart[0] | apart[1] and all(apart)


def test_plausibility_is_returned_in_the_order_of_the_candidates(folder, asked):
    selector = Selector(SETTINGS, PLAUSIBILITY, [folder], SIZE)
    other = permuted(asked[:5], 1)

    def scores(of, found):
        return {
            q.query_id: dict(zip(q.truths[0].negatives, own[0].tolist(), strict=True)) for q, own in zip(of, found, strict=True)
        }

    one, two = scores(asked[:5], selector.add(asked[:5])), scores(other, selector.another().add(other))
    assert one == two and len(set(one["region-0"].values())) > 5


def test_too_few_candidates_and_no_queries_give_no_sets(folder, asked):
    truth = asked[0].truths[0]
    few = asked[0]._replace(truths=[truth._replace(slots=[*range(len(truth.slots))])])
    assert chosen(folder, [few]) == {} == chosen(folder, [])


def test_no_captions_are_an_error(tmp_path):
    tables.write("training_graphs", tmp_path / "a" / "graphs.parquet", [])
    with pytest.raises(InputError, match="none of the training sets has a caption"):
        Selector(SETTINGS, PLAUSIBILITY, [tmp_path / "a"], SIZE)


def query(number, n, size=SIZE):
    """Return a query with ``n`` candidate sets, with only the fields that the program reads."""
    zero = np.zeros(n)
    return CandidateSets(
        f"q{number:04}", number, zero.astype(int), np.zeros((n, size), int), np.zeros((n, 1)), np.zeros((n, 1 + size, 2), np.int8),
        np.zeros((3, n, size, 1)), np.zeros((n, 3)), zero, zero, np.tile(np.arange(size), (n, 1)), np.zeros((3, 0), int),
    )  # fmt: skip


def test_the_program_keeps_as_many_as_its_bounds_allow():
    """Of 100 queries, 60 have a set whose truth comes first, and 40 do not: 80 can stay for a mean of one half."""
    of = problem([query(i, 1) for i in range(100)], [()] * 100, far_price=0)
    right = (np.arange(100) < 60).astype(float)[:, None]
    bounds = Bounds(np.zeros((1, 1)), np.full((1, 1), 0.5))
    share = solve(of, right, bounds)
    assert share.sum() == pytest.approx(80, abs=2) and share[60:] == pytest.approx(np.ones(40))
    taken = draw(of, share, right, bounds, 0)
    assert right[taken].mean() == pytest.approx(0.5, abs=0.02) and len(taken) > 75


def test_a_group_of_its_own_has_bounds_of_its_own():
    """In one group, every truth comes first unless the second set is taken; in the other, none does."""
    of = problem([query(i, 2) for i in range(80)], [["a"]] * 40 + [["b"]] * 40, far_price=0)
    right = np.concatenate([np.tile([1.0, 0.0], 40), np.zeros(80)])[:, None]
    share = solve(of, right, Bounds(np.full((3, 1), 0.2), np.array([[0.3], [np.inf], [np.inf]])))
    mean = right[:80, 0] @ share[:80] / share[:80].sum()
    assert 0.19 < mean < 0.31 and share[:80].sum() > 39
    assert share[80:].sum() < 35, "where no truth can come first as often as asked, queries go"


def test_a_query_takes_the_cheapest_set_and_equal_sets_go_by_their_own_cost():
    """Every query has a set of far foils, which costs, and two equal sets, of which the one with the lower own cost is taken."""
    some = [query(i, 3) for i in range(40)]
    some = [replace(one, far=np.array([1.0, 0.0, 0.0]), own_cost=np.array([0.0, 0.7, 0.3])) for one in some]
    of = problem(some, [()] * 40, far_price=0.05)
    share = solve(of, np.zeros((120, 1)), Bounds(np.full((1, 1), -np.inf), np.full((1, 1), np.inf)))
    assert share.reshape(40, 3).tolist() == [[0, 0, 1]] * 40


def test_the_correction_is_what_another_evaluator_sees_more():
    """Both quarters believe 0.2 of every set, and each sees 0.3 in one group and 0.2 in the other."""
    of = problem([query(i, 1) for i in range(400)], [["a"]] * 200 + [["b"]] * 200, far_price=0)
    believed, seen = np.full((400, 1), 0.2), np.where(np.arange(400) < 200, 0.3, 0.2)[:, None]
    bounds = Bounds(np.full((3, 1), 0.0), np.full((3, 1), 1.0))
    off = correction(of, np.zeros((400, 0)), [believed, believed], [seen, seen], bounds)
    assert moved(believed[:1], off) == pytest.approx(0.25, abs=0.005)


def test_a_correction_does_not_feed_itself():
    """The evaluator sees 0.05 more for sets at 0.16 and 0.35 more for those at 0; a second correction would need the latter."""
    some = [replace(query(i, 2), own_cost=np.array([0.0, 1.0])) for i in range(100)]
    of = problem(some, [()] * 100, far_price=0)
    believed, seen = (np.tile(of_sets, 100)[:, None] for of_sets in ([0.16, 0.0], [0.21, 0.35]))
    bounds = Bounds(np.full((1, 1), -np.inf), np.full((1, 1), 0.17))
    off = correction(of, np.zeros((200, 0)), [believed, believed], [seen, seen], bounds)
    assert moved(np.array([[0.16]]), off) == pytest.approx(0.21, abs=0.005)


def test_no_correction_puts_the_bounds_out_of_reach():
    """In odds, the improbable stays improbable: at twenty times the odds, one in a million is far below a chance of one in six."""
    assert moved(np.array([[0.0, 0.2, 1.0]]), np.log([20.0, 20.0, 20.0])) == pytest.approx(np.array([[2e-5, 5 / 6, 1.0]]), abs=1e-5)


def test_select_of_nothing_is_nothing():
    assert select([], {}, SETTINGS) == {}
