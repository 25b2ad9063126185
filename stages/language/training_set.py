"""A training set in its work folder: captions read, made distinct, parsed; each step goes on from what stands there."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from stages.contract.duck import database, stream
from stages.contract.files import complete, write_json
from stages.contract.progress import progress_bar
from stages.contract.workers import each
from stages.language import corpus
from stages.language.shards import Parsing, Reading, parse_shard, read_file

DISTINCT = pa.schema([("caption", pa.string()), ("count", pa.int64())])


def read(source: dict[str, Any], settings: dict[str, Any], running: dict[str, Any], work: Path) -> list[Path]:
    """Bring the usable captions of every file of the training set to Parquet, a file each."""
    kind, column = source["format"], corpus.Column(source.get("column"), source.get("header", True))
    limits = {key: settings[key] for key in ("min_words", "max_words")}
    paths = corpus.files(source["path"], kind)
    outs = [work / f"read-{i:06d}.parquet" for i in range(len(paths))]
    rejects = settings["rejects_per_reason"]
    tasks = [Reading(path, kind, column, limits, rejects, out) for path, out in zip(paths, outs, strict=True)]
    missing = [task for task in tasks if not task.out.with_suffix(".json").exists()]
    with progress_bar("reading captions", "files", total=len(tasks)) as bar:
        bar.update(len(tasks) - len(missing))
        for _ in each(read_file, missing, min(running["workers"], max(1, len(missing)))):
            bar.update()
    return [out.with_suffix("") for out in outs]


def distinct(files: list[Path], shard: int, running: dict[str, Any], work: Path) -> Path:
    """The distinct captions with their counts, in the order of their bytes; a row group is a shard."""
    path = work / "captions.parquet"
    if not path.exists():
        query = "SELECT caption, count(*) AS count FROM read_parquet(?) GROUP BY caption ORDER BY caption"
        with (
            database(running["memory"], running["workers"], work / "spill") as connection,
            complete(path) as partial,
            pq.ParquetWriter(partial, DISTINCT, compression="zstd") as parquet,
        ):
            for piece in pieces(stream(connection, query, [[f"{file}.parquet" for file in files]]), shard):
                parquet.write_table(piece.cast(DISTINCT), row_group_size=shard)
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


def parse(
    captions: Path, language: dict[str, Any], keep: bool | int, running: dict[str, Any], work: Path
) -> tuple[list[Path], Counter[str]]:
    """Parse the shards that are not parsed yet.

    Args:
        keep: whether the graphs are kept, or how many of them, drawn by their captions.

    Returns:
        The shards, each as its path in ``work`` without an ending, in order; and the sums of their figures.
    """
    with pq.ParquetFile(captions) as parquet:
        total, n = parquet.metadata.num_rows, parquet.num_row_groups
        shards = [work / f"parsed-{i:06d}" for i in range(n)]
        missing = [i for i, shard in enumerate(shards) if not shard.with_suffix(".json").exists()]
        share = float(keep) if isinstance(keep, bool) else keep / max(total, 1)

        def tasks() -> Iterator[Parsing]:
            for i in missing:
                group = parquet.read_row_group(i)
                yield Parsing(group["caption"].to_pylist(), group["count"].to_pylist(), language, share)

        workers = min(running["workers"], max(1, len(missing)))
        with progress_bar("parsing", "captions", total=total) as bar:
            bar.update(total - sum(parquet.metadata.row_group(i).num_rows for i in missing))
            for done, result in each(parse_shard, tasks(), workers, running["runner"]):
                shard = shards[missing[done]]
                for ending, content in ((".occurrences", result.occurrences), (".graphs", result.graphs)):
                    with complete(shard.with_suffix(ending)) as partial:
                        partial.write_bytes(content)
                write_json(shard.with_suffix(".json"), result.figures)  # last: the shard is done
                bar.update(result.figures["captions"])
    figures: Counter[str] = Counter()
    for shard in shards:
        figures.update(json.loads(shard.with_suffix(".json").read_bytes()))
    return shards, figures
