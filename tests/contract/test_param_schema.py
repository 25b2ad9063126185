"""What kind of value each parameter takes."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from ruamel.yaml import YAML

from stages.contract import params
from stages.contract.errors import ParameterError
from stages.contract.param_schema import KINDS, either, number, one_of, whole
from tests.running import ROOT

PARAMS = YAML(typ="safe", pure=True).load(ROOT / "params.yaml")
FREE = {"models", "training_sets"}
"""Sections whose keys are names of the user's own."""


def keys(section: dict[str, Any], before: str = "") -> Iterator[str]:
    for key, value in section.items():
        if isinstance(value, dict) and value:
            yield from keys(value, f"{before}{key}.")
        else:
            yield f"{before}{key}"


def test_every_parameter_has_its_kind_and_its_value_is_of_it():
    assert set(PARAMS) - FREE == set(KINDS)
    for name in KINDS:
        assert set(keys(PARAMS[name])) == set(KINDS[name]), f"stages/contract/param_schema.py, {name}"
        assert params.load(name, ROOT / "params.yaml") == PARAMS[name]


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (whole(1), [1, 10**9], [0, 1.0, True, "1", None]),
        (whole(1, 3), [1, 3], [0, 4]),
        (number(0, 1), [0, 0.5, 1], [-0.01, 1.01, float("nan"), "0.5", False, None]),
        (number(0), [1e9], [float("inf"), -1]),
        (one_of("on", "off"), ["on"], [True, "ON", None]),
        (either(whole(5), one_of("all")), [5, "all"], [4, "none"]),
        (KINDS["run"]["memory"], ["2GB", "500 MiB", "1.5GB"], [2, "2", "GB", "2 gigabytes", None]),
        (KINDS["walk_subgraphs"]["complexities"], [[4], [4, 12]], [[], [4, 4], [0], ["4"], 4, None]),
    ],
)
def test_kinds(kind, right, wrong):
    assert [value for value in right if not kind.holds(value)] == []
    assert [value for value in wrong if kind.holds(value)] == []


def test_a_key_that_is_asked_for_and_missing_is_named_also_in_a_worker(tmp_path):
    (tmp_path / "params.yaml").write_text("foils: {plausibility: {model: ngram}}")
    section = pickle.loads(pickle.dumps(params.load("foils", tmp_path / "params.yaml")))  # noqa: S301
    assert section == {"plausibility": {"model": "ngram"}}
    with pytest.raises(ParameterError, match=r"foils\.seed: is missing\. Remedy: add it"):
        section["seed"]
    with pytest.raises(ParameterError, match=r"foils\.plausibility\.device: is missing"):
        section["plausibility"]["device"]
