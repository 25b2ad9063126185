"""SugarCrepe: a caption against one negative; a file of JSON for each kind of negative.

``{"0": {"filename": "000000085329.jpg", "caption": …, "negative_caption": …}, …}``: whole COCO images, which the release names by
number. The export in this format (:mod:`stages.suites.export`) names its pictures by their image and crop.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from stages.contract.json_files import text_of
from stages.evaluation.sets import Query, RetrievalSet
from stages.images.crops import Crop
from stages.suites.suite_files import Images, of_folder, reading

COCO = re.compile(r"(?:COCO_val2014_)?(\d{1,12})\.jpg")
EXPORTED = re.compile(r"(\d{1,12})-\d+-\d+-\d+-\d+\.png")


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield the retrieval sets of every ``*.json`` of ``folder``, named by the file."""
    numbered: bool | None = None
    for path, key, entry in of_folder(folder, "*.json"):
        with reading("SugarCrepe", path, f"key {key}"):
            name, caption, negative = (text_of(entry[column]) for column in ("filename", "caption", "negative_caption"))
            match = COCO.fullmatch(name)
            if numbered not in (None, bool(match)):
                raise ValueError("COCO's numbers are mixed with names of pictures")
            numbered = bool(match)
            crop = Crop.whole(int(match[1])) if match else images.crop(name)
            exported = EXPORTED.fullmatch(name)
            query = Query(f"sugarcrepe-{path.stem}-{key}", crop, cut_from=int(exported[1]) if exported else None)
            yield RetrievalSet("sugarcrepe", path.stem, query, caption, (negative,), (path.stem,), (path.name, key))
