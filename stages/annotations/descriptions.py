"""Region descriptions to corrected captions and scene graphs, in batches that workers share."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from stages.contract.files import complete
from stages.contract.resume import mark_done
from stages.contract.schemas import GRAPH, SPANS
from stages.parameters.sections import Language

PACKAGES = ("annotations", "captions", "contract", "graphs", "parsing", "text")
"""The packages whose code descriptions depend on."""
DESCRIBED = pa.schema(
    [
        ("phrase", pa.string()),
        ("caption", pa.string()),
        ("fault", pa.string()),
        ("n_atoms", pa.int32()),
        ("n_compounds", pa.int32()),
        ("graph_key", pa.string()),
        *((name, kind) for name, kind, _ in (*GRAPH, *SPANS)),
    ]
)
"""A distinct phrase with its graph; ``fault`` is why it has none, ``graph_key`` is equal for graphs with the same meaning."""


class Describing(NamedTuple):
    """Distinct phrases, the parameters' section ``language``, and the Parquet file for their graphs."""

    phrases: Sequence[str]
    language: Language
    out: Path


def describe(task: Describing) -> int:
    """Write the complete table :data:`DESCRIBED` of the task's phrases, mark it as done, and return the number of phrases."""
    rows = list(_rows(task.phrases, task.language))
    with complete(task.out) as partial:
        pq.write_table(pa.Table.from_pylist(rows, schema=DESCRIBED), partial, compression="zstd")
    mark_done(task.out.with_suffix(".json"), len(rows), task.out)
    return len(rows)


def _rows(phrases: Sequence[str], language: Language) -> Iterator[dict[str, Any]]:
    if not phrases:
        return
    # Imported here, because the process that only distributes the work needs half a gigabyte less without a pipeline.
    from stages.annotations.spelling import correct
    from stages.captions.clean import clean, unusable
    from stages.parsing.shards import shared_parser

    captions = [clean(phrase) for phrase in phrases]
    # Annotators' few words are always English, so their language is not tested.
    faults = [fault if (fault := unusable(caption)) != "not_english" else None for caption in captions]
    captions = [caption if fault else correct(caption) for caption, fault in zip(captions, faults, strict=True)]
    usable = (caption for caption, fault in zip(captions, faults, strict=True) if fault is None)
    parsed = shared_parser(language.model_dump_json()).parse(usable)
    for phrase, caption, fault in zip(phrases, captions, faults, strict=True):
        row: dict[str, Any] = {"phrase": phrase, "caption": caption, "fault": fault}
        if fault is None:
            _, graph, spans = next(parsed)
            key = hashlib.md5(repr(graph.canonical()).encode(), usedforsecurity=False).hexdigest()
            row |= {"n_atoms": graph.n, "n_compounds": len(graph.attributes) + len(graph.relations), "graph_key": key}
            row |= graph.columns() | spans.columns()
        yield row
