"""``tests.definitions`` finds each violation of a definition in made-up tables, and none in correct ones."""

import doctest
import json
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests import numbers, plain_words
from tests.definitions import check_all
from tests.running import ROOT

Row = dict[str, Any]
CROP = {"x": 0, "y": 0, "width": 100, "height": 100}
SC = {"training_set": "web", "split": "SC", "min_atom_count": 2}
UC = {"training_set": "web", "split": "UC", "min_atom_count": 2}


def graph(objects: list[str], attributes: tuple = (), relations: tuple = ()) -> Row:
    """Return the three columns of a graph."""
    return {
        "objects": objects,
        "attributes": [{"object": o, "attribute": a} for o, a in attributes],
        "relations": [{"subject": s, "relation": r, "object": o} for s, r, o in relations],
    }


def negative(caption: str, atom: str, of: Row, *spans: tuple[int, int], edit: str = "object") -> Row:
    """Return a negative as the tables store it; ``of`` is its graph."""
    return {"caption": caption, "edit": edit, "atom": atom, "spans": [{"start": a, "end": b} for a, b in spans], **of}


def query(protocol: str, kind: str, query_id: str, truth: str, of: Row, *negatives: Row, **more: Any) -> Row:
    """Return a set with the correct n; ``more`` replaces columns."""
    n = len(of["objects"]) + len(of["attributes"]) + len(of["relations"])
    row = {"protocol": protocol, "query_id": query_id, "type": kind, "image_id": 1, **CROP, "n": n, "truth": truth, **of}
    return {**row, "splits": [], "negatives": list(negatives), "denied": None, **more}


BOY = graph(["boy", "grass"], ((0, "tall"), (1, "green")), ((0, "on", 1),))
PINK = graph(["car"], ((0, "pink"),))
CUP = graph(["cup", "table"], (), ((0, "on", 1),))
BOTH = graph(["car", "wheel"], ((0, "pink"), (1, "black")))


def sets() -> dict[str, Row]:
    """Return named, correct sets of each type and protocol."""
    swapped = graph(["boy", "grass"], ((0, "green"), (1, "tall")), ((0, "on", 1),))
    atom = graph(["girl", "grass"], ((0, "tall"), (1, "green")), ((0, "on", 1),))
    comp = graph(["toy", "car"], ((0, "pink"), (1, "blue")))
    truth = "A tall boy on the green grass"
    cup = "There is a cup on a table"
    return {
        "atom": query("paper", "HN-Atom", "walk-1", truth, BOY, negative(truth.replace("boy", "girl"), "boy", atom, (7, 10))),
        "swap": query(
            "cleared", "HN-Swap", "walk-1", truth, BOY, negative("A green boy on the tall grass", "tall | green", swapped, (2, 6))
        ),
        "comp": query(
            "paper",
            "HN-Comp",
            "region-1",
            "a pink car",
            PINK,
            negative("a blue car and a pink toy", "pink | car", comp),
            splits=[SC],
        ),
        "two": query(
            "cleared",
            "HN-Comp",
            "region-1",
            "a black wheel and a pink car",
            BOTH,
            negative("a black car and a pink wheel", "pink | car", graph(["car", "wheel"], ((0, "black"), (1, "pink")))),
            splits=[UC],
        ),
        "neg": query(
            "paper",
            "HN-Neg",
            "walk-2",
            "A red cup on a table.",
            graph(["cup", "table"], ((0, "red"),), ((0, "on", 1),)),
            negative("There is no red cup on a table.", "cup | table", graph([]), (0, 5)),
            negative("A cup that is not red on a table.", "red | cup", CUP, (0, 9)),
            negative("A red cup not on a table.", "cup | on | table", CUP, (10, 12)),
            negative("A red cup on something. There is no table.", "table", CUP, (13, 20)),
        ),
        "denial": query(
            "cleared",
            "HN-Neg",
            "walk-2",
            f"{cup}, with no plate in sight.",
            CUP,
            negative(f"{cup}, with no dog in sight.", "dog", CUP, (25, 45)),
            negative(f"{cup}, with no dinner plate in sight.", "dinner plate", CUP, (25, 45)),
            denied="hat",
        )
        | {"truth": f"{cup}, with no hat in sight."},
    }


def write(folder: Path, rows: list[Row], things: tuple[str, ...] = ("cup", "table", "dog", "dinner plate")) -> None:
    """Write the tables that the checks read; ``things`` are annotated in the crop."""
    far = {"x": 500, "y": 500, "width": 50, "height": 50}
    scenes = {
        "image_id": 1,
        "objects": [*things, "hat"],
        "boxes": [CROP] * len(things) + [far],
        "aliases": [[]] * (len(things) + 1),
    }
    regions = [{"region_id": 1, **PINK}]
    atoms = [("object", "car"), ("object", "wheel"), ("attribute", "pink"), ("attribute", "black")]
    tables: dict[str, list[Row]] = {
        "gen_hn_prod/queries": rows,
        "scene_graphs/scene_graphs": [scenes],
        "filter_vg/facts": [{"image_id": 1, "box": CROP, "objects": ["table"]}],
        "filter_vg/regions": regions,
        "seen_index/web/atoms": [{"kind": kind, "atom": name, "count": 2} for kind, name in atoms],
        "seen_index/web/compounds": [{"kind": "attribute_object", "first": "pink", "second": "car", "third": "", "count": 1}],
    }
    for name, content in tables.items():
        path = folder / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(content, schema=_schema(content)), path)


def _schema(rows: list[Row]) -> pa.Schema | None:
    """Return types that hold even if a list is empty or a value is null in all rows."""
    if "negatives" not in rows[0]:
        text = pa.string()
        said = {"attributes": [("object", pa.int32()), ("attribute", text)]}
        said["relations"] = [("subject", pa.int32()), ("relation", text), ("object", pa.int32())]
        whole = pa.Table.from_pylist(rows).schema
        for name, fields in said.items():
            if name in whole.names:
                whole = whole.set(whole.get_field_index(name), pa.field(name, pa.list_(pa.struct(fields))))
        if "aliases" in whole.names:
            whole = whole.set(whole.get_field_index("aliases"), pa.field("aliases", pa.list_(pa.list_(text))))
        return whole
    return None


def faults(folder: Path, rows: list[Row], **changes: Any) -> dict[tuple[str, str], int]:
    """Return the number of violations found, by protocol and rule."""
    write(folder, rows, **changes)
    return {place: n for place, n in check_all(folder, 1).wrong.items() if n}


def test_right_sets_have_no_violation(tmp_path: Path) -> None:
    write(tmp_path, list(sets().values()))
    found = check_all(tmp_path, 1)
    assert found.json() == {
        "cleared": {"HN-Comp": [0, 1], "HN-Neg": [0, 2], "HN-Swap": [0, 1], "labels": [0, 1], "n": [0, 3], "spans": [0, 4]},
        "paper": {"HN-Atom": [0, 1], "HN-Comp": [0, 1], "HN-Neg": [0, 4], "labels": [0, 1], "n": [0, 3], "spans": [0, 6]},
    }, found.examples


def _caption(text: str, number: int = 0) -> Callable[[Row], None]:
    def change(row: Row) -> None:
        row["negatives"][number]["caption"] = text

    return change


def _own(number: int = 0, **columns: Any) -> Callable[[Row], None]:
    def change(row: Row) -> None:
        row["negatives"][number] |= columns

    return change


def _set(**columns: Any) -> Callable[[Row], None]:
    def change(row: Row) -> None:
        row |= columns

    return change


BROKEN: list[tuple[str, Callable[[Row], None], str]] = [
    ("atom", _own(**graph(["girl", "grass"], ((0, "short"), (1, "green")), ((0, "on", 1),))), "HN-Atom"),  # two atoms
    ("atom", _own(**BOY), "HN-Atom"),  # none
    ("atom", _own(**graph(["girl", "grass"], ((1, "tall"), (1, "green")), ((0, "on", 1),))), "HN-Atom"),  # another's attribute
    ("atom", _caption("A tall girl on the dry grass"), "HN-Atom"),  # words of another atom
    ("atom", _caption("A tall girl and dog on the green grass"), "HN-Atom"),  # more words
    ("swap", _own(**graph(["dog", "grass"], ((0, "green"), (1, "tall")), ((0, "on", 1),))), "HN-Swap"),  # an atom from elsewhere
    ("swap", _own(**BOY), "HN-Swap"),  # nothing is moved
    ("swap", _caption("A green dog on the tall grass"), "HN-Swap"),  # a word from elsewhere
    ("swap", _caption("A tall boy on the green grass"), "HN-Swap"),  # the truth's words
    ("comp", _own(**graph(["dog", "car"], ((0, "black"), (1, "blue")))), "HN-Comp"),  # two HN-Atoms: pink is gone
    ("comp", _own(**graph(["car", "toy"], ((0, "pink"), (1, "blue")))), "HN-Comp"),  # pink keeps its own partner
    ("comp", _own(**graph(["toy"], ((0, "pink"),))), "HN-Comp"),  # one compound
    ("comp", _caption("a blue car and a red toy"), "HN-Comp"),
    ("comp", _caption("a pink car and a blue toy"), "HN-Comp"),
    ("two", _own(**graph(["car", "toy"], ((0, "blue"), (1, "black")))), "HN-Comp"),  # splits the other compound
    ("two", _set(truth="a black wheel"), "HN-Comp"),
    ("neg", _own(atom="hat"), "HN-Neg"),  # denies what the truth does not say
    ("neg", _caption("There is a red cup on a table."), "HN-Neg"),  # denies nothing
    ("neg", _caption("There is no red cup and no table."), "HN-Neg"),  # denies twice
    ("neg", _caption("There is no blue cup on a table."), "HN-Neg"),  # changes what it does not deny
    ("denial", _caption("There is a cup on a chair, with no dog in sight."), "HN-Neg"),  # more differs
    ("denial", _caption("There is no cup on a table, with a dog in sight."), "HN-Neg"),  # another denial
    ("denial", _own(atom="shoe"), "HN-Neg"),  # the atom is not what the caption denies
    ("denial", _own(atom="cat", caption="There is a cup on a table, with no cat in sight."), "HN-Neg"),  # not annotated in the crop
    ("denial", _own(atom="cup", caption="There is a cup on a table, with no cup in sight."), "HN-Neg"),  # asserted by the caption
    ("denial", _own(**graph(["cup"])), "HN-Neg"),  # another graph
    ("atom", _set(n=4), "n"),
    ("atom", _own(spans=[{"start": 7, "end": 99}]), "spans"),
    ("atom", _own(spans=[{"start": 2, "end": 8}, {"start": 7, "end": 10}]), "spans"),
    ("comp", _set(splits=[UC]), "labels"),
    ("two", _set(splits=[SC]), "labels"),
    ("comp", _set(splits=[{**SC, "min_atom_count": 3}]), "labels"),
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_a_broken_definition_is_found(tmp_path: Path, number: int) -> None:
    name, change, rule = BROKEN[number]
    row = deepcopy(sets()[name])
    change(row)
    others = [other for key, other in sets().items() if key != name]
    found = faults(tmp_path, [row, *others])
    assert (row["protocol"], rule) in found and {place[0] for place in found} == {row["protocol"]}, found
    assert sum(found.values()) <= len(row["negatives"]) + 1


def test_what_a_truth_denies_is_annotated_nowhere_in_the_crop(tmp_path: Path) -> None:
    row = sets()["denial"]
    assert not faults(tmp_path, [row])
    assert faults(tmp_path, [row], things=("cup", "table", "dog", "dinner plate", "sun hat")) == {("cleared", "HN-Neg"): 2}


def test_agreement_is_no_difference(tmp_path: Path) -> None:
    """Articles, number and verb forms may change with the words that moved."""
    swap = sets()["swap"]
    swap["truth"], swap["negatives"][0]["caption"] = (
        "A tall boy who is on some green grass",
        "Green boys that are on the tall grass",
    )
    assert not faults(tmp_path, [swap])


def test_what_is_spoken_of_again_has_its_new_name(tmp_path: Path) -> None:
    swap = sets()["swap"]
    swap["negatives"][0] |= graph(["grass", "boy"], ((0, "tall"), (1, "green")), ((0, "on", 1),))
    for caption, n in (("Tall grass on the green boy next to the boy", 0), ("Tall grass on the green boy next to the dog", 1)):
        swap["truth"], swap["negatives"][0]["caption"] = "A tall boy on the green grass next to the grass", caption
        assert sum(faults(tmp_path, [swap]).values()) == n


def test_old_tables_are_one_protocol_and_the_exit_status_tells(tmp_path: Path) -> None:
    rows = list(sets().values())[:1]
    for row in rows:
        del row["protocol"], row["denied"]
    for status, n in ((0, 5), (1, 6)):
        rows[0]["n"] = n
        write(tmp_path, rows)
        done = subprocess.run([sys.executable, "-m", "tests.definitions", str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        assert json.loads(done.stdout.splitlines()[-1])["balanced"]["n"] == [status, 1]
    assert "n is 6, and its graph has 5 atoms" in done.stdout


def test_a_folder_without_sets_is_an_error(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "tests.definitions", str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "Remedy" in done.stderr


def test_nothing_is_imported_from_the_stages() -> None:
    code = "import sys, tests.definitions; sys.exit(any(name.split('.')[0] == 'stages' for name in sys.modules))"
    assert not subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode


@pytest.mark.parametrize("module", [plain_words, numbers])
def test_examples_hold(module: Any) -> None:
    failed, tried = doctest.testmod(module)
    assert tried and not failed
