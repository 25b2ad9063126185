"""EqBen (Wang et al., ICCV 2023): two pictures that differ in one thing, with a caption each.

Any number of its JSON files: the open tenth, the whole, or a part. They hold ``{"image0", "image1", "caption0", "caption1"}`` in a
list, or in lists by video, and by subject; of several captions the first counts. The first folder of an image's path names the
part. Frames that are NumPy arrays (``.npy``, blue first) are written as pictures next to them by ``python -m stages.suites.packed
FOLDER``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stages.contract.json_files import text_of
from stages.evaluation.sets import Case, RetrievalSet
from stages.suites.packed import of_array
from stages.suites.suite_files import Images, of_folder, reading


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield two retrieval sets a case, of every ``*.json`` of ``folder``."""
    for path, key, entry in of_folder(folder, "*.json"):
        with reading("EqBen", path, key):
            cases = list(_cases(entry, f"eqben-{path.stem}-{key}", images))
        for part, case in cases:
            # Deeper entries of a file cannot be selected as its parts.
            yield from case.sets("eqben", part, (path.name, key) if len(cases) == 1 else None)


def _cases(entry: Any, name: str, images: Images) -> Iterator[tuple[str, Case]]:
    if not isinstance(entry, list | dict):
        raise TypeError(f"{entry!r:.80} is in the place of an entry")
    if isinstance(entry, list) or "image0" not in entry:
        below = entry.items() if isinstance(entry, dict) else enumerate(entry)
        for key, deeper in below:
            yield from _cases(deeper, f"{name}-{key}", images)
        return
    files = [text_of(entry[f"image{i}"]) for i in (0, 1)]
    captions = [text_of(caption[0] if isinstance(caption, list) else caption) for caption in (entry["caption0"], entry["caption1"])]
    crops = [images.crop(of_array(file) if file.endswith(".npy") else file) for file in files]
    yield files[0].split("/", 1)[0], Case.paired(name, crops, captions)
