"""The figures that people compare from run to run: few, flat, and the metrics' own."""

from stages.page.overview import overview

GROUP = {"n": 100, "r1": 50.0, "blind_r1": 20.0}
METRICS = {
    "model": {"name": "sample", "family": "open_clip", "trained_on": "cc12m"},
    "judged_by": "cc12m",
    "captions": {"n": 3, "cut": 0},
    "sys": {"atom": {"all": GROUP, "gap": {"raw": {"d": 6.8}}}, "both": {"all": GROUP}},
    "prod": {"swap": {"all": GROUP, "slope": {"raw": None}}},
}


def test_every_set_has_its_figures_and_differences_once():
    found = overview(METRICS, {"truly_false": {"atom": {"share": 0.985, "n": 10}}})
    assert found["trained_on"] == "cc12m" and found["r1"] == {"sys_atom": 50.0, "sys_both": 50.0, "prod_swap": 50.0}
    assert found["blind"] == {"sys_atom": 20.0, "prod_swap": 20.0}
    assert found["seen_less_unseen"] == {"sys_atom": 6.8} and found["slope"] == {"prod_swap": None}
    assert found["truly_false"] == {"atom": 98.5} and overview(METRICS, None)["truly_false"] == {}


def test_what_suites_and_findings_go_by_is_there():
    """Two models' diff had R@1 alone of Winoground, whose scores are over whole cases, of ARO, whose are macro, and of HN-Swap."""
    swap = {"all": GROUP, "asked": {"sort": {"own_words": {"above": 50.1}, "exchanged": {"above": 69.3}}}}
    cases = {"n": 9, "text": 30.0, "text_se": 1.0, "image": 10.0, "group": 8.0, "group_chance": 16.7}
    aro = {"relation": {"all": GROUP, "macro": {"all": {"r1": 31.4, "n": 9}, "verb": {"r1": 9.0}}}, "order": {"all": GROUP}}
    suites = {"winoground": {"object": {"all": GROUP, "cases": cases}}, "aro": aro, "cases": {"winoground": cases}}
    found = overview(METRICS | {"prod": {"swap": swap}} | suites, None)
    assert found["own_words"] == {"prod_swap": 50.1} and found["macro"] == {"aro_relation": 31.4}
    of_cases = {"text": 30.0, "image": 10.0, "group": 8.0}
    assert found["whole_cases"] == {"winoground_object": of_cases, "winoground": of_cases}
    assert [overview(METRICS, None)[key] for key in ("own_words", "macro", "whole_cases")] == [{}] * 3


def test_a_set_of_another_suite_joins_no_others_whatever_its_name():
    found = overview(METRICS | {"winoground": {"both": {"all": GROUP}}, "colorswap": {"all": {"all": GROUP}}}, None)
    assert found["blind"] == {"sys_atom": 20.0, "prod_swap": 20.0, "winoground_both": 20.0, "colorswap_all": 20.0}
