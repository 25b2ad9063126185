"""VALSE (Parcalabescu et al., ACL 2022): a caption against one foil, of six linguistic phenomena; a JSON file an instrument.

``{"coco2017:308510": {"image_file", "caption", "foil", "mturk": {"caption": 3, …}, …}, …}``. Used are the cases that at least
two of three annotators accepted, as in the authors' evaluation.
"""

from collections.abc import Iterator
from pathlib import Path

from stages.contract.json_files import text_of
from stages.evaluation.sets import Query, RetrievalSet
from stages.suites.suite_files import Images, of_folder, reading

ACCEPTED = 2
"""Minimum number of annotators who chose the caption, and not the foil, for the image."""


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield the retrieval sets of every ``*.json`` of ``folder``, named by the file."""
    for path, key, entry in of_folder(folder, "*.json"):
        with reading("VALSE", path, f"key {key}"):
            if entry["mturk"]["caption"] < ACCEPTED:
                continue
            query = Query(f"valse-{path.stem}-{key}", images.crop(entry["image_file"]))
            caption, foil = text_of(entry["caption"]), text_of(entry["foil"])
        name = path.stem.replace("-", "_")
        yield RetrievalSet("valse", name, query, caption, (foil,), (path.stem,), (path.name, key))
