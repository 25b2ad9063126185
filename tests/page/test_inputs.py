"""An audit or analysis in another form raises an error of one line with the file, the key and the remedy."""

import json
from typing import Any

import pytest

from stages.contract.errors import AGAIN, InputError
from stages.page import inputs
from tests.page.test_iterated import ANALYSIS

SHARE = {"share": 0.99, "low": 0.98, "high": 1.0, "n": 800}
POINT = {"predicted": 0.1, "observed": 0.2, "low": 0.1, "high": 0.3, "n": 9}
FALSE = SHARE | {"doubtful": 3, "left_out": 0, "by_edit": {"object": SHARE}, "by_n": {"n04": SHARE}}
FALSE |= {"calibration": {"all": {"n": 9, "error": 0.1, "least_error": 0.0, "curve": [POINT]}}}
TEXT = {"n": 90, "chance": 20.0, "best": 23.4, "scorer": "ngram", "trained": 26.7}
AUDIT = {
    "truly_false": {"cleared": {"atom": FALSE}, "aro_relation": FALSE},
    "truths": {"cleared": {"atom": SHARE}, "aro_relation": SHARE},
    "grammar": {"cleared": {"atom": {"truths": SHARE, "negatives": SHARE}}},
    "groups": {"cleared": {"atom": {"cc12m": {"UA": TEXT}}}},
    "yields": {"cleared": {"swap": {"n04": {"sets": 61, "captions": 200, "share": 0.305, "paper": None}}}},
    "faults": {"cleared": {"01": "a scorer stands out"}, "paper": {}},
}
READ = {"audit.json": (inputs.read_audit, AUDIT), "analyse.json": (inputs.read_analysis, ANALYSIS)}
GONE = object()


def changed(content: Any, key: str, value: Any) -> Any:
    """Return the content with another value for a key, or without the key."""
    found = part = json.loads(json.dumps(content))
    *places, last = key.split(".")
    for place in places:
        part = part[int(place) if isinstance(part, list) else place]
    if value is GONE:
        part.pop(last)
    else:
        part[last] = value
    return found


@pytest.mark.parametrize("file", READ)
def test_what_the_stages_write_is_read(file, tmp_path):
    read, content = READ[file]
    (tmp_path / file).write_text(json.dumps(content))
    assert read(tmp_path / file) == content


@pytest.mark.parametrize(
    ("file", "key", "value", "says"),
    [
        ("audit.json", "groups", GONE, "has no key groups"),
        ("audit.json", "yields", [], r"yields is \[\]"),
        ("audit.json", "faults.cleared.01", 7, "faults.cleared.01 is 7"),
        ("audit.json", "truly_false.cleared.atom.doubtful", GONE, "has no key truly_false.cleared.atom.doubtful"),
        ("audit.json", "truly_false.aro_relation.share", GONE, "has no key truly_false.aro_relation.share"),
        ("audit.json", "truly_false.cleared.atom.by_edit.object", 0.99, "truly_false.cleared.atom.by_edit.object is 0.99"),
        ("audit.json", "truly_false.cleared.atom.calibration.all.curve.0.low", GONE, "has no key .*all.curve.0.low"),
        ("audit.json", "truths.cleared.atom", [1], r"truths.cleared.atom is \[1\]"),
        ("audit.json", "grammar.cleared.atom.truths", GONE, "has no key grammar.cleared.atom.truths"),
        ("audit.json", "groups.cleared.atom.cc12m.UA.best", "23", "groups.cleared.atom.cc12m.UA.best is '23'"),
        ("audit.json", "yields.cleared.swap.n04.paper", GONE, "has no key yields.cleared.swap.n04.paper"),
        ("analyse.json", "loss", GONE, "has no key loss"),
        ("analyse.json", "generations", [], r"generations is \[\]"),
        ("analyse.json", "generations.0.lesson.accuracy", [], r"generations.0.lesson.accuracy is \[\]"),
        ("analyse.json", "generations.1.lipschitz.text", GONE, "has no key generations.1.lipschitz.text"),
        ("analyse.json", "codebook.used.each", None, "codebook.used.each is None"),
        ("analyse.json", "codebook.purity.kind.best", GONE, "has no key codebook.purity.kind.best"),
        ("analyse.json", "codebook.top.0.crops", [[1, 0]], r"codebook.top.0.crops.0 is \[1, 0\]"),
        ("analyse.json", "codebook.top.0.agrees.kind", ["a"], "has no key codebook.top.0.agrees.kind.1"),
    ],
)
def test_another_form_is_named_with_its_file_key_and_remedy(file, key, value, says, tmp_path):
    read, content = READ[file]
    (tmp_path / file).write_text(json.dumps(changed(content, key, value)))
    with pytest.raises(InputError, match=rf"{file}: {says}[^\n]*\. Remedy: {AGAIN}\.$"):
        read(tmp_path / file)


@pytest.mark.parametrize("file", READ)
@pytest.mark.parametrize("content", ["", "[]", "7", "null", '{"a": 1}'])
def test_files_of_another_kind_are_named(file, content, tmp_path):
    (tmp_path / file).write_text(content)
    with pytest.raises(InputError, match=rf"{file}: (is not JSON|has no key|all of it is)[^\n]*Remedy: {AGAIN}\.$"):
        READ[file][0](tmp_path / file)


def test_a_model_without_generations_has_an_empty_analysis_and_no_audit_is_empty(tmp_path):
    (tmp_path / "empty.json").write_text("{}")
    assert inputs.read_analysis(tmp_path / "empty.json") == {}
    with pytest.raises(InputError, match="has no key groups"):
        inputs.read_audit(tmp_path / "empty.json")
