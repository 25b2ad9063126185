"""Tests of comparing runs on the further suites, on made-up figures."""

import dataclasses

from stages.page import sections
from stages.page.answer import rows
from stages.page.compare import compare
from stages.page.display_names import suites
from stages.page.further import perturbed_table, relation_table, suite_table, tables
from stages.page.sections import further
from stages.page.sentences import three
from stages.page.table import latex, markdown
from tests.page.made import share
from tests.page.test_aro import ALL, MACRO, RUN
from tests.page.test_compare import a_run

RELATION = {
    "all": ALL,
    "shortcuts": {"best": "ngram", "ngram": 70.0, "gain": None},
    "macro": {"all": MACRO, "spatial": MACRO, "verb": MACRO | {"r1": 60.0}},
    "kinds": {
        name: {**share("above", above, 2.0), "n": n}
        for name, above, n in (("behind", 51.0, 40), ("on", 61.0, 300), ("eating", 71.0, 10), ("near", 99.0, 9))
    },
}
CASES = {"n": 150, **share("text", 30.0, 1.0), **share("image", 10.0, 1.0), **share("group", 8.0, 1.0)}


def run(name="a", **metrics):
    return dataclasses.replace(a_run(name, [0] * 16, model=f"model {name}"), metrics=metrics)


def test_relations_as_in_table_2():
    grid = relation_table([run(aro={"relation": RELATION}), run("b", aro={})], "aro")
    assert [row[0] for row in grid.rows] == ["Spatial relations, mean", "on", "behind", "Verbs, mean", "eating"], "near is too rare"
    assert grid.lines[1] == ["on", "61.00 ± 3.9", "–", "300"] and grid.lines[0][-1] == "340"
    assert not relation_table([run(winoground={})], "winoground").rows


def test_accuracies_as_in_table_5():
    grid = suite_table([run(aro={"relation": RELATION}), run("b", aro={"relation": RELATION})], "aro")
    assert [row[:2] for row in grid.lines] == [
        ["relation", "model a"], ["relation", "model b"], ["relation", "Chance level"], ["relation", "Text only (ngram)"]
    ]  # fmt: skip
    assert grid.lines[0][2:] == ["300", "61.00 ± 3.9", "55.00 ± 5.9"] and grid.lines[3][3:] == ["70.00", "–"]


def test_orders_drawn_several_times_have_their_deviation():
    """As in ARO's table 5: 59.5 ± 0.6 over 3 seeds."""
    drawn = {"order": {"all": ALL, "draws": {"n": 3, "r1": 59.52, "r1_sd": 0.58}}}
    grid = suite_table([run(aro={"relation": RELATION}, aro_order=drawn)], "aro", "aro_order")
    assert [column for column in grid.head][3:] == ["accuracy", "mean ± sd over draws", "macro accuracy"]
    rows = {row[0]: row[3:] for row in grid.lines if row[1] == "model a"}
    assert rows["order"] == ["61.00 ± 3.9", "59.5 ± 0.6 (3)", "–"] and rows["relation"] == ["61.00 ± 3.9", "–", "55.00 ± 5.9"]
    assert all(len(row) == len(grid.head) for row in grid.lines)


def test_weighted_accuracy_has_a_column():
    weighted = {"n": 50, "effective": 40.0, **share("r1", 52.0, 3.0), "r1_chance": 50.0, "best": "shorter", "shortcut_r1": 53.0}
    suite = {"sugarcrepe": {"add_att": RELATION | {"weighted": weighted}, "swap_obj": RELATION}}
    grid = suite_table([run(**suite)], "sugarcrepe")
    assert [column for column in grid.head][3:] == ["accuracy", "weighted", "macro accuracy"]
    rows = {(row[0], row[1].split(" (")[0]): row[1:] for row in grid.lines}
    assert rows["add_att", "model a"][1:] == ["300", "61.00 ± 3.9", "52.00 ± 5.9", "55.00 ± 5.9"]
    assert rows["add_att", "Chance level"][2:4] == ["50.00", "50.00"]
    assert rows["add_att", "Text only"] == ["Text only (ngram / shorter)", "", "70.00", "53.00", "–"]
    assert rows["swap_obj", "model a"][3] == "–" and all(len(row) == len(grid.head) for row in grid.lines)
    (table,) = further(suite).tables
    assert table.head == ["Negatives", "all", "weighted"]
    assert [table.rows[0][2].value, table.rows[0][2].chance, table.rows[1][2]] == [52.0, 50.0, None]


def test_parts_of_a_suite_stand_in_one_table():
    one = run(aro={"relation": RELATION}, aro_order={"order": RELATION})
    captions = [grid.caption for grid in tables([one]) if grid.rows]
    assert len(captions) == len(set(captions))
    heads = [table.head for table in sections.text_only({"model": {}, **one.metrics}).tables]
    assert heads == [["Scorer", "chooses", "relation, ARO", "order, ARO"]]


def test_a_run_that_asks_suites_of_others_alone_says_so():
    """The report once said "too few hard negatives" above an empty drawing."""
    metrics = {"model": {"name": "m"}, "aro": {"relation": RELATION}}
    assert three(metrics) == ["The model m was not evaluated on CREPE's own sets: other suites are below."]
    assert not sections.text_only(metrics).drawings and not rows(metrics)


def test_what_is_said_of_word_order_is_grey_where_queries_are_few():
    few = {"all": ALL | {"n": 12}, "bag": {"same": 100.0, "ceiling": 50.0}}
    assert all(cell.tells_little for cell in sections.changes({"model": {}, "winoground": {"object": few}}).tables[0].rows[0][1:])


def test_whole_cases_have_columns_of_their_own():
    suite, heads = {"winoground": {"object": {"all": ALL, "cases": CASES}}}, ["cases, text", "cases, image", "cases, group"]
    grid = suite_table([run(**suite)], "winoground")
    assert [column for column in grid.head][-3:] == heads and grid.lines[0][-3:] == ["30.00 ± 2.0", "10.00 ± 2.0", "8.00 ± 2.0"]
    (table,) = further(suite).tables
    assert table.head[-3:] == heads and [cell.value for cell in table.rows[0][-3:]] == [30, 10, 8]
    assert [cell.unit for cell in table.rows[0][1:]] == ["queries", "cases", "cases", "cases"]


def test_the_figure_over_all_cases_has_a_row_and_no_query_is_counted_twice():
    suite = {"winoground": {"object": {"all": ALL, "cases": CASES}, "both": {"all": ALL, "cases": CASES}}}
    metrics = {**suite, "cases": {"winoground": CASES | {"n": 300, **share("group", 9.0, 1.0)}}}
    grid = suite_table([run(**metrics)], "winoground")
    assert [row[0] for row in grid.lines if row[1] == "model a"] == ["both", "object", "all cases"]
    assert grid.lines[-1][2:] == ["", "–", "30.00 ± 2.0", "10.00 ± 2.0", "9.00 ± 2.0"]
    (table,) = further(metrics).tables
    assert table.rows[-1][:2] == ["all cases", None] and table.rows[-1][-1].value == 9 and table.rows[-1][-1].unit == "cases"
    assert suites({"model": {}, **metrics}) == ["winoground"]


def test_perturbed_retrieval_as_in_tables_3_and_4():
    one = run(perturbed={"text": {"trigrams": RUN, "none": RUN}, "image": {}})
    grid = perturbed_table([one, run("b")], "text")
    assert [row[:2] for row in grid.lines] == [["model a", "none"], ["model a", "trigrams"]] and grid.lines[0][2] == "50.0 ± 1.5"
    assert not perturbed_table([one], "image").rows


def test_compare_has_them_all():
    one = run(aro={"relation": RELATION}, sys={"atom": {}}, model={"name": "m"}, judged_by=None, raw={}, captions={"n": 1})
    captions = [grid.caption for grid in tables([one]) if grid.rows]
    assert len(captions) == 2 and captions == [grid.caption for grid in compare([one], {})][-2:]
    assert all(markdown(grid) and latex(grid) for grid in tables([one]))


def test_text_to_text_has_a_column_beside_image_to_text():
    cases = {"n": 150, **share("text", 30.0, 1.0), **share("text_to_text", 40.0, 1.0), "text_to_text_chance": 33.333}
    suite = {"sugarcrepe_pp": {"swap_obj": {"all": ALL, "cases": cases}}}
    (table,) = further(suite).tables
    assert table.head[-2:] == ["cases, text", "cases, text to text"] and table.rows[0][-1].chance == 33.333
    assert suite_table([run(**suite)], "sugarcrepe_pp").lines[0][-2:] == ["30.00 ± 2.0", "40.00 ± 2.0"]
