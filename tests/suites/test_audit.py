"""The audit of a suite as published: what can be told without looking, from its files alone."""

import json
import sys

from stages.retrieval.cases import clusters, two_by_two
from stages.suites import audit
from stages.visual_genome.crops import Crop
from tests.suites.made import COLOURS, THINGS


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


def test_the_two_images_of_a_case_are_learnt_from_together():
    """Who learns from the one that its caption is true would be surely wrong about the other, whose negative it is."""
    things = [f"{colour} {thing}" for colour in COLOURS for thing in THINGS]
    sets = [
        s
        for i in range(30)
        for s in two_by_two("cola", "multi", str(i), [Crop(2 * i + k, 0, 0, 9, 9) for k in (0, 1)], things[2 * i : 2 * i + 2])
    ]
    assert audit.audit(sets, audit.judges([]))["trained"].recall(1).mean() == 0.5
    assert clusters(sets).tolist() == [2 * (i // 2) for i in range(60)]
    shared = two_by_two("cola", "multi", "x", [Crop(1, 0, 0, 9, 9), Crop(2, 0, 0, 9, 9)], ["a", "b"])
    assert set(clusters([*sets[:4], *shared])) == {0}, "cases that share an image are one"
