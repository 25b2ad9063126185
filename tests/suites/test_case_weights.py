"""Tests of a suite's weights: from the audit's file to the sets on which a model is evaluated."""

import json
import sys

import numpy as np
import pytest

from stages.contract.errors import InputError, ParameterError
from stages.contract.files import write_json
from stages.evaluation import metrics
from stages.evaluation.ranks import rank
from stages.evaluation.summary import Ranked, summarise
from stages.parameters.sections import Evaluate
from stages.suites import audit, case_weights, sugarcrepe
from stages.suites.catalogue import further
from stages.suites.suite_files import Images
from tests.running import section
from tests.suites.test_cleared_part import sugar


@pytest.fixture
def weighted(tmp_path, monkeypatch):
    """Return the folder of a suite whose truths are mostly shorter, with the audit's weights for it."""
    sugar(tmp_path / "suite", 30, 20)
    monkeypatch.setattr(sys, "argv", ["audit", "sugarcrepe", str(tmp_path / "suite"), "--weights", str(tmp_path / "weights.jsonl")])
    audit.main()
    return tmp_path


def evaluated(folder, **places):
    suites = {"sugarcrepe": {"folder": str(folder / "suite"), "weights": str(folder / "weights.jsonl")} | places}
    return next(further(section(Evaluate, suites_folder=str(folder), suites=suites), None, folder))[0]


def test_the_audits_weights_reach_the_sets_of_the_evaluation(weighted):
    lines = [json.loads(line) for line in (weighted / "weights.jsonl").read_text().splitlines()]
    sets = evaluated(weighted)
    assert {s.query.query_id: s.weight for s in sets} == {line["query_id"]: line["weight"] for line in lines} and len(sets) == 50
    shorter = [s.weight * (len(s.truth) < len(s.negatives[0])) for s in sets]
    assert 0.4 < sum(shorter) / sum(s.weight for s in sets) < 0.54, "of equal sets it is 0.6"
    assert {s.weight for s in sugarcrepe.sets(weighted / "suite", Images())} == {None}


def test_weighted_accuracy_is_written_and_tells_a_shortcut_from_a_model(weighted):
    """The number of sets was once a NumPy number, and every evaluation with weights failed at its last step."""
    sets = evaluated(weighted)
    size = np.full(len(sets), 2)
    rng, accuracy = np.random.default_rng(0), {}
    for name, first in (
        ("seen", rng.random(len(sets)) < 0.7),
        ("short", np.array([len(s.truth) < len(s.negatives[0]) for s in sets])),
    ):
        scores = np.stack([first, ~first], axis=1).astype(float)
        shorter = rank(np.concatenate([[-len(text) for text in s.texts] for s in sets]), size)
        ranked = Ranked(sets, [*scores], rank(scores.ravel(), size), None, {"shorter": shorter}, np.zeros(len(sets), np.int64))
        about = {"model": {"name": "m", "family": "scores", "trained_on": None}, "judged_by": None}
        write_json(weighted / "evaluate.json", about | summarise(ranked, None, 1))
        figures = metrics.read(weighted / "evaluate.json", "none")["sugarcrepe"]["add_att"]["weighted"]
        accuracy[name] = figures["r1"]
        assert figures["r1_low"] < figures["r1"] < figures["r1_high"] and figures["n"] == sum(s.weight > 0 for s in sets)
        assert 40 < figures["shortcut_r1"] < 54
    assert abs(accuracy["seen"] - 70) < 15 and 40 < accuracy["short"] < 54


def test_a_subset_that_weights_leave_too_little_of_has_none(tmp_path, monkeypatch, capsys):
    """Once, three sets of 692 had a weight above 0, and a scorer knew two of them."""
    sugar(tmp_path / "suite", 40, 40)
    ahead = {str(i): {"filename": f"{i}.jpg", "caption": "a dog", "negative_caption": f"a {i} dog"} for i in range(60)}
    back = {f"{i} b": {"filename": f"{i}.jpg", "caption": f"a {i} dog", "negative_caption": "a dog"} for i in range(4)}
    (tmp_path / "suite" / "swap_obj.json").write_text(json.dumps(ahead | back))
    out = tmp_path / "weights.jsonl"
    monkeypatch.setattr(sys, "argv", ["audit", "sugarcrepe", str(tmp_path / "suite"), "--weights", str(out)])
    audit.main()
    assert "no weights for swap_obj (64): none clears it and keeps the information of 30 sets" in capsys.readouterr().out
    weights = [json.loads(line) for line in out.read_text().splitlines()]
    assert {line["subset"] for line in weights if line["weight"]} == {"add_att"} and len(weights) == 144


def test_cases_over_several_entries_have_weights_too(tmp_path, monkeypatch, capsys):
    """As in VSR, whose statements are compared over several rows: once, all of its weights were 0."""
    rows = [
        {"image": f"{i}.jpg", "caption": f"The dog is {relation} the cat {i // 2}.", "label": i % 2, "relation": relation}
        for relation in ("under", "on")
        for i in range(80)
    ]
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "test.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    out = tmp_path / "weights.jsonl"
    monkeypatch.setattr(sys, "argv", ["audit", "vsr", str(tmp_path / "suite"), "--weights", str(out)])
    audit.main()
    assert "80 sets have a weight above 0" in capsys.readouterr().out
    suites = {"vsr": {"folder": str(tmp_path / "suite"), "weights": str(out)}}
    sets = next(further(section(Evaluate, suites_folder=str(tmp_path), suites=suites), None, tmp_path))[0]
    assert len(sets) == 80 and {s.weight for s in sets} == {1.0}, "no caption tells which picture is its own"


def test_a_set_without_negatives_weighs_nothing(weighted):
    sets = [*sugarcrepe.sets(weighted / "suite", Images())]
    empty = case_weights.replace(sets[0], name="none", negatives=(), edits=())
    assert case_weights.read(weighted / "weights.jsonl", [*sets, empty])[-1].weight == 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: lines[1:], r"does not match these sets: 1 differ, the first is add_att"),
        (lambda lines: [*lines, lines[0] | {"query_id": "other"}], "does not match these sets: 1"),
        (lambda lines: [*lines, lines[0]], r"row 51: .* a query twice"),
        (lambda lines: [lines[0] | {"weight": 1.5}, *lines[1:]], r"row 1: .*outside 0 and 1"),
        (lambda lines: [lines[0] | {"weight": float("nan")}, *lines[1:]], r"row 1: .*outside 0 and 1"),
        (lambda lines: [lines[0] | {"weight": None}, *lines[1:]], r"row 1: .*no subset, query_id and weight"),
        (lambda lines: [["add_att", "0", 1.0], *lines[1:]], r"row 1: .*no subset, query_id and weight"),
    ],
)
def test_weights_of_other_sets_are_refused(weighted, change, says):
    path = weighted / "weights.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in change(lines)))
    with pytest.raises(InputError, match=says):
        evaluated(weighted)


def test_weights_outside_the_tracked_folder_are_refused(weighted, tmp_path_factory):
    with pytest.raises(ParameterError, match=r"suites\.sugarcrepe\.weights: .* is not below evaluate\.suites_folder"):
        evaluated(weighted, weights=str(tmp_path_factory.mktemp("elsewhere") / "w.jsonl"))
