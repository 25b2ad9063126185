"""SugarCrepe++ (Dumpala et al., 2024): two captions that say the same of an image against one that does not.

A list of ``{"id", "filename", "caption", "caption2", "negative_caption"}`` a file. A case is right where both captions score above
the negative: its figure ``text``. (Its text-to-text task asks no image, and is not asked here.)
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stages.contract.errors import InputError
from stages.contract.files import text_of
from stages.retrieval.sets import Query, RetrievalSet
from stages.suites.files import Images, of_folder


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Two retrieval sets a case, one for each true caption, of every ``*.json`` of ``folder``."""
    for path, key, entry in of_folder(folder, "replace_att.json"):
        case = f"sugarcrepe_pp-{path.stem}-{key}"
        try:
            crop, negative = images.crop(entry["filename"]), text_of(entry["negative_caption"])
            captions = [text_of(entry["caption"]), text_of(entry["caption2"])]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(path, f"is no entry of SugarCrepe++ ({error!r})", "fetch it again", row=key) from None
        for i, caption in enumerate(captions):
            query = Query(f"{case}-{i}", crop, case=case)
            yield RetrievalSet("sugarcrepe_pp", path.stem, query, caption, (negative,), (path.stem,), (path.name, key))
