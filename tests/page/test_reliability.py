"""Tests of the reliability curve and its errors, from the audit's figures."""

from stages.page import sections
from stages.page.audit import reliability
from tests.page.made import share


def point(predicted, observed, n):
    return {"predicted": predicted, "observed": observed, "low": observed / 2, "high": observed * 2, "n": n}


CALIBRATION = {
    "all": {"n": 5204, "error": 0.00067, "least_error": 0.0004, "curve": [point(0.0005, 0.001, 5000), point(0.007, 0.02, 12)]},
    "object": {"n": 5000, "error": 0.0013, "least_error": 0.0, "curve": [point(0.0005, 0.001, 5000)]},
}


def test_errors_by_part_and_a_curve_by_type():
    (errors, bins), (drawing,) = reliability({"cleared": {"atom": {"calibration": CALIBRATION}, "swap": {"calibration": {}}}})
    name = "HN-Atom, systematicity, cleared"
    assert errors.rows == [[name, "all", "5,204", "0.07", "0.04"], [name, "object", "5,000", "0.13", "0.00"]]
    assert [(row[1], row[2].value, row[2].n) for row in bins.rows] == [("0.05", 0.1, 5000), ("0.70", 2.0, 12)]
    assert "HN-Atom (sys, cleared)" in drawing.svg and "equal" in drawing.svg


def test_a_bin_of_few_negatives_is_no_part_of_the_curve():
    with_few = reliability({"paper": {"atom": {"calibration": CALIBRATION}}})[1][0].svg
    without = CALIBRATION | {"all": CALIBRATION["all"] | {"curve": CALIBRATION["all"]["curve"][:1]}}
    assert reliability({"paper": {"atom": {"calibration": without}}})[1][0].svg == with_few


def test_nothing_is_shown_where_no_negative_has_a_probability():
    assert reliability({"cleared": {"swap": {"calibration": {}}, "neg": {}}}) == ([], [])


def test_aros_kinds_stand_in_its_own_section_only():
    figures = {"all": {**share("r1", 50.0, 1.0), "n": 90}, "kinds": {"x": {**share("above", 50.0, 1.0), "n": 90}}}
    changed = sections.changes({"aro": {"relation": figures}, "cleared": {"sys": {"atom": figures}}, "model": {}}).tables[0]
    assert [row[0] for row in changed.rows] == ["HN-Atom, systematicity, cleared"]
