"""Weights of a suite's sets: from the audit's file to the sets that a model is evaluated on."""

import json
import sys

import pytest

from stages.contract.errors import InputError, ParameterError
from stages.parameters.sections import Evaluate
from stages.suites import audit, case_weights, sugarcrepe
from stages.suites.catalogue import further
from stages.suites.suite_files import Images
from tests.running import section
from tests.suites.test_cleared_part import sugar


@pytest.fixture
def weighted(tmp_path, monkeypatch):
    """A suite whose truths are mostly shorter, and the audit's weights for it."""
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


def test_a_set_without_negatives_weighs_nothing(weighted):
    sets = [*sugarcrepe.sets(weighted / "suite", Images())]
    empty = case_weights.replace(sets[0], name="none", negatives=(), edits=())
    assert case_weights.read(weighted / "weights.jsonl", [*sets, empty])[-1].weight == 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: lines[1:], r"not for these sets: 1 are in one of the two, the first is add_att"),
        (lambda lines: [*lines, lines[0] | {"query_id": "other"}], "not for these sets: 1"),
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
