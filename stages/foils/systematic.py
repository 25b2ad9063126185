"""Systematicity's queries: a worker's task and answer, and the rows that come of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from stages.contract import tables
from stages.foils.atoms import candidates, crop_of
from stages.foils.known import Image
from stages.foils.meanings import English
from stages.foils.selection import Asked
from stages.foils.vocabulary import load
from stages.graphs.graph import SceneGraph
from stages.graphs.truth import ImageTruth

Row = dict[str, Any]


class Task(NamedTuple):
    """Some images with the regions to ask about, and what a worker needs for them."""

    images: list[Image]
    vocabulary: Path
    most: int


def atoms_of(task: Task) -> list[Asked]:
    """The candidates of each region."""
    vocabulary = load(task.vocabulary)
    done = []
    for image in task.images:
        truth = ImageTruth.of(image.scene_graph, image.facts, English())
        for row in image.rows:
            query_id, known = f"region-{row['region_id']}", truth.within(crop_of(row))
            done.append(Asked(query_id, row["caption"], list(candidates(row, query_id, known, vocabulary, task.most))))
    return done


def eligible(regions: Path) -> Iterator[Row]:
    """The regions whose caption has exactly one compound; systematicity asks about no others (section 4.1)."""
    return (row for row in tables.read("regions", regions) if len(row["attributes"]) + len(row["relations"]) == 1)


def query_row(row: Row, query_id: str, kind: str, truth: str, negatives: list[Row], graph: SceneGraph | None = None) -> Row:
    """A row of the table ``queries`` for a region; ``graph`` is the truth's where it is not the region's."""
    said = graph or SceneGraph.from_columns(row)
    crop = {name: row[name] for name, *_ in tables.CROP}
    return {"query_id": query_id, "type": kind, **crop, "n": said.n, "truth": truth, **said.columns(), "negatives": negatives}


def reject_row(row: Row, query_id: str, reason: str, detail: str) -> Row:
    """A row of the table ``rejects`` for a region."""
    return {"image_id": row["image_id"], "item": query_id, "text": row["caption"], "reason": reason, "detail": detail}
