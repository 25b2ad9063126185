"""The captions of a training set: read file by file into a work folder, from which a killed run continues, and made distinct."""

from pathlib import Path
from typing import Any

from stages.captions import corpus
from stages.captions.reading import Reading, read_files
from stages.console.progress import progress_bar
from stages.contract import tables
from stages.contract.duck import database, stream
from stages.contract.resume import load_done
from stages.contract.workers import at_most, each
from stages.parameters.sections import ReadCaptions, Run, TrainingSet

PACKAGES = ("captions", "contract")
"""The packages whose code a training set's captions depend on."""


def read(source: TrainingSet, settings: ReadCaptions, running: Run, work: Path) -> tuple[list[Path], list[Any]]:
    """Write the usable captions of all files as Parquet, with small files combined, and return each with its report."""
    kind, column = source.format, corpus.Column(source.column, bool(source.header), settings.max_lines)
    limits = {"min_words": settings.min_words, "max_words": settings.max_words}
    groups = _together(corpus.files(source.path, kind))
    outs = [work / f"read-{i:06d}.parquet" for i in range(len(groups))]
    rejects, alone = settings.rejects_per_reason, len(groups) == 1
    tasks = [Reading(group, kind, column, limits, rejects, out, alone) for group, out in zip(groups, outs, strict=True)]
    reports: list[Any] = [load_done(task.out.with_suffix(".json")) for task in tasks]
    missing = [i for i, report in enumerate(reports) if report is None]
    with progress_bar("reading", "groups of files", total=len(tasks), done=len(tasks) - len(missing)) as bar:
        for number, report in each(read_files, [tasks[i] for i in missing], at_most(running, len(missing))):
            reports[missing[number]] = report
            bar.update()
    return outs, reports


def _together(paths: list[Path]) -> list[tuple[Path, ...]]:
    """Yield consecutive files in groups of at most :data:`GROUP` bytes, or of one file: some data sets have a file a caption."""
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


GROUP = 1 << 20


def distinct(files: list[Path], running: Run, work: Path, out: Path) -> int:
    """Write the distinct captions with their counts to ``out``, in the order of their bytes, and return their number."""
    query = "SELECT caption, count(*) AS count FROM read_parquet(?) GROUP BY caption ORDER BY caption"
    n = 0
    with database(running.memory, running.workers, work / "spill") as connection, tables.writer("distinct_captions", out) as write:
        for piece in stream(connection, query, [[str(file) for file in files]]):
            write(piece)
            n += len(piece)
    return n
