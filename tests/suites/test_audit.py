"""The audit of a suite as published: what can be told without looking, from its files alone."""

import json
import sys

from stages.suites import audit


def test_a_suite_whose_truths_are_shorter(tmp_path, monkeypatch, capsys):
    """As SugarCrepe's added attributes: who takes the caption with fewer words needs no picture."""
    things = ("dog", "cup", "car", "bus", "hat")
    cases = {
        str(i): {
            "filename": f"{i:012d}.jpg",
            "caption": f"a {thing} on a mat",
            "negative_caption": f"a {'big' if i % 2 else 'red'} {thing} on a mat",
        }
        for i, thing in enumerate(things * 4)
    }
    (tmp_path / "add_att.json").write_text(json.dumps(cases))
    monkeypatch.setattr(sys, "argv", ["audit", "sugarcrepe", str(tmp_path)])
    audit.main()
    *printed, last = capsys.readouterr().out.splitlines()
    assert printed[0] == "add_att: 20 sets, chance 50.0 %"
    assert any(line.split() == ["shorter", "100.0", "±", "0.0"] for line in printed)
    found = json.loads(last)["add_att"]
    assert (found["n"], found["chance"], found["best"], found["scorer"]) == (20, 50.0, 100.0, "shorter")
    assert found["trained"] > 90
