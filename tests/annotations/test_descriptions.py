"""Descriptions are cleaned, corrected and parsed once each, and keep their order."""

import pyarrow.parquet as pq

from stages.annotations.descriptions import DESCRIBED, Describing, describe
from stages.parameters import params
from stages.parameters.sections import Language
from tests.running import ROOT


def test_a_piece_of_descriptions(tmp_path):
    phrases = ["A RED bus.", "", " the bus is red\n", "...", "man on a hose", "12"]
    out = tmp_path / "piece.parquet"
    assert describe(Describing(phrases, params.load(Language, ROOT / "params.yaml"), out)) == len(phrases)
    table = pq.read_table(out)
    assert table.schema == DESCRIBED
    rows = table.to_pylist()
    assert [row["phrase"] for row in rows] == phrases
    assert [row["fault"] for row in rows] == [None, "empty", None, "empty", None, "no_letters"]
    red, also = rows[0], rows[2]
    assert (red["objects"], red["n_atoms"], red["n_compounds"]) == (["bus"], 2, 1)
    assert red["graph_key"] == also["graph_key"] != rows[4]["graph_key"]
    assert rows[1]["graph_key"] is None and rows[1]["objects"] is None


def test_no_descriptions_are_a_table_too(tmp_path):
    """No parser is loaded for it: at full size, the box filter alone must stay below half a gigabyte."""
    assert describe(Describing([], {}, tmp_path / "none.parquet")) == 0
    assert pq.read_table(tmp_path / "none.parquet").schema == DESCRIBED
