"""Retrieval sets as Hugging Face data sets with their cards, and as tasks of lmms-eval.

``data/SUITE_SET/test.parquet`` has a row a query, with its image, and ``README.md`` is the card by which
``datasets.load_dataset(FOLDER, "SUITE_SET")`` finds them. There are two forms: captions in a random order in one column, with the
true one's place, and ``lmms_eval/`` with a task a set (``python -m lmms_eval --include_path FOLDER/lmms_eval --tasks crepe``); and
one column a caption, for harnesses that compare columns, such as mteb's tasks of image and text pairs: ``caption`` (the true one),
``negative_1``, ``negative_2`` and so on. In the latter, sets with another number of negatives are in their own configuration,
``SUITE_SET_of_N``, N captions.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from stages.console.progress import progress
from stages.contract.files import complete, component
from stages.evaluation.sets import RetrievalSet
from stages.images.crops import Crop, ImageFolder
from stages.suites import lmms_utils

Parts = Iterable[tuple[Iterable[RetrievalSet], ImageFolder]]
"""Retrieval sets with the folders of their images."""
Configurations = Mapping[str, Sequence[RetrievalSet]]
"""Retrieval sets by configuration name."""
Columns = Mapping[str, pa.DataType]
"""A configuration's columns, besides the query's id and its picture."""

AT_ONCE = 64
"""Rows, with their pictures, of a row group."""
LARGEST_DICTIONARY = 1 << 30
"""Bytes of the distinct pictures of a row group beyond which all are written, repeated ones, too."""
IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
"""A picture as ``datasets`` stores it."""
LISTED = {"captions": pa.list_(pa.string()), "label": pa.int32(), "edits": pa.list_(pa.string())}
"""The columns of captions in a random order."""
GROUP = "crepe"
BEFORE = "Which of these captions is true of the image?\n"
AFTER = "\nAnswer with the letter of the caption alone."


def to_png(image: Image.Image) -> bytes:
    """Return a crop as PNG, at zlib's fastest level: photographs hardly become smaller at others."""
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def in_lists(out: Path, parts: Parts, workers: int) -> int:
    """Write the data set with its captions in one column, and its tasks, and return the number of rows."""
    sizes: dict[str, int] = {}
    # All or nothing: a set that another export left would still be a task.
    with complete(out, folder=True) as folder:
        for sets, images in parts:
            configurations = by_name(sets)
            write_tables(folder, configurations, images, dict.fromkeys(configurations, LISTED), listed, workers)
            sizes |= {name: len(own) for name, own in configurations.items()}
        table = "\n".join(f"| `{name}` | {n:,} |" for name, n in sizes.items())
        texts = {"README.md": card(dict.fromkeys(sizes, LISTED), ABOUT_LISTS.format(first=next(iter(sizes), ""), table=table))}
        texts |= tasks(sorted(sizes), str(out.resolve()))
        texts["lmms_eval/utils.py"] = Path(lmms_utils.__file__).read_text(encoding="utf-8")
        (folder / "lmms_eval").mkdir()
        for path, text in texts.items():
            (folder / path).write_text(text, encoding="utf-8")
    return sum(sizes.values())


def in_columns(out: Path, parts: Parts, workers: int) -> int:
    """Write the data set with a column a caption, and return the number of rows."""
    columns_of: dict[str, Columns] = {}
    rows = []
    with complete(out, folder=True) as folder:
        for sets, images in parts:
            configurations = of_one_size(by_name(sets))
            columns = {name: dict.fromkeys(caption_columns(own[0]), pa.string()) for name, own in configurations.items()}
            write_tables(
                folder, configurations, images, columns, lambda s: dict(zip(caption_columns(s), s.texts, strict=True)), workers
            )
            columns_of |= columns
            rows += [(name, len(own)) for name, own in configurations.items()]
        table = "\n".join(f"| `{name}` | {n:,} | {len(columns_of[name])} |" for name, n in rows)
        (folder / "README.md").write_text(card(columns_of, ABOUT_COLUMNS.format(table=table)), encoding="utf-8")
    return sum(n for _, n in rows)


def by_name(sets: Iterable[RetrievalSet]) -> dict[str, list[RetrievalSet]]:
    """Return the retrieval sets by suite and name, which names their files.

    Raises:
        InputError: a name, under which files are written, is not one part of a path.
    """
    found: dict[str, list[RetrievalSet]] = {}
    for s in sets:
        found.setdefault(component(s.suite, f"{s.suite}_{s.name}"), []).append(s)
    return found


def of_one_size(configurations: Configurations) -> dict[str, list[RetrievalSet]]:
    """Return configurations of sets of one size each; the most common size keeps the name."""
    found: dict[str, list[RetrievalSet]] = {}
    for name, sets in configurations.items():
        sizes = Counter(len(s.negatives) for s in sets)
        first = min(sizes, key=lambda size: (-sizes[size], size))
        for size in sorted(sizes):
            found[name if size == first else f"{name}_of_{size + 1}"] = [s for s in sets if len(s.negatives) == size]
    return found


def caption_columns(s: RetrievalSet) -> list[str]:
    """Return the columns of a set's captions, where each has its own."""
    return ["caption", *(f"negative_{i + 1}" for i in range(len(s.negatives)))]


def listed(s: RetrievalSet) -> dict[str, Any]:
    """Return a set's captions in a random order, and which of them is true."""
    order = list(range(len(s.texts)))
    Random(f"{s.name}:{s.query.query_id}").shuffle(order)
    captions, edits = ([texts[i] for i in order] for texts in (s.texts, ("", *s.edits)))
    return {"captions": captions, "label": order.index(0), "edits": edits}


def write_tables(
    folder: Path,
    configurations: Configurations,
    images: ImageFolder,
    columns: Mapping[str, Columns],
    row_of: Callable[[RetrievalSet], Mapping[str, Any]],
    workers: int,
) -> None:
    """Write a Parquet file for each configuration, with rows by crop and id; each crop is encoded once for all of them.

    Args:
        row_of: a set's values of these columns.
    """
    asked: dict[Crop, list[tuple[str, RetrievalSet]]] = {}
    for name, sets in configurations.items():
        for s in sorted(sets, key=lambda s: s.query.query_id):
            asked.setdefault(s.query.crop, []).append((name, s))
    # Nearly all bytes are PNG, which is compressed already and has no order. The dictionary stores a picture once for all its rows.
    how = {"compression": "NONE", "write_statistics": False, "dictionary_pagesize_limit": LARGEST_DICTIONARY}
    waiting: dict[str, list[dict[str, Any]]] = {name: [] for name in configurations}
    with ExitStack() as files:
        writers = {}
        for name in configurations:
            path = folder / "data" / name / "test.parquet"
            path.parent.mkdir(parents=True)
            schema = pa.schema({"query_id": pa.string(), "image": IMAGE, **columns[name]})
            writers[name] = files.enter_context(pq.ParquetWriter(path, schema, **how))

        def write(name: str) -> None:
            writers[name].write_table(pa.Table.from_pylist(waiting[name], schema=writers[name].schema))
            waiting[name].clear()

        for crop, png in progress(images.crops(asked, to_png, workers), "crops", "crop", len(asked)):
            for name, s in asked[crop]:
                waiting[name].append({"query_id": s.query.query_id, "image": {"bytes": png, "path": None}, **row_of(s)})
                if len(waiting[name]) == AT_ONCE:
                    write(name)
        for name in [name for name, rows in waiting.items() if rows]:
            write(name)


def card(columns: Mapping[str, Columns], text: str) -> str:
    """Return a data set's card: the paths and columns of its configurations, and a description. JSON is YAML, too."""
    configs, info = [], []
    for name, own in columns.items():
        configs.append({"config_name": name, "data_files": [{"split": "test", "path": f"data/{name}/test.parquet"}]})
        features = [{"name": "query_id", "dtype": "string"}, {"name": "image", "dtype": "image"}]
        for column, kind in own.items():
            what, kind = ("list", kind.value_type) if pa.types.is_list(kind) else ("dtype", kind)
            features.append({"name": column, what: str(kind)})
        info.append({"config_name": name, "features": features})
    about = {"language": ["en"], "pretty_name": "CREPE", "configs": configs, "dataset_info": info}
    head = "\n".join(f"{key}: {json.dumps(value)}" for key, value in about.items())
    return f"---\n{head}\n---\n{text}"


ABOUT_LISTS = """
# Compositional retrieval sets

An image, its true caption, and hard negatives: captions that are false of it and one minimal step from the truth. Made by the
pipeline of CREPE (Ma et al., CVPR 2023); sets named `aro` are made as ARO's (Yuksekgonul et al., ICLR 2023).

```python
from datasets import load_dataset

rows = load_dataset(FOLDER, "{first}", split="test")
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
ABOUT_COLUMNS = """
# Compositional retrieval sets, a column a caption

An image, its true caption (`caption`) and captions that are false of it (`negative_1` …).

| configuration | rows | captions |
|---|---|---|
{table}
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
