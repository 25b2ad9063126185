"""Draw the sample world.

Writes, below one folder: ``visual_genome/`` (three annotation files in Visual Genome's format, and its two image folders),
``captions.json`` (five captions of each test image, in Karpathy's format), ``train/`` (three corpora in the formats of CC12M,
YFCC15M and LAION-400M; the pool of training images and, for each corpus, which image a caption belongs to), and ``truth.parquet``
(everything that is true of the test images, which only audits and tests read). So the pipeline runs on a machine without data, and
the fraction of its negatives that are truly false can be measured.
"""

from pathlib import Path
from typing import Any, NamedTuple

from stages.console import command
from stages.contract.errors import run
from stages.contract.files import complete
from stages.contract.ledger import Ledger
from stages.parameters import params
from stages.parameters.sections import Run, Sample
from stages.world import build


class Paths(NamedTuple):
    """The command line."""

    out: command.OutputFolder
    metrics: command.Output


def sample(out: Path, settings: Sample, workers: int) -> tuple[Ledger, dict[str, Any]]:
    """Make the sample of ``settings`` (the section ``sample``) in the folder ``out``; its ledger of regions, and its counts."""
    ledger = Ledger("regions")
    with complete(out, folder=True, alone=True) as folder:
        counts = build.write(folder, settings, workers, ledger)
    return ledger, counts


def main() -> None:
    args = command.parse(Paths, __doc__)
    settings = params.load(Sample)
    ledger, counts = sample(args.out, settings, params.load(Run).workers)
    ledger.write(args.metrics, **counts)
    print(f"sample: {counts['images']:,} images; {ledger}; captions: {counts['captions']}")


if __name__ == "__main__":
    run(main)
