"""The captions of a training set: read file by file into a work folder, from which a killed run continues, and made distinct."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from stages.captions import corpus
from stages.captions.clean import clean, shortened, unusable
from stages.console.progress import progress, progress_bar
from stages.contract import tables
from stages.contract.duck import database, stream
from stages.contract.files import complete
from stages.contract.ledger import Ledger
from stages.contract.resume import load_done, mark_done
from stages.contract.workers import at_most, each
from stages.parameters.sections import ReadCaptions, Run, TrainingSet

PACKAGES = ("captions", "contract")
"""The packages whose code a training set's captions depend on."""
CAPTIONS = pa.schema([("caption", pa.string())])
BATCH = 16_384
GROUP = 1 << 20
"""Bytes of small files that are read together: some data sets have a file a caption."""
FEW = 10
"""In a file with fewer rows all may be unusable by chance."""
LOOKED_FOR = (
    "captions in English of read_captions.min_words words or more",
    "correct the column in params.yaml, training_sets.*, or remove the file from the training set",
)


class Reading(NamedTuple):
    """A worker's task: files of a training set, and where their usable captions go, in the files' order.

    Progress by rows is ``shown`` where it is the only task.
    """

    paths: tuple[Path, ...]
    source: TrainingSet
    settings: ReadCaptions
    out: Path
    shown: bool


def read(source: TrainingSet, settings: ReadCaptions, running: Run, work: Path) -> tuple[list[Path], list[Any]]:
    """Write the usable captions of all files as Parquet, with small files combined, and return each with its report."""
    groups = _together(corpus.files(source.path, source.format))
    tasks = [Reading(group, source, settings, work / f"read-{i:06d}.parquet", len(groups) == 1) for i, group in enumerate(groups)]
    reports: list[Any] = [load_done(task.out.with_suffix(".json")) for task in tasks]
    missing = [i for i, report in enumerate(reports) if report is None]
    with progress_bar("reading", "groups of files", total=len(tasks), done=len(tasks) - len(missing)) as bar:
        for number, report in each(read_files, [tasks[i] for i in missing], at_most(running, len(missing))):
            reports[missing[number]] = report
            bar.update()
    return [task.out for task in tasks], reports


def _together(paths: list[Path]) -> list[tuple[Path, ...]]:
    """Return consecutive files in groups of at most :data:`GROUP` bytes, or of one file."""
    groups: list[list[Path]] = []
    room = 0
    for path in paths:
        size = path.stat().st_size
        if not groups or size > room:
            groups.append([])
            room = GROUP
        groups[-1].append(path)
        room -= size
    return [tuple(group) for group in groups]


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
    ledger, source, settings = Ledger("captions"), task.source, task.settings
    rows = corpus.read(path, source.format, corpus.Column(source.column, bool(source.header), settings.max_lines))
    for row in progress(rows, "reading", "rows") if task.shown else rows:
        whole = clean(row.caption or "")
        caption = shortened(whole, settings.max_words)
        reason = row.fault or unusable(caption, min_words=settings.min_words, max_words=settings.max_words)
        ledger.read()
        if reason is None:
            ledger.keep()
            report["shortened"] += caption != whole
            yield caption
            continue
        if reason not in corpus.LEFT_OUT:
            ledger.drop(reason, example=f"row {row.number}, {(row.caption or row.detail)[:80]!r}")
        report["dropped"][reason] += 1
        if report["dropped"][reason] <= settings.rejects_per_reason:
            item, text = f"{path.name}:{row.number}", (row.caption or "")[:1000]
            report["rejects"].append({"image_id": None, "item": item, "text": text, "reason": reason, "detail": row.detail})
    report["in"] += ledger.rows_in
    if ledger.rows_in >= FEW:
        ledger.stop_if_nothing(path, *LOOKED_FOR)


def distinct(files: list[Path], running: Run, work: Path, out: Path) -> int:
    """Write the distinct captions with their counts to ``out``, in the order of their bytes, and return their number."""
    query = "SELECT caption, count(*) AS count FROM read_parquet(?) GROUP BY caption ORDER BY caption"
    n = 0
    with database(running.memory, running.workers, work / "spill") as connection, tables.writer("distinct_captions", out) as write:
        for piece in stream(connection, query, [[str(file) for file in files]]):
            write(piece)
            n += len(piece)
    return n
