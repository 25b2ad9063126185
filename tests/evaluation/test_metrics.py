"""Metrics in another form raise an error of one line that names the file and the key."""

import json
from typing import Any

import pytest

from stages.contract.errors import InputError
from stages.evaluation import metrics
from tests.page import made

ATOM = "cleared.sys.atom"


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    ranks = tmp_path_factory.mktemp("metrics") / "ranks.parquet"
    made.write_ranks(ranks, 50)
    return json.dumps(made.metrics_of(ranks))


def changed(right: str, key: str, value: Any = None) -> dict[str, Any]:
    """Return the metrics with another value for a key, or without the key."""
    found: dict[str, Any] = json.loads(right)
    part = found
    *places, last = key.split(".")
    for place in places:
        part = part[place]
    part.pop(last)
    if value is not None:
        part[last] = value
    return found


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("model", None, "has no key model"),
        ("judged_by", None, "has no key judged_by"),
        ("model", "ViT-B-32", "model is 'ViT-B-32': input should be a mapping"),
        ("model.name", 32, "model.name is 32"),
        ("cleared", [], r"cleared is \[\]"),
        (f"{ATOM}.all", None, f"has no key {ATOM}.all"),
        (f"{ATOM}.all.n", None, f"has no key {ATOM}.all.n"),
        (f"{ATOM}.all.r1", "55.0", f"{ATOM}.all.r1 is '55.0'"),
        (f"{ATOM}.SC.r1", float("nan"), f"{ATOM}.SC.r1 is nan"),
        (f"{ATOM}.all.shortcut_r1", [21.0], rf"{ATOM}.all.shortcut_r1 is \[21.0\]: input should be a valid number"),
        (f"{ATOM}.shortcuts.shorter", float("inf"), f"{ATOM}.shortcuts.shorter is inf"),
        (f"{ATOM}.gap.raw.d", True, f"{ATOM}.gap.raw.d is True"),
        ("raw.sys.SC.i2t", None, "has no key raw.sys.SC.i2t"),
    ],
)
def test_metrics_of_another_form_name_the_file_and_the_key(right, key, value, says, tmp_path):
    (tmp_path / "evaluate.json").write_text(json.dumps(changed(right, key, value)))
    with pytest.raises(InputError, match=rf"evaluate\.json: {says}.*Remedy: run dvc repro\.$"):
        metrics.read(tmp_path / "evaluate.json", "run dvc repro")


@pytest.mark.parametrize("content", ["{}", "[]", "7", "null"])
def test_empty_metrics_are_named(content):
    with pytest.raises(InputError, match=r"^main:evaluate\.json: (has no key model|all of it is)"):
        metrics.parse(content, "main:evaluate.json", "run dvc repro")


@pytest.mark.parametrize("key", ["raw", "drawn", "captions", f"{ATOM}.gap", f"{ATOM}.shortcuts", f"{ATOM}.id", "paper_on_cleared"])
def test_what_an_evaluation_may_lack_is_no_error(right, key):
    content = json.loads(right) | {"paper_on_cleared": {}}
    assert metrics.parse(json.dumps(changed(json.dumps(content), key)), "evaluate.json", "none")["model"]["name"] == "made"
