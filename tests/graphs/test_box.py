"""Tests of boxes: a cut box lies in the image, and two measures say how much two boxes share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.graphs.box import Box, covered, union

SIDE, PLACE = st.integers(1, 2000), st.integers(-500, 1500)
BOXES = st.builds(Box, PLACE, PLACE, SIDE, SIDE)


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        (Box(10, 20, 30, 40), Box(10, 20, 30, 40)),
        (Box(-10, -20, 30, 40), Box(0, 0, 20, 20)),
        (Box(790, 590, 30, 40), Box(790, 590, 10, 10)),
        (Box(-10, -10, 2000, 2000), Box(0, 0, 800, 600)),
        (Box(800, 0, 10, 10), None),
        (Box(0, 600, 10, 10), None),
        (Box(-10, 0, 10, 10), None),
        (Box(10, 10, 0, 10), None),
        (Box(10, 10, 10, -3), None),
    ],
)
def test_boxes_are_cut_to_the_image(box, expected):
    assert box.cut(800, 600) == expected


@given(BOXES, SIDE, SIDE)
def test_what_is_cut_lies_in_the_image_and_in_the_box(box, width, height):
    part = box.cut(width, height)
    if part is not None:
        assert part.x >= 0 and part.y >= 0 and part.x + part.width <= width and part.y + part.height <= height
        assert union([part, box]) == box
        assert part.cut(width, height) == part


@given(st.lists(BOXES, min_size=1, max_size=5))
def test_a_union_holds_its_boxes_and_touches_them_on_every_side(boxes):
    whole = union(boxes)
    assert all(union([whole, box]) == whole for box in boxes)
    assert (whole.x, whole.y) == (min(box.x for box in boxes), min(box.y for box in boxes))
    assert whole.x + whole.width == max(box.x + box.width for box in boxes)


@given(BOXES, BOXES)
def test_iou_is_a_share_and_symmetric(one, other):
    assert 0 <= one.iou(other) == other.iou(one) <= 1
    assert (one.iou(other) == 1) == (one == other)


def test_iou_is_intersection_over_union():
    assert Box(0, 0, 4, 4).iou(Box(2, 0, 4, 4)) == pytest.approx(8 / 24)
    assert Box(0, 0, 4, 4).iou(Box(4, 0, 4, 4)) == 0


def test_covered_by_is_the_share_of_the_first():
    assert Box(0, 0, 4, 4).covered_by(Box(2, 0, 40, 40)) == 0.5
    assert Box(2, 0, 40, 40).covered_by(Box(0, 0, 4, 4)) == pytest.approx(8 / 1600)
    assert Box(0, 0, 0, 0).covered_by(Box(0, 0, 4, 4)) == 0


@given(st.lists(BOXES, max_size=4), st.lists(BOXES, max_size=4))
def test_all_at_once_is_one_by_one(boxes, others):
    expected = np.array([[box.covered_by(other) for box in boxes] for other in others]).reshape(len(others), len(boxes))
    assert covered(boxes, others) == pytest.approx(expected)


def test_the_gap_is_the_way_between_two_boxes():
    assert Box(0, 0, 10, 10).gap(Box(30, 5, 10, 10)) == 20
    assert Box(0, 0, 10, 10).gap(Box(5, 5, 10, 10)) == 0
