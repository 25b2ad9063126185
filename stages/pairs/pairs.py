"""Image–caption pairs: where they are read from, what is wrong with them, and the pictures decoded."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from stages.captions import corpus
from stages.captions.clean import clean
from stages.contract import tables
from stages.contract.errors import InputError, ParameterError
from stages.contract.ledger import Ledger
from stages.images.crops import ENDINGS, decode
from stages.models.digests import key_of
from stages.parameters.sections import PairsFrom, Train

MINE_AGAIN = "run mine_negatives on the pairs of train.pairs"


class Place(NamedTuple):
    """Where a picture's bytes lie: a file, or a piece of a tar file."""

    path: Path
    offset: int = 0
    size: int = -1


class Pairs(NamedTuple):
    """Images, each with a caption or several.

    Attributes:
        keys: a name for each image.
        pictures: the bytes of each, or where they lie.
        captions: of each image.
    """

    keys: list[str]
    pictures: list[bytes | Place]
    captions: list[list[str]]

    def n(self) -> int:
        return sum(map(len, self.captions))

    def identity(self) -> list[str]:
        """What work that hangs on all of it is named by. Pictures in files go by their place and time."""
        said = key_of(*self.keys, *(caption for of_image in self.captions for caption in of_image))
        shown = key_of(*(of if isinstance(of, bytes) else repr((of, of.path.stat().st_mtime_ns)) for of in self.pictures))
        return [said.hex(), shown.hex()]

    def without(self, images: set[int]) -> Pairs:
        """The pairs of all images but those of these numbers."""
        rows = [i for i in range(len(self.keys)) if i not in images]
        return Pairs([self.keys[i] for i in rows], [self.pictures[i] for i in rows], [self.captions[i] for i in rows])

    def only(self, keep: Callable[[str], bool]) -> Pairs:
        """The pairs whose caption is to be kept."""
        rows = [(i, left) for i, of_image in enumerate(self.captions) if (left := [c for c in of_image if keep(c)])]
        return Pairs([self.keys[i] for i, _ in rows], [self.pictures[i] for i, _ in rows], [left for _, left in rows])


def read(settings: Train, ledger: Ledger) -> Pairs:
    """The pairs that ``train.pairs`` names; what is no pair is dropped, by reason, and the others are left to be counted as kept.

    Raises:
        InputError: there is none, or a file cannot be read.
    """
    source = settings.pairs
    kinds: dict[str, Callable[[], Iterator[tuple[str, bytes | Place, str]]]] = {
        "sample": lambda: _sample(Path(source.path), settings.corpus, ledger),
        "webdataset": lambda: _webdataset(Path(source.path), ledger),
    }
    rows = kinds.get(source.format, lambda: _rows(source, ledger))()
    captioned: dict[str, tuple[bytes | Place, list[str]]] = {}
    with corpus.told_as("train.pairs"):
        for key, picture, text in rows:
            if not (caption := clean(text)):
                ledger.drop("empty")
            elif caption in (known := captioned.setdefault(key, (picture, []))[1]):
                ledger.drop("said_twice")
            else:
                known.append(caption)
    if not captioned:
        raise InputError(source.path, "has no caption with an image", "look at train.pairs in params.yaml")
    pictures, captions = zip(*captioned.values(), strict=True)
    return Pairs(list(captioned), list(pictures), list(captions))


def with_negatives(every: Pairs, texts: Path, settings: Train, ledger: Ledger) -> tuple[Pairs, dict[str, list[str]]]:
    """The pairs that are learnt from, and the negatives of their captions, where they are asked for.

    Raises:
        InputError: the table ``texts`` is of other captions.
    """
    if settings.method != "negclip" and settings.without_negatives == "keep":
        return every, {}
    negatives = {row["caption"]: [one["caption"] for one in row["negatives"]] for row in tables.read("text_negatives", texts)}
    if unknown := sorted({caption for of_image in every.captions for caption in of_image} - negatives.keys()):
        raise InputError(texts, f"knows nothing of {len(unknown)} captions, {unknown[0]!r} the first", MINE_AGAIN)
    if settings.without_negatives == "keep":
        return every, negatives
    usable = every.only(lambda caption: bool(negatives.get(caption)))
    if usable.n() < every.n():
        ledger.drop("nothing_to_exchange", every.n() - usable.n())
    return usable, negatives


def _sample(folder: Path, name: str, ledger: Ledger) -> Iterator[tuple[str, bytes, str]]:
    """The sample's own: a table of images, and one of each corpus's captions."""
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
    """Files of captions with a column for the image's path, in any format of ``training_sets``."""
    images = Path(source.images)
    for file in corpus.files(source.path, source.format):
        columns = (corpus.read(file, source.format, corpus.Column(key, source.header)) for key in (source.caption, source.image))
        for caption, image in zip(*columns, strict=True):
            ledger.read()
            fault = caption.fault or image.fault
            if fault or caption.caption is None or image.caption is None:
                ledger.drop(fault or "missing_value")
            elif not os.path.isfile(path := images / image.caption):  # noqa: PTH113  # Path.is_file raises where a name is too long
                ledger.drop("no_image")
            else:
                yield image.caption, Place(path), caption.caption


def _webdataset(folder: Path, ledger: Ledger) -> Iterator[tuple[str, Place, str]]:
    """Tar files, in which a picture and a ``.txt`` of one name belong together."""
    shards = [folder] if folder.is_file() else sorted(folder.glob("*.tar"))
    if not shards:
        raise InputError(folder, "has no file that ends in .tar", "correct train.pairs.path in params.yaml")
    for shard in shards:
        try:
            # Unpacked only: of a packed one no piece is a picture.
            with shard.open("rb") as file, tarfile.open(fileobj=file, mode="r:") as tar:
                yield from _of_shard(shard, file, tar, ledger)
        except tarfile.TarError as error:
            raise InputError(shard, f"is no whole tar file ({error})", "fetch it again") from None


def _of_shard(shard: Path, file: BinaryIO, tar: tarfile.TarFile, ledger: Ledger) -> Iterator[tuple[str, Place, str]]:
    pictures: dict[str, Place] = {}
    texts: dict[str, str] = {}
    for member in tar:
        stem, _, ending = member.name.rpartition(".")
        if not member.isfile():
            continue
        if f".{ending.lower()}" in ENDINGS:
            pictures[stem] = Place(shard, member.offset_data, member.size)
        elif ending.lower() == "txt":
            texts[stem] = tar.extractfile(member).read().decode("utf-8", "replace")  # type: ignore[union-attr]
    file.seek(tar.offset)
    end = file.read(tarfile.BLOCKSIZE)  # tarfile ends without a word at a head that it cannot read, and where nothing comes
    if end.strip(b"\0") or len(end) < tarfile.BLOCKSIZE:
        what = "is no head of a file" if end else "should be its end"
        raise tarfile.ReadError(f"what begins at byte {tar.offset:,} {what}")
    for stem in dict.fromkeys([*pictures, *texts]):
        ledger.read()
        if stem in pictures and stem in texts:
            yield f"{shard.name}/{stem}", pictures[stem], texts[stem]
        else:
            ledger.drop("no_image" if stem in texts else "no_caption")


# --- Pictures ----


def data_of(picture: bytes | Place) -> bytes:
    if isinstance(picture, bytes):
        return picture
    with picture.path.open("rb") as file:
        file.seek(picture.offset)
        return file.read(picture.size)


def opened(picture: bytes | Place) -> tuple[bytes, Image.Image] | None:
    """The bytes of a picture, and the picture as the evaluation sees it; ``None`` where it cannot be read."""
    try:
        data = data_of(picture)
        return data, decode(data)
    except (OSError, InputError):
        return None


def pixels(picture: bytes | Place, resize: Callable[[Image.Image], Image.Image]) -> Tensor | None:
    """A picture as uint8, shape (3, side, side), after the model's own ``resize``; ``None`` where it cannot be read."""
    found = opened(picture)
    return None if found is None else torch.from_numpy(np.array(resize(found[1]))).permute(2, 0, 1)


def named(keys: Sequence[str], most: int = 5) -> str:
    """Some keys for a message."""
    return ", ".join(keys[:most]) + (f" and {len(keys) - most:,} more" if len(keys) > most else "")
