"""Tests of judging retrieval sets by the truth: what counts as false, and what is left out."""

import pytest

from stages.graphs.graph import SceneGraph
from stages.world.truth import calibration, falsity, label
from tests.world.scenes import scene, thing, truth_of

TRUTH = truth_of(scene([thing("dog", (0, 0, 100, 100), "red"), thing("cat", (300, 0, 400, 100), "blue")]))


def graph(name, *attributes):
    return SceneGraph((name,), tuple((0, a) for a in attributes)).columns()


def negative(edit, atom, *said):
    known = {"plausibility": None, "p_true": None, "nearness": None}
    return {"caption": "", "edit": edit, "atom": atom, "foil": None, "spans": [], **known, **graph(*said)}


def query(kind, truth, negatives, n=4):
    said = {
        "protocol": "cleared",
        "denied": None,
        "query_id": "q",
        "type": kind,
        "image_id": 1,
        "n": n,
        "truth": "",
        "splits": [],
        "negatives": negatives,
    }
    return said | {"x": 0, "y": 0, "width": 800, "height": 600} | graph(*truth)


def test_false_true_and_doubtful():
    negatives = [negative("object", "dog", "cow"), negative("object", "dog", "cat"), negative("attribute", "red", "dog", "wooden")]
    assert label(query("HN-Atom", ["dog"], negatives), TRUTH) == (True, [False, True, None])


def test_a_denied_statement_is_turned_round():
    negatives = [negative("attribute", "red | dog", "dog"), negative("attribute", "blue | dog", "dog")]
    assert label(query("HN-Neg", ["dog", "red"], negatives), TRUTH) == (True, [False, True])


def test_a_truth_that_denies_something_holds_where_it_is_not_there():
    """As in HN-Neg of ``cleared``: "a dog, with no cow in sight" against "a dog, with no cat in sight"."""
    negatives = [negative("object", "cat", "dog"), negative("object", "blue | cat", "dog"), negative("object", "red | cat", "dog")]
    made = query("HN-Neg", ["dog"], negatives)
    assert label(made | {"denied": "cow"}, TRUTH) == (True, [False, False, True])
    assert label(made | {"denied": "cat"}, TRUTH)[0] is False


def joined(*parts):
    """Return the columns of a graph of several unrelated things, such as red dogs and blue cats."""
    names = tuple(name for _, name in parts)
    return SceneGraph(names, tuple((o, colour) for o, (colour, _) in enumerate(parts))).columns()


def test_the_halves_of_a_conjunction_are_judged_each_by_itself():
    """The caption "A red dog and a red dog" is true of one red dog, as an HN-Comp sentence may say the same thing twice."""
    wrong = {"caption": "", "edit": "attribute+object", "atom": "", "foil": None, "spans": [], "plausibility": None}
    made = query(
        "HN-Comp", ["dog"], [wrong | joined(("red", "dog"), ("red", "cat")), wrong | joined(("blue", "cat"), ("red", "dog"))]
    )
    made |= joined(("red", "dog"), ("red", "dog"))
    assert label(made, TRUTH) == (True, [False, True])
    assert label(made | {"type": "HN-Atom"}, TRUTH)[0] is False


def test_shares():
    """A doubtful negative is not surely false; negatives of a misread truth are no evidence."""
    negatives = [negative("object", "dog", "cow"), negative("attribute", "red", "dog", "wooden")]
    sets = [query("HN-Atom", ["dog"], negatives), query("HN-Atom", ["horse"], negatives, n=5)]
    false, truths = falsity(sets, {1: TRUTH})
    assert (false["share"], false["n"], false["doubtful"], false["left_out"]) == (0.5, 2, 1, 2)
    assert false["by_edit"]["object"]["share"] == 1.0 and set(false["by_n"]) == {"n04"}
    assert (truths["share"], truths["n"]) == (0.5, 2)


def test_nothing_to_judge():
    false, truths = falsity([query("HN-Atom", ["horse"], [negative("object", "horse", "cow")])], {1: TRUTH})
    assert false["n"] == 0 and false["share"] is None and false["left_out"] == 1 and truths["share"] == 0.0


def test_calibration_is_the_distance_of_what_was_predicted_from_what_is_seen():
    rows = [("object", 0.004, i < 2, i) for i in range(500)] + [("attribute", 0.03, i < 10, i) for i in range(100)]
    found = calibration(rows)
    assert found["object"]["error"] == 0 and found["object"]["n"] == 500
    assert found["attribute"]["error"] == pytest.approx(0.07)
    assert found["all"]["error"] == pytest.approx(0.07 / 6, abs=1e-4)
    few, many = found["all"]["curve"]
    assert (few["observed"], many["observed"]) == (0.004, 0.1)
    # Wilson's interval for 10 %, by hand: 99 values (CR2's error is that of n - 1), and t = 1.984 at 99 degrees of freedom.
    assert (many["low"], many["high"]) == pytest.approx((0.0547, 0.1759), abs=1e-4)


def test_what_is_doubtful_may_be_true_or_false_in_the_least_error():
    """Of 100 cases with a prediction of 1 %, 3 are doubtful and none is true: the prediction may be right. If 2 are true, it cannot
    be."""
    verdicts = [None] * 3 + [False] * 97
    found, worse = (
        calibration([("attribute", 0.01, verdict, image) for image, verdict in enumerate(of)])["all"]
        for of in (verdicts, [True] * 2 + verdicts[:98])
    )
    assert (found["least_error"], worse["least_error"]) == (0, pytest.approx(0.01))
    assert (found["error"], found["curve"][0]["observed"], found["curve"][0]["true"]) == (pytest.approx(0.02), 0.03, 0)
