"""Crops as PNG for the exports, each encoded once, and Parquet files with pictures."""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from stages.console.progress import progress
from stages.contract.files import component
from stages.evaluation.sets import RetrievalSet
from stages.images.crops import Crop, ImageFolder

AT_ONCE = 64
"""Rows, with their pictures, in memory at a time, and in a row group."""
LARGEST_DICTIONARY = 1 << 30
"""Bytes of the distinct pictures of a row group beyond which all are written, repeated ones, too."""
IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
"""A picture as ``datasets`` stores it."""
Configurations = Mapping[str, tuple[Sequence[RetrievalSet], int]]
"""Retrieval sets by configuration name, each with the index of its folder of images."""


def to_png(image: Image.Image) -> bytes:
    """Return a crop as PNG, at zlib's fastest level: photographs hardly become smaller at others."""
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


class Pictures:
    """Crops as PNG, each encoded once for all sets that use it, one after the other in a file."""

    def __init__(self, path: Path, crops: Iterable[Crop], images: ImageFolder, workers: int):
        self._path = path
        self._at: dict[Crop, tuple[int, int]] = {}
        wanted = set(crops)
        with path.open("wb") as file:
            for crop, png in progress(images.crops(wanted, to_png, workers), "crops", "crop", len(wanted)):
                self._at[crop] = file.tell(), len(png)
                file.write(png)

    def of(self, crops: Iterable[Crop]) -> Iterator[tuple[Crop, bytes]]:
        """Yield some of the crops, each once, in order."""
        with self._path.open("rb") as file:
            for crop in sorted(set(crops)):
                start, length = self._at[crop]
                file.seek(start)
                yield crop, file.read(length)


def by_name(parts: Iterable[tuple[Iterable[RetrievalSet], ImageFolder]]) -> tuple[Configurations, list[ImageFolder]]:
    """Return the retrieval sets by suite and name, and the folders of their images.

    Raises:
        InputError: a name, under which files are written, is not one part of a path.
    """
    found: dict[str, tuple[list[RetrievalSet], int]] = {}
    places = []
    for place, (sets, images) in enumerate(parts):
        places.append(images)
        for s in sets:
            found.setdefault(component(s.suite, f"{s.suite}_{s.name}"), ([], place))[0].append(s)
    return found, places


@contextmanager
def encoded(folder: Path, configurations: Configurations, places: Sequence[ImageFolder], workers: int) -> Iterator[list[Pictures]]:
    """Yield the crops of all configurations, by folder of images; their files are removed at the end."""
    kept = folder / ".pictures"
    kept.mkdir()
    crops = [
        {s.query.crop for sets_here, place in configurations.values() if place == number for s in sets_here}
        for number in range(len(places))
    ]
    try:
        yield [Pictures(kept / str(i), some, images, workers) for i, (some, images) in enumerate(zip(crops, places, strict=True))]
    finally:
        shutil.rmtree(kept)


def captioned(sets: Sequence[RetrievalSet], pictures: Pictures) -> Iterator[tuple[RetrievalSet, dict[str, Any]]]:
    """Yield each set with its id and picture as a row has them, by crop and id."""
    by_crop: dict[Crop, list[RetrievalSet]] = {}
    for s in sets:
        by_crop.setdefault(s.query.crop, []).append(s)
    for crop, png in pictures.of(by_crop):
        for s in sorted(by_crop[crop], key=lambda s: s.query.query_id):
            yield s, {"query_id": s.query.query_id, "image": {"bytes": png, "path": None}}


def write_rows(path: Path, columns: Mapping[str, pa.DataType], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows with a picture each, besides ``query_id`` and ``image`` with these ``columns``, as a Parquet file."""
    schema = pa.schema({"query_id": pa.string(), "image": IMAGE, **columns})
    path.parent.mkdir(parents=True)
    # Nearly all bytes are PNG, which is compressed already and has no order. The dictionary stores a picture once for all its rows.
    how = {"compression": "NONE", "write_statistics": False, "dictionary_pagesize_limit": LARGEST_DICTIONARY}
    with pq.ParquetWriter(path, schema, **how) as writer:
        more = iter(rows)
        while batch := list(islice(more, AT_ONCE)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
