"""VL-CheckList (Zhao et al., 2022): a short caption against one in which an object, an attribute or a relation was exchanged.

The folder ``data`` of the release: JSON files, each a list of ``[image, {"POS": [caption], "NEG": [caption]}]``, of which the first
ones are used. Images are those of Visual Genome (of VAW, too), SWiG and HAKE, in the folders ``vg``, ``swig`` and ``hake``.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from stages.contract.errors import InputError
from stages.contract.json_files import text_of
from stages.evaluation.sets import Query, RetrievalSet
from stages.suites.suite_files import Images, entries, files, reading

CORPUS = re.compile(r"(?:^|[/_])(vg|vaw|swig|hake)(?=[/_])")
FOLDERS = {"vg": "vg", "vaw": "vg", "swig": "swig", "hake": "hake"}


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield the retrieval sets of every file, named by its path."""
    for path in files(folder, "**/*.json"):
        place = path.relative_to(folder).as_posix()
        corpus = CORPUS.search(place)
        if not corpus:
            raise InputError(path, "is in none of VL-CheckList's corpora", "leave only the release's files in the folder")
        name = place.removesuffix(".json").replace("/", "_").lower()
        for key, entry in entries(path):
            with reading("VL-CheckList", path, key):
                image, captions = entry
                truth, negative = (text_of(captions[side][0]) for side in ("POS", "NEG"))
                query = Query(f"vl_checklist-{name}-{key}", images.crop(f"{FOLDERS[corpus[1]]}/{text_of(image)}"))
            yield RetrievalSet("vl_checklist", name, query, truth, (negative,), (name.split("_", 1)[0],), (place, key))
