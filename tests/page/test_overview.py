"""Tests of the figures that people compare between runs: few, by protocol, and equal to the metrics."""

from stages.page.overview import overview

GROUP = {"n": 100, "r1": 50.0, "shortcut_r1": 20.0, "trained_r1": 22.0, "held_out_r1": 19.0, "pairs": 70.0, "tied_pairs": 1.5}
METRICS = {
    "model": {"name": "sample", "family": "open_clip", "trained_on": "cc12m"},
    "judged_by": "cc12m",
    "captions": {"n": 3, "cut": 0},
    "cleared": {
        "sys": {"atom": {"all": GROUP, "gap": {"raw": {"d": 6.8}}, "id": "abc", "detects": 4.5}, "both": {"all": GROUP}},
        "prod": {"swap": {"all": GROUP, "slope": {"raw": None}}},
    },
    "paper": {"prod": {"swap": {"all": GROUP | {"r1": 60.0}, "id": "def"}}},
    "paper_on_cleared": {"prod": {"swap": {"all": GROUP | {"r1": 55.0, "n": 40}}}},
}


def test_every_set_has_its_figures_and_differences_once_by_protocol():
    audit = {"truly_false": {"cleared": {"atom": {"share": 0.985, "n": 10}}, "aro_relation": {"share": None, "n": 0}}}
    found = overview(METRICS, audit)
    assert found["trained_on"] == "cc12m"
    assert found["r1"] == {
        "paper": {"prod_swap": 60.0},
        "paper_on_cleared": {"prod_swap": 55.0},
        "cleared": {"sys_atom": 50.0, "sys_both": 50.0, "prod_swap": 50.0},
    }
    assert found["queries"]["paper_on_cleared"] == {"prod_swap": 40}
    others = {"shortcut": 20.0, "trained": 22.0, "held_out": 19.0, "pairs": 70.0, "tied_pairs": 1.5}
    assert {key: found[key]["cleared"]["prod_swap"] for key in others} == others
    assert found["sets"] == {"cleared": {"sys_atom": "abc"}, "paper": {"prod_swap": "def"}}
    assert found["detects"] == {"cleared": {"sys_atom": 4.5}}
    assert found["seen_less_unseen"] == {"cleared": {"sys_atom": 6.8}} and found["slope"] == {"cleared": {"prod_swap": None}}
    assert (
        found["truly_false"] == {"cleared": {"atom": 98.5}, "aro_relation": None} and overview(METRICS, None)["truly_false"] == {}
    )


def test_what_suites_go_by_is_there():
    """A diff of two models once had only R@1 for Winoground, which scores whole cases, and for ARO, which uses macro accuracy."""
    cases = {"n": 9, "text": 30.0, "text_se": 1.0, "image": 10.0, "group": 8.0, "group_chance": 16.7}
    aro = {"relation": {"all": GROUP, "macro": {"all": {"r1": 31.4, "n": 9}, "verb": {"r1": 9.0}}}, "order": {"all": GROUP}}
    suites = {"winoground": {"object": {"all": GROUP, "cases": cases}}, "aro": aro, "cases": {"winoground": cases}}
    found = overview(METRICS | suites, None)
    assert found["macro"] == {"aro_relation": 31.4} and found["r1"]["aro_order"] == 50.0
    of_cases = {"text": 30.0, "image": 10.0, "group": 8.0}
    assert found["whole_cases"] == {"winoground_object": of_cases, "winoground": of_cases}
    assert [overview(METRICS, None)[key] for key in ("macro", "whole_cases")] == [{}] * 2
