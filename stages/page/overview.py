"""The main figures to compare between runs: ``metrics/summary.json``, which ``dvc metrics diff`` shows."""

from collections.abc import Mapping
from typing import Any

from stages.evaluation.figures import nested
from stages.page.display_names import CASES, all_sets

OF_ALL = {
    "r1": "r1",
    "queries": "n",
    "pairs": "pairs",
    "tied_pairs": "tied_pairs",
    "shortcut": "shortcut_r1",
    "trained": "trained_r1",
    "held_out": "held_out_r1",
}
"""By key, the figure over all queries of a set: the model's R@1 and pair accuracy, and the text-only scorers' R@1."""


def overview(metrics: Mapping[str, Any], audit: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return by key, protocol and retrieval set (``r1.cleared.prod_swap``) :data:`OF_ALL` and further figures.

    Also ``sets``, the ids of the sets; ``detects``, the smallest detectable difference in points; ``seen_less_unseen`` and
    ``slope``, the paper's main differences; and ARO's ``macro`` figures and those over ``whole_cases``. Suites without protocols
    are at the level of the protocols. ``truly_false`` has fractions of negatives, by the audit's names, if there is an ``audit``.
    """
    every = list(all_sets(metrics))
    single = [one for one in every if not one.combined]
    cases = {one.key[1]: one.figures["cases"] for one in single if one.figures.get("cases")} | metrics.get("cases", {})
    found: dict[str, Any] = {**{key: metrics["model"][key] for key in ("name", "trained_on")}, "judged_by": metrics["judged_by"]}
    for key, figure in OF_ALL.items():
        found[key] = nested((one.key, one.figures["all"][figure]) for one in every if figure in one.figures["all"])
    for key, name in (("sets", "id"), ("detects", "detects")):
        found[key] = nested((one.key, one.figures[name]) for one in every if name in one.figures)
    for key, name in (("seen_less_unseen", "gap"), ("slope", "slope")):
        found[key] = nested((one.key, (figures.get("raw") or {}).get("d")) for one in single if (figures := one.figures.get(name)))
    return found | {
        "macro": {one.key[1]: one.figures["macro"]["all"]["r1"] for one in single if one.figures.get("macro")},
        "whole_cases": {key: {name: figures[name] for name in CASES if name in figures} for key, figures in cases.items()},
        "truly_false": _shares((audit or {}).get("truly_false", {})),
    }


def _shares(false: Mapping[str, Any]) -> dict[str, Any]:
    """Return the audit's fractions in per cent, by protocol where it has protocols."""
    return {
        name: (None if fraction["share"] is None else round(100 * fraction["share"], 2))
        if "share" in fraction
        else _shares(fraction)
        for name, fraction in false.items()
    }
