"""Read the captions of a training set in any format, and make them distinct (paper, section 4.1).

Writes ``distinct_captions`` (each usable caption, cleaned, and how often it occurs) and ``rejects``. Files already read stay
in the folder ``--work`` when the run is killed. A change of the reader parses nothing again where captions stay the same.
"""

from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from stages.captions import corpus, training_set
from stages.console import command
from stages.contract import tables
from stages.contract.errors import ParameterError, run
from stages.contract.inputs import watch
from stages.contract.ledger import Ledger
from stages.contract.resume import code, fingerprint, work_folder
from stages.parameters import params
from stages.parameters.sections import ReadCaptions, Run, TrainingSet, TrainingSets


class Paths(NamedTuple):
    """The command line."""

    training_set: str
    captions: command.Output
    rejects: command.Output
    metrics: command.Output
    work: Path


def read_captions(source: TrainingSet, settings: ReadCaptions, running: Run, out: Paths) -> Ledger:
    """Read a training set in the folder ``out.work``, and write the outputs.

    Raises:
        InputError: a file of the training set cannot be used.
    """
    inputs = corpus.files(source.path, source.format)
    watch(inputs)
    values = [source.model_dump(), settings.model_dump(), version("ftfy"), version("wordfreq")]
    with work_folder(out.work, fingerprint([*inputs, *code(*training_set.PACKAGES)], values)) as work:
        files, reports = training_set.read(source, settings, running, work)
        ledger = counted(reports, running.most_dropped)
        ledger.stop_if_nothing(source.path, *training_set.LOOKED_FOR)
        write_rejects(reports, settings.rejects_per_reason, out.rejects)
        distinct = training_set.distinct(files, running, work, out.captions)
        ledger.write(out.metrics, distinct=distinct, shortened=sum(report["shortened"] for report in reports))
    return ledger


def counted(reports: list[dict[str, Any]], most_dropped: float) -> Ledger:
    """Count all rows of the files' ``reports``."""
    ledger = Ledger("captions", most_dropped)
    examples: dict[str, str] = {}
    for reject in (reject for report in reports for reject in report["rejects"]):
        examples.setdefault(reject["reason"], f"{reject['item']}, {reject['text'][:80]!r}")
    for report in reports:
        ledger.read(report["in"])
        ledger.keep(report["in"] - sum(report["dropped"].values()))
        for reason, n in report["dropped"].items():
            ledger.drop(reason, n, examples.get(reason, ""))
    return ledger


def write_rejects(reports: list[dict[str, Any]], most: int, path: Path) -> None:
    """Write the first ``most`` rejects of each reason."""
    written = Counter[str]()
    with tables.writer("rejects", path) as write:
        for reject in (reject for report in reports for reject in report["rejects"]):
            written[reject["reason"]] += 1
            if written[reject["reason"]] <= most:
                write([reject])


def main() -> None:
    out = command.parse(Paths, __doc__)
    settings, running = params.load(ReadCaptions), params.load(Run)
    every = params.load(TrainingSets).root
    if out.training_set not in every:
        raise ParameterError(f"training_sets.{out.training_set}", "is missing", f"name one of {', '.join(every)}")
    with corpus.naming(f"training_sets.{out.training_set}"):
        ledger = read_captions(every[out.training_set], settings, running, out)
    print(f"read_captions {out.training_set}: {ledger}")


if __name__ == "__main__":
    run(main)
