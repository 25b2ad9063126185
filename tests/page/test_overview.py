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


def test_a_set_of_another_suite_joins_no_others_whatever_its_name():
    found = overview(METRICS | {"winoground": {"both": {"all": GROUP}}, "colorswap": {"all": {"all": GROUP}}}, None)
    assert found["blind"] == {"sys_atom": 20.0, "prod_swap": 20.0, "winoground_both": 20.0, "colorswap_all": 20.0}
