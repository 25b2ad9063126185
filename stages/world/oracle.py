"""Truth labels for the captions of a retrieval set, by the complete truth of the sample world."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stages.evaluation.intervals import wilson_share
from stages.graphs.graph import SceneGraph
from stages.text.inflection import is_verbal
from stages.world.relations import Verdict
from stages.world.truth import Denied, World
from stages.world.words import least

Query = dict[str, Any]
"""A row of the table ``queries``."""


def label(query: Query, truth: dict[str, Any]) -> tuple[Verdict, list[Verdict]]:
    """Return whether the truth of a row of ``queries`` holds, and each negative, by its image's row of the table ``truth``."""
    world = World.of(truth, (query["x"], query["y"], query["width"], query["height"]))
    plain = SceneGraph.from_columns(query)

    def says(graph: SceneGraph) -> Verdict:
        if query["type"] != "HN-Comp":
            return world.label(graph)
        # Two statements joined by "and", each labelled separately: "a cup on a table and a bowl on a table" may mean one table.
        return least(world.label(graph.induced(nodes)) for nodes in graph.components())

    def of(negative: dict[str, Any]) -> Verdict:
        graph = SceneGraph.from_columns(negative)
        if query["type"] != "HN-Neg":
            return says(graph)
        denied = tuple(negative["atom"].split(" | "))
        # Where the truth also denies something, its negatives deny another thing in the same words: that one exists at all.
        return world.label_negative(graph, Denied("existence" if query["denied"] else negative["edit"], denied), plain)

    truth_denied = Denied("existence", tuple((query["denied"] or "").split(" | ")))
    holds = world.label_negative(plain, truth_denied, plain) if query["denied"] else says(plain)
    return holds, [of(negative) for negative in query["negatives"]]


BINS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 1.0)
"""The borders of the bins of predicted probabilities."""


def calibration(rows: Sequence[tuple[str, float, Verdict, int]]) -> dict[str, Any]:
    """Return how well the predicted probabilities of negatives being true agree with the fraction that is not clearly false.

    Args:
        rows: for each negative its edit, the predicted probability, whether it is true, and its image.

    Returns:
        By edit, and over ``all``: ``n``, the expected calibration ``error`` (Naeini et al., 2015), and the reliability ``curve``,
        for each bin its ``n``, the mean ``predicted``, the fraction ``observed`` that is not clearly false with its 95 % interval
        clustered by image, and the fraction that is clearly ``true``. ``least_error`` is the distance from the nearest possible
        fraction, for any truth of the doubtful ones (Manski, 2003, "Partial Identification of Probability Distributions").
    """
    groups = {"all": rows} | {edit: [row for row in rows if row[0] == edit] for edit in sorted({edit for edit, *_ in rows})}
    return {edit: _reliability(group) for edit, group in groups.items() if group}


def _reliability(rows: Sequence[tuple[str, float, Verdict, int]]) -> dict[str, Any]:
    predicted, images = (np.array([row[i] for row in rows], float) for i in (1, 3))
    true, possible = (np.array([row[2] in verdicts for row in rows], float) for verdicts in ((True,), (True, None)))
    place = np.clip(np.digitize(predicted, BINS[1:]), 0, len(BINS) - 2)
    curve = [
        {
            "predicted": round(predicted[here].mean(), 5),
            "observed": (seen := wilson_share(possible[here], images[here])).pop("share"),
            "true": round(true[here].mean(), 5),
        }
        | seen
        for i in range(len(BINS) - 1)
        if (here := place == i).any()
    ]

    def distance(least: str) -> float:
        """Return the mean distance of the predicted from the interval between ``least`` and ``observed``."""
        off = (b["n"] * max(b[least] - b["predicted"], b["predicted"] - b["observed"], 0.0) for b in curve)
        return round(sum(off) / len(rows), 5)

    return {"n": len(rows), "error": distance("observed"), "least_error": distance("true"), "curve": curve}


def falsity(queries: Sequence[Query], truths: Mapping[int, dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fractions of negatives that are false and of truths that are true.

    The first has ``share, low, high, n``, again ``by_edit`` and ``by_n``, the :func:`calibration`, the number of negatives that are
    ``doubtful`` (counted as not false) and of those ``left_out``, because their truth itself is doubtful.
    """
    labelled = [label(query, truths[query["image_id"]]) for query in queries]
    rows = [
        (negative["edit"], negative.get("p_true"), verdict, query["image_id"], f"n{query['n']:02d}")
        for query, (truth, verdicts) in zip(queries, labelled, strict=True)
        if truth
        for verdict, negative in zip(verdicts, query["negatives"], strict=True)
    ]
    edits, images, sizes = (np.array([row[i] for row in rows]) for i in (0, 3, 4))
    false = np.array([row[2] is False for row in rows], dtype=bool)
    found = wilson_share(false, images) | {
        "doubtful": sum(row[2] is None for row in rows),
        "left_out": sum(len(query["negatives"]) for query in queries) - len(rows),
    }
    for key, column in (("by_edit", edits), ("by_n", sizes)):
        found[key] = {str(name): wilson_share(false[column == name], images[column == name]) for name in np.unique(column)}
    found["calibration"] = calibration([row[:4] for row in rows if row[1] is not None])
    holds = np.array([truth is True for truth, _ in labelled], dtype=bool)
    return found, wilson_share(holds, np.array([query["image_id"] for query in queries]))


def by_category(query: Query, negative: Mapping[str, Any]) -> dict[str, Any]:
    """Return a negative of ARO under its category, because its edit is one of hundreds of relations or attribute pairs."""
    if query["type"] == "VG-Attribution":
        return {**negative, "edit": "attribute"}
    return {**negative, "edit": "verb" if is_verbal(negative["edit"]) else "spatial"}
