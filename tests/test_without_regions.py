"""Most scene graphs have no regions: productivity and ARO are then made and evaluated, and systematicity is left out."""

import json

import pyarrow.parquet as pq
import pytest

from tests.stage_runs import Pipeline

pytestmark = pytest.mark.heavy
AGAIN = ("filter_vg", "split", "gen_hn_atom", "gen_hn_comp", "gen_hn_prod", "gen_aro", "evaluate", "audit", "report")


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory, undisturbed) -> Pipeline:
    """Return a pipeline without regions, in which every stage that depends on them ran again."""
    made = undisturbed.copy(tmp_path_factory.mktemp("without") / "regions")
    made.said = {}
    (made.folder / "data/sample/visual_genome/region_descriptions.json").unlink()
    for stage in made.stages():
        if stage.script in AGAIN:
            made.clear(stage)
            status, made.said[stage.name] = made.run(stage)
            assert status == 0, (stage.name, made.said[stage.name])
    return made


def test_systematicity_is_left_out_and_that_is_said(pipeline):
    assert pipeline.said["filter_vg"] == ["filter_vg: no region is described; only systematicity is left out"]
    for stage in ("gen_hn_atom", "gen_hn_comp"):
        for table in ("queries", "candidates"):
            assert not len(pq.read_table(pipeline.folder / f"data/{stage}/{table}.parquet"))


def test_all_else_is_made_and_evaluated(pipeline):
    for stage in ("gen_hn_prod", "gen_aro"):
        assert len(pq.read_table(pipeline.folder / f"data/{stage}/queries.parquet"))
    suites = set(pq.read_table(pipeline.folder / "data/evaluate/ranks.parquet")["suite"].to_pylist())
    assert "prod" in suites and "sys" not in suites
    assert json.loads((pipeline.folder / "metrics/audit.json").read_text())
    assert (pipeline.folder / "metrics/report.html").stat().st_size
