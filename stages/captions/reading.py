"""Read files of a training set: their usable captions, cleaned, and the rows dropped by reason.

A plain function of a small task, so that it runs in this process, in others, or on other machines.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from stages.captions import corpus
from stages.captions.clean import clean, shortened, unusable
from stages.console.progress import progress
from stages.contract.files import complete
from stages.contract.ledger import Ledger
from stages.contract.resume import mark_done

CAPTIONS = pa.schema([("caption", pa.string())])
BATCH = 16_384


FEW = 10
"""In a file with fewer rows all may be unusable by chance."""


class Reading(NamedTuple):
    """Files of a training set, how to read them, and the destination of their usable captions, cleaned, in the files' order.

    ``limits`` are arguments of :func:`unusable`, ``rejects`` is the number of rejected rows to keep for each reason; progress by
    rows is ``shown`` for a single file.
    """

    paths: tuple[Path, ...]
    kind: str
    column: corpus.Column
    limits: dict[str, int]
    rejects: int
    out: Path
    shown: bool


def read_files(task: Reading) -> dict[str, Any]:
    """Write the usable captions to ``task.out``, which is marked as done with the report that is returned.

    It has the rows ``in``, the captions that were ``shortened``, those ``dropped`` by reason, and the first ``rejects``.

    Raises:
        InputError: a file has no usable caption.
    """
    report: dict[str, Any] = {"in": 0, "shortened": 0, "dropped": Counter(), "rejects": []}
    with complete(task.out) as partial, pq.ParquetWriter(partial, CAPTIONS, compression="zstd") as parquet:
        usable: list[str] = []
        for path in task.paths:
            for caption in _usable(path, task, report):
                usable.append(caption)
                if len(usable) == BATCH:
                    parquet.write_table(pa.table([usable], schema=CAPTIONS))
                    usable.clear()
        parquet.write_table(pa.table([usable], schema=CAPTIONS))
    mark_done(task.out.with_suffix(".json"), report, task.out)
    return report


def _usable(path: Path, task: Reading, report: dict[str, Any]) -> Iterator[str]:
    """Yield the usable captions of a file; the ``report`` counts all."""
    ledger = Ledger("captions")
    rows = corpus.read(path, task.kind, task.column)
    for row in progress(rows, "reading", "rows") if task.shown else rows:
        whole = clean(row.caption or "")
        caption = shortened(whole, task.limits["max_words"])
        reason = row.fault or unusable(caption, **task.limits)
        ledger.read()
        if reason is None:
            ledger.keep()
            report["shortened"] += caption != whole
            yield caption
            continue
        if reason not in corpus.LEFT_OUT:
            ledger.drop(reason, example=f"row {row.number}, {(row.caption or row.detail)[:80]!r}")
        report["dropped"][reason] += 1
        if report["dropped"][reason] <= task.rejects:
            item, text = f"{path.name}:{row.number}", (row.caption or "")[:1000]
            report["rejects"].append({"image_id": None, "item": item, "text": text, "reason": reason, "detail": row.detail})
    report["in"] += ledger.rows_in
    if ledger.rows_in >= FEW:
        ledger.stop_if_nothing(path, *LOOKED_FOR)


LOOKED_FOR = (
    "captions in English of read_captions.min_words words or more",
    "correct the column in params.yaml, training_sets.*, or remove the file from the training set",
)
