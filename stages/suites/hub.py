"""Retrieval sets as a Hugging Face data set, with its card, and as tasks of lmms-eval.

``data/SUITE_SET/test.parquet`` has a row a query: its image, its captions in a random order, and which of them is true.
``README.md`` is the card by which ``datasets.load_dataset(FOLDER, "SUITE_SET")`` finds them. ``lmms_eval/`` has a task a set:
``python -m lmms_eval --include_path FOLDER/lmms_eval --tasks crepe``.
"""

import io
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image

from stages.console.progress import progress
from stages.contract import tables
from stages.contract.files import complete
from stages.evaluation.sets import RetrievalSet
from stages.images.crops import Crop, ImageFolder
from stages.suites import lmms_utils

FEATURES = (
    {"name": "query_id", "dtype": "string"},
    {"name": "image", "dtype": "image"},
    {"name": "captions", "list": "string"},
    {"name": "label", "dtype": "int32"},
    {"name": "edits", "list": "string"},
)
"""The columns, as in a card."""
GROUP = "crepe"
BEFORE = "Which of these captions is true of the image?\n"
AFTER = "\nAnswer with the letter of the caption alone."


def rows(sets: Sequence[RetrievalSet], pictures: Iterator[tuple[Crop, bytes]]) -> Iterator[dict[str, Any]]:
    """Yield rows of the table ``captioned_images``, by crop; ``pictures`` are the crops of the ``sets``, as PNG."""
    by_crop: dict[Crop, list[RetrievalSet]] = {}
    for s in sets:
        by_crop.setdefault(s.query.crop, []).append(s)
    for crop, png in pictures:
        for s in sorted(by_crop[crop], key=lambda s: s.query.query_id):
            order = list(range(len(s.texts)))
            Random(f"{s.name}:{s.query.query_id}").shuffle(order)
            yield {
                "query_id": s.query.query_id,
                "image": {"bytes": png, "path": None},
                "captions": [s.texts[i] for i in order],
                "label": order.index(0),
                "edits": [("", *s.edits)[i] for i in order],
            }


def to_png(image: Image.Image) -> bytes:
    """Return a crop as PNG with little compression: the best takes five times as long for a tenth less."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


class Pictures:
    """Crops as PNG, each encoded once for all sets that use it, and stored in files of a folder."""

    def __init__(self, folder: Path, crops: Iterable[Crop], images: ImageFolder, workers: int):
        self.folder = folder
        folder.mkdir()
        wanted = set(crops)
        for crop, png in progress(images.crops(wanted, to_png, workers), "crops", "crop", len(wanted)):
            self._path(crop).write_bytes(png)

    def _path(self, crop: Crop) -> Path:
        return self.folder / "-".join(map(str, crop))

    def of(self, crops: Iterable[Crop]) -> Iterator[tuple[Crop, bytes]]:
        """Return some of the crops, in order."""
        return ((crop, self._path(crop).read_bytes()) for crop in sorted(set(crops)))


Configurations = Mapping[str, tuple[Sequence[RetrievalSet], int]]
"""Retrieval sets by configuration name, each with the index of its folder of images."""


def by_name(parts: Iterable[tuple[Iterable[RetrievalSet], ImageFolder]]) -> tuple[Configurations, list[ImageFolder]]:
    """Return the retrieval sets by suite and name, and the folders of their images."""
    found: dict[str, tuple[list[RetrievalSet], int]] = {}
    places = []
    for place, (sets, images) in enumerate(parts):
        places.append(images)
        for s in sets:
            found.setdefault(f"{s.suite}_{s.name}", ([], place))[0].append(s)
    return found, places


@contextmanager
def encoded(folder: Path, configurations: Configurations, places: Sequence[ImageFolder], workers: int) -> Iterator[list[Pictures]]:
    """Yield the crops of all configurations, by folder of images; their files are removed at the end."""
    kept = folder / ".pictures"
    kept.mkdir()
    crops = [
        {s.query.crop for sets_here, place in configurations.values() if place == number for s in sets_here}
        for number in range(len(places))
    ]
    try:
        yield [Pictures(kept / str(i), some, images, workers) for i, (some, images) in enumerate(zip(crops, places, strict=True))]
    finally:
        shutil.rmtree(kept)


def write(out: Path, parts: Iterable[tuple[Iterable[RetrievalSet], ImageFolder]], workers: int) -> int:
    """Write the data set and its tasks from retrieval sets and their folders of images, and return the number of rows."""
    configurations, places = by_name(parts)
    sizes = {name: len(sets_here) for name, (sets_here, _) in configurations.items()}
    texts = {"README.md": card(sizes), **tasks(sorted(sizes), str(out.resolve()))}
    texts["lmms_eval/utils.py"] = Path(lmms_utils.__file__).read_text(encoding="utf-8")
    # All or nothing: a set that another export left would still be a task.
    with complete(out, folder=True) as folder:
        with encoded(folder, configurations, places, workers) as pictures:
            for name, (sets_here, place) in configurations.items():
                found = pictures[place].of(s.query.crop for s in sets_here)
                tables.write("captioned_images", folder / "data" / name / "test.parquet", rows(sets_here, found))
        (folder / "lmms_eval").mkdir()
        for path, text in texts.items():
            (folder / path).write_text(text, encoding="utf-8")
    return sum(sizes.values())


def card(sizes: Mapping[str, int]) -> str:
    """Return the data set's card: its description, and the paths of its configurations. JSON is YAML, too."""
    configs = [{"config_name": name, "data_files": [{"split": "test", "path": f"data/{name}/test.parquet"}]} for name in sizes]
    info = [{"config_name": name, "features": FEATURES} for name in sizes]
    about = {"language": ["en"], "pretty_name": "CREPE", "configs": configs, "dataset_info": info}
    head = "\n".join(f"{key}: {json.dumps(value)}" for key, value in about.items())
    table = "\n".join(f"| `{name}` | {n:,} |" for name, n in sizes.items())
    return f"""---
{head}
---

# Compositional retrieval sets

An image, its true caption, and hard negatives: captions that are false of it and one minimal step from the truth. Made by the
pipeline of CREPE (Ma et al., CVPR 2023); sets named `aro` are made as ARO's (Yuksekgonul et al., ICLR 2023).

```python
from datasets import load_dataset

rows = load_dataset(FOLDER, "{next(iter(sizes), "")}", split="test")
```

| configuration | rows |
|---|---|
{table}

- `image`: the crop that the captions are about
- `captions`: the true caption and its negatives, in an order drawn for each row
- `label`: which of them is true, from 0
- `edits`: what each negative changed; empty for the true caption

The images, and the annotations that the captions were made from, keep their own licences.
"""


def tasks(names: Sequence[str], dataset: str) -> dict[str, str]:
    """Return lmms-eval's files by path: a common part, a task a configuration, and the group of all.

    ``dataset`` is the argument of ``datasets.load_dataset``, a folder, or a name on the hub.
    """
    common = f"""dataset_path: {json.dumps(dataset)}
test_split: test
output_type: generate_until
doc_to_visual: !function utils.doc_to_visual
doc_to_text: !function utils.doc_to_text
doc_to_target: !function utils.doc_to_target
process_results: !function utils.process_results
generation_kwargs:
  max_new_tokens: 1024
  temperature: 0
  do_sample: false
metric_list:
  - metric: accuracy
    aggregation: mean
    higher_is_better: true
  - metric: unparsed
    aggregation: mean
    higher_is_better: false
lmms_eval_specific_kwargs:
  default:
    pre_prompt: {json.dumps(BEFORE)}
    post_prompt: {json.dumps(AFTER)}
"""
    files = {"_default_template_yaml": common}
    for name in names:
        files[f"{name}.yaml"] = f"include: _default_template_yaml\ntask: {GROUP}_{name}\ndataset_name: {name}\n"
    files[f"{GROUP}.yaml"] = f"group: {GROUP}\ntask:\n" + "".join(f"  - {GROUP}_{name}\n" for name in names)
    return {f"lmms_eval/{name}": text for name, text in files.items()}
