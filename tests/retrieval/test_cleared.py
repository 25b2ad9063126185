"""What the audit says of blind scorers within the groups that are compared."""

import numpy as np
import pytest

from stages.retrieval.cleared import BlindRanks, Difference, differences, faults, more_than_chance

N = 400


def told(seen_right: float, unseen_right: float, trained: float = 0.2) -> BlindRanks:
    """Half the sets are of seen compounds; a scorer puts these shares of the truths first."""
    seen = np.arange(N) % 2 == 0
    order = np.arange(N) // 2 / (N / 2)
    right = np.where(seen, order < seen_right, order < unseen_right).astype(float)
    of = {"ngram": right, "trained": np.full(N, trained)}
    splits = {"cc12m": np.where(seen, "SC", "UC")}
    return BlindRanks(np.arange(N), of, np.full(N, 0.2), splits, np.zeros(N, int))


def said(sets: BlindRanks) -> list[str]:
    return [*faults("atom", sets.groups()), *more_than_chance([*differences("atom", sets.gaps(), sets.slopes())])]


def test_what_is_balanced_in_every_group_holds():
    sets = told(0.2, 0.2)
    assert sets.groups()["cc12m"]["SC"] == {"n": 200, "chance": 20.0, "best": 20.0, "scorer": "ngram", "trained": 20.0}
    assert sets.trained() == {"chance": 20.0, "r1": 20.0}
    assert said(sets) == []


def test_what_is_balanced_over_all_only_does_not():
    """Over all queries this scorer is at chance; the page said so, and hid that it tells seen from unseen compounds."""
    sets = told(0.3, 0.1)
    assert np.mean(sets.right["ngram"]) == pytest.approx(0.2)
    assert sets.gaps()["cc12m"]["ngram"]["d"] == pytest.approx(20)
    group, gap = said(sets)
    assert group == "atom, SC of cc12m (200 queries): ngram reaches 30.0 % without looking, where chance is 20.0 %"
    assert gap.startswith("atom, cc12m: ngram shows SC − UC of +20.0 points")


def test_the_trained_scorer_is_allowed_more():
    assert said(told(0.2, 0.2, trained=0.27)) == []
    assert len(said(told(0.2, 0.2, trained=0.28))) == 2


def test_a_slope_of_a_blind_scorer_is_told():
    n = np.arange(N) % 9 + 4
    right = (np.arange(N) / N < n / 20).astype(float)
    sets = BlindRanks(np.arange(N), {"bag": right}, np.full(N, 1 / 6), {}, n)
    assert set(sets.groups()) == {"n"} and set(sets.groups()["n"]) == {f"n{i:02d}" for i in range(4, 13)}
    assert any("points an atom" in sentence for sentence in said(sets))


def of(d: float) -> Difference:
    return Difference({"d": d, "df": 200.0, "low": d - 2, "high": d + 2}, 2.0, f"off by {d}")


def test_a_difference_is_told_where_chance_never_makes_it_among_so_many():
    assert more_than_chance([*[of(0)] * 19, of(3)]) == [] and more_than_chance([of(3)]) == ["off by 3"]
    assert more_than_chance([*[of(0)] * 99, of(20), of(-20)]) == ["off by 20", "off by -20"]
    small = Difference({"d": 1.5, "df": None, "low": 1.4, "high": 1.6}, 2.0, "small")
    assert more_than_chance([*[of(0)] * 99, small]) == []
    # Of few clusters the tails are longer.
    few = Difference({"d": 8.0, "df": 3.0, "low": 5.0, "high": 11.0}, 2.0, "few images")
    assert more_than_chance([few]) == ["few images"] and more_than_chance([*[of(0)] * 99, few]) == []


def test_scorers_that_hang_together_make_no_complaint_by_chance():
    """Ten scorers that see much the same words differ between splits alike: more than one of them is often off 0."""
    complaints = 0
    seen = np.arange(N) % 2 == 0
    splits = {"cc12m": np.where(seen, "SC", "UC")}
    for seed in range(100):
        draw = np.random.default_rng(seed)
        common = draw.normal(size=N)
        right = {str(i): (common + 0.5 * draw.normal(size=N) > 0.9).astype(float) for i in range(10)}
        sets = BlindRanks(np.arange(N) // 2, right, np.full(N, 0.2), splits, np.zeros(N, int))
        complaints += bool(more_than_chance([*differences("atom", sets.gaps(), {})]))
    assert complaints / 100 <= 0.06
