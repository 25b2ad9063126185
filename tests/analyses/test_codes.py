"""Tests of what codes stand for: hand counts on four crops and three codes, and crops of a made-up world."""

import numpy as np
import pytest

from stages.analyses.codebook import ASPECTS, figures
from stages.analyses.codes import foremost, of_regions, of_truth, purity, top, used
from stages.images.crops import Crop

# Crops: a red cup, a red dog, a blue dog, a blue dog. The last code is never used.
WEIGHTS = np.array([[0.75, 0.25, 0, 0], [0.25, 0.75, 0, 0], [0, 0.5, 0.5, 0], [0, 0, 1, 0]], dtype=np.float32)
KINDS = [frozenset({kind}) for kind in ("cup", "dog", "dog", "dog")]


def test_purity_counted_by_hand():
    found = purity(WEIGHTS, KINDS)
    # The first code has 0.75 of its 1.0 on the cup, the second 1.25 of 1.5 on dogs, the third all.
    assert found.share == pytest.approx([0.75, 1.25 / 1.5, 1, 0])
    assert found.value[:3] == ["cup", "dog", "dog"]
    # Weighted by use: 0.75, 1.25 and 1.5 of 4.
    assert found.mean == pytest.approx(3.5 / 4)


def test_purity_of_crops_with_several_values():
    found = purity(WEIGHTS, [frozenset({"on", "near"}), frozenset({"near"}), frozenset({"under"}), frozenset({"under", "near"})])
    assert found.value[:2] == ["near", "near"] and found.share[:2] == pytest.approx([1, 1 / 1.5])


def test_labels_exchanged_say_what_chance_gives():
    """Two codes separate two kinds perfectly; with shuffled labels, they agree with the kinds for about half of the crops."""
    rng = np.random.default_rng(1)
    is_cup = rng.random(2000) < 0.5
    found = purity(np.stack([is_cup, ~is_cup], 1).astype(float), [frozenset({"cup" if one else "dog"}) for one in is_cup])
    assert found.mean == 1 and found.shuffled == pytest.approx(0.5, abs=0.05)


def test_codes_that_are_used():
    words = np.array([[0, 1.0, 0, 0], [0, 0, 0, 1.0]])
    assert used(WEIGHTS, words) == {"by_crops": 3, "by_words": 2, "by_both": 1, "each": 7 / 4}


def test_best_crops_are_those_that_have_any():
    assert top(WEIGHTS, 0) == [0, 1] and top(WEIGHTS, 2, 1) == [3] and top(WEIGHTS, 3) == []


def test_purity_of_the_best_crops():
    """The two best crops of each code: a cup and a dog, two dogs (the cup is third), two dogs. Every code has the same weight."""
    best = foremost(WEIGHTS, 2)
    assert best.tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0]]
    found = purity(best, KINDS)
    assert found.share == pytest.approx([0.5, 1, 1, 0]) and found.mean == pytest.approx(2.5 / 3)


def thing(kind, colour, x, y, width, height):
    return {"kind": kind, "colour": colour, "x": x, "y": y, "width": width, "height": height}


def test_crops_of_the_truth():
    """A crop shows a thing with its kind and colour, or a pair with all its relations; the sky is too large, the pin too small."""
    things = [
        thing("sky", "blue", 0, 0, 800, 400),
        thing("cup", "red", 100, 100, 80, 80),
        thing("table", "", 90, 180, 200, 100),
        thing("pin", "grey", 300, 100, 10, 10),
    ]
    holds = [(1, "on", 2), (1, "near", 2), (2, "under", 1), (1, "near", 3), (1, "below", 0)]
    relations = [{"subject": s, "relation": r, "object": o} for s, r, o in holds]
    row = {"image_id": 7, "image_width": 800, "image_height": 600, "things": things, "relations": relations}
    found = of_truth([row])
    assert found[Crop(7, 100, 100, 80, 80)] == {"kind": {"cup"}, "colour": {"red"}}
    assert found[Crop(7, 90, 180, 200, 100)] == {"kind": {"table"}}
    assert found[Crop(7, 90, 100, 200, 180)] == {"relation": {"on", "near", "under"}}
    assert len(found) == 3


def test_crops_of_regions():
    row = {"image_id": 2, "x": 1, "y": 2, "width": 3, "height": 4, "objects": ["cup", "table"]}
    row["attributes"] = [{"object": 1, "attribute": "wooden"}]
    row["relations"] = [{"subject": 0, "relation": "on", "object": 1}]
    found = {"kind": {"cup", "table"}, "attribute": {"wooden"}, "relation": {"on"}}
    assert of_regions([row]) == {Crop(2, 1, 2, 3, 4): found}, "not all that people say of things is a colour"
    assert found.keys() <= {*ASPECTS}


def test_figures_of_a_hand_made_codebook():
    """The most used code comes first, with its word and the labels it agrees with; an unused code is left out."""
    weights = np.array([[0.25, 0.75, 0], [0.25, 0.75, 0]], dtype=np.float32)
    labels = [{"kind": frozenset({"cup"})}, {"kind": frozenset({"cup"}), "colour": frozenset({"red"})}]
    crops = [Crop(1, 0, 0, 80, 80), Crop(2, 0, 0, 90, 90)]
    found = figures(weights, np.array([[0, 1.0, 0], [0, 0, 1.0]]), ["cup", "dog"], crops, labels)
    assert (found["codes"], found["crops"]) == (3, 2)
    assert found["used"] == {"by_crops": 2, "by_words": 2, "by_both": 1, "each": 2.0}
    assert set(found["purity"]) == {"kind", "colour"} and found["purity"]["kind"]["all"]["mean"] == 1
    first, second = found["top"]
    assert (first["code"], first["words"], first["share"]) == (1, ["cup"], 75.0)
    assert first["agrees"] == {"kind": ["cup", 1.0], "colour": ["red", 1.0]} and first["crops"] == [list(crop) for crop in crops]
    assert (second["code"], second["words"]) == (0, [])
