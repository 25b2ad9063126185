"""The stage ``gen_hn_atom``: four negatives that replace one atom, in both protocols, and a ledger that adds up."""

from collections import Counter

import pytest

from stages import gen_hn_atom
from stages.contract.schemas import CLEARED, PAPER
from tests.negatives import regions

ATOMS = 6 * regions.IMAGES


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("atom")
    with pytest.MonkeyPatch.context() as patched:
        yield regions.run(gen_hn_atom, patched, regions.arguments(regions.write(folder / "inputs"), folder / "out"))


def test_the_ledger_adds_up(made):
    metrics = made["metrics"]
    assert metrics["in"] == 2 * ATOMS == metrics["kept"] + sum(metrics["dropped"].values())
    assert metrics["kept"] == len(made["queries"]) > 0 and len(made["rejects"]) == metrics["in"] - metrics["kept"]
    for protocol, by_type in metrics["sets"].items():
        kept = sum(query["protocol"] == protocol for query in made["queries"])
        assert by_type == {"HN-Atom": {"eligible": ATOMS, "kept": kept}} and (kept or protocol == CLEARED)


@pytest.mark.parametrize("protocol", [PAPER, CLEARED])
def test_sets_of_five_that_differ_in_one_place(made, protocol):
    for query in (query for query in made["queries"] if query["protocol"] == protocol):
        assert query["type"] == "HN-Atom" and query["denied"] is None
        assert len({query["truth"], *(negative["caption"] for negative in query["negatives"])}) == 5
        assert all(regions.same_but(query["truth"], negative) for negative in query["negatives"])
        places = {(negative["edit"], negative["spans"][0]["start"]) for negative in query["negatives"]}
        assert protocol == PAPER or len(places) == 1


def test_candidates_of_both_protocols_have_a_reason_or_are_false(made):
    reasons = {row["reason"] for row in made["candidates"]}
    assert {None, "may_be_true"} <= reasons
    assert {row["protocol"] for row in made["candidates"]} == {PAPER, CLEARED}
    assert all(row["reason"] or (row["p_true"] <= 0.05 and row["plausibility"] is not None) for row in made["candidates"])


def test_refused_candidates_count_stored_or_not(made, tmp_path, monkeypatch):
    monkeypatch.setitem(regions.SECTIONS, "foils", regions.FOILS | {"rejects_per_set": 0})
    none_stored = regions.run(gen_hn_atom, monkeypatch, regions.arguments(regions.write(tmp_path / "inputs"), tmp_path / "out"))
    refused = made["metrics"]["refused"]
    assert none_stored["metrics"] == made["metrics"] and not any(row["reason"] for row in none_stored["candidates"])
    stored = Counter(f"{row['protocol']} HN-Atom {row['reason']}" for row in made["candidates"] if row["reason"])
    assert stored.keys() <= refused.keys() and all(refused[key] >= n for key, n in stored.items())


def test_where_no_word_is_common_enough_there_are_no_sets(tmp_path, monkeypatch):
    monkeypatch.setitem(regions.SECTIONS, "foils", regions.FOILS | {"min_training_count": 10**6})
    made = regions.run(gen_hn_atom, monkeypatch, regions.arguments(regions.write(tmp_path / "inputs"), tmp_path / "out"))
    assert made["queries"] == [] and made["metrics"]["dropped"] == {
        f"{protocol} HN-Atom fewer_than_4": ATOMS for protocol in (PAPER, CLEARED)
    }
