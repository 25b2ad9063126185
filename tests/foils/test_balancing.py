"""The two ways to choose: what each promises, on scores that the tests make."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.foils import adversary, balancing, beliefs, ways
from stages.foils.ways import Asked, Scored

SIZE = 4
NOTHING = np.zeros((1, 21, 21), np.float32)
NO_MEANING = np.zeros((3, 21, 21), np.float32)
NO_CHANGES = np.zeros((3, 0), int)


def queries(n, noise=0.0, advantage=1.0, candidates=20, slots=2, likeness=NOTHING, shift=None):
    """Queries whose truths score ``advantage`` more than their candidates, by one exact scorer and one that is estimated.

    The estimated one has ``noise``, and a truth of the i-th query ``shift(i)`` more. Returns what a judge sees, too, whose noise
    is his own; by query, the scores of the truth and the candidates.
    """
    draw = np.random.default_rng(7)
    made, judged = [], {}
    for i in range(n):
        scores = draw.normal(0, 2.0, (1 + candidates, 2))
        scores[0] += advantage + np.array([0, shift(i) if shift else 0])
        estimates = scores[None, :, 1:] + noise * draw.normal(0, 1, (4, 1 + candidates, 1))
        # A half is the mean of its quarters.
        estimates[0] = estimates[1:3].mean(axis=0)
        name = f"q{i:04}"
        made.append(
            Scored(
                name, i // 2, draw.integers(0, slots, candidates), scores[:, :1], estimates[:3], likeness, NO_MEANING, NO_CHANGES
            )
        )
        judged[name] = np.concatenate([scores[:, :1], estimates[3]], axis=1)
    return made, judged


def choose(made, groups=None, seed=0, design=balancing.ONE_PIECE):
    return balancing.balanced([ways.ways(query, SIZE, seed) for query in made], groups or {}, seed, design)


def firsts(places, scores):
    """For each scorer and set whether the truth comes first, a tie counting for its part; shape (sets, scorers)."""
    sets = [scores[name][[0, *(place + 1 for place in chosen)]] for name, chosen in sorted(places.items())]
    return np.array([np.where((s[1:] > s[0]).any(axis=0), 0, 1 / (1 + (s[1:] == s[0]).sum(axis=0))) for s in sets])


def test_paper_takes_the_most_plausible():
    assert balancing.paper(np.array([1.0, 5.0, 3.0, 3.0]), 2) == [1, 2]
    assert balancing.paper(np.array([1.0, 5.0, 3.0, 3.0]), 5) is None


@pytest.fixture(scope="module")
def plain():
    """Queries, what their judge sees, and the places that were chosen: several tests look at them."""
    made, judged = queries(400)
    return made, judged, choose(made).places


def test_a_plausible_truth_is_first_as_often_as_chance_would_have_it(plain):
    _, judged, places = plain
    assert len(places) > 300
    assert np.abs(firsts(places, judged).mean(axis=0) - 1 / (SIZE + 1)).max() < 0.05


def test_a_judge_of_its_own_sees_no_more_than_chance():
    """What was chosen because one model finds it plausible is less plausible to the next: the chooser must know that."""
    made, judged = queries(500, noise=3.0, advantage=1.5, slots=1)
    seen = firsts(choose(made).places, judged)[:, 1]
    assert len(seen) > 250
    assert seen.mean() < 1 / (SIZE + 1) + 0.04


def test_halves_of_the_captions_are_believed_to_agree_more_than_quarters():
    """What two quarters say of each other is too little said of two halves, in which half as much is chance."""
    draw = np.random.default_rng(4)
    worth = draw.normal(0, 1, (20_000, SIZE + 1))
    worth[:, 0] += 0.5
    noisy = [worth + noise * draw.normal(0, 1, worth.shape) for noise in (0.8, 0.8, 0.8 * 0.5**0.5, 0.8 * 0.5**0.5)]
    quarters, halves = (np.array([beliefs._fit(noisy[i], noisy[i + 1])]) for i in (0, 2))
    one, other = ((scores[:, 1:] - scores[:, :1]).ravel() for scores in noisy[:2])
    believed, agreed = beliefs.of_halves(quarters, np.array([np.corrcoef(one, other)[0, 1]]))
    assert abs(quarters[0, 1] / halves[0, 1] - 1) > 0.25
    assert believed == pytest.approx(halves, rel=0.05, abs=0.02)
    one, other = ((scores[:, 1:] - scores[:, :1]).ravel() for scores in noisy[2:])
    assert agreed == pytest.approx(np.corrcoef(one, other)[0, 1], abs=0.02)


def test_groups_are_balanced_each_for_itself():
    """Seen compounds are likelier than unseen ones; the truth must not be likelier to come first for that."""
    made, judged = queries(400, noise=1.0, slots=1, shift=lambda i: 1.0 * (i % 2))
    groups = {query.query_id: ("odd" if i % 2 else "even",) for i, query in enumerate(made)}

    def gap(places):
        seen, odd = firsts(places, judged)[:, 1], np.array([groups[name] == ("odd",) for name in sorted(places)])
        assert odd.sum() > 140 and (~odd).sum() > 140
        return seen[odd].mean() - seen[~odd].mean()

    design = balancing.FEW._replace(dropped=1 / 36)
    assert gap(choose(made, design=design).places) > 0.1
    assert abs(gap(choose(made, groups, design=design).places)) < 0.07


@pytest.mark.parametrize("n", [99, 250])
def test_no_query_is_dropped_for_the_sake_of_a_few(n):
    """Of the queries of ten images most groups have a handful: whoever is first in two of them proves nothing."""
    made, _ = queries(n, advantage=6.0)
    groups = {query.query_id: (f"group {i % 9}",) for i, query in enumerate(made)}
    assert len(choose(made, groups).places) == n
    assert (len(choose(made, dict.fromkeys(groups, ("one",))).places) < n) == (n >= balancing.ENOUGH)


def test_sets_are_preferred_of_which_one_can_tell_what_a_judge_sees(monkeypatch):
    """Luck does not even out in a hundred queries."""

    def doubt(weight):
        monkeypatch.setattr(balancing, "UNSURE", weight)
        made, _ = queries(120, noise=2.0, slots=1)
        options = [ways.ways(query, SIZE, 0) for query in made]
        believed, _ = beliefs.of_halves(beliefs.fitted(options, 0), beliefs.agreement(options, 0))
        places = choose(made, design=balancing.SAME_WORDS._replace(insistent=0.0)).places
        likely = [
            beliefs.first(of.scores(ways.HALF), believed)[(of.places == np.sort(places[of.query_id])).all(axis=1)][0]
            for of in options
            if of.query_id in places
        ]
        return np.mean([p[0] * (1 - p[0]) for p in likely])

    assert doubt(balancing.UNSURE) < 0.95 * doubt(0.0)


def test_the_fewer_queries_the_less_may_a_scorer_be_above_its_target():
    few, more, many = balancing._above(np.array([100, 200, 1000]), 1 / 6)
    assert few < more < many == balancing.ABOVE
    assert few == pytest.approx(balancing.ALLOWED - balancing.SURE * (5 / 36 / 100) ** 0.5)


def test_words_that_only_foils_say_are_seldom_chosen():
    """Two of five foils are words that no truth says: who learns them needs no image."""
    draw, made = np.random.default_rng(1), []
    for i in range(200):
        foils = [word for word in range(6) if word != i % 4] * 4
        changes = [(place, *each) for place, foil in enumerate(foils) for each in ((i % 4, 1), (foil, -1))]
        scores = draw.normal(0, 1, (21, 1))
        made.append(Scored(f"q{i:03}", i, np.zeros(20), scores, np.stack([scores] * 3), NOTHING, NO_MEANING, np.array(changes).T))
    changes = {query.query_id: query.changes for query in made}
    used = np.zeros(6)
    for name, places in choose(made).places.items():
        candidate, word, more = changes[name]
        np.add.at(used, word[np.isin(candidate, places) & (more < 0)], 1)
    assert used.sum() > 600
    assert used[4:].sum() < 0.2 * used.sum()


def test_a_balanced_set_replaces_one_atom(plain):
    made, _, chosen = plain
    slots = {query.query_id: query.slots for query in made}
    for query_id, places in chosen.items():
        assert len(set(places)) == SIZE
        assert len(set(slots[query_id][places])) == 1


def test_kinds_are_asked_as_often_as_captions_have_them():
    """Left alone, the kind is asked that is balanced most easily."""
    made, _ = queries(200)
    relations = [Asked((query.slots == 1).astype(int), np.zeros(20, bool), np.array([0.4, 0.6])) for query in made]
    asked = [replace(query, asked=of) for query, of in zip(made, relations, strict=True)]
    chosen = choose(asked).places
    shares = [relations[int(name[1:])].kinds[places[0]] for name, places in chosen.items()]
    assert len(shares) > 140 and abs(np.mean(shares) - 0.6) < 0.05


def test_a_kind_whose_truths_come_first_is_balanced_for_itself(monkeypatch):
    """What is even over all kinds hid that words tell most truths of which a relation is replaced. Of sets as simple as these
    adversaries mend as much."""
    monkeypatch.setattr(balancing, "ROUNDS", 0)
    made, judged = queries(300)
    for query in made:
        unlikely = np.where(query.slots == 1, 2.0, -1.0)
        query.estimated[:, 1:, 0] -= unlikely
        judged[query.query_id][1:, 1] -= unlikely
    even = np.array([0.5, 0.5])
    asked = [replace(query, asked=Asked((query.slots == 1).astype(int), np.zeros(20, bool), even)) for query in made]

    def of_kind(weight):
        places = choose(asked, design=balancing.ONE_PIECE._replace(by_kind=weight, dropped=0.0)).places
        kinds = np.array([made[int(name[1:])].slots[chosen[0]] for name, chosen in sorted(places.items())])
        return firsts(places, judged)[kinds == 1, 1].mean()

    assert of_kind(balancing.ONE_PIECE.by_kind) < of_kind(0.0) - 0.05


def test_what_a_judge_sees_exactly_is_balanced_though_kinds_pull_the_other_way():
    """Where an exact scorer puts the truth before every foil of one kind and behind those of the other."""
    asked = []
    for query in queries(200)[0]:
        relation = query.slots == 1
        exact = np.append(0.0, np.where(relation, -1.0, 1.0))[:, None]
        of = Asked(relation.astype(int), np.zeros(20, bool), np.array([0.4, 0.6]))
        asked.append(replace(query, exact=exact, asked=of))

    def first(exactly):
        places = choose(asked, design=balancing.ONE_PIECE._replace(exactly=exactly, dropped=0.0)).places
        return np.mean([of.slots[places[of.query_id][0]] == 1 for of in asked])

    assert first(1.0) > 0.45
    assert first(100.0) < 0.35


def test_further_foils_are_taken_only_where_there_are_too_few_near_ones():
    def further(near):
        asked = Asked(np.zeros(20, int), np.arange(20) >= near, np.ones(1), near_first=True)
        chosen = choose([replace(query, asked=asked) for query in queries(60, slots=1)[0]]).places.values()
        return np.mean([asked.further[places].mean() for places in chosen])

    assert further(near=SIZE + ways.SPARE) == 0
    assert further(near=SIZE + 1) < 0.05
    assert 0.25 <= further(near=3) < 0.5


def test_queries_whose_foils_are_far_are_dropped_first():
    """A third of the queries has foils that are all far: a kept set is of them as seldom as the design says."""
    asked = [
        replace(query, asked=Asked(np.zeros(20, int), np.full(20, i % 3 == 0), np.ones(1)))
        for i, query in enumerate(queries(200, slots=1)[0])
    ]

    def far(most):
        groups = {query.query_id: ("SC",) for query in asked}
        places = choose(asked, groups, design=balancing.ONE_PIECE._replace(far=most)).places
        return np.mean([int(name[1:]) % 3 == 0 for name in places])

    assert far(1.0) > 0.28
    assert far(0.19) < 0.21


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
    made, judged = queries(200, slots=1, likeness=swaps())

    def first(places):
        shared = made[0].likeness[0][np.ix_([0, *(p + 1 for p in places)], [0, *(p + 1 for p in places)])].sum(axis=0)
        best = np.abs(shared - shared.max()) < ways.EQUAL
        return best[0] / best.sum()

    by_plausibility = [balancing.paper(scores[1:, 1], SIZE) for scores in judged.values()]
    chosen = choose(made).places
    assert np.mean([first(places) for places in by_plausibility]) > 0.6
    assert len(chosen) > 100
    assert np.mean([first(places) for places in chosen.values()]) < 0.3


def test_a_query_with_too_few_candidates_of_one_atom_is_left_out():
    few = Scored("a", 1, np.array([0, 0, 0, 1, 1, 1]), np.ones((7, 1)), np.ones((3, 7, 1)), NOTHING, NO_MEANING, NO_CHANGES)
    assert ways.ways(few, SIZE, 0) is None


def test_the_choice_does_not_hang_on_the_order_of_the_queries():
    made, _ = queries(60)
    places = choose(made, seed=3).places
    assert choose(made[::-1], seed=3).places == places != choose(made, seed=4).places


def test_nothing_comes_of_nothing():
    chosen = balancing.balanced([], {}, 0, balancing.ONE_PIECE)
    assert chosen.places == {} and chosen.shares.size == 0


def test_a_scorer_that_has_nothing_to_say_is_believed_to_be_at_chance():
    flat = np.zeros((10, SIZE + 1, 1))
    believed = np.array([beliefs._fit(flat[..., 0], flat[..., 0])])
    assert beliefs.first(flat, believed).ravel() == pytest.approx([1 / (SIZE + 1)] * 10)


@given(st.lists(st.integers(0, 3), min_size=SIZE + 1, max_size=SIZE + 1))
def test_ranks_say_where_the_truth_stands_more_often_than_a_negative(scores):
    def standing(of):
        return ways.standing(ways._ranks(np.array(of, float)[None, :, None]))[0]

    rank = [sum(other > score for other in scores) for score in scores]
    assert standing(scores).tolist() == [SIZE * (rank[0] == k) - rank[1:].count(k) for k in range(SIZE + 1)]
    # Over all captions of a set nothing stands more often anywhere.
    others = [[scores[i], *scores[:i], *scores[i + 1 :]] for i in range(SIZE + 1)]
    assert not sum(standing(of).astype(int) for of in others).any()


def test_who_learns_from_ranks_learns_nothing(plain):
    """The truth is not to be second too often either: an adversary that is trained would learn it."""
    _, judged, chosen = plain
    ranks = [(judged[name][[p + 1 for p in places]] > judged[name][0]).sum(axis=0) for name, places in chosen.items()]
    assert len(ranks) > 300
    for scorer in np.array(ranks).T:
        assert np.abs(np.bincount(scorer, minlength=SIZE + 1) / len(ranks) - 1 / (SIZE + 1)).max() < 0.06


def likely(made, places):
    """How often the strictest judge puts the truth first, who learns from the sets of other images."""
    chosen = {query.query_id: query for query in made if query.query_id in places}
    options = [ways.ways(replace(chosen[name], slots=np.isin(np.arange(20), places[name]) * 1), SIZE, 0) for name in sorted(places)]
    taken = np.array([
        int(np.flatnonzero((option.places == np.sort(places[option.query_id])).all(axis=1))[0]) for option in options
    ])  # fmt: skip
    told = [*adversary.learned(options, taken, np.ones(len(options), bool), np.random.default_rng(5))][-1]
    return np.mean([first[way] for first, way in zip(told.first, taken, strict=True)])


def told_apart(n=240):
    """Queries whose truths have, of some words that say little each, more than their candidates have."""
    signs, draw, made = 6, np.random.default_rng(2), []
    for i in range(n):
        truth, candidates = draw.random(signs) < 0.6, draw.random((20, signs)) < 0.4
        more = truth.astype(int) - candidates
        place, word = np.nonzero(more)
        scores = draw.normal(0, 1, (21, 1))
        changes = np.array([place, word, more[place, word]])
        made.append(Scored(f"q{i:03}", i, np.zeros(20), scores, np.stack([scores] * 3), NOTHING, NO_MEANING, changes))
    return made


def test_who_learns_from_sets_puts_truths_first_no_more_often_than_chance():
    """No word tells the truth, and all of them together do: only who has learned as the judge does can mend it."""
    made = told_apart()
    drawn = {query.query_id: list(range(SIZE)) for query in made}
    assert likely(made, drawn) > 0.35
    chosen = choose(made).places
    assert len(chosen) > 200
    assert likely(made, chosen) < 1 / (SIZE + 1) + 0.06


def test_one_image_teaches_nothing():
    made = [replace(query, image_id=1) for query in told_apart(30)]
    options = [ways.ways(query, SIZE, 0) for query in made]
    taken, kept = np.zeros(30, int), np.ones(30, bool)
    assert not [*adversary.learned(options, taken, kept, np.random.default_rng(0))]


def test_queries_are_dropped_that_add_to_what_there_is_too_much_of():
    first = (np.arange(400) % 3 == 0).astype(float)[:, None]
    share = 1 / 18
    kept = balancing._even(first, np.ones((400, 1), bool), np.full((1, 1), 0.31), share)
    assert first[~kept].all() and first[kept].mean() <= 0.31
    assert 1 - kept.mean() <= share + balancing.STEP
    assert balancing._even(first, np.ones((400, 1), bool), np.full((1, 1), 0.4), share).all()
