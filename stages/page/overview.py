"""The few dozen figures that people compare from run to run: ``metrics/summary.json``, which ``dvc metrics diff`` shows."""

from collections.abc import Mapping
from typing import Any

from stages.page.asked import swapped
from stages.page.names import CASES, every_set


def overview(metrics: Mapping[str, Any], audit: Mapping[str, Any] | None) -> dict[str, Any]:
    """By retrieval set (``suite_set``): R@1, the best blind scorer's, queries, and the differences that the paper is about; what
    suites are known by, ARO's ``macro`` figures and those over ``whole_cases``; and of HN-Swap the pairs of the truth's
    ``own_words``, by which it is judged. Without an ``audit`` the truth is not known.
    """
    sets = {f"{suite}_{name}": figures for suite, name, figures in every_set(metrics)}
    single = {f"{suite}_{name}": figures for suite, name, figures in every_set(metrics, combined=False)}
    cases = {key: figures["cases"] for key, figures in single.items() if figures.get("cases")} | metrics.get("cases", {})
    own = swapped(metrics.get("prod", {})).get("own_words")
    shares = {name: found.get("share") for name, found in (audit or {}).get("truly_false", {}).items()}
    return {
        **{key: metrics["model"][key] for key in ("name", "trained_on")},
        "judged_by": metrics["judged_by"],
        "r1": {key: figures["all"].get("r1") for key, figures in sets.items()},
        "queries": {key: figures["all"]["n"] for key, figures in sets.items()},
        "blind": {key: figures["all"]["blind_r1"] for key, figures in single.items() if "blind_r1" in figures["all"]},
        "seen_less_unseen": {
            key: (figures["gap"].get("raw") or {}).get("d") for key, figures in single.items() if figures.get("gap")
        },
        "slope": {key: (figures["slope"].get("raw") or {}).get("d") for key, figures in single.items() if figures.get("slope")},
        "macro": {key: figures["macro"]["all"]["r1"] for key, figures in single.items() if figures.get("macro")},
        "own_words": {"prod_swap": own["above"]} if own else {},
        "whole_cases": {key: {name: of[name] for name in CASES if name in of} for key, of in cases.items()},
        "truly_false": {name: None if share is None else round(100 * share, 2) for name, share in shares.items()},
    }
