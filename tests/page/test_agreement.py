"""Tests of two annotators' sheets: agreement beyond chance, and malformed files."""

import json
import sys

import pytest

from stages.contract.errors import InputError
from stages.page.agreement import alpha, compare, faithfulness, kappa, main, read


def saved(answers, sheet="s", annotator="A", types=None, n=None):
    ones = [
        {"id": str(i), "type": (types or {}).get(i, "HN-Atom, systematicity"), "n": n and n[i], "expected": "no", "answer": answer}
        for i, answer in enumerate(answers)
    ]
    return {"sheet": sheet, "annotator": annotator, "answers": [one | {"fluent": "yes"} for one in ones]}


def test_kappa_by_hand():
    # Agreement 3/4; by chance 1/2 * 1/4 + 1/2 * 3/4 = 1/2.
    assert kappa(["yes", "no", "yes", "no"], ["yes", "no", "no", "no"]) == 0.5
    assert kappa(["yes", "no"], ["no", "yes"]) == pytest.approx(-1)
    assert kappa(["no", "no"], ["no", "no"]) is None


def test_alpha_by_hand():
    # By Krippendorff's definition: 4 units of 2 values; observed disagreement 2/8, expected 2 · 3 · 5 / (8 · 7).
    assert alpha([["yes", "no", "yes", "no"], ["yes", "no", "no", "no"]]) == pytest.approx(1 - (2 / 8) / (30 / 56))
    assert alpha([["no", "no"], ["no", "no"]]) is None


def test_compare():
    types = {0: "HN-Atom, productivity", 4: "control, true"}
    one, other = saved(["no", "no", "yes", "no", "yes"], types=types), saved(["no", "no", "no", "cannot tell", "no"], types=types)
    found = compare([one, other])
    assert set(found) == {"HN-Atom, systematicity", "HN-Atom, productivity", "control, true", "all"}
    assert found["all"]["n"] == 4, "controls are no part of it"
    assert found["all"]["accuracy"] == (0.75, 0.0) and found["all"]["agreement"] == 0.5
    mean, deviation = found["control, true"]["accuracy"]
    assert mean == 0.5 and deviation == pytest.approx(2**-0.5)
    assert compare([one, other, one])["all"]["agreement"] == pytest.approx((0.5 + 0.5 + 1) / 3)


def test_faithfulness_is_told_by_complexity():
    types = dict.fromkeys(range(3), "caption")
    one, other = (saved(answers, types=types, n=[4, 4, 5]) for answers in (["yes", "no", "yes"], ["yes", "yes", "cannot tell"]))
    found = faithfulness([one, other])
    assert {n: (of["n"], of["faithful"][0]) for n, of in found.items()} == {4: (2, 0.75), 5: (1, 0.5)}


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ("no JSON", "is not JSON"),
        ("[" * 100_000, "nested too deep"),
        ("[3]", r"all of it is \[3\]"),
        (json.dumps({"sheet": "s"}), "has no key annotator"),
        (json.dumps(saved(["no", "perhaps"])), "answers.1.answer is 'perhaps': input should be 'yes', 'no'"),
        (json.dumps(saved(["no", None])), "1 of 2 lines have a question"),
    ],
)
def test_bad_file(tmp_path, content, wrong):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError, match=wrong):
        read(path)


def test_nobody_agrees_with_himself(tmp_path, monkeypatch, capsys):
    """A browser saves a second copy as "sheet-A (1).json", and a glob pattern matches both."""
    paths = [tmp_path / name for name in ("sheet-A.json", "sheet-A (1).json", "sheet-B.json")]
    for path, annotator in zip(paths, ("A", " A", "B"), strict=True):
        path.write_text(json.dumps(saved(["no", "yes"], annotator=annotator)))
    monkeypatch.setattr(sys, "argv", ["agreement", *map(str, paths)])
    with pytest.raises(InputError, match="is by the same annotator as"):
        main()
    monkeypatch.setattr(sys, "argv", ["agreement", str(paths[0]), str(paths[2])])
    main()
    assert "| all | 2 |" in capsys.readouterr().out
