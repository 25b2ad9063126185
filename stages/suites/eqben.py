"""EqBen (Wang et al., ICCV 2023): two pictures that differ in one thing; the open tenth of it, in Winoground's form.

``eqben_subset_10percent_final.json`` is a list of ``{"image0", "image1", "caption0", "caption1"}``; the first folder of an image's
path names the part.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from stages.contract.errors import InputError
from stages.contract.files import text_of
from stages.retrieval.cases import two_by_two
from stages.retrieval.sets import RetrievalSet
from stages.suites.files import Images, entries

FILE = "eqben_subset_10percent_final.json"


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Two retrieval sets a case. Frames that are kept as arrays (``.npy``) are no pictures: they are left out, and counted."""
    path, arrays = folder / FILE, 0
    for key, entry in entries(path):
        try:
            files, captions = ([text_of(entry[f"{part}{i}"]) for i in (0, 1)] for part in ("image", "caption"))
            if any(file.endswith(".npy") for file in files):
                arrays += 1
                continue
            crops = [images.crop(file) for file in files]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(path, f"is no case of EqBen ({error!r})", "fetch it again", row=int(key) + 1) from None
        yield from two_by_two("eqben", files[0].split("/", 1)[0], f"eqben-{key}", crops, captions, (path.name, key))
    if arrays:
        print(f"note: {arrays:,} cases of {path} are left out, whose frames are arrays and no pictures", file=sys.stderr)
