"""Reading one file of a training set: its usable captions, cleaned, and what was dropped for which reason.

A plain function of a small task to a small result, so that it runs in this process, in others, or on other machines.
"""

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from stages.captions import corpus
from stages.captions.clean import clean, unusable
from stages.console.progress import progress
from stages.contract.files import complete
from stages.resuming.resume import mark_done

CAPTIONS = pa.schema([("caption", pa.string())])
PIECE = 16_384


class Reading(NamedTuple):
    """A file of a training set, how to read it, and where its usable captions go, cleaned, in the file's order.

    Attributes:
        limits: what :func:`unusable` takes.
        rejects: how many rejected rows of each reason are kept.
        shown: whether the rows show their progress, as for a file that is the only one.
    """

    path: Path
    kind: str
    column: corpus.Column
    limits: dict[str, int]
    rejects: int
    out: Path
    shown: bool


def read_file(task: Reading) -> dict[str, Any]:
    """Write the usable captions to ``task.out``.

    Returns:
        The rows ``in``, those ``dropped`` by reason, and the first ``rejects``; ``task.out`` is marked done with them.
    """
    dropped: Counter[str] = Counter()
    rejects: list[dict[str, Any]] = []
    usable: list[str] = []
    n = 0
    with complete(task.out) as partial, pq.ParquetWriter(partial, CAPTIONS, compression="zstd") as parquet:
        rows = corpus.read(task.path, task.kind, task.column)
        for n, row in enumerate(progress(rows, "reading", "rows") if task.shown else rows, 1):  # noqa: B007
            caption = clean(row.caption or "")
            reason = row.fault or unusable(caption, **task.limits)
            if reason is None:
                usable.append(caption)
                if len(usable) == PIECE:
                    parquet.write_table(pa.table([usable], schema=CAPTIONS))
                    usable.clear()
                continue
            dropped[reason] += 1
            if dropped[reason] <= task.rejects:
                item, text = f"{task.path.name}:{row.number}", (row.caption or "")[:1000]
                rejects.append({"image_id": None, "item": item, "text": text, "reason": reason, "detail": row.detail})
        parquet.write_table(pa.table([usable], schema=CAPTIONS))
    report = {"in": n, "dropped": dict(dropped), "rejects": rejects}
    mark_done(task.out.with_suffix(".json"), report, task.out)
    return report
