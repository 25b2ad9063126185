"""Visual Spatial Reasoning (Liu et al., TACL 2023): statements on the places of things, each true of some images and false of
others.

``{"image": "000000239417.jpg", "caption": "The bench is …", "label": 0, "relation": "at the right side of", …}`` a line of
``test.jsonl``, ``dev.jsonl`` and ``train.jsonl``, with COCO's pictures; the files that exist are used together. A statement that
has images of both labels is a case: each image that it is true of is compared with those that it is false of. A text-only scorer
is at chance. VSR's own metric is the accuracy of single judgements, which needs a threshold; statements of one label have
no comparison here, and are left out and counted.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from stages.contract.json_files import text_of
from stages.evaluation.sets import Case, RetrievalSet
from stages.suites.suite_files import Images, of_folder, reading

FILES = ("test.jsonl", "dev.jsonl", "train.jsonl")


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield the retrieval sets of all statements, with the relation as the edit."""
    cases: dict[str, tuple[str, str, dict[str, bool]]] = {}
    for path, key, entry in of_folder(folder, *FILES):
        with reading("VSR", path, key):
            caption, relation, picture = (text_of(entry[column]) for column in ("caption", "relation", "image"))
            label = {0: False, 1: True}[entry["label"]]
            judgements = cases.setdefault(caption, (f"{path.stem}-{key}", relation, {}))[2]
            if judgements.setdefault(picture, label) != label:
                raise ValueError(f"{caption!r} is both true and false of {picture}")
    left_out = 0
    for caption, (key, relation, labels) in cases.items():
        if len(set(labels.values())) < 2:
            left_out += len(labels)
            continue
        crops, mask = [images.crop(picture) for picture in labels], [[label] for label in labels.values()]
        yield from Case(f"vsr-{key}", crops, [caption], mask).sets("vsr", "all", None, relation)
    if left_out:
        print(
            f"note: {left_out:,} judgements of {folder} are left out, whose statement has images of one label only", file=sys.stderr
        )
