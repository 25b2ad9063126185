"""Tests of the official release as it is: lists and sets, numbers in text, and unreadable rows."""

import contextlib
import json
import re
from codecs import BOM_UTF8
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.contract.errors import InputError
from stages.evaluation.sets import Split
from stages.images.crops import Crop
from stages.suites import official
from stages.suites.suite_files import write_csv

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "crepe_official"
HEAD = "image_id,caption,n,n_objects,n_relations,n_attributes,n_connected_components,hard_negs,x,y,width,height\n"


def prod(folder, kind, *rows, n=4):
    path = folder / kind / f"prod_vg_hard_negs_{kind}_complexity_{n}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD + "".join(f"{row}\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("['a', \"b's\"]", ["a", "b's"]),
        ("{'b', 'a', 'b'}", ["b", "a"]),
        ("['a', 'a']", ["a", "a"]),
        ("[]", []),
        (["a"], ["a"]),
    ],
)
def test_negatives_are_read_in_the_order_of_the_text(text, expected):
    assert official.strings(text) == expected


@pytest.mark.parametrize(
    "text", ["__import__('os').getcwd()", "'abc'", "[1, 2]", "['a', print('b')]", "{'a': 'b'}", "[", "[" * 9999]
)
def test_nothing_but_strings_is_taken_and_nothing_is_run(text):
    with pytest.raises((ValueError, SyntaxError, MemoryError, RecursionError)):
        official.strings(text)


@given(st.text(alphabet="[]{}'\"\\,ab ()*", max_size=30))
def test_whatever_stands_there_is_strings_or_an_error(text):
    with contextlib.suppress(ValueError, SyntaxError, MemoryError, RecursionError):
        assert all(isinstance(found, str) for found in official.strings(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("prod_vg_hard_negs_swap_all.csv", "prod_vg_hard_negs_swap_complexity_4.csv"),
        ("syst_vg_hard_negs_unseen_atoms_in_yfcc.csv", "syst_vg_hard_negs_unseen_atoms_in_yfcc.json"),
    ],
)
def test_no_row_is_read_twice(tmp_path, one, other):
    for name in (one, other):
        (tmp_path / name).write_text("[]" if name.endswith("json") else HEAD)
    with pytest.raises(InputError, match=re.escape(f"{other}: repeats the rows of {tmp_path / one}")):
        list(official.read(tmp_path))
    (tmp_path / one).rename(tmp_path / one.replace("swap", "atom").replace("yfcc", "laion"))
    assert not list(official.read(tmp_path))


def test_productivity_rows(tmp_path):
    prod(tmp_path, "swap", "38,dog on a mat,4,2,1,0,1,\"{'mat on a dog', 'x'}\",0.0,3.0,780.0,796.0")
    (row,) = official.read(tmp_path)
    assert row.query.crop == Crop(38, 0, 3, 780, 796) and row.query.n == 4 and row.negatives == {"swap": ["mat on a dog", "x"]}


def test_two_copies_of_a_file_are_not_both_asked(tmp_path):
    for folder in ("data", "data (1)"):
        (tmp_path / folder / "swap").mkdir(parents=True)
        (tmp_path / folder / "swap" / "prod_vg_hard_negs_swap_complexity_4.csv").write_text(HEAD)
    with pytest.raises(InputError, match=r"repeats the rows of .*data/swap/"):
        list(official.read(tmp_path))


def test_an_empty_file_is_told_and_a_mark_of_utf8_is_none_of_a_name(tmp_path):
    path = tmp_path / "prod_vg_hard_negs_swap_complexity_4.csv"
    path.write_bytes(b"")
    with pytest.raises(InputError, match="is empty"):
        list(official.read(tmp_path))
    row = dict.fromkeys(official.PRODUCTIVITY_COLUMNS, 4) | {"caption": "a dog", "hard_negs": ["a cat"]}
    write_csv(path, official.PRODUCTIVITY_COLUMNS, [row])
    path.write_bytes(BOM_UTF8 + path.read_bytes())
    assert [row.negatives for row in official.read(tmp_path)] == [{"swap": ["a cat"]}]


def test_a_training_set_may_have_a_hyphen_in_its_name(tmp_path):
    """``training_sets`` allows such a name, and the export writes it."""
    row = dict.fromkeys(official.SYSTEMATICITY_COLUMNS, 4) | {"caption": "a dog"} | {name: ["a cat"] for name in official.NEGATIVES}
    write_csv(tmp_path / "syst_vg_hard_negs_unseen_atoms_in_my-set.csv", official.SYSTEMATICITY_COLUMNS, [row])
    assert [row.query.splits for row in official.read(tmp_path)] == [{"my-set": Split("UA")}]


def test_systematicity_rows_of_csv_and_json(tmp_path):
    entry = {"region_id": "374", "image_id": "2", "caption": "a red dog", "x": "346", "y": "1", "width": "9", "height": "8"}
    entry |= {"valid_hard_negs_atom": ["a blue dog"], "valid_hard_negs_comp": ["a red cat and a blue dog"]}
    (tmp_path / "syst_vg_hard_negs_seen_compounds_in_laion.json").write_text(json.dumps([entry]))
    row = next(official.read(tmp_path))
    assert row.query.query_id.startswith("official-laion400m-374-")
    assert (row.query.splits, row.query.crop.image_id) == ({"laion400m": Split("SC")}, 2)
    names = [(s.name, len(s.negatives), s.query.splits["laion400m"].name) for s in official.sets(tmp_path)]
    assert names == [("atom", 1, "SC"), ("comp", 1, "SC"), ("both", 2, "SC")]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("38,dog,four,2,1,0,1,['a'],0,0,1,1", "row 1: cannot be read"),
        (
            "38,dog,Infinity,2,1,0,1,['a'],0,0,1,1",
            r"row 1: cannot be read \(n is 'Infinity', not a whole number",
        ),
        ("38,dog,3000000000,2,1,0,1,['a'],0,0,1,1", r"row 1: cannot be read \(n is '3000000000'"),
        ("1e400,dog,4,2,1,0,1,['a'],0,0,1,1", r"row 1: cannot be read \(image_id is '1e400'"),
        ("38,dog,4,2,1,0,1,['a'],0,0,NaN,1", r"row 1: cannot be read \(width is 'NaN', not a number of pixels"),
        ("38,dog,4,2,1,0,1,['a'],0,99999999999999999999,1,1", r"row 1: cannot be read \(y is '99999999999999999999'"),
        ("38,dog,4,2,1,0,1,eval('1'),0,0,1,1", "neither a list nor a set"),
        ("x,dog,4,2,1,0,1,['a'],0,0,1,1", "row 1: cannot be read"),
        ("38,dog,4,2", "row 1: cannot be read"),
    ],
)
def test_a_bad_row_is_named(tmp_path, row, said):
    prod(tmp_path, "atom", row)
    with pytest.raises(InputError, match=said):
        list(official.read(tmp_path))


def test_a_missing_column_and_an_empty_folder_are_named(tmp_path):
    with pytest.raises(InputError, match="holds no file prod_vg_hard_negs"):
        list(official.read(tmp_path))
    prod(tmp_path, "atom").write_text("image_id,caption\n1,dog\n")
    with pytest.raises(InputError, match="has no column 'x'"):
        list(official.read(tmp_path))


def test_rows_of_several_files_about_one_crop_are_one_query(tmp_path):
    row = "38,dog on a mat,4,2,1,0,1,\"['{}', 'b', 'c', 'd', 'e']\",0.0,3.0,780.0,796.0"
    for kind in ("atom", "swap", "negate"):
        prod(tmp_path, kind, row.format(kind))
    sets = list(official.sets(tmp_path))
    assert {s.name: len(s.negatives) for s in sets} == {"atom": 5, "swap": 5, "neg": 5, "all": 15}
    assert len({s.query.query_id for s in sets}) == 1


def test_a_row_that_comes_twice_is_asked_twice(tmp_path):
    row = "38,dog on a mat,4,2,1,0,1,\"['a', 'b', 'c', 'd', 'e']\",0.0,3.0,780.0,796.0"
    prod(tmp_path, "atom", row, row)
    assert len({s.query.query_id for s in official.sets(tmp_path)}) == 2


def test_what_is_written_is_read_again(tmp_path):
    row = dict.fromkeys(official.PRODUCTIVITY_COLUMNS, 4) | {"caption": 'a "dog", on a mat', "hard_negs": ["it's", 'a "b"']}
    write_csv(tmp_path / "prod_vg_hard_negs_atom_complexity_4.csv", official.PRODUCTIVITY_COLUMNS, [row])
    (read,) = official.read(tmp_path)
    assert read.caption == row["caption"] and read.negatives == {"atom": row["hard_negs"]}


@pytest.mark.skipif(not REAL.is_dir(), reason="the official release is not at hand")
def test_every_row_of_the_release_is_read():
    rows = list(official.read(REAL))
    assert len(rows) == 19_286
    assert all(4 <= (row.query.n or 0) <= 8 and all(len(texts) == 5 for texts in row.negatives.values()) for row in rows)
