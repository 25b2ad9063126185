"""Parse the captions of a training set into scene graphs and count their atoms and compounds (paper, section 4.1).

Reads the distinct captions. Writes ``occurrences`` (what the captions name and how often) and ``training_graphs`` (the captions
with their graphs). Every caption is parsed once, in shards; finished shards stay in the folder ``--work`` when the run
is killed.
"""

from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from stages.console import command
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.ledger import Ledger
from stages.contract.resume import code, fingerprint, work_folder
from stages.parameters import params
from stages.parameters.sections import Language, ParseTrain, Run
from stages.parsing import shards
from stages.parsing.pipeline import identity


class Paths(NamedTuple):
    """The command line."""

    captions: Path
    occurrences: command.Output
    graphs: command.Output
    metrics: command.Output
    work: Path


def parse_train(language: Language, settings: ParseTrain, running: Run, out: Paths) -> Ledger:
    """Parse a training set's captions in the folder ``out.work``, and write the outputs.

    Raises:
        InputError: the table of captions is missing or damaged.
    """
    tables.verify("distinct_captions", out.captions)
    values = [
        language.model_dump(),
        identity(language.pipeline, language.parser),
        settings.model_dump(),
        version("spacy"),
        version("wordfreq"),
    ]
    with work_folder(out.work, fingerprint([out.captions, *code(*shards.PACKAGES)], values)) as work:
        parsed, figures = shards.parse_shards(out.captions, language, settings, running, work)
        write_graphs(parsed, out)
        ledger = Ledger("captions")
        ledger.read(figures["captions"])
        ledger.keep(figures["captions"])
        ledger.write(out.metrics, **{key: figures[key] for key in ("atoms", "compounds", "without_atoms")})
    return ledger


def write_graphs(parsed: list[Path], out: Paths) -> None:
    """Combine the tables of the shards."""
    for table, path, ending in (("occurrences", out.occurrences, ".occurrences"), ("training_graphs", out.graphs, ".graphs")):
        with tables.writer(table, path) as write:
            for shard in parsed:
                write(pq.read_table(shard.with_suffix(ending)))


def main() -> None:
    out = command.parse(Paths, __doc__)
    ledger = parse_train(params.load(Language), params.load(ParseTrain), params.load(Run), out)
    print(f"parse_train {out.captions.parent.name}: {ledger}")


if __name__ == "__main__":
    run(main)
