"""What'sUp (Kamath et al., EMNLP 2023): where a thing is, in pictures that differ in nothing else.

``controlled_images_dataset.json`` and ``controlled_clevr_dataset.json`` are lists of ``{"image_path", "caption_options"}``, with
the true option first of four; ``coco_qa_*_obj.json`` and ``vg_qa_*_obj.json`` are lists of ``[image's number, caption, other
caption]``. The four pictures of two things are a case: its metric ``text`` is the paper's accuracy over sets.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from stages.contract.json_files import text_of, whole_of
from stages.evaluation.sets import Case, Query, RetrievalSet
from stages.images.crops import Crop
from stages.suites.suite_files import Images, entries, files, reading

SUITE = "What'sUp"
CONTROLLED = {"controlled_images_dataset.json": "controlled_a", "controlled_clevr_dataset.json": "controlled_b"}
PAIRED = {
    "coco_qa_one_obj.json": ("coco_one", "val2017/{:012d}.jpg"),
    "coco_qa_two_obj.json": ("coco_two", "val2017/{:012d}.jpg"),
    "vg_qa_one_obj.json": ("vg_one", "vg_images/{}.jpg"),
    "vg_qa_two_obj.json": ("vg_two", "vg_images/{}.jpg"),
}


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield the retrieval sets of the existing files; there must be at least one."""
    for path in files(folder, *CONTROLLED, *PAIRED):
        yield from (_controlled if path.name in CONTROLLED else _paired)(path, images)


def _controlled(path: Path, images: Images) -> Iterator[RetrievalSet]:
    name = CONTROLLED[path.name]
    cases: dict[str, list[tuple[str, str, Crop, list[str]]]] = {}
    for key, entry in entries(path):
        with reading(SUITE, path, key):
            picture = Path(entry["image_path"])
            first, *words, last = picture.stem.split("_")  # "beer-bottle_on_armchair"
            captions = [text_of(caption) for caption in entry["caption_options"]]
            of_case = cases.setdefault(f"{name}-{first}-{last}", [])
            if len(set(captions)) < max(2, len(captions)) or (of_case and set(captions) != set(of_case[0][-1])):
                raise ValueError(f"{captions} are not the options of the other pictures of {first} and {last}")
            of_case.append((key, " ".join(words), images.crop(f"{picture.parent.name}/{picture.name}"), captions))
    for case_id, of_case in cases.items():
        options = of_case[0][-1]
        mask = [[option == captions[0] for option in options] for *_, captions in of_case]
        case = Case(case_id, [crop for _, _, crop, _ in of_case], options, mask)
        for s, (key, place, _, _) in zip(case.sets("whatsup", name), of_case, strict=True):
            yield replace(s, source=(path.name, key), edits=(place,) * len(s.negatives))


def _paired(path: Path, images: Images) -> Iterator[RetrievalSet]:
    name, place = PAIRED[path.name]
    for key, entry in entries(path):
        with reading(SUITE, path, key):
            number, truth, other = entry
            query = Query(f"whatsup-{name}-{key}", images.crop(place.format(whole_of(number, "the image's number"))))
            yield RetrievalSet("whatsup", name, query, text_of(truth), (text_of(other),), ("",), (path.name, key))
