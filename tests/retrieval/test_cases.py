"""Cases of two images and two captions, and of two true captions, counted by hand."""

import numpy as np

from stages.retrieval.cases import figures, two_by_two
from stages.retrieval.sets import Query, RetrievalSet
from stages.visual_genome.crops import Crop


def case(number, scores):
    """A case whose scores are given as rows of images and columns of captions."""
    crops = [Crop(10 * number + i, 0, 0, 9, 9) for i in (0, 1)]
    sets = two_by_two("winoground", "all", f"case-{number}", crops, ["a", "b"])
    return list(zip(sets, [np.array(scores[0]), np.array(scores[1][::-1])], strict=True))


def counted(*cases):
    parts = [part for of in cases for part in of]
    return figures([s for s, _ in parts], [scores for _, scores in parts])


def test_text_image_and_group_are_winogrounds():
    right = case(1, [[0.9, 0.1], [0.2, 0.8]])
    text_only = case(2, [[0.9, 0.8], [0.1, 0.2]])  # caption b scores higher with the first image
    image_only = case(3, [[0.3, 0.4], [0.1, 0.5]])  # the first image prefers caption b
    neither = case(4, [[0.1, 0.9], [0.8, 0.2]])
    found = counted(right, text_only, image_only, neither)
    assert (found["n"], found["text"], found["image"], found["group"]) == (4, 50.0, 50.0, 25.0)


def test_a_tie_is_wrong():
    found = counted(case(1, [[0.5, 0.5], [0.5, 0.5]]))
    assert (found["text"], found["image"], found["group"]) == (0.0, 0.0, 0.0)


def test_both_true_captions_must_win():
    crop = Crop(1, 0, 0, 9, 9)
    sets = [RetrievalSet("pp", "swap", Query(f"{c}-{i}", crop, case=c), str(i), ("n",), ("",)) for c in ("x", "y") for i in (0, 1)]
    found = figures(sets, [np.array(s) for s in ([0.9, 0.1], [0.8, 0.1], [0.9, 0.1], [0.0, 0.1])])
    assert found["text"] == 50.0 and "image" not in found
