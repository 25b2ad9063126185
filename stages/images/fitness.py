"""Images that cannot be used: all are found, and named, before anything is encoded."""

import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image

from stages.contract.errors import InputError
from stages.images.crops import FORMATS, MAX_PIXELS, ImageFolder, Size, upright

SHOWN = 20
"""Maximum number of images that a message names."""


def fault(path: Path | None, size: Size | None) -> str | None:
    """Return why an image cannot be used, for its annotations' ``size`` if known; None where it can."""
    if path is None:
        return "is not there"
    try:
        with Image.open(path, formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                return "cannot be opened"
            # An image is rotated by its EXIF, unless it has the annotated size as stored.
            found = image.size if size in (None, image.size) else upright(image).size
            # A JPEG decoded at small size is as complete, and many times faster.
            image.draft("RGB", (1, 1))
            image.load()
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, Image.DecompressionBombError):
        return "cannot be opened"
    return None if size in (None, found) else "has {} x {} pixels, not {} x {} as annotated".format(*found, *size)


def unfit(folder: ImageFolder, image_ids: Iterable[int], workers: int = 1) -> dict[int, str]:
    """Return the unusable images, each with the reason, by number."""
    wanted = sorted(set(image_ids))
    with ThreadPoolExecutor(max(1, workers)) as pool:
        faults = pool.map(lambda number: fault(folder.path(number), folder.sizes.get(number)), wanted)
        return {number: wrong for number, wrong in zip(wanted, faults, strict=True) if wrong is not None}


def without_unfit(folder: ImageFolder, image_ids: Iterable[int], missing: str, workers: int = 1) -> set[int]:
    """Return the images to leave out, if ``missing`` is ``leave_out``, and print them.

    Raises:
        InputError: there are any, and it is ``stop``; or none is left.
    """
    wanted = set(image_ids)
    faults = unfit(folder, wanted, workers)
    if not faults:
        return set()
    named = [f"{folder.name(number)} {wrong}" for number, wrong in faults.items()]
    more = f"; and {len(named) - SHOWN:,} more" if len(named) > SHOWN else ""
    wrong = f"{len(faults):,} of the {len(wanted):,} images cannot be used: {'; '.join(named[:SHOWN])}{more}"
    if missing == "stop" or len(faults) == len(wanted):
        remedy = (
            "use the annotated images (their folders are visual_genome.images, gen_order.images_in and those in evaluate.suites)"
        )
        leave_out = "leave out the queries that need them with evaluate.missing: leave_out, or missing: leave_out next to the suite"
        raise InputError(folder.root, wrong, remedy if len(faults) == len(wanted) else f"{remedy}, or {leave_out}")
    print(f"note: {folder.root}: {wrong}. Their queries are left out.", file=sys.stderr)
    return set(faults)
