"""Retrieval sets with one column a caption, for harnesses that compare columns: mteb's tasks of image and text pairs.

``data/SUITE_SET/test.parquet`` has a row a query: ``query_id``, ``image``, ``caption`` (the true one), ``negative_1``,
``negative_2`` and so on. Sets with another number of negatives are in their own configuration, ``SUITE_SET_of_N``, N captions.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from stages.contract.files import complete
from stages.evaluation.sets import RetrievalSet
from stages.images.crops import ImageFolder
from stages.suites import hub

AT_ONCE = 64
"""Rows, with their pictures, in memory at a time."""


def schema(negatives: int) -> pa.Schema:
    """Return the columns of a configuration."""
    texts = ["caption", *(f"negative_{i + 1}" for i in range(negatives))]
    image = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    return pa.schema([("query_id", pa.string()), ("image", image), *((name, pa.string()) for name in texts)])


def of_one_size(configurations: hub.Configurations) -> dict[str, tuple[list[RetrievalSet], int]]:
    """Return configurations of sets of one size each; the most common size keeps the name."""
    found: dict[str, tuple[list[RetrievalSet], int]] = {}
    for name, (sets, place) in configurations.items():
        sizes = Counter(len(s.negatives) for s in sets)
        first = min(sizes, key=lambda size: (-sizes[size], size))
        for size in sorted(sizes):
            of_size = [s for s in sets if len(s.negatives) == size]
            found[name if size == first else f"{name}_of_{size + 1}"] = (of_size, place)
    return found


def rows(sets: Sequence[RetrievalSet], pictures: hub.Pictures) -> Iterator[dict[str, Any]]:
    """Yield a row a query, by crop and id."""
    for s in sorted(sets, key=lambda s: (s.query.crop, s.query.query_id)):
        ((_, png),) = pictures.of([s.query.crop])
        texts = {"caption": s.truth} | {f"negative_{i + 1}": text for i, text in enumerate(s.negatives)}
        yield {"query_id": s.query.query_id, "image": {"bytes": png, "path": None}, **texts}


def write(out: Path, parts: Iterable[tuple[Iterable[RetrievalSet], ImageFolder]], workers: int) -> int:
    """Write the data set and its card, and return the number of rows."""
    by_name, places = hub.by_name(parts)
    configurations = of_one_size(by_name)
    with complete(out, folder=True) as folder, hub.encoded(folder, configurations, places, workers) as pictures:
        for name, (sets, place) in configurations.items():
            path = folder / "data" / name / "test.parquet"
            path.parent.mkdir(parents=True)
            _write(path, sets, pictures[place])
        (folder / "README.md").write_text(card(configurations), encoding="utf-8")
    return sum(len(sets) for sets, _ in configurations.values())


def _write(path: Path, sets: Sequence[RetrievalSet], pictures: hub.Pictures) -> None:
    columns, batch = schema(len(sets[0].negatives)), list[dict[str, Any]]()
    with pq.ParquetWriter(path, columns, compression="zstd") as writer:
        for row in rows(sets, pictures):
            batch.append(row)
            if len(batch) == AT_ONCE:
                writer.write_table(pa.Table.from_pylist(batch, schema=columns))
                batch = []
        if batch:
            writer.write_table(pa.Table.from_pylist(batch, schema=columns))


def card(configurations: hub.Configurations) -> str:
    """Return the data set's card, by which ``datasets.load_dataset(FOLDER, NAME)`` finds the configurations. JSON is YAML, too."""
    configs, info = [], []
    for name, (sets, _) in configurations.items():
        configs.append({"config_name": name, "data_files": [{"split": "test", "path": f"data/{name}/test.parquet"}]})
        texts = [field for field in schema(len(sets[0].negatives)).names if field not in ("query_id", "image")]
        features = [{"name": "query_id", "dtype": "string"}, {"name": "image", "dtype": "image"}]
        info.append({"config_name": name, "features": [*features, *({"name": text, "dtype": "string"} for text in texts)]})
    about = {"language": ["en"], "pretty_name": "CREPE", "configs": configs, "dataset_info": info}
    head = "\n".join(f"{key}: {json.dumps(value)}" for key, value in about.items())
    table = "\n".join(f"| `{name}` | {len(sets):,} | {1 + len(sets[0].negatives)} |" for name, (sets, _) in configurations.items())
    return f"""---
{head}
---

# Compositional retrieval sets, a column a caption

An image, its true caption (`caption`) and captions that are false of it (`negative_1` …).

| configuration | rows | captions |
|---|---|---|
{table}
"""
