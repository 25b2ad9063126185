"""Images: found by id, decoded once, and cut to the boxes of the queries."""

from __future__ import annotations

import hashlib
import io
import os
import re
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from PIL import Image, UnidentifiedImageError

from stages.contract.errors import InputError
from stages.contract.files import check_folder

T = TypeVar("T")
Size = tuple[int, int]
"""Width and height, in pixels."""

# The formats of Visual Genome, COCO and their copies. Unused decoders stay disabled for safety.
FORMATS = ("JPEG", "PNG", "GIF", "BMP", "WEBP", "TIFF")
MAX_PIXELS = 100_000_000
SAMPLE = 256
"""Maximum number of crops of a folder that are looked at for :func:`of_one_colour`."""
ENDINGS = (".jpg", ".jpeg", ".png", ".webp")
"""Extensions of picture files, among other files."""


_NUMBERED = re.compile(r"(\w+_|\w*[A-Za-z])?0*(\d{1,18})\.(?:jpe?g|png|webp|gif|bmp|tiff?)", re.IGNORECASE)
"""A picture's name that ends in a number."""


class Crop(NamedTuple):
    """A box of an image, in pixels. It is cut to the image when the image is read."""

    image_id: int
    x: int
    y: int
    width: int
    height: int

    @classmethod
    def whole(cls, image_id: int) -> Crop:
        """Return the whole image, whatever its size."""
        return cls(image_id, 0, 0, 2**31 - 1, 2**31 - 1)


NAMED = 1 << 40
"""Numbers from here on stand for names without a number; below 2^49, which all JSON readers represent exactly."""


def number_of(file: str) -> int:
    """Return the number of an image by its file name: the name's own, as in Visual Genome, COCO and Flickr30k, or a digest.

    >>> number_of("COCO_val2014_000000000042.jpg"), number_of("2353.jpg"), number_of("1000268201_693b08cb0e.jpg") > NAMED
    (42, 2353, True)
    """
    match = re.fullmatch(r"(?:COCO_(?:val|train)2014_)?0*(\d+)\.\w+", file)
    if match and int(match[1]) < NAMED:
        return int(match[1])
    return NAMED + int.from_bytes(hashlib.blake2b(file.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "little")


class ImageFolder:
    """The images in ``VG_100K`` and ``VG_100K_2`` of a folder, or in the folder itself, by their number (:func:`number_of`).

    Args:
        names: the paths, within the folder, of images that are not named by a number.
        sizes: width and height, in pixels, of the annotated images.
    """

    def __init__(self, root: str | Path, names: Mapping[int, str] | None = None, sizes: Mapping[int, Size] | None = None):
        self.root = Path(root)
        self.names = names or {}
        self.sizes = sizes or {}

    def path(self, image_id: int) -> Path | None:
        """Return the path of the image, which may be a link into a hub's cache; ``None`` if it is missing.

        Visual Genome's names are the number alone (``2353.jpg``). Others have zeros or a word before it and other extensions
        (``000000085329.jpg``, ``sa_223750.jpg``, ``IMG_12.PNG``), and may be in a subfolder.

        Raises:
            InputError: two pictures have the number.
        """
        if image_id in self.names:
            path = self.root / self.names[image_id]
            return path if path.is_file() else None
        names = (f"VG_100K/{image_id:d}.jpg", f"VG_100K_2/{image_id:d}.jpg", f"{image_id:d}.jpg")
        if plain := next((path for name in names if (path := self.root / name).is_file()), None):
            return plain
        found = self._numbered.get(image_id, [])
        if len(found) > 1:
            wrong = f"has two pictures with the number {image_id}, {found[0].name} and {found[1].name}"
            raise InputError(self.root, wrong, "keep only one of the two in the folder")
        return found[0] if found else None

    @cached_property
    def _numbered(self) -> dict[int, list[Path]]:
        """Return the pictures in the folder and below by the number at the end of their names; plain numbers come first.

        Those in the folder itself whose names have no number are there by the digest of their name.
        """
        found: dict[int, list[tuple[bool, Path]]] = {}
        linked = [folder_found for name in ("VG_100K", "VG_100K_2") if (folder_found := self.root / name).is_symlink()]
        for place, folders, names in chain.from_iterable(map(os.walk, map(str, (self.root, *linked)))):
            folders.sort()
            for name in sorted(names):
                if match := _NUMBERED.fullmatch(name):
                    found.setdefault(int(match[2]), []).append((bool(match[1]), Path(place, name)))
                if place == str(self.root) and name.lower().endswith(ENDINGS) and (digest := number_of(name)) >= NAMED:
                    found.setdefault(digest, []).append((False, Path(place, name)))
        return {
            number: [path for word, path in folder_found if word == min(folder_found)[0]] for number, folder_found in found.items()
        }

    def name(self, image_id: int) -> str:
        """Return an image's file name, as far as known, for messages."""
        return self.names.get(image_id, f"{image_id}.jpg" if image_id < NAMED else f"the one whose name has the digest {image_id}")

    def paths(self, image_ids: Iterable[int]) -> dict[int, Path]:
        """Return the path of each of the images.

        Raises:
            InputError: there is no such folder, or some are missing; the message has their number, and the first.
        """
        wanted = sorted(set(image_ids))
        if wanted:
            check_folder(self.root, "name the folder of the images")
        at_hand = {image_id: path for image_id in wanted if (path := self.path(image_id)) is not None}
        if missing := [image_id for image_id in wanted if image_id not in at_hand]:
            first = f"{len(missing):,} of the {len(wanted):,} images are missing; the first is"
            wrong = f"{first} {self.name(missing[0])}"
            there = (
                "put Visual Genome's folders VG_100K and VG_100K_2 there, or pictures named by number "
                f"({missing[0]}.png, any_{missing[0]}.JPG), or correct their folder in params.yaml: "
                "visual_genome.images, gen_order.images_in, or the images of the suite in evaluate.suites"
            )
            named = (
                "name the folder of the suite's images in params.yaml, evaluate.suites; python -m stages.suites.packed extracts "
                "images from Parquet files"
            )
            raise InputError(self.root, wrong, named if missing[0] in self.names else there)
        return at_hand

    def crops(self, crops: Iterable[Crop], prepare: Callable[[Image.Image], T], workers: int = 1) -> Iterator[tuple[Crop, T]]:
        """Yield each distinct crop with the result of ``prepare``, by image; every image is decoded once.

        Args:
            crops: in any order; repeated ones are yielded once.
            prepare: called in a worker thread, so it must keep no state.
            workers: threads that decode and prepare; the output order does not depend on them.

        Raises:
            InputError: an image is missing or damaged, has another size than in ``sizes``, or a box lies outside it.
        """
        wanted = sorted(set(crops))
        paths = self.paths(crop.image_id for crop in wanted)

        def read(image_id: int, boxes: list[Crop]) -> list[tuple[Crop, T]]:
            image = decode(paths[image_id], self.sizes.get(image_id))
            return [(box, prepare(cut(image, box, paths[image_id]))) for box in boxes]

        jobs = ((image_id, list(boxes)) for image_id, boxes in groupby(wanted, key=lambda crop: crop.image_id))
        with ThreadPoolExecutor(max(1, workers)) as pool:
            waiting: deque[Future[list[tuple[Crop, T]]]] = deque()
            try:
                for image_id, boxes in jobs:
                    waiting.append(pool.submit(read, image_id, boxes))
                    # Decoding may run ahead of the model, but must not fill the memory with images.
                    if len(waiting) > 4 * workers:
                        yield from waiting.popleft().result()
                while waiting:
                    yield from waiting.popleft().result()
            finally:
                pool.shutdown(cancel_futures=True)


def of_one_colour(images: ImageFolder, crops: Iterable[Crop], workers: int = 1) -> dict[str, int]:
    """Return how many of a sample of ``crops`` are of one colour, and warn of them: the folder may be the wrong one.

    After an interrupted download all pixels have one colour. The sample depends on the crops alone.
    """

    def is_uniform(image: Any) -> bool:
        return all(low == high for low, high in image.getextrema())

    sample = sorted(set(crops), key=lambda crop: (zlib.crc32(repr(tuple(crop)).encode()), crop))[:SAMPLE]
    uniform = [crop for crop, one_colour in images.crops(sample, is_uniform, workers) if one_colour]
    if uniform:
        first = f"the first is of {images.name(uniform[0].image_id)}, box {tuple(uniform[0][1:])}"
        share = f"{len(uniform):,} of {len(sample):,} crops ({100 * len(uniform) / len(sample):.1f} %)"
        print(f"warning: {share} are of one colour and show nothing; {first}. Is {images.root} the right folder?", file=sys.stderr)
    return {"n": len(sample), "one_colour": len(uniform)}


def decode(source: Path | bytes, size: Size | None = None) -> Image.Image:
    """Return the image in a file, or in these bytes, in RGB, rotated by its EXIF.

    Args:
        size: that of the annotated image; an image that has it as stored is not rotated.

    Raises:
        InputError: it is not an image, is damaged or cut off, has another ``size``, or more than ``MAX_PIXELS``.
    """
    path, file = (source, source) if isinstance(source, Path) else ("a picture", io.BytesIO(source))
    try:
        with Image.open(file, formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise InputError(path, f"has {image.width} x {image.height} pixels", f"keep images below {MAX_PIXELS:,} pixels")
            turned = image if image.size == size else upright(image)
            if size not in (None, turned.size):
                wrong = "has {} x {} pixels, but its annotations are for {} x {}".format(*turned.size, *size)
                raise InputError(path, wrong, "use the annotated picture: boxes would be in the wrong place")
            return to_rgb(turned)
    except (UnidentifiedImageError, Image.DecompressionBombError) as error:
        remedy = "fetch it again; where a download failed, a page of HTML is often in its place"
        raise InputError(path, f"is not a readable image ({type(error).__name__})", remedy) from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError) as error:
        raise InputError(path, f"is damaged ({error})", "fetch it again") from None


def upright(image: Image.Image) -> Image.Image:
    """Return ``image`` rotated by its EXIF; broken EXIF is ignored, for which Pillow's ``exif_transpose`` raises any exception."""
    image.load()
    try:
        way = _TURNED.get(image.getexif().get(_ORIENTATION))
    except Exception:
        return image
    return image if way is None else image.transpose(way)


_ORIENTATION = 0x0112
_TURNED: dict[Any, Image.Transpose] = dict(enumerate(map(Image.Transpose, (0, 3, 1, 5, 4, 6, 2)), start=2))
"""The rotation for each EXIF orientation."""


def to_rgb(image: Image.Image) -> Image.Image:
    """Return an image of any mode as RGB. More than 8 bits are scaled; Pillow's own conversion would clip most values.

    Files do not record which value is white: it is the first that no value exceeds, of 1 and 255 for floats, and of those of 8, 12
    and 16 bits for integers.

    Raises:
        ValueError: values are below 0 or above every possible white.
    """
    if image.mode != "F" and not image.mode.startswith("I"):
        return image.convert("RGB")
    if not np.isfinite(np.asarray(image)).any():
        raise ValueError("none of its values is a number")
    values, whites = np.nan_to_num(np.asarray(image)), (1, 255) if image.mode == "F" else (255, 4_095, 65_535)
    low, high = values.min(), values.max()
    if low < 0 or high > whites[-1]:
        raise ValueError(f"its values go from {low:g} to {high:g}, not from 0 to {' or to '.join(map(str, whites))}")
    white = next(white for white in whites if high <= white)
    scaled = values // ((white + 1) // 256) if white > 255 else (values * (255 / white)).round()
    return Image.fromarray(scaled.astype(np.uint8)).convert("RGB")


def cut(image: Image.Image, box: Crop, path: Path) -> Image.Image:
    """Return the part of ``image`` inside ``box``.

    Raises:
        InputError: the box is outside the image.
    """
    left, top = max(0, box.x), max(0, box.y)
    right, bottom = min(image.width, box.x + box.width), min(image.height, box.y + box.height)
    if left >= right or top >= bottom:
        wrong = f"has {image.width} x {image.height} pixels, and the box ({box.x}, {box.y}, {box.width}, {box.height}) lies outside"
        raise InputError(path, wrong, "check that the images belong to the annotations")
    return image.crop((left, top, right, bottom))
