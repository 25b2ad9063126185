"""The region filter: crops, descriptions, one region for each graph."""

import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.annotations.descriptions import DESCRIBED, Describing
from stages.contract import tables
from stages.contract.duck import database
from stages.contract.resume import mark_done
from stages.filter_vg import main, parse
from stages.graphs.graph import SceneGraph
from stages.parameters.sections import Language, Run
from tests.bad_input.visual_genome import IMAGE, READERS, REGION, verdicts
from tests.running import run_stage, section, write_parameters

ARGUMENTS = "--visual-genome . --regions out/r.parquet --facts out/f.parquet --rejects out/x.parquet --metrics m.json --work work"


@pytest.mark.parametrize(
    ("region", "described", "reason"),
    [
        ((None, None, "p"), ("p", None, 2, 1, "g"), None),
        ((None, None, "p"), ("p", None, 1, 0, "g"), "too_few_atoms"),
        ((None, None, "p"), ("p", None, 2, 0, "g"), "too_few_compounds"),
        ((None, None, "p"), ("p", "empty", None, None, None), "empty"),
        ((None, "crop_area", "p"), ("p", None, 2, 1, "g"), "crop_area"),
        ((None, "crop_area", "p"), ("other", None, 2, 1, "g"), "crop_area"),
        ((None, "crop_area", "p"), ("p", "empty", None, None, None), "crop_area"),
        (("no_box", "crop_area", "p"), ("p", None, 2, 1, "g"), "no_box"),
    ],
)
def test_a_region_is_dropped_with_the_first_reason(region, described, reason):
    assert verdicts([region], [described]) == [reason]


def test_one_region_stays_for_each_graph():
    """Different phrases may have the same graph, and a region that is dropped for another reason is no duplicate."""
    regions = [(None, None, "p"), (None, None, "q"), (None, None, "p"), (None, "crop_wide", "p"), (None, None, "other")]
    described = [("p", None, 2, 1, "g"), ("q", None, 2, 1, "g"), ("other", None, 2, 1, "h")]
    drawn = {tuple(verdicts(regions, described, seed=seed)) for seed in range(8)}
    assert len(drawn) > 1, "the seed draws which one"
    for reasons in drawn:
        assert sorted(reasons[:3], key=str) == [None, "duplicate_graph", "duplicate_graph"]
        assert reasons[3:] == ("crop_wide", None)


PHRASES = (
    *("A RED bus.", "the bus is red", "man on a hose", "two dogs near a tall tree", "sky", "...", "a woman holding an umbrela"),
    *("bus", "old man wearing a hat", "a cat under the table", "green grass", "white clouds in the blue sky", "over there"),
)


def annotations(folder: Path) -> None:
    regions = [REGION | {"region_id": i, "phrase": phrase} for i, phrase in enumerate(PHRASES)]
    regions += [
        REGION | {"region_id": 50, "phrase": "a small boat", "width": 20},
        REGION | {"region_id": 51, "x": 900, "phrase": "sky"},
        None,
    ]
    (folder / "image_data.json").write_text(json.dumps([IMAGE]))
    (folder / "region_descriptions.json").write_text(json.dumps([{"id": 1, "regions": regions}]))


def test_what_was_parsed_is_not_parsed_again(tmp_path, monkeypatch):
    """A piece that a killed run finished is reused if it is intact; its number names it, and the phrases' order is fixed."""
    asked = []

    def fake(task):
        asked.append(list(task.phrases))
        rows = [{"phrase": phrase, "caption": phrase.lower()} for phrase in task.phrases]
        pq.write_table(pa.Table.from_pylist(rows, schema=DESCRIBED), task.out)
        mark_done(task.out.with_suffix(".json"), len(rows), task.out)
        return len(rows)

    monkeypatch.setattr("stages.filter_vg.describe", fake)
    fake(Describing(["b", "c"], section(Language), tmp_path / "000001.parquet"))
    fake(Describing(["A", "damaged"], section(Language), tmp_path / "000000.parquet"))
    data = bytearray((tmp_path / "000000.parquet").read_bytes())
    data[20] ^= 1
    (tmp_path / "000000.parquet").write_bytes(data)
    with database("200MB", 1, tmp_path) as db:
        db.execute("CREATE TABLE regions AS SELECT unnest(['e', 'c', 'a', 'b', 'c', 'A', 'x', 'y']) AS phrase")
        db.execute("ALTER TABLE regions ADD COLUMN fault VARCHAR")
        db.execute("ALTER TABLE regions ADD COLUMN crop_fault VARCHAR")
        db.execute("UPDATE regions SET fault = 'no_box' WHERE phrase = 'x'")
        db.execute("UPDATE regions SET crop_fault = 'crop_area' WHERE phrase = 'y'")
        parse(db, "queries", 2, section(Language), section(Run, workers=1), tmp_path)
        phrases = db.sql("SELECT phrase FROM described ORDER BY phrase").fetchall()
    assert asked[2:] == [["A", "a"], ["e"]]
    assert phrases == [("A",), ("a",), ("b",), ("c",), ("e",)]


def test_the_stage_writes_its_tables(tmp_path, monkeypatch, capsys):
    annotations(tmp_path)
    write_parameters(tmp_path / "params.yaml", {"run.workers": 1, "filter_vg.piece": 3})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["filter_vg", *ARGUMENTS.split()])
    main()
    assert capsys.readouterr().out.startswith("filter_vg: 16 regions in, ")
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} == {
        *("image_data.json", "region_descriptions.json", "params.yaml", "out/r.parquet", "out/f.parquet", "out/x.parquet", "m.json")
    }
    _check_tables(tmp_path)


def test_what_was_parsed_hangs_on_the_rooms_that_say_which_phrases_there_are(tmp_path, monkeypatch):
    """Pieces are reused by number: if the phrases changed, those in a piece's place would be lost but still counted."""
    annotations(tmp_path)
    write_parameters(tmp_path / "params.yaml", {"run.workers": 1})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["filter_vg", *ARGUMENTS.split()])
    named = []
    monkeypatch.setattr("stages.filter_vg.fingerprint", lambda files, _: named.extend(files) or "work")
    main()
    assert {"annotations", "images", "parsing"} <= {path.parent.name for path in named}


def _check_tables(folder: Path) -> None:
    regions = list(tables.read("regions", folder / "out/r.parquet"))
    facts = list(tables.read("region_facts", folder / "out/f.parquet"))
    rejects = list(tables.read("rejects", folder / "out/x.parquet"))
    metrics = json.loads((folder / "m.json").read_text())
    assert metrics["in"] == 16 == len(regions) + len(rejects) and metrics["kept"] == len(regions)
    assert metrics["dropped"] | {"duplicate_graph": 1, "crop_area": 1, "box_outside": 1, "no_region_id": 1} == metrics["dropped"]
    assert len({SceneGraph.from_columns(row).canonical() for row in regions}) == len(regions)
    assert "a woman holding an umbrella" in {row["caption"] for row in regions}
    # A region that is too small for a query, or names only one thing, still says what the image shows.
    assert {50, 7} <= {row["region_id"] for row in facts} and {51}.isdisjoint(row["region_id"] for row in facts)
    assert all(row["objects"] for row in facts), "nothing can be known from 'over there'"
    for row in regions:
        spans = [row["caption"][span["start"] : span["end"]] for span in row["object_spans"]]
        assert len(spans) == len(row["objects"]) and all(spans)


def test_facts_of_queries_only(tmp_path):
    annotations(tmp_path)
    status, _, err = run_stage("filter_vg", ARGUMENTS, tmp_path, {"filter_vg.facts": "queries"})
    assert status == 0, err
    assert {50, 51}.isdisjoint(row["region_id"] for row in tables.read("region_facts", tmp_path / "out/f.parquet"))


@pytest.mark.parametrize("listed", [None, []])
def test_without_regions_the_tables_are_empty_and_the_stage_says_what_that_leaves_out(listed, tmp_path):
    (tmp_path / "image_data.json").write_text(json.dumps([IMAGE]))
    if listed is not None:
        (tmp_path / "region_descriptions.json").write_text(json.dumps(listed))
    status, out, err = run_stage("filter_vg", ARGUMENTS, tmp_path, {})
    assert (status, out) == (0, "filter_vg: no region is described; only systematicity is left out\n"), err
    for name, table in (("r", "regions"), ("f", "region_facts"), ("x", "rejects")):
        assert not list(tables.read(table, tmp_path / "out" / f"{name}.parquet"))
    metrics = json.loads((tmp_path / "m.json").read_text())
    assert (metrics["in"], metrics["kept"], metrics["images"]) == (0, 0, {"kept": 1})


CUT_SHORT = {reader.name: case.given for reader in READERS for case in reader.cases if case.what == "cut short between records"}


@pytest.mark.parametrize("name", ["image_data.json", "region_descriptions.json"])
def test_bad_files_stop_the_stage_before_any_output(name, tmp_path):
    annotations(tmp_path)
    (tmp_path / name).write_text(CUT_SHORT[name])
    status, out, err = run_stage("filter_vg", ARGUMENTS, tmp_path, {})
    assert (status, out) == (1, "")
    assert err.startswith(f"error: {name}") and "Remedy: " in err and err.count("\n") == 1
    assert not (tmp_path / "m.json").exists() and not list(tmp_path.glob("out/*"))
