"""HN-Swap's two sorts of negatives, and the figures by them, counted by hand."""

import numpy as np
import pytest

from stages.images.crops import Crop
from stages.page import asked
from stages.retrieval.cleared import ADVERSARY
from stages.retrieval.sets import Query, RetrievalSet
from stages.suites import swaps


def swap(image, *edits):
    return RetrievalSet("prod", "swap", Query(f"walk-{image}", Crop(image, 0, 0, 9, 9)), "t", ("x",) * len(edits), edits)


def test_sorts_go_by_the_edits_name():
    assert {swaps.sort_of(f"{what}_exchanged") for what in ("object", "objects", "attribute")} == {"exchanged"}
    assert [swaps.sort_of(edit) for edit in ("subject_object", "attribute_moved", "")] == ["own_words", "own_words", ""]
    assert tuple(asked.SORTS) == swaps.SORTS


def test_figures_by_sort_counted_by_hand():
    """Two images with two negatives each of the caption's own atoms, a quarter of them right; an exchange, right, on the first."""
    sets = [swap(1, "objects", "object_exchanged", "attributes"), swap(2, "subject_object", "attribute_moved")]
    model = [np.array([1, 0, 0, 2]), np.array([1, 3, 2])]
    longer, ngram = [np.array([0, 1, 0, 0]), np.array([0, 0, 0])], [np.array([1, 0, 2, 2]), np.array([1, 1, 1])]
    found = swaps.figures(sets, model, {"longer": longer, "ngram": ngram, ADVERSARY: model})
    own, exchanged = found["own_words"], found["exchanged"]
    assert (own["n"], own["queries"], own["images"], own["negatives"], own["above"]) == (4, 2, 2, 80, 25)
    # Image 1 has half of its two right, image 2 none: (1/2 - 2/4)/4 and (0 - 2/4)/4 off, twice over two clusters.
    assert own["above_se"] == pytest.approx(100 * (2 * 2 * (0.5 / 4) ** 2) ** 0.5, abs=1e-3)
    # Of these the n-gram model has one and two ties, who takes the longer one a tie less: the adversary was trained on them.
    assert {"longer": 37.5, "ngram": 50, ADVERSARY: 25, "best": "ngram"}.items() <= own["blind"].items()
    assert (own["blind"]["gain"]["d"], own["blind"]["gain_trained"]["d"]) == (-25, 0)
    assert (exchanged["n"], exchanged["negatives"], exchanged["above"]) == (1, 20, 100)
    assert exchanged["above_se"] is None and exchanged["blind"]["best"] == "longer"


def test_without_blind_scorers_and_of_one_sort():
    found = swaps.figures([swap(1, "objects"), swap(2, "objects")], [np.array([1, 0]), np.array([1, 2])], {})
    shares = {"above": 50, "above_se": pytest.approx(50), "above_low": 0, "above_high": 100}
    assert found == {"own_words": {"n": 2, "queries": 2, "images": 2, "negatives": 100, **shares}}
