"""The stage ``gen_aro`` as DVC calls it, on small tables."""

import json

from stages.contract import tables
from tests.running import run_stage
from tests.suites.test_aro_cases import image


def test_cases_and_rejects_add_up(tmp_path):
    rows = [
        image(["horse", "grass"], relations=[(0, "eat", 1)]) | {"image_id": 1},
        image(["dog", "tree"], relations=[(0, "next to", 1)]) | {"image_id": 2},
        image(["sofa", "door"], [(0, "green"), (0, "wet"), (1, "purple")]) | {"image_id": 3},
    ]
    tables.write("scene_graphs", tmp_path / "graphs.parquet", rows)
    tables.write("region_facts", tmp_path / "facts.parquet", [])
    arguments = "--scene-graphs graphs.parquet --facts facts.parquet --queries q.parquet --rejects r.parquet --metrics m.json"
    status, out, err = run_stage("gen_aro", arguments, tmp_path, {"gen_aro.per_image": 1})
    assert status == 0, err
    ledger = json.loads((tmp_path / "m.json").read_text())
    queries = list(tables.read("queries", tmp_path / "q.parquet"))
    rejects = list(tables.read("rejects", tmp_path / "r.parquet"))
    assert ledger["in"] == len(queries) + len(rejects) == ledger["kept"] + sum(ledger["dropped"].values())
    assert [row["type"] for row in queries] == ["VG-Relation", "VG-Attribution"] and ledger["symmetric"] == {"next to": 1}
    assert {row["reason"] for row in rejects} >= {"symmetric"} and "symmetric: next to" in out
