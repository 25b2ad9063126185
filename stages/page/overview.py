"""The few dozen figures that people compare from run to run: ``metrics/summary.json``, which ``dvc metrics diff`` shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stages.page.names import every_set


def overview(metrics: Mapping[str, Any], audit: Mapping[str, Any] | None) -> dict[str, Any]:
    """By retrieval set (``suite_set``): R@1, the best blind scorer's, queries, and the differences that the paper is about.

    Args:
        metrics: what ``evaluate`` found.
        audit: what ``audit`` found; ``None`` where the truth is not known.
    """
    sets = {f"{suite}_{name}": figures for suite, name, figures in every_set(metrics)}
    single = {f"{suite}_{name}": figures for suite, name, figures in every_set(metrics, combined=False)}
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
        "truly_false": {name: None if share is None else round(100 * share, 2) for name, share in shares.items()},
    }
