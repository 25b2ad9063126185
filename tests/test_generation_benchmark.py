"""The benchmark of generation, on two made-up checkouts and made-up data: what is shared, what is counted, what is timed."""

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.benchmarks import generation, projects, real
from tests.benchmarks.generation import DataSet, Made
from tests.benchmarks.projects import Project

STAGE = """
import sys
import time
from pathlib import Path
from stages.contract import tables
name, seconds, *outs = sys.argv[1:]
started = time.process_time()
while time.process_time() < started + float(seconds):
    pass
for out in outs:
    tables.write(Path(out).stem, out, [{"text": "a", "reason": None}, {"text": "b", "reason": "no"}])
"""
TABLES = """
import pyarrow as pa
import pyarrow.parquet as pq
from pathlib import Path
from stages.contract.schemas import TABLES
def write(name, path, rows):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=TABLES[name].schema), path)
"""
SCHEMAS = """
import pyarrow as pa
class Table:
    schema = pa.schema([("text", pa.string()), ("reason", pa.string())])
class Other:
    schema = pa.schema([("text", pa.string()), ("reason", pa.string()), MORE])
TABLES = dict.fromkeys(("regions", "region_facts", "rejects", "candidates", "queries", "captions"), Table) | {"captions": Other}
"""


def checkout(folder: Path, seconds: float, more: str) -> Path:
    """Return a checkout of all stages; those that make negatives take ``seconds``, and ``captions`` has the column ``more``."""
    (folder / "stages" / "contract").mkdir(parents=True)
    for name, text in (("stage", STAGE), ("contract/tables", TABLES), ("contract/schemas", SCHEMAS.replace("MORE", more))):
        (folder / "stages" / f"{name}.py").write_text(text)
    stages: dict[str, Any] = {}
    for name in (*generation.EARLIER, *generation.WITH_REGIONS):
        out = {"caption": "captions", "filter_vg": "regions"}.get(name, "rejects")
        command = f"python -m stages.stage {name} 0 data/{name}/{out}.parquet"
        stages[name] = {"cmd": command, "params": ["visual_genome"], "outs": [f"data/{name}/{out}.parquet"]}
    for name in (*generation.SYSTEMATICITY, *generation.PRODUCTIVITY):
        outs = [f"data/{name}/{table}.parquet" for table in ("queries", "candidates")]
        deps = ["data/caption/captions.parquet", "data/filter_vg/regions.parquet", "stages"]
        stages[name] = {"cmd": f"python -m stages.stage {name} {seconds} {' '.join(outs)}", "deps": deps, "outs": outs}
    (folder / "dvc.yaml").write_text(json.dumps({"stages": stages}))
    sections = {"visual_genome": {"annotations": ""}, "training_sets": {}, "evaluate": {"training_set": ""}, "run": {"workers": 2}}
    (folder / "params.yaml").write_text(json.dumps(sections | {"walk_subgraphs": {"per_complexity": 100}}))
    return folder


@pytest.mark.parametrize(
    ("more", "shared"), [('("n", pa.int32())', True), pytest.param('("m", pa.int32())', False, marks=pytest.mark.heavy)]
)
def test_two_versions_are_measured_on_the_same_tables_or_on_their_own(more, shared, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(generation, "EARLIER", ("caption",))
    (tmp_path / "captions.txt").write_text("a cup\n")
    versions = {
        "old": generation.project(tmp_path / "old", checkout(tmp_path / "a", 0.2, '("n", pa.int32())')),
        "new": generation.project(tmp_path / "new", checkout(tmp_path / "b", 0.0, more)),
    }
    data = DataSet("vrd", tmp_path, generation.PRODUCTIVITY, 3)
    found = generation.measured(data, versions, tmp_path / "captions.txt")
    for version, least in (("old", 0.2), ("new", 0.0)):
        made = found[version]["gen_hn_prod"]
        assert made[:3] == (2, 1, 2) and made.seconds > least
    assert ("its own earlier stages run" in capsys.readouterr().out) != shared
    whole = YAML(typ="safe").load(tmp_path / "new" / "params.yaml")
    assert whole["run"] == {"workers": 1} and whole["walk_subgraphs"] == {"per_complexity": 3}
    said = generation.compare({"vrd": found})
    assert said["ratio"] == pytest.approx(said["old_s"] / said["new_s"], rel=0.15)  # both are rounded to a tenth
    assert said["old_s"] == said["productivity"]["old_s"] == said["vrd_productivity"]["old_s"] >= 0.2


def test_parts_are_summed_over_data_sets():
    made = [Made(0, 0, 0, seconds) for seconds in (8.0, 4.0, 2.0)]
    vg = {version: dict(zip(("gen_hn_atom", "gen_hn_comp", "gen_hn_prod"), made, strict=True)) for version in ("old", "new")}
    vrd = {"old": {"gen_hn_prod": made[0]}, "new": {"gen_hn_prod": made[2]}}
    said = generation.compare({"vg": vg, "vrd": vrd})
    assert said["systematicity"] == {"old_s": 12.0, "new_s": 12.0, "ratio": 1.0}
    assert said["productivity"] == {"old_s": 10.0, "new_s": 4.0, "ratio": 2.5}
    assert (said["old_s"], said["new_s"], said["ratio"]) == (22.0, 16.0, 1.38)
    assert "vrd_systematicity" not in said


def test_captions_are_taken_evenly_from_all_files(tmp_path):
    (tmp_path / "a.tsv").write_text("url\tcaption\n" + "".join(f"u\ta {n}\n" for n in range(100)))
    (tmp_path / "b.txt").write_text("b 0\nb 1\n")
    (tmp_path / "c.json").write_text(json.dumps([{"caption": f"c  {n}"} for n in range(100)] + [{"caption": ["x"]}]))
    (tmp_path / "d.txt.gz").write_bytes(gzip.compress(b"d"))
    target = tmp_path / "taken"
    generation.write_captions(projects.caption_files(tmp_path), 20, target)
    lines = target.read_text().splitlines()
    assert [line[0] for line in lines] == ["a"] * 6 + ["b"] * 2 + ["c"] * 12
    assert lines[:3] == ["a 0", "a 16", "a 33"] and lines[8:10] == ["c 0", "c 8"]


def test_images_with_an_odd_checksum_of_their_name_are_taken(tmp_path):
    images = [{"image_id": n, "url": f"{n}.jpg", "width": 9, "height": 9} for n in range(20)]
    (tmp_path / "image_data.json").write_text(json.dumps(images))
    (tmp_path / "scene_graphs.json").write_text(json.dumps([{"image_id": n, "objects": []} for n in range(20)]))
    generation.write_vrd(tmp_path, 5, tmp_path / "some")
    taken = [image["image_id"] for image in json.loads((tmp_path / "some/image_data.json").read_text())]
    assert taken == [n for n in range(20) if zlib.crc32(f"{n}.jpg".encode()) % 2][:5]
    assert [scene["image_id"] for scene in json.loads((tmp_path / "some/scene_graphs.json").read_text())] == taken


def test_a_parameter_that_a_checkout_lacks_is_an_error(tmp_path):
    with pytest.raises(SystemExit, match="has no foils"):
        Project(tmp_path / "p", {"foils.most": 3}, checkout(tmp_path / "a", 0, '("n", pa.int32())'))


def test_figures_of_real_annotations_are_the_ledgers(tmp_path):
    made = Project(tmp_path / "p", {}, checkout(tmp_path / "a", 0, '("n", pa.int32())'))
    counts = {"eligible": 3, "kept": 1}
    (made.folder / "metrics").mkdir()
    for stage, kinds in (("atom", ["HN-Atom"]), ("comp", ["HN-Comp"]), ("prod", ["HN-Atom", "HN-Swap", "HN-Neg"])):
        sets = {protocol: dict.fromkeys(kinds, counts) for protocol in ("paper", "cleared")}
        (made.folder / "metrics" / f"gen_hn_{stage}.json").write_text(json.dumps({"sets": sets}))
    every = dict.fromkeys(("atom", "comp", "atom_prod", "swap", "neg"), counts)
    assert real.figures(made) == {"paper": every, "cleared": every}
