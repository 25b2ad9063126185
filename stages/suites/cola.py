"""Cola (Ray et al., NeurIPS 2023): matching of several objects, and retrieval of single objects with several attributes.

``COLA_multiobjects_matching_benchmark.json`` is a list of ``[address of image 1, caption 1, address of image 2, caption 2]``; it
is right if each caption prefers its image, the case metric ``image``. ``COLA_singleobjects_benchmark_{GQA,CLEVR,PACO}.json`` has
``labels``, the captions, and ``data``, a list of ``[image, annotation, label, hard]``, the last two with a 0 or 1 for each caption:
whether it is true of the image, and whether the image is used with it. The score is the case metric ``map``: the mean over the
captions of the average precision of their images. Images are found by the last part of their address.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stages.contract.json_files import read_json, text_of
from stages.evaluation.sets import Case, RetrievalSet
from stages.images.crops import Crop
from stages.suites.suite_files import Images, entries, reading

FILE = "COLA_multiobjects_matching_benchmark.json"
SINGLE = {f"COLA_singleobjects_benchmark_{source}.json": f"single_{source.lower()}" for source in ("GQA", "CLEVR", "PACO")}


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield two retrieval sets a case of several objects, and for single objects one for each pair of caption and true image."""
    single = [folder / name for name in SINGLE if (folder / name).is_file()]
    if (folder / FILE).is_file() or not single:
        yield from _matching(folder / FILE, images)
    for path in single:
        yield from _single(path, images)


def _matching(path: Path, images: Images) -> Iterator[RetrievalSet]:
    for key, entry in entries(path):
        with reading("Cola", path, key):
            one, caption, other, second = entry
            captions = [text_of(caption), text_of(second)]
            crops = [images.crop(address.rsplit("/", 1)[-1]) for address in (one, other)]
        yield from Case.paired(f"cola-{key}", crops, captions).sets("cola", "multi_objects", (path.name, key))


def _single(path: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield a case a caption, of the images used with it; captions that are true of none or of all of them are left out."""
    captions, rows = _labels_and_data(path)
    pictures: list[tuple[Crop, list[int], list[int]]] = []
    for key, row in enumerate(rows):
        with reading("Cola", path, str(key)):
            address, _, label, hard = row
            if any(len(values) != len(captions) or not set(values) <= {0, 1} for values in (label, hard)):
                raise ValueError(f"there is no 0 or 1 for each of the {len(captions)} labels")
            pictures.append((images.crop(text_of(address).rsplit("/", 1)[-1]), label, hard))
    for number, caption in enumerate(captions):
        asked = [(crop, bool(label[number])) for crop, label, hard in pictures if hard[number]]
        case = Case(f"cola-{SINGLE[path.name]}-{number}", [crop for crop, _ in asked], [caption], [[true] for _, true in asked])
        yield from case.sets("cola", SINGLE[path.name])


def _labels_and_data(path: Path) -> tuple[list[str], list[Any]]:
    """Return the two parts of a file, which the release names as keys and its script by position."""
    content = read_json(path, "fetch it again")
    with reading("Cola", path, "labels"):
        labels, rows = (content["labels"], content["data"]) if isinstance(content, dict) else content
        # Some files keep each label in a list of its own.
        return [text_of(label[0] if isinstance(label, list) else label) for label in labels], list(rows)
