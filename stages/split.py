"""Split the regions by what a training set has seen of them (paper, section 3.2).

Reads ``regions`` and a training set's ``seen_atoms`` and ``seen_compounds``; writes ``splits``: UA if an atom is unseen, else UC if
a compound is unseen, else SC. Its metrics are the regions' part of the paper's tables 1, 5 and 8, its plot is figure 12: how often
the test regions and the training set name each atom.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import duckdb

from stages.console import command
from stages.contract import tables
from stages.contract.duck import database, stream
from stages.contract.errors import run
from stages.contract.files import complete, scratch
from stages.contract.ledger import Ledger
from stages.negatives.splits import SPLITS, split
from stages.parameters import params
from stages.parameters.sections import Run, Split


class Paths(NamedTuple):
    """The command line."""

    regions: Path
    atoms: Path
    compounds: Path
    out: command.Output
    metrics: command.Output
    plot: command.Output


# Hard negatives are made for regions of one compound (section 4.1), so the tables are also given for only those. The stages that
# make them leave out a few: those with words that belong to no atom.
FIGURES = """
    SELECT split, count(DISTINCT region_id), count(DISTINCT image_id),
        count(DISTINCT key) FILTER (NOT compound), count(DISTINCT key) FILTER (NOT compound AND is_seen),
        count(DISTINCT key) FILTER (compound), count(DISTINCT key) FILTER (compound AND is_seen)
    FROM splits JOIN known USING (region_id) WHERE n_compounds <= ? GROUP BY split
"""
COLUMNS = ("pairs", "images", "atoms", "atoms_seen", "compounds", "compounds_seen")
PLOT = """
    SELECT split, kind, name AS atom, any_value(named.count) AS training_count, count(*) AS test_count
    FROM splits JOIN known USING (region_id) JOIN named USING (key) WHERE NOT named.compound GROUP BY ALL ORDER BY split, kind, atom
"""


def figures(db: duckdb.DuckDBPyConnection, most_compounds: int) -> dict[str, dict[str, int]]:
    """Return the figures of each split, for regions with at most so many compounds; every split is present, even with zeros."""
    by_split = {split: numbers for split, *numbers in db.execute(FIGURES, [most_compounds]).fetchall()}
    return {split: dict(zip(COLUMNS, by_split.get(split, [0] * len(COLUMNS)), strict=True)) for split in SPLITS}


def main() -> None:
    paths = command.parse(Paths, __doc__)
    running, least = params.load(Run), params.load(Split).min_count
    with scratch(paths.out) as folder, database(running.memory, running.workers, folder) as db:
        split(db, paths.regions, paths.atoms, paths.compounds, least)
        every, one_compound = figures(db, 1 << 30), figures(db, 1)
        seen = {f"{path.stem} that {path.parent.name} has seen": path for path in (paths.atoms, paths.compounds)}
        with tables.writer("splits", paths.out, tables.lineage({"regions": paths.regions} | seen)) as write:
            for rows in stream(db, "FROM splits ORDER BY image_id, region_id"):
                write(rows)
        with complete(paths.plot, alone=True) as partial, partial.open("w", newline="", encoding="utf-8") as file:
            plot = db.execute(PLOT)
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(column[0] for column in plot.description)
            rows.writerows(plot.fetchall())
    ledger = Ledger("regions")
    ledger.read(n := sum(row["pairs"] for row in every.values()))
    ledger.keep(n)
    ledger.write(paths.metrics, splits=every, one_compound=one_compound)
    print("split: " + ", ".join(f"{row['pairs']:,} {name}" for name, row in every.items()))


if __name__ == "__main__":
    run(main)
