"""The crop rule includes its bounds."""

from fractions import Fraction

import duckdb
import pytest
from duckdb import ColumnExpression
from hypothesis import given
from hypothesis import strategies as st

from stages.graphs.box import Box
from stages.images.crop_rule import CropRule
from stages.parameters import params
from stages.parameters.sections import Crop
from tests.running import ROOT, section

RULE = CropRule.of(section(Crop))
SIDE = st.integers(1, 2000)


# Each bound exactly met, and just missed (paper, section 4.1: "greater than or equal to", "at least", "between").
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
    """In floating point, 0.1 * 3 * 10 is 3.0000000000000004, which would drop a crop of exactly a tenth."""
    rule = CropRule(0, Fraction("0.1"), Fraction(0), Fraction(1000))
    assert rule.fault(Box(0, 0, 3, 1), 3, 10) is None


@given(st.lists(st.tuples(SIDE, SIDE, SIDE, SIDE), min_size=1, max_size=30))
def test_regions_and_subgraphs_are_judged_alike(sides):
    """DuckDB judges millions of regions and Python judges subgraphs; only by the same rule can the two halves be compared."""
    columns = ("width", "height", "image_width", "image_height")
    faults = RULE.faults(*map(ColumnExpression, columns))
    rows = ", ".join(map(str, sides))
    judged = duckdb.sql(f"SELECT * FROM (VALUES {rows}) AS t({', '.join(columns)})").select(*faults.values()).fetchall()  # noqa: S608
    assert judged == [tuple(RULE.faults(*row).values()) for row in sides]


def test_the_project_has_the_papers_rule():
    rule = CropRule.of(params.load(Crop, ROOT / "params.yaml"))
    assert rule == CropRule(40000, Fraction(1, 10), Fraction(1, 2), Fraction(2))
