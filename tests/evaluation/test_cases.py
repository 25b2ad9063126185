"""Tests, by hand, of cases of several images and captions, whose masks say which belong together."""

import numpy as np
import pytest

from stages.evaluation.cases import figures, of_suites
from stages.evaluation.sets import Case, Layout
from stages.images.crops import Crop


def crops(number, count):
    return [Crop(10 * number + i, 0, 0, 9, 9) for i in range(count)]


def counted(mask, *cases):
    """Return the figures of cases with one mask, whose scores are rows of images and columns of captions."""
    sets, scores = [], []
    for number, of_case in enumerate(cases):
        images, captions = crops(number, len(mask)), [f"{number}{letter}" for letter in "abcdef"[: len(mask[0])]]
        for s in Case(f"case-{number}", images, captions, mask).sets("suite", "all"):
            sets.append(s)
            pairs = zip(s.crops, s.texts, strict=True)
            scores.append(np.array([of_case[images.index(crop)][captions.index(text)] for crop, text in pairs]))
    return figures(sets, scores)


PAIRED = ((True, False), (False, True))


def test_text_image_and_group_are_winogrounds():
    right = [[0.9, 0.1], [0.2, 0.8]]
    text_only = [[0.9, 0.8], [0.1, 0.2]]  # caption b scores higher with the first image
    image_only = [[0.3, 0.4], [0.1, 0.5]]  # the first image prefers caption b
    neither = [[0.1, 0.9], [0.8, 0.2]]
    tie = [[0.5, 0.5], [0.5, 0.5]]  # counts as wrong
    found = counted(PAIRED, right, text_only, image_only, neither, tie)
    assert (found["n"], found["text"], found["image"], found["group"]) == (5, 40.0, 40.0, 20.0)
    assert (found["text_chance"], found["image_chance"], found["group_chance"]) == (25.0, 25.0, 16.667)


def test_both_true_captions_must_win():
    """As in SugarCrepe++: a case of one image has no image score."""
    found = counted(((True, True, False),), [[0.9, 0.8, 0.1]], [[0.9, 0.0, 0.1]])
    assert found["text"] == 50.0 and found["text_chance"] == 33.333 and not {"image", "group", "map"} & found.keys()


def test_a_caption_chooses_among_images():
    """As in SVO-Probes: a case of one caption has no text score."""
    found = counted(((True,), (False,)), [[0.9], [0.1]], [[0.1], [0.9]], [[0.5], [0.5]], [[0.3], [0.2]])
    assert found["image"] == 50.0 and found["image_chance"] == 50.0 and not {"text", "group", "map"} & found.keys()


def test_average_precision_of_several_images():
    """As in Cola's single objects: the true images rank 1st and 3rd of four, so the average precision is (1 + 2/3) / 2."""
    found = counted(((True,), (True,), (False,), (False,)), [[0.9], [0.3], [0.5], [0.1]], [[0.9], [0.8], [0.5], [0.1]])
    assert found["map"] == pytest.approx(100 * (5 / 6 + 1) / 2, abs=1e-3) and found["image"] == 50.0
    assert found["image_chance"] == pytest.approx(100 / 6, abs=1e-3)


def test_images_without_a_caption_are_asked_of_those_that_are_false_of_them():
    case = Case("c", crops(1, 3), ("a", "b"), ((True, False), (False, True), (False, False)))
    first, second = case.sets("suite", "all", ("file", "0"), "verb")
    assert (first.texts, second.texts) == (("a", "b", "a"), ("b", "a", "b")) and first.edits == ("verb", "verb")
    assert [crop.image_id for crop in first.crops] == [10, 10, 12] and [crop.image_id for crop in second.crops] == [11, 11, 12]
    layout = Layout.of([first, second])
    assert layout.crop.tolist() == [0, 0, 2, 1, 1, 2] and layout.text.tolist() == [0, 1, 0, 1, 0, 1]
    assert layout.size.tolist() == [3, 3]


def test_a_suite_in_several_sets_has_a_figure_over_all_its_cases():
    """The mean over three cases of one tag and one of another weights all four equally. Other suites have no such figure."""
    sets, scores = [], []
    for number, (suite, name) in enumerate([*[("winoground", "object")] * 3, ("winoground", "both"), ("colorswap", "all")]):
        case = Case.paired(f"case-{number}", crops(number, 2), (f"{number}a", f"{number}b"))
        for s in case.sets(suite, name):
            sets.append(s)
            scores.append(np.array([0.1, 0.9] if name == "both" else [0.9, 0.1]))
    asks_others = [Case.paired("cola-0", crops(7, 2), ("a", "b")), Case("cola-1", crops(8, 2), ("a",), ((True,), (False,)))]
    for case, name in zip(asks_others, ("multi_objects", "single_GQA"), strict=True):
        of_case = list(case.sets("cola", name))
        sets += of_case
        scores += [np.array([0.9, 0.1])] * len(of_case)
    found = of_suites(sets, scores)
    assert list(found) == ["winoground"], "Cola's sets ask different things"
    assert (found["winoground"]["n"], found["winoground"]["group"]) == (4, 75.0) and found["winoground"]["group_se"] > 0


def test_cases_that_share_an_image_hang_together():
    one, other = Case.paired("one", crops(1, 2), ("a", "b")), Case.paired("other", [*crops(3, 1), crops(1, 2)[1]], ("c", "d"))
    sets = [*one.sets("suite", "all"), *other.sets("suite", "all")]
    found = figures(sets, [np.array([0.9, 0.1]), np.array([0.9, 0.1]), np.array([0.1, 0.9]), np.array([0.1, 0.9])])
    assert found["text"] == 50.0 and found["text_se"] is None, "of one cluster nothing is known of the spread"


def test_cases_of_several_masks_are_counted_together():
    two, one = Case.paired("two", crops(1, 2), ("a", "b")), Case("one", crops(3, 1), ("a", "b"), ((True, False),))
    sets = [*two.sets("suite", "all"), *one.sets("suite", "all")]
    found = figures(sets, [np.array([0.9, 0.1]), np.array([0.9, 0.1]), np.array([0.1, 0.9])])
    assert (found["n"], found["text"], found["image"]) == (2, 50.0, 100.0) and found["text_chance"] == 37.5
