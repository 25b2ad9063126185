"""Tests of the report's first table: does the model beat a text-only guess?"""

from stages.page.answer import HEADS, grid, legend, rows, section, verdict
from stages.page.figure import Figure
from tests.page.made import share

GAIN = {"d": 20.0, "se": 2.0, "low": 16.0, "high": 24.0, "n": 900}
UNSURE = GAIN | {"d": 2.0, "low": -2.0, "high": 6.0}
NONE = GAIN | {"d": -1.0, "low": -5.0, "high": 3.0}
WORSE = GAIN | {"d": -20.0, "low": -24.0, "high": -16.0}


def figures(r1=60.0, n=900, gain=GAIN, shortcut=22.0, trained=21.0, held_out=20.5, trained_gain=None, held_out_gain=None):
    """Return the figures of a set with a model and three text-only scorers."""
    reached = {"shortcut": shortcut, "trained": trained, "held_out": held_out}
    group = {"n": n, **share("r1", r1, 1.0), "r1_chance": 20.0, **share("pairs", 85.0, 1.0), "tied_pairs": 0.5}
    for key, value in reached.items():
        group |= share(f"{key}_r1", value, 1.0)
    scorers = {"ngram": shortcut, "trained": trained, "neural": held_out, "best": "ngram", "held_out": "neural", "gain": gain}
    scorers |= {"gain_trained": trained_gain or gain, "gain_held_out": held_out_gain or gain}
    return {"all": group, "shortcuts": scorers, "detects": 5.6}


def told(of):
    return verdict(of, Figure.of(of["all"]))


def test_a_model_beats_text_only_if_it_surely_beats_every_scorer():
    assert told(figures()) == "yes"
    for gain, expected in ((UNSURE, "unclear"), (NONE, "no"), (WORSE, "worse")):
        assert told(figures(gain=gain)) == told(figures(trained_gain=gain)) == told(figures(held_out_gain=gain)) == expected
    assert told(figures(r1=20.5)) == "unclear", "nor is it enough where chance does as well"
    assert told(figures(n=20)) == told(figures(gain=GAIN | {"n": 12})) == "few"


def test_what_machines_differ_by_is_not_the_models():
    small = figures(gain=GAIN | {"d": 2.0, "low": 0.5, "high": 3.5})
    model = Figure.of(small["all"])
    assert verdict(small, model) == "yes" and verdict(small, model, 2.5) == "unclear"


def test_each_type_stands_by_protocol_with_the_strongest_text_only_scorer():
    swap = {"paper": figures(shortcut=98.0, gain=NONE), "paper_on_cleared": figures(), "cleared": figures(trained=24.0, n=88)}
    metrics = {protocol: {"prod": {"swap": of, "all": of}} for protocol, of in swap.items()}
    metrics["cleared"]["sys"] = {"atom": figures(held_out=30.0)}
    atom, row = rows(metrics)
    assert (row.title, row.chance) == ("HN-Swap (productivity)", 20.0) and len(row.cells) == len(HEADS) == 3
    assert [(cell.verdict, cell.scorer, cell.text.value) for cell in row.cells] == [
        ("no", "ngram", 98.0), ("yes", "ngram", 22.0), ("yes", "trained", 24.0)
    ]  # fmt: skip
    assert [cell.model.n for cell in row.cells] == [900, 900, 88]
    assert atom.cells[:2] == [None, None] and atom.cells[2].scorer == "neural"
    assert list(legend([atom, row])) == ["neural", "ngram", "trained"] and "trigram" in legend([row])["ngram"]
    table = section(metrics | {"aro": {"order": figures()}, "model": {}}).tables[0]
    swap = {row[1]: row for row in table.rows if row[0] == "HN-Swap, productivity"}
    assert list(swap) == ["paper", "paper on cleared", "cleared"] and table.rows[-1][:2] == ["order, ARO", ""]
    assert (swap["cleared"][3].chance, swap["cleared"][4], swap["cleared"][6], swap["cleared"][-1]) == (50.0, "0.5", "ngram", "5.6")


def test_a_language_model_of_the_users_own_is_in_the_legend():
    of = figures(held_out=40.0)
    of["shortcuts"] |= {"held_out": "gpt2", "gpt2": 40.0}
    assert "language model" in legend(rows({"cleared": {"sys": {"atom": of}}}))["gpt2"]


def test_the_same_as_text_for_several_models():
    one, other = ({"cleared": {"prod": {"swap": figures(r1)}}, "paper": {"prod": {"swap": figures()}}} for r1 in (60.0, 40.0))
    found = grid({"a": one, "b": other})
    assert [row[:3] for row in found.lines] == [
        ["HN-Swap, productivity", protocol, label] for protocol in ("paper", "cleared") for label in "ab"
    ]
    assert found.lines[3][3:] == ["900", "20.0", "40.0 ±2.0", "85.0 ±2.0 (0.5)", "22.0 (ngram)", "21.0", "20.5 (neural)", "5.6"]
    assert {len(row) for row in found.lines} == {len(found.head)}
    assert not grid({"a": {"aro": {}}}).rows
