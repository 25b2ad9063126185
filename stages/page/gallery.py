"""The gallery's data: a seeded sample of retrieval sets with their crops, as Figures 10 and 11 of the paper show them."""

import io
import random
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PIL import Image

from stages.contract import tables
from stages.evaluation.sets import crop_of
from stages.images.crops import Crop, ImageFolder
from stages.page.display_names import ASK_IMAGES, DRAWN, SETS, is_combined, set_name, suite_name

COLUMNS = ("id", "protocol", "suite", "type", "split", "n", "crop", "image", "rank", "answer", "captions", "scores")
# Crops in one chunk of the page, which the browser parses when one of them comes into view.
CHUNK = 48


class Place(NamedTuple):
    """A crop of one of Visual Genome's images, or of the image at ``picture``: other suites have their own numbers."""

    picture: str | None
    crop: Crop


@dataclass(frozen=True)
class Gallery:
    """The data of the page's script: rows of ``COLUMNS``, and the crops they point to, base64-coded JPEGs in chunks."""

    rows: list[list[Any]]
    chunks: list[list[str]]

    @property
    def without_picture(self) -> int:
        """Return the number of crops without a picture, because their image is missing."""
        return sum(not crop for chunk in self.chunks for crop in chunk)

    @property
    def queries(self) -> dict[str, Any]:
        return {"columns": COLUMNS, "chunk": CHUNK, "rows": self.rows}

    def crop(self, number: int) -> str:
        """Return a crop as base64-coded JPEG; empty where its image is missing."""
        return self.chunks[number // CHUNK][number % CHUNK]

    def options(self, column: str) -> list[Any]:
        """Return the ordered values of ``column`` in the rows, as the options of a filter."""
        return sorted({row[COLUMNS.index(column)] for row in self.rows} - {None})


def gallery(
    ranks: Path, images: Path, limit: int, seed: int, crop_size: int, workers: int = 1, drawn: Container[str] = ()
) -> Gallery:
    """Sample at most ``limit`` retrieval sets of the table ``ranks`` and cut their crops to ``crop_size`` pixels at most.

    The suites that are ``drawn``, over the sample world's pictures, are labelled so.
    """
    sets = sample(ranks, limit, seed)
    places = [Place(row["picture"], crop_of(row)) for row in sets]
    numbers = {place: i for i, place in enumerate(dict.fromkeys(places))}
    pictures: dict[Place, bytes] = {}
    for folder, places_here in _by_folder(numbers, images):
        # A query whose image is missing comes without a picture. If all of Visual Genome's are missing, that is an error.
        there = [crop for crop in places_here if folder.path(crop.image_id) is not None]
        if not there and not folder.names:
            folder.paths(crop.image_id for crop in places_here)
        thumbnails = folder.crops(there, lambda image: thumbnail(image, crop_size), workers)
        pictures |= {places_here[crop]: picture for crop, picture in thumbnails}
    coded = [b64encode(pictures.get(place, b"")).decode("ascii") for place in numbers]
    return Gallery(
        [entry(row, numbers[place], row["suite"] in drawn) for row, place in zip(sets, places, strict=True)],
        # At least one chunk: the script comes after the first.
        [coded[start : start + CHUNK] for start in range(0, len(coded) or 1, CHUNK)],
    )


def _by_folder(places: Iterable[Place], images: Path) -> Iterator[tuple[ImageFolder, dict[Crop, Place]]]:
    """Yield the folders with the crops of ``places``: ``images``, and all others as one, with its own numbers."""
    yield ImageFolder(images), {place.crop: place for place in places if place.picture is None}
    others = {place: place.picture for place in places if place.picture is not None}
    numbers = {picture: i for i, picture in enumerate(dict.fromkeys(others.values()))}
    names = {i: str(Path(picture).absolute()) for picture, i in numbers.items()}
    yield ImageFolder("/", names), {place.crop._replace(image_id=numbers[picture]): place for place, picture in others.items()}


def sample(ranks: Path, limit: int, seed: int) -> list[dict[str, Any]]:
    """Return at most ``limit`` retrieval sets, in an order that alternates suites, splits and complexities.

    Queries are drawn, and come with all their types together; the choice depends only on the seed and their ids.
    """
    groups: dict[tuple, Counter[str]] = defaultdict(Counter)
    for row in filter(is_shown, tables.read("ranks", ranks, columns=["protocol", "suite", "set", "query_id", "n", "split"])):
        groups[row["protocol"] or "", row["suite"], row["split"] or "", row["n"] or 0][row["query_id"]] += 1
    drawn = [sorted((random.Random(f"{seed}:{query}").random(), key, query) for query in groups[key]) for key in sorted(groups)]
    turns = (turn for turn in chain.from_iterable(zip_longest(*drawn)) if turn is not None)
    chosen: dict[tuple[str, str, str], int] = {}
    left = limit
    for _, key, query in turns:
        if left <= 0:
            break
        chosen[key[0], key[1], query] = len(chosen)
        left -= groups[key][query]
    # Rows have long captions, so that unused ones are filtered out before they become Python objects.
    ids = pa.array([query for *_, query in chosen], pa.string())
    batches = (batch.filter(pc.is_in(batch["query_id"], ids)) for batch in tables.batches("ranks", ranks))
    ranked = filter(is_shown, chain.from_iterable(batch.to_pylist() for batch in batches))
    rows = [row for row in ranked if _place(row) in chosen]
    # CREPE's sets in the paper's order, and then further suites by name.
    types = {name: i for i, name in enumerate([*SETS["sys"], *SETS["prod"]])}
    rows.sort(key=lambda row: (chosen[_place(row)], types.get(row["set"], len(types)), row["set"]))
    return rows[:limit]


def _place(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["protocol"] or "", row["suite"], row["query_id"]


def is_shown(row: Mapping[str, Any]) -> bool:
    """Return whether the gallery shows sets of this kind, unlike those that repeat other sets' negatives."""
    return not is_combined(row["suite"], row["set"])


def entry(row: Mapping[str, Any], crop: int, drawn: bool = False) -> list[Any]:
    """Return a row of ``ranks`` as the script reads it, with the truth first among its captions."""
    above = row["rank"] - 1 - row["ties"] / 2
    answer = "wrong" if above > 0 else "tie" if row["ties"] else "right"
    # The fewest digits that distinguish 32-bit scores.
    scores = [float(str(np.float32(score))) for score in row["scores"]]
    # Where another image is a negative, its caption is the truth again.
    truth_again = row["truth"] if row["suite"] in ASK_IMAGES else None
    negatives = (f"{text} (with another image)" if text == truth_again else text for text in row["negatives"])
    return [
        row["query_id"],
        row["protocol"],
        suite_name(row["suite"]) + (f", {DRAWN}" if drawn else ""),
        set_name(row["suite"], row["set"]),
        row["split"],
        row["n"],
        crop,
        row["image_id"],
        int(row["rank"]) if row["rank"].is_integer() else row["rank"],
        answer,
        [row["truth"], *negatives],
        scores,
    ]


def thumbnail(image: Image.Image, size: int) -> bytes:
    """Return a JPEG of ``image`` with no side above ``size`` pixels."""
    image.thumbnail((size, size), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=72, optimize=True)
    return buffer.getvalue()
