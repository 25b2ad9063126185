"""Image–caption pairs: their sources, their faults, and the decoded pictures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from stages.captions import corpus
from stages.captions.clean import clean
from stages.captions.tars import samples, text_of_member
from stages.contract import tables
from stages.contract.errors import InputError, ParameterError
from stages.contract.ledger import Ledger
from stages.images.crops import ENDINGS, decode
from stages.models.digests import key_of
from stages.parameters.sections import PairsFrom, Train

MINE_AGAIN = "run mine_negatives on the pairs of train.pairs"


class Place(NamedTuple):
    """Where a picture's bytes are: a file, or a part of a tar file."""

    path: Path
    offset: int = 0
    size: int = -1


class Pairs(NamedTuple):
    """Images, each with a name, its bytes or their place, and a caption or several."""

    keys: list[str]
    pictures: list[bytes | Place]
    captions: list[list[str]]

    def n(self) -> int:
        return sum(map(len, self.captions))

    def identity(self) -> list[str]:
        """Return the identity of work that depends on all pairs. Pictures in files are identified by path and time."""
        said = key_of(*self.keys, *(caption for of_image in self.captions for caption in of_image))
        shown = (one if isinstance(one, bytes) else repr((one, one.path.stat().st_mtime_ns)) for one in self.pictures)
        return [said.hex(), key_of(*shown).hex()]

    def without(self, images: set[int]) -> Pairs:
        """Return the pairs of all images except these numbers."""
        return self.only(lambda i, _: i not in images)

    def only(self, keep: Callable[[int, str], bool]) -> Pairs:
        """Return only the pairs that are to be kept, by the image's number and the caption."""
        rows = [(i, left) for i, of_image in enumerate(self.captions) if (left := [c for c in of_image if keep(i, c)])]
        return Pairs([self.keys[i] for i, _ in rows], [self.pictures[i] for i, _ in rows], [left for _, left in rows])


def read(settings: Train, ledger: Ledger) -> Pairs:
    """Return the pairs that ``train.pairs`` names; invalid ones are dropped by reason, the others are not counted yet.

    Raises:
        InputError: there is none, or a file cannot be read.
    """
    source = settings.pairs
    rows: Iterator[tuple[str, bytes | Place, str]]
    if source.format == "sample":
        rows = _sample(Path(source.path), settings.corpus, ledger)
    else:
        rows = _webdataset(Path(source.path), ledger) if source.format == "webdataset" else _rows(source, ledger)
    captioned: dict[str, tuple[bytes | Place, list[str]]] = {}
    with corpus.naming("train.pairs"):
        for key, picture, text in rows:
            if not (caption := clean(text)):
                ledger.drop("empty")
            elif caption in (known := captioned.setdefault(key, (picture, []))[1]):
                ledger.drop("said_twice")
            else:
                known.append(caption)
    if not captioned:
        why = f" ({ledger.reasons()}{ledger.first_example()})" if ledger.dropped else ""
        raise InputError(source.path, f"has no caption with an image{why}", "check train.pairs in params.yaml")
    pictures, captions = zip(*captioned.values(), strict=True)
    return Pairs(list(captioned), list(pictures), list(captions))


def with_negatives(every: Pairs, texts: Path, settings: Train, ledger: Ledger) -> tuple[Pairs, dict[str, list[str]]]:
    """Return the pairs to learn from, and the negatives of their captions, if wanted.

    Raises:
        InputError: the table ``texts`` is of other captions.
    """
    if settings.method != "negclip" and settings.without_negatives == "keep":
        return every, {}
    negatives = {row["caption"]: [one["caption"] for one in row["negatives"]] for row in tables.read("text_negatives", texts)}
    if unknown := sorted({caption for of_image in every.captions for caption in of_image} - negatives.keys()):
        raise InputError(texts, f"lacks {len(unknown)} captions, such as {unknown[0]!r}", MINE_AGAIN)
    if settings.without_negatives == "keep":
        return every, negatives
    usable = every.only(lambda _, caption: bool(negatives.get(caption)))
    if usable.n() < every.n():
        ledger.drop("nothing_to_exchange", every.n() - usable.n())
    return usable, negatives


def _sample(folder: Path, name: str, ledger: Ledger) -> Iterator[tuple[str, bytes, str]]:
    """Yield the sample's pairs: a table of images, and one of each corpus's captions."""
    known = sorted(path.stem for path in (folder / "pairs").glob("*.parquet"))
    if name not in known:
        raise ParameterError("train.corpus", f"there are no pairs of {name}", f"choose one of {', '.join(known) or 'none'}")
    wanted: dict[str, list[str]] = {}
    for row in tables.read("training_pairs", folder / "pairs" / f"{name}.parquet"):
        ledger.read()
        wanted.setdefault(row["image_key"], []).append(row["caption"])
    for row in tables.read("training_images", folder / "images.parquet"):
        yield from ((row["image_key"], row["jpeg"], caption) for caption in wanted.pop(row["image_key"], ()))
    if wanted:
        ledger.drop("no_image", sum(map(len, wanted.values())))


def _rows(source: PairsFrom, ledger: Ledger) -> Iterator[tuple[str, Place, str]]:
    """Yield pairs from files of captions with a column of image paths, in any format of ``training_sets``."""
    images = Path(source.images)
    for file in corpus.files(source.path, source.format):
        columns = (corpus.read(file, source.format, corpus.Column(key, source.header)) for key in (source.caption, source.image))
        by_row = (groupby(rows, key=lambda row: row.number) for rows in columns)
        for (_, captions), (_, (image, *others)) in zip(*by_row, strict=True):
            for caption in captions:
                ledger.read()
                fault = caption.fault or image.fault or ("several_images" if others else None)
                if fault or caption.caption is None or image.caption is None:
                    ledger.drop(fault or "missing_value")
                elif not os.path.isfile(path := images / image.caption):  # noqa: PTH113  # Path.is_file raises where a name is too long
                    ledger.drop("no_image", example=str(path))
                else:
                    yield image.caption, Place(path), caption.caption


def _webdataset(folder: Path, ledger: Ledger) -> Iterator[tuple[str, Place, str]]:
    """Yield pairs from tar files, in which a picture and a ``.txt`` of the same name belong together."""
    for shard in corpus.files(folder, "webdataset"):
        with shard.open("rb") as file:
            for stem, members in samples(shard, file).items():
                picture = next((members[ending] for ending in members if f".{ending}" in ENDINGS), None)
                if picture is None and "txt" not in members:
                    continue
                ledger.read()
                text = text_of_member(file, members["txt"]) if "txt" in members else None
                key = f"{shard.name}/{stem}"
                if picture is not None and text is not None:
                    yield key, Place(shard, *picture), text
                else:
                    ledger.drop("no_caption" if text is None else "no_image", example=key)


# --- Pictures ----


def data_of(picture: bytes | Place) -> bytes:
    if isinstance(picture, bytes):
        return picture
    with picture.path.open("rb") as file:
        file.seek(picture.offset)
        return file.read(picture.size)


def opened(picture: bytes | Place) -> tuple[bytes, Image.Image] | None:
    """Return the bytes of a picture, and the picture as in the evaluation; ``None`` if it is unreadable."""
    try:
        data = data_of(picture)
        return data, decode(data)
    except (OSError, InputError):
        return None


def pixels(picture: bytes | Place, resize: Callable[[Image.Image], Image.Image]) -> Tensor | None:
    """Return a picture as uint8, shape (3, side, side), after the model's own ``resize``; ``None`` if it is unreadable."""
    found = opened(picture)
    return None if found is None else torch.from_numpy(np.array(resize(found[1]))).permute(2, 0, 1)


def named(keys: Sequence[str], most: int = 5) -> str:
    """Return some keys for a message."""
    return ", ".join(keys[:most]) + (f" and {len(keys) - most:,} more" if len(keys) > most else "")
