"""Tests of composition, classification and retrieval in one table, on the papers' printed figures."""

import dataclasses

from stages.page.abilities import table
from stages.page.compare import compare
from tests.page.made import share
from tests.page.test_compare import a_run

CREPE = (("sys", "atom"), ("sys", "comp"), ("prod", "atom"), ("prod", "swap"), ("prod", "neg"))
# Zheng et al., table 1, IL-CLIP and Codebook-CLIP on CC12M: the ten columns, whose printed means are 38.0 and 36.1.
ITERATED = (36.6, 47.5, 17.9, 23.9, 14.8, 73.8, 73.0, 62.9, 20.2, 10.1)
CODEBOOK = (35.6, 43.9, 14.4, 22.0, 12.8, 71.3, 71.1, 59.5, 20.8, 9.5)


def metrics(columns):
    """Return the metrics of an evaluation with these ten columns; CREPE's come from the official release."""
    made = {}
    for (suite, name), r1 in zip(CREPE, columns, strict=False):
        made.setdefault(f"official_{suite}", {})[name] = {"all": share("r1", r1, 1.0)}
    add, replace, swap, cola, winoground = columns[5:]
    forms = {"add": ("att", "obj"), "replace": ("att", "obj", "rel"), "swap": ("att", "obj")}
    accuracy = {"add": add, "replace": replace, "swap": swap}
    # Kinds vary around their form's mean: the first is 3 lower, the last 3 higher.
    offsets = {2: (-3, 3), 3: (-3, 0, 3)}
    made["sugarcrepe"] = {
        f"{form}_{kind}": {"all": {"r1": accuracy[form] + offset}}
        for form, kinds in forms.items()
        for kind, offset in zip(kinds, offsets[len(kinds)], strict=True)
    }
    made["cola"] = {"multi_objects": {"cases": {"n": 210, "image": cola}}, "single_gqa": {"cases": {"map": 1.0}}}
    made["winoground"] = {"object": {"cases": {"image": 99.0}}, "both": {"cases": {"image": 99.0}}}
    return made | {"cases": {"winoground": {"n": 400, "image": winoground}}}


def runs(**by_name):
    return [dataclasses.replace(a_run(name, [0] * 16, model=name), metrics=of) for name, of in by_name.items()]


def row(grid, start):
    return next(row for row in grid.lines if row[1].startswith(start))


def test_comp_is_the_papers_mean_of_ten_columns():
    grid = table(runs(iterated=metrics(ITERATED), codebook=metrics(CODEBOOK)), {})
    comp = row(grid, "COMP, CREPE as released: mean of 10 (HN-Atom, systematicity, as released; ")
    assert comp[2:] == ["38.07", "36.09"]
    assert row(grid, "SugarCrepe, add")[2:] == ["73.80", "71.30"] and row(grid, "Cola")[2:] == ["20.20", "20.80"]
    assert row(grid, "Winoground")[2:] == ["10.10", "9.50"]
    assert row(grid, "HN-Swap, productivity, as released")[2:] == ["23.90 ± 2.0", "22.00 ± 2.0"]


def test_a_mean_is_over_the_columns_that_all_runs_have():
    few = {"official_sys": metrics(CODEBOOK)["official_sys"], "sugarcrepe": {"add_att": {"all": {"r1": 50.0}}}}
    grid = table(runs(iterated=metrics(ITERATED), few=few), {})
    comp = row(grid, "COMP")
    named = "HN-Atom, systematicity, as released; HN-Comp, systematicity, as released"
    assert comp[1:] == [f"COMP, CREPE as released: mean of 2 ({named})", "42.05", "39.75"]
    assert row(grid, "SugarCrepe, add")[2:] == ["73.80", "–"], "a form is the mean of all its kinds"


def test_each_protocol_has_its_own_mean():
    own = {"paper": {"sys": {"atom": {"all": {"r1": 40.0}}}}, "cleared": {"sys": {"atom": {"all": {"r1": 20.0}}}}}
    grid = table(runs(a=own | {"sugarcrepe": metrics(ITERATED)["sugarcrepe"]}), {})
    assert [line[2] for line in grid.lines if line[0] == "Mean"] == ["62.42", "57.42"]  # (40 or 20 + 209.7) / 4


def test_all_data_sets_of_classification_stand_in_the_table_with_their_mean():
    accuracies = {"imagenet": {"a": 60.0, "b": 61.0}, "cifar10": {"a": 90.0, "b": 80.0}, "stl10": {"b": 99.0}}
    grid = table(runs(a={}, b={}), accuracies)
    assert grid.lines == [
        ["Classification", "cifar10", "90.00", "80.00"],
        ["Classification", "imagenet", "60.00", "61.00"],
        ["Classification", "stl10", "–", "99.00"],
        ["Mean", "CLS: mean of 2 (cifar10; imagenet)", "75.00", "70.50"],
    ]
    assert next(one.caption for one in compare(runs(a={}, b={}), accuracies)) == grid.caption


def test_aro_and_retrieval_as_in_table_6():
    whole = {"macro": {"all": share("r1", 81.0, 1.0)}, "all": {"r1": 55.0}}
    found = {"aro": {"relation": whole}, "aro_order": {"order": {"all": share("r1", 86.0, 0.5)}}}
    found["perturbed"] = {"text": {"none": {"i2t_r1": 56.0, "t2i_r1": 41.0}, "trigrams": {"i2t_r1": 1.0, "t2i_r1": 1.0}}}
    grid = table(runs(negclip=found), {})
    assert [line[:2] for line in grid.lines] == [
        ["Composition", "ARO, VG-Relation (macro)"],
        ["Composition", "ARO, Order"],
        ["Retrieval", "image R@1"],
        ["Retrieval", "text R@1"],
    ]
    assert [line[2] for line in grid.lines] == ["81.00 ± 2.0", "86.00 ± 1.0", "41.00", "56.00"]
    assert not table(runs(a={}), {}).rows
