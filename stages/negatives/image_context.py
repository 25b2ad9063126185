"""Go through the images of a table together with what is known of each: two sorted tables are merged with it, row by row."""

from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from stages.contract import tables
from stages.contract.errors import InputError
from stages.graphs.box import Box
from stages.negatives.evidence import Evidence
from stages.negatives.meanings import LIKELY, Meanings

Row = dict[str, Any]


class Image(NamedTuple):
    """The rows of one image, its scene graph (or ``None``), and the facts of its regions' descriptions."""

    image_id: int
    rows: list[Row]
    scene_graph: Row | None
    facts: list[Row]

    def evidence(self, meanings: Meanings, enough: float = LIKELY) -> Iterator[tuple[Row, Evidence]]:
        """Yield each row with its crop's facts; ``enough`` is that of :class:`stages.negatives.evidence.Evidence`."""
        known = self.whole(meanings, enough)
        return ((row, known.within(Box.of(row))) for row in self.rows)

    def whole(self, meanings: Meanings, enough: float = LIKELY) -> Evidence:
        """Return the facts of the whole image."""
        return Evidence.of(self.scene_graph, self.facts, meanings, enough=enough)


def images(rows: Iterable[Row], scene_graphs: Path, facts: Path) -> Iterator[Image]:
    """Yield the images of ``rows``, which are sorted by ``image_id`` like the other two tables; one image is in memory at a time.

    Raises:
        InputError: a table is not sorted by image.
    """
    several = (
        _in_order(rows, 0, "the rows to be looked up"),
        _in_order(tables.read("scene_graphs", scene_graphs), 1, scene_graphs),
        _in_order(tables.read("region_facts", facts), 2, facts),
    )
    for image_id, group in groupby(merge(*several, key=itemgetter(0, 1)), key=itemgetter(0)):
        rows_of_tables: tuple[list[Row], ...] = ([], [], [])
        for _, table, row in group:
            rows_of_tables[table].append(row)  # type: ignore[arg-type]
        asked, graphs, descriptions = rows_of_tables
        if asked:
            yield Image(image_id, asked, next(iter(graphs), None), descriptions)


def pieces(several: Iterable[Image], rows: int) -> Iterator[list[Image]]:
    """Yield lists of images with about ``rows`` rows in all: a worker's task."""
    piece: list[Image] = []
    for image in several:
        piece.append(image)
        if sum(len(i.rows) for i in piece) >= rows:
            yield piece
            piece = []
    if piece:
        yield piece


def _in_order(rows: Iterable[Mapping[str, Any]], table: int, where: Path | str) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    last = None
    for row in rows:
        image_id = row["image_id"]
        if last is not None and image_id < last:
            raise InputError(where, f"image {image_id} comes after image {last}", "run dvc repro, which writes it sorted")
        last = image_id
        yield image_id, table, row
