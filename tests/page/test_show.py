"""Tests of showing queries, printed and as JSON Lines."""

import json
import sys

import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.graphs.graph import SceneGraph
from stages.page import show
from tests.suites.made import edit, query

CROP = {"image_id": 1, "x": 3, "y": 4, "width": 60, "height": 40}
GRAPH = SceneGraph(("dog",), ((0, "red"),))
KNOWN = {"foil": "cow", "nearness": "grand_hypernym", "atom": "dog", "p_true": 0.004}


@pytest.fixture
def data(tmp_path):
    """Write thirty queries of HN-Atom by both protocols, and one of HN-Neg; the first has a refused candidate."""
    rows, candidates = [], []
    for i in range(30):
        for protocol in ("paper", "cleared"):
            made = query(
                f"region-{i}", "HN-Atom", CROP | {"image_id": i}, 2, "a red dog", GRAPH, ["a red cow"], ["object"], protocol
            )
            made["negatives"][0] |= KNOWN
            made["splits"] = [{"training_set": "cc12m", "split": "UC", "min_atom_count": 3}]
            rows.append(made)
    empty = {"p_true": None, "nearness": None}
    for reason, caption in (("may_be_true", "a red hound"), (None, "a red cow"), ("odd_english", "")):
        about = {"protocol": "cleared", "query_id": "region-0", "image_id": 0, "type": "HN-Atom", "truth": "a red dog"}
        candidates.append(edit(caption, "object") | empty | about | {"reason": reason, "foil": "hound", "atom": "dog"})
    tables.write("queries", tmp_path / "gen_hn_atom/queries.parquet", rows)
    tables.write("candidates", tmp_path / "gen_hn_atom/candidates.parquet", candidates)
    denial = query(
        "walk-1-4-0", "HN-Neg", CROP, 4, "a dog, with no cat in sight", GRAPH, ["a dog, with no mat in sight"], ["object"]
    )
    tables.write("queries", tmp_path / "gen_hn_prod/queries.parquet", [denial | {"denied": "cat"}])
    tables.write("candidates", tmp_path / "gen_hn_prod/candidates.parquet", [])
    return tmp_path


def call(data, monkeypatch, *options):
    monkeypatch.setattr(sys, "argv", ["show", "--data", str(data), *options])
    show.main()


def test_a_set_says_what_changed_and_why_it_is_false(data, monkeypatch, capsys):
    call(data, monkeypatch, "--image", "7", "--protocol", "cleared")
    assert capsys.readouterr().out.splitlines()[:3] == [
        "cleared HN-Atom region-7 (image 7, 60 x 40 at 3, 4, 2 atoms, UC for cc12m)",
        "  true   a red dog",
        "  false  a red cow   [object dog -> cow (grand hypernym); not annotated; true with probability 0.4 %]",
    ]
    call(data, monkeypatch, "--type", "HN-Neg")
    out = capsys.readouterr().out
    assert "[denies cat, which is not there]" in out and "false by construction" in out


def test_sets_are_drawn_by_their_ids(data, monkeypatch, capsys):
    call(data, monkeypatch)
    first = capsys.readouterr().out
    assert first.count("  true   ") == 20
    call(data, monkeypatch, "--number", "5")
    fewer = {line for line in capsys.readouterr().out.splitlines() if "region-" in line}
    assert len(fewer) == 5 and fewer <= set(first.splitlines())


def test_refused_candidates_have_their_reason(data, monkeypatch, capsys):
    call(data, monkeypatch, "--image", "0", "--protocol", "cleared", "--rejected")
    out = capsys.readouterr().out
    assert "  refused: may be true   a red hound   [object dog -> hound]" in out
    assert "  refused: odd english   (cannot be said)" in out and out.count("refused") == 2


def test_all_sets_are_written_as_lines_of_json(data, monkeypatch, capsys, tmp_path):
    call(data, monkeypatch, "--json", str(tmp_path / "sets.jsonl"), "--rejected", "--protocol", "cleared")
    sets = [json.loads(line) for line in (tmp_path / "sets.jsonl").read_text().splitlines()]
    assert len(sets) == 31 and "31 sets" in capsys.readouterr().out
    assert sets[0]["query_id"] == "region-0" and sets[0]["crop"] == {"x": 3, "y": 4, "width": 60, "height": 40}
    assert sets[0]["negatives"] == [{"caption": "a red cow", "edit": "object", "plausibility": None, **KNOWN}]
    assert [one["reason"] for one in sets[0]["rejected"]] == ["may_be_true", "odd_english"] and sets[1]["rejected"] == []
    assert sets[-1]["denied"] == "cat" and sets[0]["splits"] == {"cc12m": "UC"}


def test_without_tables_it_says_what_to_do(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"no table of queries.*dvc repro"):
        call(tmp_path, monkeypatch)


def test_a_number_below_one_is_an_error(data, monkeypatch, capsys):
    """As the end of a slice, -3 would mean all but three."""
    with pytest.raises(SystemExit):
        call(data, monkeypatch, "--number", "-3")
    assert "--number: is -3, but" in capsys.readouterr().err
