"""Cola's matching of several objects (Ray et al., NeurIPS 2023): two images of GQA with a caption each; a case is right if each
caption prefers its image.

``COLA_multiobjects_matching_benchmark.json``: a list of ``[address of image 1, caption 1, address of image 2,
caption 2]``. The last part of an address is the image's file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stages.contract.errors import InputError
from stages.contract.files import text_of
from stages.retrieval.cases import two_by_two
from stages.retrieval.sets import RetrievalSet
from stages.suites.files import Images, entries

FILE = "COLA_multiobjects_matching_benchmark.json"


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Two retrieval sets a case. Cola's own score is the case figure ``image``."""
    path = folder / FILE
    for key, entry in entries(path):
        try:
            one, caption, other, second = entry
            captions = [text_of(caption), text_of(second)]
            crops = [images.crop(address.rsplit("/", 1)[-1]) for address in (one, other)]
        except (TypeError, ValueError, AttributeError) as error:
            raise InputError(path, f"is no case of Cola ({error!r})", "fetch it again", row=int(key) + 1) from None
        yield from two_by_two("cola", "multi_objects", f"cola-{key}", crops, captions, (path.name, key))
