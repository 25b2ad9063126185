import numpy as np

from stages.evaluation.figures import share
from stages.page.figure import Figure, curve, points
from stages.page.table import Table


def test_a_figure_says_its_interval_and_stays_between_0_and_100():
    assert str(Figure(99.5, (97.5, 100))) == "99.5 % (97.5–100.0)"
    assert str(Figure(50.0)) == "50.0 %"


def test_above_and_below_chance_need_the_whole_interval():
    assert Figure(25, (23, 27), 100, 20).above_chance and not Figure(21, (19, 23), 100, 20).above_chance
    assert Figure(15, (13, 17), 100, 20).below_chance and not Figure(19, (17, 21), 100, 20).below_chance
    # Without an error, nothing can be distinguished from chance.
    assert not Figure(90, None, 100, 20).above_chance


def test_few_queries_or_a_wide_interval_tell_little():
    assert Figure(0, (0, 2), 29, 20).tells_little and not Figure(0, (0, 2), 29, 20).below_chance
    assert not Figure(0, (0, 2), 30, 20).tells_little and Figure(60, (44, 76), 500, 20).tells_little


def test_a_group_without_queries_has_no_figure():
    assert Figure.of(None) is None and Figure.of({"n": 0}) is None
    assert Figure.of({"r1": 40.0, "r1_low": None, "r1_high": None, "n": 1, "r1_chance": 20.0}) == Figure(40.0, None, 1, 20.0, True)


def test_queries_of_one_image_tell_little_however_many_they_are():
    """They have no interval, which was once taken for one of zero width: sixty were shown in black and on the curve."""
    of = {**share("r1", np.arange(60) % 2, np.zeros(60)), "n": 60, "r1_chance": 20.0}
    assert Figure.of(of).tells_little and Figure.of_pairs(of, "r1").tells_little and Figure.another(of, "r1").tells_little
    assert not curve({"n04": of}) and not Figure(50.0, None, 60, 20.0).tells_little


def test_queries_that_all_come_out_alike_still_have_an_interval():
    """Two queries that are both wrong do not show that the model is worse than chance."""
    none, every = ({**share("r1", np.full(n, right), np.arange(n)), "n": n, "r1_chance": 16.7} for n, right in ((2, 0), (300, 1)))
    assert Figure.of(none).interval == "0.0–65.8" and not Figure.of(none).below_chance
    assert Figure.of(every).interval == "98.7–100.0" and Figure.of(every).above_chance


def test_pairs_are_counted_by_their_queries():
    """For 3,028 negatives of 1,036 queries, the page once said "3,028 queries", and 30 pairs of 6 queries counted as enough."""
    of = {**share("above", np.arange(60) % 5 < 2, np.arange(60) // 5), "n": 60}
    assert Figure.of_pairs(of | {"queries": 12}).n == 12 and Figure.of_pairs(of | {"queries": 12}).tells_little
    assert not Figure.of_pairs(of | {"queries": 60}).tells_little


def test_tables_have_half_of_what_is_equal_to_both_sides():
    figures = [Figure(64.2, (62.2, 66.2)), Figure(99.5, (97.5, 100)), Figure(50.0)]
    assert [figure.interval for figure in figures] == ["±2.0", "97.5–100.0", ""]
    assert Table("x", ["a", "b", "c"], [figures]).lines == [["64.20 ± 2.0", "99.50 (97.5–100.0)", "50.00"]]


def test_differences_have_a_sign_and_a_true_minus():
    assert points({"d": -5.1, "low": -7.1, "high": 3.0}) == "−5.1 points (−7.1 to +3.0)"
    assert points({"d": 2.0, "low": None, "high": None}) == "+2.0 points"
    assert points({"d": -0.04, "low": None}) == "+0.0 points"


def test_columns_of_words_are_told_from_those_of_figures():
    table = Table("x", ["a", "b", "c", "d"], [["one", "object", "+1.0 points", "–"], ["two", "relation", "–", "–"]])
    assert table.words == {0, 1} and Table("x", ["a"], []).words == set()
