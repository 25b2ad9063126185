"""Tests of the part of a suite that no shortcut solves, and of writing it in the suite's own format."""

import json
import sys
from functools import partial

import pytest

from stages.contract.errors import InputError
from stages.shortcuts.scorers import scorers
from stages.suites import audit, case_weights, official, sugarcrepe, winoground
from stages.suites.cleared_part import MARGIN, cleared
from stages.suites.suite_files import Images, write_part
from tests.suites.made import COLOURS, THINGS

OFFICIAL = "prod_vg_hard_negs_swap_complexity_4.csv"


def sugar(folder, shorter: int, longer: int):
    """Write cases whose truth has fewer words than its negative, and cases whose truth has more."""
    folder.mkdir(parents=True, exist_ok=True)
    things = [f"{colour} {thing}" for colour in COLOURS for thing in THINGS]
    made = {}
    for i in range(shorter + longer):
        captions = [f"a {things[i % 60]}", f"a {things[i % 60]} here"]
        captions = captions if i < shorter else captions[::-1]
        made[str(3 * i)] = {"filename": f"{i:012d}.jpg", "caption": captions[0], "negative_caption": captions[1]}
    (folder / "add_att.json").write_text(json.dumps(made))
    return made


def clear(monkeypatch, folder, out="part"):
    """Run the command that clears the suite in ``folder``."""
    monkeypatch.setattr(sys, "argv", ["audit", "sugarcrepe", str(folder / "suite"), "--cleared", str(folder / out)])
    audit.main()


def test_the_largest_part_that_no_scorer_solves(tmp_path):
    """Of 80 shorter and 40 longer truths, all longer ones stay, and as many shorter ones as 53 % allow: 45 of 85."""
    sugar(tmp_path, 80, 40)
    subsets = case_weights.subsets(sugarcrepe.sets(tmp_path, Images()))
    only_words = partial(audit.audit, asked=scorers([]))
    lengths = lambda sets: {name: of for name, of in only_words(sets).items() if name in ("shorter", "longer")}  # noqa: E731
    kept = cleared(subsets, lengths)["add_att"]
    assert len(kept) == 85 and sum(len(s.truth.split()) == 4 for s in kept) == 40
    kept = cleared(subsets, only_words)["add_att"]
    assert len(kept) > 20
    assert all(of.recall(1).mean() <= 0.5 + MARGIN + 1e-9 for of in only_words(kept).values()), "the trained adversary, too"


def test_what_is_written_is_read_again(tmp_path, monkeypatch, capsys):
    made = sugar(tmp_path / "suite", 30, 20)
    clear(monkeypatch, tmp_path)
    *_, last = capsys.readouterr().out.splitlines()
    part = json.loads((tmp_path / "part" / "add_att.json").read_text())
    assert 0 < len(part) < 50 and part.items() <= made.items()
    again = list(sugarcrepe.sets(tmp_path / "part", Images()))
    assert [s.source for s in again] == [("add_att.json", key) for key in part]
    found = json.loads(last)["add_att"]
    assert found["n"] == len(part) and max(found["best"], found["trained"]) <= 53


def test_where_nothing_can_be_cleared_nothing_is_written(tmp_path, monkeypatch):
    sugar(tmp_path / "suite", 0, 20)
    with pytest.raises(InputError, match=r"has no part \(20 sets\) that can be chosen so that no shortcut solves it"):
        clear(monkeypatch, tmp_path)
    assert not (tmp_path / "part").exists()


@pytest.mark.parametrize("out", ["suite", "suite/part"])
def test_a_part_takes_no_published_files_place(tmp_path, monkeypatch, out):
    sugar(tmp_path / "suite", 30, 20)
    published = (tmp_path / "suite" / "add_att.json").read_text()
    with pytest.raises(InputError, match="folder that is audited"):
        clear(monkeypatch, tmp_path, out)
    assert (tmp_path / "suite" / "add_att.json").read_text() == published


def test_a_part_has_no_files_of_another(tmp_path, monkeypatch):
    """An audit with fewer scorers wrote a file for a kind of which nothing is left now."""
    sugar(tmp_path / "suite", 30, 20)
    sugar(tmp_path / "part", 1, 0)
    (tmp_path / "part" / "add_att.json").rename(tmp_path / "part" / "add_obj.json")
    with pytest.raises(InputError, match="would be lost"):
        clear(monkeypatch, tmp_path)


def test_an_entry_of_two_sets_stays_or_goes_as_a_whole(tmp_path):
    rows = [
        {"id": i, "caption_0": mat, "caption_1": f"{mat} and a rug", "image_0": f"{i}-0", "image_1": f"{i}-1"}
        for i, mat in enumerate(f"a {thing} on a mat" for thing in THINGS)
    ]
    (tmp_path / "examples.jsonl").write_text("\n".join(map(json.dumps, rows)))
    kept = cleared(case_weights.subsets(winoground.sets(tmp_path, Images())), partial(audit.audit, asked=scorers([])))
    assert len(kept["all"]) == 20, "a scorer that is right of one image of a case is wrong of the other, and so is the adversary"


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_rows_and_lines_keep_their_form(tmp_path, suffix):
    whole, part = tmp_path / "whole", tmp_path / "part"
    whole.mkdir()
    if suffix == "csv":
        row = '7,a dog on a mat,4,2,1,1,1,"[\'a mat on a dog, ""there""\', \'a cat\']",0.0,1.0,30.0,20.0'
        lines = ["image_id,caption,n,n_objects,n_relations,n_attributes,n_connected_components,hard_negs,x,y,width,height"]
        lines += [row, row.replace("7", "8", 1), row.replace("7", "9", 1)]
        (whole / "swap").mkdir()
        name, read = f"swap/{OFFICIAL}", official.sets
    else:
        lines = [json.dumps({"id": i, "image_0": "a", "image_1": "b", "caption_0": "x", "caption_1": "é"}) for i in range(3)]
        name, read = "examples.jsonl", winoground.sets
    (whole / name).write_text("\n".join(lines) + "\n")
    every = list(read(whole, Images()))
    write_part(whole, part, {(name, "0"), (name, "2")})
    again = list(read(part, Images()))
    expected = [s for s in every if s.source != (name, "1")]
    assert [(s.texts, s.query.query_id) for s in again] == [(s.texts, s.query.query_id) for s in expected]
    assert (whole / name).read_text().splitlines()[-1].startswith("9") is (suffix == "csv")
