"""Tests of the section on codebook and generations: text from data stays text."""

from stages.images.crops import Crop
from stages.page.iterated import section

CROP = Crop(1, 0, 0, 80, 80)
OF_CODE = {"code": 7, "share": 3.2, "words": ["<script>"], "agrees": {"kind": ["a & b", 0.5]}, "crops": [list(CROP)]}
PURITY = {"kind": {"all": {"mean": 0.5, "shuffled": 0.25}, "best": {"mean": 0.75, "shuffled": 0.5}}}
USED = {"by_crops": 9, "by_words": 8, "by_both": 7, "each": 2.5}
BOOK = {"codes": 512, "crops": 6, "used": USED, "purity": PURITY, "top": [OF_CODE]}
GENERATION = {"lipschitz": {"image": 9.5, "text": 4.25}, "lesson": {"steps": [0, 1], "accuracy": [10.0, 30.0]}}
ANALYSIS = {"loss": {"steps": [0, 9], "loss": [4.0, 2.0], "spawns": [5]}, "generations": [GENERATION] * 2, "codebook": BOOK}


def test_words_on_the_sheet_are_no_markup():
    found = section(ANALYSIS, {CROP: b"\xff\xd8"})
    sheet = found.drawings[-1].svg
    assert "&lt;script&gt;" in sheet and "<script>" not in sheet and "a &amp; b 50 %" in sheet
    assert sheet.count("data:image/jpeg;base64,") == 1


def test_every_figure_has_its_place():
    found = section(ANALYSIS, {CROP: b"\xff\xd8"})
    generations, used, purity, codes = found.tables
    assert generations.rows == [["0", "9.5", "4.2", "20.0", "30.0"], ["1", "9.5", "4.2", "20.0", "30.0"]]
    assert used.rows == [["512", 9, 8, 7, "2.5"]]
    assert purity.rows == [["kind", "50.0", "25.0", "75.0", "50.0"]]
    assert codes.rows == [["7", "<script>", "a & b 50 %", "3.20"]]


def test_where_no_bound_is_known_none_is_drawn():
    unknown = [generation | {"lipschitz": None} for generation in ANALYSIS["generations"]]
    found = section(ANALYSIS | {"generations": unknown}, {CROP: b"\xff\xd8"})
    assert found.tables[0].rows == [["0", "–", "–", "20.0", "30.0"], ["1", "–", "–", "20.0", "30.0"]]
    assert "lipschitz" not in [drawing.name for drawing in found.drawings]
