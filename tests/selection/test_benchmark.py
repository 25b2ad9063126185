"""Tests of the benchmark of selection, in its smallest form."""

import json

from tests.benchmarks import selection
from tests.selection.made import SIZE, groups, questions, training_set


def test_the_benchmark_prints_a_line_a_type_and_seed(tmp_path, capsys):
    folder, asked = training_set(tmp_path / "a", 800), questions(50)
    means = selection.measured({"HN-Atom": (asked, groups(asked), SIZE)}, [folder], [0], None)
    head, line = capsys.readouterr().out.splitlines()
    assert "Holm" in head and line.split()[:3] == ["new", "HN-Atom", "0"]
    figures = means["new"]["HN-Atom"]
    assert 0 < figures["kept"] <= 50 and figures["cells"] > 0 and figures["seconds"] > 0
    assert json.loads(json.dumps(means)) == means
