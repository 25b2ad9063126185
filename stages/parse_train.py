"""Parses the captions of a training set into scene graphs and counts their atoms and compounds (paper, section 4.1).

Reads a training set's captions, whatever their format. Writes ``occurrences`` (what the captions name and how often),
``training_graphs`` (the distinct captions with their graphs) and ``rejects``. Every distinct caption is parsed once, in shards; a
shard that is done stays done in the folder ``--work`` when the run is killed.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from stages.captions import corpus, training_set
from stages.contract import command, tables
from stages.contract.errors import ParameterError, run
from stages.contract.ledger import Ledger
from stages.contract.resume import code, fingerprint, work_folder
from stages.parameters import params
from stages.parameters.sections import Language, ParseTrain, Run, TrainingSet, TrainingSets
from stages.parsing import shards


class Paths(NamedTuple):
    """The command line."""

    training_set: str
    occurrences: Path
    graphs: Path
    rejects: Path
    metrics: Path
    work: Path


def parse_train(
    source: TrainingSet,
    language: Language,
    settings: ParseTrain,
    running: Run,
    out: Paths,
) -> Ledger:
    """Read and parse a training set in the folder ``out.work``, and write the outputs.

    What was read hangs on other code and parameters than what was parsed, and each is kept for itself.

    Raises:
        InputError: a file of the training set cannot be used.
    """
    inputs = corpus.files(source.path, source.format)
    reading = settings.model_dump(exclude={"keep_graphs"})
    name = fingerprint([*inputs, *code(*training_set.ROOMS)], [source.model_dump(), reading, version("ftfy"), version("wordfreq")])
    with work_folder(out.work / "captions", name) as work:
        files, reports = training_set.read(source, settings, running, work)
        captions = training_set.distinct(files, settings.shard, running, work)
        name = fingerprint([captions, *code(*shards.ROOMS)], [language.model_dump(), settings.keep_graphs, version("spacy")])
        with work_folder(out.work / "graphs", name) as work:
            parsed, figures = shards.parse_shards(captions, language, settings.keep_graphs, running, work)
            ledger = write_rejects(reports, settings.rejects_per_reason, out.rejects)
            write_graphs(parsed, out)
            ledger.write(
                out.metrics, distinct=figures["captions"], **{key: figures[key] for key in ("atoms", "compounds", "without_atoms")}
            )
    with suppress(OSError):  # another run's work may lie there
        out.work.rmdir()
    return ledger


def write_graphs(parsed: list[Path], out: Paths) -> None:
    """Put the tables of the shards together."""
    for table, path, ending in (("occurrences", out.occurrences, ".occurrences"), ("training_graphs", out.graphs, ".graphs")):
        with tables.writer(table, path) as write:
            for shard in parsed:
                write(pq.read_table(shard.with_suffix(ending)))


def write_rejects(reports: list[dict[str, Any]], most: int, path: Path) -> Ledger:
    """Write the first ``most`` rejects of each reason, and count all rows that the ``reports`` of the files tell of."""
    ledger, written = Ledger("captions"), Counter[str]()
    with tables.writer("rejects", path) as write:
        for report in reports:
            ledger.read(report["in"])
            ledger.keep(report["in"] - sum(report["dropped"].values()))
            for reason, n in report["dropped"].items():
                ledger.drop(reason, n)
            for reject in report["rejects"]:
                written[reject["reason"]] += 1
                if written[reject["reason"]] <= most:
                    write([reject])
    return ledger


def main() -> None:
    out = command.parse(Paths, __doc__)
    language, settings, running = params.load(Language), params.load(ParseTrain), params.load(Run)
    every = params.load(TrainingSets).root
    if out.training_set not in every:
        raise ParameterError(f"training_sets.{out.training_set}", "is missing", f"name one of {', '.join(every)}")
    source = every[out.training_set]
    with corpus.told_as(out.training_set):
        ledger = parse_train(source, language, settings, running, out)
    print(f"parse_train {out.training_set}: {ledger}")


if __name__ == "__main__":
    run(main)
