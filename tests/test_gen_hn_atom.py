"""The stage: four negatives that replace one atom, in either way, and a ledger that adds up."""

import pytest
from tests.foils import regions

from stages import gen_hn_atom


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return regions.write(tmp_path_factory.mktemp("atom"))


@pytest.mark.parametrize("way", ["paper", "balanced"])
def test_sets_of_five_that_differ_in_one_place(inputs, tmp_path, monkeypatch, way):
    made = regions.run(gen_hn_atom, monkeypatch, regions.atom_arguments(inputs, tmp_path), way)
    metrics = made["metrics"]
    assert metrics["in"] == 7 * regions.IMAGES == metrics["kept"] + sum(metrics["dropped"].values())
    assert metrics["dropped"]["not_one_compound"] == regions.IMAGES
    assert metrics["kept"] == len(made["queries"]) > 0
    assert len(made["rejects"]) == metrics["in"] - metrics["kept"] - regions.IMAGES
    for query in made["queries"]:
        assert query["type"] == "HN-Atom"
        assert len({query["truth"], *(negative["caption"] for negative in query["negatives"])}) == 5
        assert all(regions.same_but(query["truth"], negative) for negative in query["negatives"])
        places = {(negative["edit"], negative["spans"][0]["start"]) for negative in query["negatives"]}
        assert way == "paper" or len(places) == 1
    codes = {row["reason"] for row in made["candidates"]}
    assert {None, "may_be_true"} <= codes
    assert all(row["reason"] or row["p_true"] <= 0.05 for row in made["candidates"])


def test_where_nothing_is_kept_it_is_said_what_foils_lack(inputs, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(regions.SECTIONS, "foils", regions.SECTIONS["foils"] | {"min_training_count": 10**6})
    made = regions.run(gen_hn_atom, monkeypatch, regions.atom_arguments(inputs, tmp_path), "balanced")
    assert made["queries"] == [] and "named in 1000000 captions (foils.min_training_count)" in capsys.readouterr().err
