"""SugarCrepe: a caption against one negative, whole COCO images; a file of JSON for each kind of negative.

``{"0": {"filename": "000000085329.jpg", "caption": …, "negative_caption": …}, …}``
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from stages.contract.errors import InputError
from stages.retrieval.sets import Query, RetrievalSet
from stages.suites.files import Images
from stages.visual_genome.crops import WHOLE, Crop

NAME = re.compile(r"(?:COCO_val2014_)?(\d{1,12})\.jpg")


def sets(folder: Path, _images: Images | None = None) -> Iterator[RetrievalSet]:
    """The retrieval sets of every ``*.json`` of ``folder``, named by the file."""
    files = sorted(folder.glob("*.json"))
    if not files:
        raise InputError(folder, "holds no JSON file", "name the folder with add_att.json and the like")
    for path in files:
        try:
            entries = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise InputError(path, f"is not JSON ({error})", "fetch it again") from None
        for key, entry in entries.items():
            try:
                yield _set(path.stem, key, entry)
            except (KeyError, TypeError, ValueError) as error:
                raise InputError(path, f"is no entry of SugarCrepe ({error})", "fetch it again", row=key) from None


def _set(kind: str, key: str, entry: dict[str, str]) -> RetrievalSet:
    match = NAME.fullmatch(entry["filename"])
    if not match:
        raise ValueError(f"filename {entry['filename']!r} is not a COCO image's")
    query = Query(f"sugarcrepe-{kind}-{key}", Crop(int(match[1]), 0, 0, *WHOLE))
    return RetrievalSet("sugarcrepe", kind, query, str(entry["caption"]), (str(entry["negative_caption"]),), (kind,))
