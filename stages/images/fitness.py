"""Which images can be asked about: all that cannot are found, and named, before anything is encoded."""

import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image

from stages.contract.errors import InputError
from stages.images.crops import FORMATS, ImageFolder, Size, is_image, upright

SHOWN = 20
"""Images that a message names."""


def fault(path: Path | None, size: Size | None) -> str | None:
    """Why an image cannot be asked about; None where it can.

    Args:
        size: that of the image which boxes are of, if it is known.
    """
    if path is None:
        return "is not there"
    if not is_image(path):
        return "cannot be opened"
    if size is None:
        return None
    with Image.open(path, formats=FORMATS) as image:
        # An image is turned as its EXIF says, but for one that has the annotated size as it is stored.
        own = size if image.size == size else upright(image).size
    return None if own == size else "has {} x {} pixels, not {} x {} as annotated".format(*own, *size)


def unfit(folder: ImageFolder, image_ids: Iterable[int], workers: int = 1) -> dict[int, str]:
    """The images that cannot be asked about, each with the reason, by number."""
    wanted = sorted(set(image_ids))
    with ThreadPoolExecutor(max(1, workers)) as pool:
        faults = pool.map(lambda number: fault(folder.path(number), folder.sizes.get(number)), wanted)
        return {number: wrong for number, wrong in zip(wanted, faults, strict=True) if wrong is not None}


def without_unfit(folder: ImageFolder, image_ids: Iterable[int], missing: str, workers: int = 1) -> set[int]:
    """The images that are left out, where ``missing`` says ``leave_out``; they are named.

    Raises:
        InputError: there are any, and it says ``stop``; or none is left.
    """
    wanted = set(image_ids)
    faults = unfit(folder, wanted, workers)
    if not faults:
        return set()
    named = [f"{folder.name(number)} {wrong}" for number, wrong in faults.items()]
    more = f"; and {len(named) - SHOWN:,} more" if len(named) > SHOWN else ""
    wrong = f"{len(faults):,} of the {len(wanted):,} images cannot be asked about: {'; '.join(named[:SHOWN])}{more}"
    if missing == "stop" or len(faults) == len(wanted):
        remedy = (
            "put them there as they were annotated (visual_genome.images, gen_order.images_in name their folders), or leave the "
            "queries that need them out by evaluate.missing: leave_out"
        )
        raise InputError(folder.root, wrong, remedy)
    print(f"note: {folder.root}: {wrong}. What needs them is left out.", file=sys.stderr)
    return set(faults)
