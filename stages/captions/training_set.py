"""The captions of a training set in its work folder: read, and made distinct; each step goes on from what stands there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from stages.captions import corpus
from stages.captions.reading import Reading, read_file
from stages.contract.duck import database, stream
from stages.contract.files import complete
from stages.contract.progress import progress_bar
from stages.contract.resume import load_done, mark_done
from stages.contract.workers import each
from stages.parameters.sections import ParseTrain, Run, TrainingSet

ROOMS = ("captions", "contract")
"""Whose code a training set's captions hang on."""
DISTINCT = pa.schema([("caption", pa.string()), ("count", pa.int64())])


def read(source: TrainingSet, settings: ParseTrain, running: Run, work: Path) -> tuple[list[Path], list[Any]]:
    """Bring the usable captions of every file of the training set to Parquet, a file each.

    Returns:
        The Parquet files, and for each the rows ``in``, those ``dropped`` by reason, and the first ``rejects``.
    """
    kind, column = source.format, corpus.Column(source.column, bool(source.header), settings.max_lines)
    limits = {"min_words": settings.min_words, "max_words": settings.max_words}
    paths = corpus.files(source.path, kind)
    outs = [work / f"read-{i:06d}.parquet" for i in range(len(paths))]
    rejects, alone = settings.rejects_per_reason, len(paths) == 1
    tasks = [Reading(path, kind, column, limits, rejects, out, alone) for path, out in zip(paths, outs, strict=True)]
    reports: list[Any] = [load_done(task.out.with_suffix(".json")) for task in tasks]
    missing = [i for i, report in enumerate(reports) if report is None]
    with progress_bar("reading", "files", total=len(tasks), done=len(tasks) - len(missing)) as bar:
        for number, report in each(read_file, [tasks[i] for i in missing], min(running.workers, max(1, len(missing)))):
            reports[missing[number]] = report
            bar.update()
    return outs, reports


def distinct(files: list[Path], shard: int, running: Run, work: Path) -> Path:
    """The distinct captions with their counts, in the order of their bytes; a row group is a shard."""
    path = work / "captions.parquet"
    if load_done(path.with_suffix(".json")) is None:
        query = "SELECT caption, count(*) AS count FROM read_parquet(?) GROUP BY caption ORDER BY caption"
        with (
            database(running.memory, running.workers, work / "spill") as connection,
            complete(path) as partial,
            pq.ParquetWriter(partial, DISTINCT, compression="zstd") as parquet,
        ):
            for piece in pieces(stream(connection, query, [[str(file) for file in files]]), shard):
                parquet.write_table(piece.cast(DISTINCT), row_group_size=shard)
        mark_done(path.with_suffix(".json"), None, path)
    return path


def pieces(batches: Iterator[pa.Table], size: int) -> Iterator[pa.Table]:
    """The rows of ``batches`` in tables of ``size`` rows, the last one shorter."""
    waiting: list[pa.Table] = []
    n = 0
    for batch in batches:
        waiting.append(batch)
        n += len(batch)
        while n >= size:
            whole = pa.concat_tables(waiting)
            yield whole.slice(0, size).combine_chunks()
            waiting, n = [whole.slice(size)], n - size
    if n:
        yield pa.concat_tables(waiting).combine_chunks()
