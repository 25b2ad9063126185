import re
from xml.etree import ElementTree

import pytest

from stages.page import drawings
from stages.page.drawings import by_complexity, by_group, histogram, scatter
from stages.page.figure import Figure
from tests.page.made import HOSTILE

SERIES = {
    "HN-Atom": {4: Figure(60, (56, 64), 100, 16.7), 5: Figure(50, (46, 54), 100, 16.7)},
    "all": {4: Figure(20, (16, 24), 100, 6.3), 5: Figure(9, (5, 13), 100, 6.3)},
}


def every():
    yield by_complexity("a", "over n", SERIES)
    yield by_group("b", "SC & UC", {"HN-Atom": {"SC": Figure(60, (56, 64), 100, 20), "UC": Figure(40, None, 9, 20)}, "none": {}})
    yield histogram("c", "counts", {"SC": [(10, 2), (1000, 1)], "UA": [(0, 1)], "UC": []}, "times")
    yield scatter(
        "d", "dots", {"SC": [(30.0, Figure(40, (38, 42))), (60.0, Figure(50, (48, 52)))], "UC": [(30.0, Figure(9))]}, "ImageNet"
    )


@pytest.mark.parametrize("name", [*HOSTILE, "a|b`c`", "\x00\x08", r'$x$ id="q" \1 \g<1>'])
def test_names_from_data_are_text(name):
    """This includes the drawing's own name, with which its ids begin."""
    svg = by_group(name, name, {name[:80]: {"SC": Figure(60, (56, 64), 100, 20), name[:80]: Figure(40, None, 90, 20)}}).svg
    elements = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}  # noqa: S314  our own drawing
    assert {"script", "img", "b"}.isdisjoint(elements) and "text" in elements


def test_the_same_figures_draw_the_same_bytes():
    assert [drawing.svg for drawing in every()] == [drawing.svg for drawing in every()]


def test_drawings_share_no_ids_carry_no_date_and_load_nothing():
    ids = []
    for drawing in every():
        own = re.findall(r' id="([^"]+)"', drawing.svg)
        ids += own
        assert all(name.startswith(f"{drawing.name}-") for name in own)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', drawing.svg)) <= set(own)
        assert "<metadata" not in drawing.svg and "<style" not in drawing.svg and "<script" not in drawing.svg
        assert not re.search(r"\b20\d\d-\d\d-\d\d", drawing.svg)
    assert len(ids) == len(set(ids))


def test_a_drawing_takes_the_pages_ink_and_says_what_it_shows():
    for drawing in every():
        assert "currentColor" in drawing.svg and "#010203" not in drawing.svg
        assert 'role="img"' in drawing.svg
    assert 'aria-label="SC &amp; UC"' in list(every())[1].svg


FEW = Figure(100, (30, 100), 2, 20)


def test_a_split_has_a_colour_of_its_own_whichever_splits_there_are():
    own = ("#2f7fc1", "#d97a1e", "#1f9d74")
    for splits in (("SC", "UC", "UA"), ("UC",), ("SC", "UA")):
        svg = by_group("a", "x", {"HN-Atom": {split: Figure(50, (46, 54), 100, 20) for split in splits}}).svg
        assert {colour for colour in own if colour in svg} == {own[("SC", "UC", "UA").index(split)] for split in splits}


def test_what_tells_little_is_drawn_pale_and_is_part_of_no_line():
    svg = by_group("a", "x", {"HN-Atom": {"SC": FEW}}).svg
    assert "#2f7fc1" not in svg and "opacity: 0.35" in svg
    for other, has_line in ((Figure(9, (7, 11)), True), (FEW, False)):
        dots = [(30.0, Figure(40, (38, 42))), (60.0, other)]
        assert ("opacity: 0.7" in scatter("d", "dots", {"SC": dots}, "ImageNet").svg) is has_line


@pytest.mark.parametrize(("top", "ylabel"), [(100, drawings.SHARE), (4, "not clearly false (%)")])
def test_marks_at_the_ends_of_the_scale_are_whole(top, ylabel):
    canvas, axes = drawings._axes()
    axes.plot([0, 1], [0, top], marker="o", markersize=6)
    drawings._finish(canvas, axes, "a", "x", ylabel)
    low, high = axes.get_ylim()
    points = axes.get_window_extent().height * 72 / canvas.dpi / (high - low)
    assert min(-low, high - top) * points > 3


def test_names_are_drawn_as_text_and_not_as_formulas():
    svg = by_complexity("a", "x", {"a_$b$ <c>": {4: Figure(1, (0, 3), 1, 1)}}).svg
    assert "a_$b$ &lt;c&gt;" in svg
