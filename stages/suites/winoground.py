"""Winoground (Thrush et al., CVPR 2022): two images, two captions of the same words; ``examples.jsonl`` and the folder ``images``.

``{"id": 0, "image_0": "ex_0_img_0", "image_1": "ex_0_img_1", "caption_0": …, "caption_1": …, "collapsed_tag": "Object", …}``
"""

from collections.abc import Iterator
from pathlib import Path

from stages.contract.json_files import text_of
from stages.evaluation.sets import Case, RetrievalSet
from stages.suites.suite_files import Images, entries, reading


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield two retrieval sets a case, with the tag of the exchanged words as set name."""
    path, cases = folder / "examples.jsonl", set[str]()
    for key, entry in entries(path):
        with reading("Winoground", path, key):
            crops = [images.crop(f"images/{_file(entry[f'image_{i}'])}") for i in (0, 1)]
            captions = [text_of(entry[f"caption_{i}"]) for i in (0, 1)]
            name = str(entry.get("collapsed_tag", "all")).lower()
            case = f"winoground-{entry['id']}"
            if case in cases:
                raise ValueError(f"the id {entry['id']} is also another case's")
            cases.add(case)
        yield from Case.paired(case, crops, captions).sets("winoground", name, (path.name, key))


def _file(name: str) -> str:
    return name if Path(name).suffix else f"{name}.png"
