"""Tests of the figures of a few sets, counted by hand."""

from dataclasses import replace

import numpy as np
import pytest

from stages.evaluation.baselines import other_crops, same_bag
from stages.evaluation.figures import detects, percent
from stages.evaluation.intervals import Interval
from stages.evaluation.ranks import rank
from stages.evaluation.sets import Case, Layout, Pair, Query, RetrievalSet, Split
from stages.evaluation.summary import Ranked, headline, set_id, summarise
from stages.images.crops import Crop


def retrieval_set(i, split="SC", n=None, other="UC", negatives=("a cat", "dog a")):
    splits = {} if n else {"cc12m": Split(split, 3), "laion400m": Split(other, 5)}
    query = Query(f"q{i}", Crop(i // 2, i, 0, 9, 9), n, None if n else "attribute_object", splits)
    return RetrievalSet("prod" if n else "sys", "atom", query, "a dog", negatives, ("object", "swap"))


def ranked(sets, scores, shortcuts=(), held_out=()):
    layout = Layout.of(sets)
    ranks = rank(np.array(scores, dtype=float).ravel(), layout.size)
    others = {name: rank(np.array(of, dtype=float).ravel(), layout.size) for name, of in dict(shortcuts).items()}
    own = [np.array(row, dtype=float) for row in scores]
    return Ranked(sets, own, ranks, ranks, others, same_bag(layout), held_out)


SETS = [retrieval_set(0), retrieval_set(1), retrieval_set(2, "UC", other="SC"), retrieval_set(3, "UC", other="SC")]
SCORES = [[2, 1, 0], [2, 1, 0], [1, 2, 0], [2, 1, 2]]


def test_groups_by_split_with_shortcuts_and_shuffled_images():
    shortcuts = {"shorter": [[0, 0, 0]] * 4, "ngram": [[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]]}
    figures = summarise(ranked(SETS, SCORES, shortcuts), "cc12m", strata=2)["sys"]["atom"]
    assert [figures[group]["r1"] for group in ("all", "SC", "UC")] == [62.5, 100, 25]
    assert figures["all"]["shortcut_r1"] == pytest.approx(33.333) and figures["all"]["shuffled_r1"] == 62.5
    assert figures["all"]["shortcut_r1_se"] == 0 and figures["all"]["shuffled_r1_se"] == figures["all"]["r1_se"] > 0
    assert figures["shortcuts"]["best"] == "shorter" and figures["shortcuts"]["ngram"] == 25
    assert (
        figures["shortcuts"]["gain"]["d"] == pytest.approx(62.5 - 33.333, abs=1e-3) and "gain_trained" not in figures["shortcuts"]
    )


def test_the_gain_over_who_was_trained_on_the_sets_is_paired():
    """Where the adversary is right on the same sets as the model, their difference is more certain than either."""
    sets = [retrieval_set(2 * i) for i in range(40)]
    right, wrong = [2, 1, 0], [0, 1, 2]
    scores = [right] * 24 + [wrong] * 16
    shortcuts = {"shorter": [[0, 0, 0]] * 40, "trained": [right] * 20 + [wrong] * 20}
    figures = summarise(ranked(sets, scores, shortcuts), "cc12m", strata=2)["sys"]["atom"]
    gain = figures["shortcuts"]["gain_trained"]
    assert (gain["n"], gain["d"]) == (40, 10) and 0 < gain["low"] < 10
    assert figures["all"]["r1_low"] < figures["shortcuts"]["trained"] == 50


def test_a_scorer_that_selection_never_used_is_no_shortcut_of_its():
    """It is reported separately: the best shortcut is one that selection knows."""
    held_out = {"shorter": [[0, 0, 0]] * 4, "neural": [[1, 0, 0]] * 4, "trained": [[1, 0, 0]] * 4}
    figures = summarise(ranked(SETS, SCORES, held_out, ("neural",)), "cc12m", strata=2)["sys"]["atom"]
    assert figures["shortcuts"]["best"] == "shorter" and figures["shortcuts"]["held_out"] == "neural"
    assert figures["all"]["held_out_r1"] == figures["all"]["trained_r1"] == figures["SC"]["held_out_r1"] == 100
    assert figures["shortcuts"]["gain_held_out"]["d"] == -37.5


def test_protocols_and_the_papers_sets_on_the_queries_of_cleared():
    """``cleared`` kept two of four queries; the model is wrong about one and ties on the other."""
    papers = [replace(s, protocol="paper") for s in SETS]
    kept = [replace(s, protocol="cleared", negatives=("a cow", "a hen")) for s in SETS[2:]]
    figures = summarise(ranked([*papers, *kept, SETS[0]], [*SCORES, [0, 1, 2], [0, 1, 2], [2, 1, 0]]), "cc12m", strata=2)
    assert set(figures) == {"paper", "cleared", "paper_on_cleared", "sys"}
    found = {key: figures[key]["sys"]["atom"]["all"] for key in ("paper", "paper_on_cleared", "cleared")}
    assert {key: (of["n"], of["r1"]) for key, of in found.items()} == {
        "paper": (4, 62.5), "paper_on_cleared": (2, 25.0), "cleared": (2, 0.0)
    }  # fmt: skip
    scorers = {"shorter": [[0, 0, 0]] * 6}
    said = headline(summarise(ranked([*papers, *kept], [*SCORES, [0, 1, 2], [0, 1, 2]], scorers), None, 2) | {"raw": {}})
    assert said.startswith("paper.sys.atom 62.5 (chance 33.3") and "cleared.sys.atom 0.0" in said and said.count("sys.atom") == 2


def test_sets_have_an_id_and_say_what_they_can_detect():
    one, other = (summarise(ranked(sets, SCORES), None, strata=2)["sys"]["atom"] for sets in (SETS, SETS[::-1]))
    assert one["id"] == other["id"] != summarise(ranked(SETS[:3], SCORES[:3]), None, strata=2)["sys"]["atom"]["id"]
    assert one["detects"] is None  # with two images, more than 100 points


@pytest.mark.parametrize(("error", "found"), [(0.02, (12.706 + 1.376) * 2), (0.08, None), (0.0, None), (float("nan"), None)])
def test_the_smallest_difference_that_can_be_detected(error, found):
    """With one degree of freedom: t at 97.5 % and at 80 %, each times the standard error."""
    assert detects(Interval(0.5, error, 1.0, 0.0, 1.0)) == (found and pytest.approx(found, rel=1e-3))


def test_pairs_and_their_ties_by_hand():
    """Of eight pairs, six are right and one ties."""
    everything = summarise(ranked(SETS, SCORES), None, strata=2)["sys"]["atom"]["all"]
    assert (everything["pairs"], everything["tied_pairs"], everything["ties"]) == (81.25, 12.5, 25.0)


def test_gap_raw_matched_and_the_other_way():
    figures = summarise(ranked(SETS, SCORES), "cc12m", strata=2)["sys"]["atom"]
    assert figures["gap"]["raw"]["d"] == 75 and figures["gap"]["matched"]["d"] == 75
    assert figures["gap"]["other_way"]["laion400m"]["d"] == 75
    assert figures["gap"]["raw"]["low"] is None and figures["gap"]["remains"] is None, "each side is of one image"


def test_on_like_items_another_blind_scorer_may_show_most():
    """One scorer knows one kind of compound, and has only a raw gap; the other has a gap within each kind, but none over both."""
    counts = {("SC", "attribute_object"): 30, ("SC", "relation"): 10, ("UC", "attribute_object"): 10, ("UC", "relation"): 30}
    right = {
        "kind": {"attribute_object": 1.0},
        "within": {("SC", "attribute_object"): 1 / 3, ("SC", "relation"): 1.0, ("UC", "relation"): 2 / 3},
    }
    sets, scores, shortcuts = [], [], {"kind": [], "within": []}
    for (split, compound), count in counts.items():
        for i in range(count):
            made = retrieval_set(2 * len(sets), split)
            sets.append(replace(made, query=replace(made.query, compound=compound)))
            scores.append([2, 1, 0] if split == "SC" else [0, 1, 2])
            for name, shares in right.items():
                share = shares.get(compound, shares.get((split, compound), 0.0))
                shortcuts[name].append([2, 1, 0] if i < round(share * count) else [0, 1, 2])
    gap = summarise(ranked(sets, scores, shortcuts), "cc12m", strata=1)["sys"]["atom"]["gap"]
    assert gap["shortcut"]["raw"]["scorer"] == "kind" and (gap["shortcut"]["raw"]["d"], gap["over_shortcut"]["raw"]["d"]) == (
        50,
        50,
    )
    alike = gap["shortcut"]["matched"]
    assert alike["scorer"] == "within" and (alike["d"], gap["over_shortcut"]["matched"]["d"]) == pytest.approx(
        (33.333, 66.667), abs=1e-3
    )


def test_kinds_count_every_negative_and_half_a_tie():
    kinds = summarise(ranked(SETS, SCORES), None, strata=2)["sys"]["atom"]["kinds"]
    assert kinds["object"]["above"] == 75 and (kinds["object"]["n"], kinds["object"]["queries"]) == (4, 4)
    assert kinds["swap"]["above"] == 87.5


def test_weighted_accuracy_by_hand():
    """The model is right in 1, 1, 0 and 1/2 of the sets, "ngram" in 1, 0, 0, 0, and "shorter" in a third of each."""
    weighted = [replace(s, weight=weight) for s, weight in zip(SETS, (0.2, 0.6, 1.0, 0.2), strict=True)]
    shortcuts = {"shorter": [[0, 0, 0]] * 4, "ngram": [[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]]}
    found = summarise(ranked(weighted, SCORES, shortcuts), None, strata=2)["sys"]["atom"]["weighted"]
    assert (found["n"], found["effective"]) == (4, 2.8), "2² / (0.04 + 0.36 + 1 + 0.04) is 2.78"
    assert (found["r1"], found["r1_chance"]) == (45.0, 33.333), "(0.2 + 0.6 + 0.1) / 2"
    assert (found["best"], found["shortcut_r1"]) == ("shorter", 33.333), "unlike without weights, where ngram reaches 25 %"
    assert found["r1_low"] < 45 < found["r1_high"] and "trained_r1" not in found


def test_equal_weights_give_the_unweighted_mean():
    sets = [replace(retrieval_set(i), weight=0.5) for i in range(8)]
    scores = [[2, 1, 0], [1, 2, 0]] * 4
    figures = summarise(ranked(sets, scores), None, strata=2)["sys"]["atom"]
    assert [figures["weighted"][key] for key in ("r1", "r1_se")] == [figures["all"][key] for key in ("r1", "r1_se")]
    none = [replace(s, weight=0.0) for s in sets]
    assert "weighted" not in summarise(ranked(none, scores), None, strata=2)["sys"]["atom"], "a set of which nothing is left"


def test_draws_have_a_mean_and_a_deviation():
    """The sets are right in 1, 1, 0 and, through a tie, 1/2: the first draw has 50 %, the second 75 %."""
    drawn = [replace(s, query=replace(s.query, draw=i % 2)) for i, s in enumerate(SETS)]
    assert summarise(ranked(drawn, SCORES), None, strata=2)["sys"]["atom"]["draws"] == {"n": 2, "r1": 62.5, "r1_sd": 17.678}
    assert "draws" not in summarise(ranked(SETS, SCORES), None, strata=2)["sys"]["atom"]


def test_bag_of_words_ceiling():
    """``dog a`` has the words of ``a dog``, so a model that knows only words must guess between the two."""
    bag = summarise(ranked(SETS, SCORES), None, strata=2)["sys"]["atom"]["bag"]
    assert bag == {"same": 50.0, "ceiling": 50.0}


def test_words_tell_which_image_a_caption_belongs_to():
    """The truth occurs again with the other image, and is not a negative with the truth's own words."""
    case = Case("c", [Crop(1, 0, 0, 9, 9), Crop(2, 0, 0, 9, 9)], ["a dog runs"], [[True], [False]])
    bag = summarise(ranked([*case.sets("svo_probes", "verb")], [[2, 1]]), None, strata=2)["svo_probes"]["verb"]["bag"]
    assert bag == {"same": 0.0, "ceiling": 100.0}


def test_images_of_one_case_stand_or_fall_together():
    """As in Winoground: a model that is right about a case's first image is right about its second, so both count once."""
    every = [Case(f"c{i}", [Crop(2 * i + j, 0, 0, 9, 9) for j in (0, 1)], ["a", "b"], np.eye(2, dtype=bool)) for i in range(20)]
    two = ranked([s for case in every for s in case.sets("winoground", "all", edit="order")], [[2, 1]] * 20 + [[1, 2]] * 20)
    figures = summarise(two, None, strata=2)["winoground"]["all"]
    assert (figures["all"]["n"], figures["all"]["images"]) == (40, 20)
    by_case = pytest.approx(100 * 0.5 / np.sqrt(19), abs=1e-3)
    assert [figures["all"]["r1_se"], figures["kinds"]["order"]["above_se"], figures["cases"]["text_se"]] == [by_case] * 3
    clusters = [row["cluster"] for row in two.rows(None)]
    assert clusters[::2] == clusters[1::2] == list(range(0, 40, 2))


def test_slope_over_complexities():
    """All queries count, even where a complexity has few: n = 4 and 5 alone give another slope, and falsely certain."""
    sets = [retrieval_set(i, n=4 + i // 40) for i in range(80)] + [retrieval_set(80 + i, n=12) for i in range(3)]
    scores = [[2, 1, 0]] * 40 + [[0, 1, 2]] * 40 + [[2, 1, 0]] * 3
    figures = summarise(ranked(sets, scores, {"shorter": [[0, 0, 0]] * 83}), "cc12m", 2)["prod"]["atom"]
    assert figures["slope"]["raw"]["n"] == 83 and figures["slope"]["raw"]["d"] == figures["slope"]["over_shortcut"]["d"]
    fitted = np.polyfit([s.query.n for s in sets], [of_set[0] == 2 for of_set in scores], 1)
    assert figures["slope"]["raw"]["d"] == pytest.approx(100 * fitted[0], abs=1e-3)
    assert figures["slope"]["raw"]["low"] < -10 < 0 < figures["slope"]["raw"]["high"]
    assert figures["slope"]["shortcut"]["d"] == 0
    assert figures["n04"]["r1"] == 100 and figures["n05"]["r1"] == 0
    assert "gap" not in figures


def test_no_complexity_is_left_out_of_a_slope_for_its_wide_interval():
    """An interval is widest at 50 %: the complexity that was half right was left out, and the lower ones made the slope."""
    sets = [retrieval_set(i, n=4 + i // 80) for i in range(240)]
    scores = [[2, 1, 0] if i % 80 < (40, 24, 24)[i // 80] else [0, 1, 2] for i in range(240)]
    figures = summarise(ranked(sets, scores), "cc12m", 2)["prod"]["atom"]
    assert figures["n04"]["r1_high"] - figures["n04"]["r1_low"] > 30 > figures["n05"]["r1_high"] - figures["n05"]["r1_low"]
    assert figures["slope"]["raw"]["d"] == -10 and figures["slope"]["raw"]["n"] == 240


def test_the_table_names_the_split_asked_for():
    rows = list(ranked(SETS, SCORES, {"shorter": [[0, 0, 0]] * 4}).rows("laion400m"))
    assert [row["split"] for row in rows] == ["UC", "UC", "SC", "SC"]
    assert (rows[3]["ties"], rows[3]["rank"]) == (1, 1.5)
    assert rows[0]["shortcuts"] == [{"scorer": "shorter", "rank": 2.0, "r1": pytest.approx(1 / 3)}]


def test_headline():
    figures = summarise(ranked(SETS, SCORES, {"shorter": [[0, 0, 0]] * 4}), None, 2)
    assert headline({**figures, "raw": {}, "captions": {}}) == "sys.atom 62.5 (chance 33.3, text-only 33.3)"


def test_shuffled_crops_are_of_other_images_and_stay_when_queries_are_added():
    layout = Layout.of(SETS)
    crops = other_crops(SETS, layout, seed=0)
    of_sets = crops.reshape(len(SETS), 3)
    assert (of_sets == of_sets[:, :1]).all(), "a set is asked with one crop"
    assert all(layout.crops[c].image_id != s.query.crop.image_id for c, s in zip(of_sets[:, 0], SETS, strict=True))
    given = dict(zip((s.query.query_id for s in SETS), (layout.crops[c] for c in of_sets[:, 0]), strict=True))
    fewer = [s for s in SETS if s.query.query_id != SETS[-1].query.query_id]
    layout = Layout.of(fewer, [Pair("SC", "region", Crop(99, 0, 0, 9, 9), "a crop that no set asks about")])
    for s, c in zip(fewer, other_crops(fewer, layout, seed=0).reshape(len(fewer), 3)[:, 0], strict=True):
        before = given[s.query.query_id]
        assert before == layout.crops[c] or before == SETS[-1].query.crop, "only who had a crop that is gone has another"
    one = SETS[:1]
    assert other_crops(one, Layout.of(one), seed=0).tolist() == [0] * 3, "there is no other image"


def test_queries_are_counted_by_split_for_every_training_set():
    queries = summarise(ranked(SETS, SCORES), "cc12m", strata=2)["sys"]["atom"]["queries"]
    assert queries == {"cc12m": {"SC": 2, "UC": 2}, "laion400m": {"SC": 2, "UC": 2}}


def test_a_last_bit_below_0_is_no_minus_0():
    assert str(percent(-1e-17)) == "0.0"


def test_the_id_of_sets_is_of_their_queries_truths_and_negatives_in_any_order():
    asked = [("region-1", "a dog", ["a cat", "a cow"]), ("region-2", "a hen", ["a fox"])]
    again = [asked[1], ("region-1", "a dog", ["a cow", "a cat"])]
    others = [[asked[0]], [*asked[:1], ("region-2", "a hen", ["an owl"])], [*asked[:1], ("region-3", "a hen", ["a fox"])]]
    assert set_id(asked) == set_id(again) and len({set_id(of) for of in (asked, *others)}) == 4
