"""What'sUp (Kamath et al., EMNLP 2023): where a thing stands, in pictures that differ in nothing else.

``controlled_images_dataset.json`` and ``controlled_clevr_dataset.json`` are lists of ``{"image_path", "caption_options"}``, of four
options the true one first; ``coco_qa_*_obj.json`` and ``vg_qa_*_obj.json`` are lists of ``[image's number, caption,
other caption]``.
The four pictures of two things are a case: its figure ``text`` is the paper's accuracy over sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stages.contract.errors import InputError
from stages.contract.files import text_of
from stages.retrieval.sets import Query, RetrievalSet
from stages.suites.files import Images, entries

CONTROLLED = {"controlled_images_dataset.json": "controlled_a", "controlled_clevr_dataset.json": "controlled_b"}
PAIRED = {
    "coco_qa_one_obj.json": ("coco_one", "val2017/{:012d}.jpg"),
    "coco_qa_two_obj.json": ("coco_two", "val2017/{:012d}.jpg"),
    "vg_qa_one_obj.json": ("vg_one", "vg_images/{}.jpg"),
    "vg_qa_two_obj.json": ("vg_two", "vg_images/{}.jpg"),
}


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """The retrieval sets of the files that are there, of which there is one at least."""
    names = [name for name in (*CONTROLLED, *PAIRED) if (folder / name).is_file()]
    if not names:
        raise InputError(folder, "holds none of What'sUp's files", f"put there {', '.join((*CONTROLLED, *PAIRED))}")
    for name in names:
        for key, entry in entries(folder / name):
            try:
                yield _controlled(name, key, entry, images) if name in CONTROLLED else _paired(name, key, entry, images)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                wrong = f"is no case of What'sUp ({error!r})"
                raise InputError(folder / name, wrong, "fetch it again", row=int(key) + 1) from None


def _controlled(file: str, key: str, entry: dict[str, Any], images: Images) -> RetrievalSet:
    name = CONTROLLED[file]
    path = Path(entry["image_path"])
    truth, *others = (text_of(caption) for caption in entry["caption_options"])
    words = path.stem.split("_")  # things and place: "beer-bottle_on_armchair"
    query = Query(f"whatsup-{name}-{key}", images.crop(f"{path.parent.name}/{path.name}"), case=f"{name}-{words[0]}-{words[-1]}")
    place = " ".join(words[1:-1])
    return RetrievalSet("whatsup", name, query, truth, tuple(others), (place,) * len(others), (file, key))


def _paired(file: str, key: str, entry: list[Any], images: Images) -> RetrievalSet:
    name, place = PAIRED[file]
    number, truth, other = entry
    query = Query(f"whatsup-{name}-{key}", images.crop(place.format(int(number))))
    return RetrievalSet("whatsup", name, query, text_of(truth), (text_of(other),), ("",), (file, key))
