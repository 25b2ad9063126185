"""Goes through the images of a table together with what is known of each: two sorted tables are merged with it, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from stages.contract import tables
from stages.contract.errors import InputError
from stages.foils.evidence import Evidence
from stages.foils.meanings import Meanings
from stages.geometry.box import Box

Row = dict[str, Any]


class Image(NamedTuple):
    """The rows of one image: what is asked about it, its scene graph (or ``None``), and what its regions' descriptions say."""

    image_id: int
    rows: list[Row]
    scene_graph: Row | None
    facts: list[Row]

    def evidence(self, meanings: Meanings) -> Iterator[tuple[Row, Evidence]]:
        """Each row with what is known of its crop."""
        known = Evidence.of(self.scene_graph, self.facts, meanings)
        return ((row, known.within(Box.of(row))) for row in self.rows)


def images(rows: Iterable[Row], scene_graphs: Path, facts: Path) -> Iterator[Image]:
    """The images of ``rows``, which are sorted by ``image_id`` as the other two tables are; only what is needed is held.

    Raises:
        InputError: a table is not sorted by its images.
    """
    graphs = _Merged(_groups(tables.read("scene_graphs", scene_graphs), scene_graphs))
    descriptions = _Merged(_groups(tables.read("region_facts", facts), facts))
    for image_id, own in _groups(rows, "the rows to be looked up"):
        yield Image(image_id, own, next(iter(graphs.at(image_id)), None), descriptions.at(image_id))


def pieces(several: Iterable[Image], rows: int) -> Iterator[list[Image]]:
    """Images in lists that have about ``rows`` rows each: a worker's task."""
    piece: list[Image] = []
    for image in several:
        piece.append(image)
        if sum(len(i.rows) for i in piece) >= rows:
            yield piece
            piece = []
    if piece:
        yield piece


def _groups(rows: Iterable[Mapping[str, Any]], where: Path | str) -> Iterator[tuple[int, list[Row]]]:
    last = None
    for image_id, group in groupby(rows, key=lambda row: row["image_id"]):
        if last is not None and image_id < last:
            raise InputError(where, f"image {image_id} comes after image {last}", "run dvc repro, which writes it sorted")
        last = image_id
        yield image_id, list(group)  # type: ignore[arg-type]


class _Merged:
    """The groups of a sorted table, asked for in ascending order."""

    def __init__(self, groups: Iterator[tuple[int, list[Row]]]):
        self.groups = groups
        self.current = next(groups, None)

    def at(self, image_id: int) -> list[Row]:
        while self.current is not None and self.current[0] < image_id:
            self.current = next(self.groups, None)
        return self.current[1] if self.current is not None and self.current[0] == image_id else []
