"""Retrieval sets as a Hugging Face data set, with its card, and as tasks of lmms-eval.

``data/SUITE_SET/test.parquet`` has a row a query: its image, its captions in a random order, and which of them is true.
``README.md`` is the card by which ``datasets.load_dataset(FOLDER, "SUITE_SET")`` finds them. ``lmms_eval/`` has a task a set:
``python -m lmms_eval --include_path FOLDER/lmms_eval --tasks crepe``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa

from stages.contract.files import complete
from stages.evaluation.sets import RetrievalSet
from stages.images.crops import ImageFolder
from stages.suites import lmms_utils
from stages.suites.pictures import Pictures, by_name, captioned, encoded, write_rows

FEATURES = (
    {"name": "query_id", "dtype": "string"},
    {"name": "image", "dtype": "image"},
    {"name": "captions", "list": "string"},
    {"name": "label", "dtype": "int32"},
    {"name": "edits", "list": "string"},
)
"""The columns, as in a card."""
COLUMNS = {"captions": pa.list_(pa.string()), "label": pa.int32(), "edits": pa.list_(pa.string())}
"""All but the query's id and picture, as in a Parquet file."""
GROUP = "crepe"
BEFORE = "Which of these captions is true of the image?\n"
AFTER = "\nAnswer with the letter of the caption alone."


def rows(sets: Sequence[RetrievalSet], found: Pictures) -> Iterator[dict[str, Any]]:
    """Yield a row a query, by crop and id: its captions in a random order, and which of them is true."""
    for s, row in captioned(sets, found):
        order = list(range(len(s.texts)))
        Random(f"{s.name}:{s.query.query_id}").shuffle(order)
        captions, edits = ([texts[i] for i in order] for texts in (s.texts, ("", *s.edits)))
        yield {**row, "captions": captions, "label": order.index(0), "edits": edits}


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
                write_rows(folder / "data" / name / "test.parquet", COLUMNS, rows(sets_here, pictures[place]))
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
