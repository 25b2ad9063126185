"""The comparison of our ``paper`` sets with the official release, in its smallest form."""

import json
import sys

from stages.suites import official as release
from stages.suites.suite_files import write_csv
from tests.benchmarks import official
from tests.suites.made import write_pipeline


def test_both_sides_are_measured_by_type(tmp_path, monkeypatch, capsys):
    """The ``paper`` negatives in our made-up tables end with an extra word; those in the release's file replace one word."""
    write_pipeline(tmp_path / "data", list(range(1, 9)))
    (tmp_path / "data/gen_hn_prod").mkdir()
    (tmp_path / "data/prod.parquet").rename(tmp_path / "data/gen_hn_prod/queries.parquet")
    row = dict.fromkeys(release.PRODUCTIVITY_COLUMNS, 4) | {"n": 4}
    rows = [
        row | {"image_id": i, "caption": f"a red dog on mat {i}", "hard_negs": [f"a red {thing} on mat {i}" for thing in "vwxyz"]}
        for i in range(1, 13)
    ]
    write_csv(tmp_path / "csv/atom/prod_vg_hard_negs_atom_complexity_4.csv", release.PRODUCTIVITY_COLUMNS, rows)
    monkeypatch.setattr(sys, "argv", ["official", str(tmp_path / "data"), str(tmp_path / "csv")])
    official.main()
    *printed, last = capsys.readouterr().out.splitlines()
    found = json.loads(last)
    theirs, ours = found["atom"]["official"], found["atom"]["ours"]
    assert theirs["kinds"] == {"one span replaced": 100.0} and theirs["longer_by"] == 0 and theirs["n"] == 12
    assert ours["n"] == 8 and ours["longer_by"] == 1.0, "of complexity 4 alone, as the release has"
    assert ours["scorers"]["shorter"] == ours["best"] == 100.0 and theirs["scorers"]["shorter"] == 16.7
    assert set(found["swap"]) == {"ours"} and any(line.startswith("atom official: 12 sets") for line in printed)
