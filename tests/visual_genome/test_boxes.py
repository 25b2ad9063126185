"""Boxes: what is cut lies in the image, and the crop rule's bounds are included."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest
from duckdb import ColumnExpression
from hypothesis import given
from hypothesis import strategies as st

from stages.contract import params
from stages.contract.errors import ParameterError
from stages.visual_genome.boxes import Box, CropRule, cut, overlap, union
from tests.running import ROOT

RULE = CropRule.of({"min_area": 40000, "min_share": 0.1, "min_ratio": 0.5, "max_ratio": 2.0})
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
    assert cut(box, 800, 600) == expected


@given(BOXES, SIDE, SIDE)
def test_what_is_cut_lies_in_the_image_and_in_the_box(box, width, height):
    part = cut(box, width, height)
    if part is not None:
        assert part.x >= 0 and part.y >= 0 and part.x + part.width <= width and part.y + part.height <= height
        assert union([part, box]) == box
        assert cut(part, width, height) == part


@given(st.lists(BOXES, min_size=1, max_size=5))
def test_a_union_holds_its_boxes_and_touches_them_on_every_side(boxes):
    whole = union(boxes)
    assert all(union([whole, box]) == whole for box in boxes)
    assert (whole.x, whole.y) == (min(box.x for box in boxes), min(box.y for box in boxes))
    assert whole.x + whole.width == max(box.x + box.width for box in boxes)


@given(BOXES, BOXES)
def test_overlap_is_a_share_and_symmetric(one, other):
    assert 0 <= overlap(one, other) == overlap(other, one) <= 1
    assert (overlap(one, other) == 1) == (one == other)


def test_overlap_is_intersection_over_union():
    assert overlap(Box(0, 0, 4, 4), Box(2, 0, 4, 4)) == pytest.approx(8 / 24)
    assert overlap(Box(0, 0, 4, 4), Box(4, 0, 4, 4)) == 0


# Each bound exactly met, and missed by the least there is (paper, section 4.1: "greater than or equal to", "at least", "between").
@pytest.mark.parametrize(
    ("width", "height", "image", "fault"),
    [
        (200, 200, (500, 500), None),
        (200, 199, (500, 500), "crop_area"),
        (400, 200, (800, 1000), None),
        (400, 200, (800, 1001), "crop_share"),
        (200, 400, (600, 600), None),
        (200, 401, (600, 600), "crop_narrow"),
        (400, 200, (600, 600), None),
        (401, 200, (600, 600), "crop_wide"),
    ],
)
def test_the_bounds_of_a_crop_are_included(width, height, image, fault):
    assert RULE.fault(Box(0, 0, width, height), *image) == fault


def test_a_tenth_is_a_tenth():
    """0.1 * 3 * 10 is 3.0000000000000004 in floating point, and would drop a crop of exactly a tenth."""
    rule = CropRule(0, Fraction("0.1"), Fraction(0), Fraction(1000))
    assert rule.fault(Box(0, 0, 3, 1), 3, 10) is None


@given(st.lists(st.tuples(SIDE, SIDE, SIDE, SIDE), min_size=1, max_size=30))
def test_regions_and_subgraphs_are_judged_alike(sides):
    """Millions of regions are judged by DuckDB, subgraphs by Python: by the same rule, or the two halves could not be compared."""
    columns = ("width", "height", "image_width", "image_height")
    faults = RULE.faults(*map(ColumnExpression, columns))
    rows = ", ".join(map(str, sides))
    judged = duckdb.sql(f"SELECT * FROM (VALUES {rows}) AS t({', '.join(columns)})").select(*faults.values()).fetchall()  # noqa: S608
    assert judged == [tuple(RULE.faults(*row).values()) for row in sides]


def test_the_project_has_the_papers_rule():
    rule = CropRule.of(params.load("crop", ROOT / "params.yaml"))
    assert rule == CropRule(40000, Fraction(1, 10), Fraction(1, 2), Fraction(2))


@pytest.mark.parametrize("settings", [{}, {"min_area": "large", "min_share": 0.1, "min_ratio": 0.5, "max_ratio": 2.0}])
def test_a_rule_without_a_bound_is_refused(settings):
    with pytest.raises(ParameterError, match="crop"):
        CropRule.of(settings)
