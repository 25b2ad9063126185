"""Retrieval sets with one column a caption, for harnesses that compare columns: mteb's tasks of image and text pairs.

``data/SUITE_SET/test.parquet`` has a row a query: ``query_id``, ``image``, ``caption`` (the true one), ``negative_1``,
``negative_2`` and so on. Sets with another number of negatives are in their own configuration, ``SUITE_SET_of_N``, N captions.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from stages.contract.files import complete
from stages.evaluation.sets import RetrievalSet
from stages.images.crops import ImageFolder
from stages.suites.pictures import Configurations, by_name, captioned, encoded, write_rows


def texts(negatives: int) -> list[str]:
    """Return the columns of the captions of a configuration."""
    return ["caption", *(f"negative_{i + 1}" for i in range(negatives))]


def of_one_size(configurations: Configurations) -> dict[str, tuple[list[RetrievalSet], int]]:
    """Return configurations of sets of one size each; the most common size keeps the name."""
    found: dict[str, tuple[list[RetrievalSet], int]] = {}
    for name, (sets, place) in configurations.items():
        sizes = Counter(len(s.negatives) for s in sets)
        first = min(sizes, key=lambda size: (-sizes[size], size))
        for size in sorted(sizes):
            of_size = [s for s in sets if len(s.negatives) == size]
            found[name if size == first else f"{name}_of_{size + 1}"] = (of_size, place)
    return found


def write(out: Path, parts: Iterable[tuple[Iterable[RetrievalSet], ImageFolder]], workers: int) -> int:
    """Write the data set and its card, and return the number of rows."""
    sets_by_name, places = by_name(parts)
    configurations = of_one_size(sets_by_name)
    with complete(out, folder=True) as folder, encoded(folder, configurations, places, workers) as pictures:
        for name, (sets, place) in configurations.items():
            columns = texts(len(sets[0].negatives))
            rows = ({**row, **dict(zip(columns, s.texts, strict=True))} for s, row in captioned(sets, pictures[place]))
            write_rows(folder / "data" / name / "test.parquet", dict.fromkeys(columns, pa.string()), rows)
        (folder / "README.md").write_text(card(configurations), encoding="utf-8")
    return sum(len(sets) for sets, _ in configurations.values())


def card(configurations: Configurations) -> str:
    """Return the data set's card, by which ``datasets.load_dataset(FOLDER, NAME)`` finds the configurations. JSON is YAML, too."""
    configs, info = [], []
    for name, (sets, _) in configurations.items():
        configs.append({"config_name": name, "data_files": [{"split": "test", "path": f"data/{name}/test.parquet"}]})
        features = [{"name": "query_id", "dtype": "string"}, {"name": "image", "dtype": "image"}]
        features += [{"name": text, "dtype": "string"} for text in texts(len(sets[0].negatives))]
        info.append({"config_name": name, "features": features})
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
