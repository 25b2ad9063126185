"""Two annotators' sheets: agreement, Cohen's kappa, and files that are not what they should be."""

import json

import pytest

from stages.contract.errors import InputError
from stages.page.agreement import compare, kappa, read


def saved(answers, sheet="s", annotator="A"):
    ones = [{"id": str(i), "type": "HN-Atom", "expected": "no", "answer": answer} for i, answer in enumerate(answers)]
    return {"sheet": sheet, "annotator": annotator, "answers": ones}


def test_kappa_by_hand():
    # Agreement 3/4; by chance 1/2 * 1/4 + 1/2 * 3/4 = 1/2.
    assert kappa(["yes", "no", "yes", "no"], ["yes", "no", "no", "no"]) == pytest.approx(0.5)
    assert kappa(["yes", "no"], ["no", "yes"]) == pytest.approx(-1)
    assert kappa(["no", "no"], ["no", "no"]) is None


def test_compare():
    found = compare(saved(["no", "no", "yes", "no"]), saved(["no", "no", "no", "cannot tell"]))
    assert set(found) == {"HN-Atom", "all"}
    assert found["all"]["n"] == 4
    assert found["all"]["accuracy"] == [0.75, 0.75]
    assert found["all"]["agreement"] == 0.5


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ("no JSON", "is no saved sheet"),
        (json.dumps({"sheet": "s"}), "is no saved sheet"),
        (json.dumps(saved(["no", "perhaps"])), "does not offer"),
        (json.dumps(saved(["no", None])), "1 of 2 questions have no answer"),
    ],
)
def test_bad_file(tmp_path, content, wrong):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError, match=wrong):
        read(path)
