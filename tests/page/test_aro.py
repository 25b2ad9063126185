"""Tests of the report's section on ARO, on made-up figures."""

from stages.page.aro import section
from tests.page.made import share

ALL = {**share("r1", 61.0, 2.0), "r1_chance": 50.0, "n": 300, "images": 100, **share("shortcut_r1", 70.0, 1.0)}
MACRO = {**share("r1", 55.0, 3.0), "groups": 4, "n": 200, "left_out": 100}
RELATION = {
    "all": ALL | share("shuffled_r1", 50.0, 2.0),
    "shortcuts": {"best": "ngram"},
    "kinds": {"on": {**share("above", 61.0, 2.0), "n": 300}, "all_but_nouns": {**share("above", 61.0, 2.0), "n": 30}},
    "macro": {"all": MACRO, "spatial": MACRO, "verb": MACRO | dict.fromkeys(share("r1", 0, 0))},
}
RUN = {f"{way}_r{k}": 50.0 for way in ("i2t", "t2i") for k in (1, 5)}
ALONE = RUN | {f"{key}_sd": None for key in RUN} | {"seeds": 1}
RUN |= {f"{key}_sd": 1.5 for key in RUN} | {"seeds": 3}
PERTURBED = {"images": 10, "captions": 50, "text": {"trigrams": RUN, "none": ALONE}, "image": {"none": RUN}}


def test_the_section_has_the_papers_tables():
    found = section({"aro": {"relation": RELATION}, "aro_order": {"order": RELATION | {"macro": {}}}, "perturbed": PERTURBED})
    titles = [table.caption for table in found.tables]
    assert titles[0] == "ARO: accuracy (%)" and "Macro accuracy (%)" in titles
    (words,) = (table for table in found.tables if "words of the captions" in table.caption)
    assert {row[0] for table in found.tables if table.folded for row in table.rows} == {"on", "all but nouns"}
    assert "relations with 10 cases and more, or pairs of attributes with 25" in found.lead, "it spoke of 25 for relations, too"
    assert words.rows == [["none", *["50.0"] * 4], ["trigrams", *["50.0 ± 1.5"] * 4]]


def test_orders_drawn_several_times_have_their_deviation():
    drawn = {"order": RELATION | {"macro": {}, "draws": {"n": 3, "r1": 59.52, "r1_sd": 0.58}}}
    table = section({"aro": {"relation": RELATION}, "aro_order": drawn}).tables[0]
    assert table.head[-1] == "mean ± sd over draws" and [row[-1] for row in table.rows] == ["–", "59.5 ± 0.6 (3)"]


def test_weighted_accuracy_has_a_column():
    weighted = {"n": 50, **share("r1", 52.0, 3.0), "r1_chance": 50.0}
    table = section({"aro_released": {"relation": RELATION | {"weighted": weighted}, "attribution": RELATION}}).tables[0]
    assert table.head[-1] == "weighted" and [row[-1] and row[-1].value for row in table.rows] == [None, 52.0]


def test_without_aro_there_is_no_section():
    assert section({"prod": {}, "perturbed": None}) is None
