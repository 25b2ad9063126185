"""Sorts the regions by what a training set has seen of them (paper, section 3.2).

Reads ``regions`` and a training set's ``seen_atoms`` and ``seen_compounds``; writes ``splits``: UA if an atom is unseen, else UC if
a compound is unseen, else SC. Its figures are the paper's tables 1, 5 and 8 as far as regions go, its plot is figure 12: how often
the test regions and the training set name each atom.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import duckdb

from stages.contract import command, params, tables
from stages.contract.duck import database, stream
from stages.contract.errors import run
from stages.contract.files import complete, scratch
from stages.contract.ledger import Ledger
from stages.contract.param_schema import Run, Split


class Paths(NamedTuple):
    """The command line."""

    regions: Path
    atoms: Path
    compounds: Path
    out: Path
    metrics: Path
    plot: Path


# Each atom and compound that a region names, at least once.
PARTS = """
    CREATE TEMP VIEW parts AS
    WITH r AS (SELECT region_id, objects AS o, attributes, relations FROM regions),
    a AS (SELECT region_id, o, unnest(attributes) AS part FROM r),
    t AS (SELECT region_id, o, unnest(relations) AS part FROM r)
    SELECT region_id, 'object' AS kind, unnest(o) AS first, '' AS second, '' AS third FROM r
    UNION ALL SELECT region_id, 'attribute', part.attribute, '', '' FROM a
    UNION ALL SELECT region_id, 'relation', part.relation, '', '' FROM t
    UNION ALL SELECT region_id, 'attribute_object', part.attribute, o[part.object + 1], '' FROM a
    UNION ALL SELECT region_id, 'object_relation_object', o[part.subject + 1], part.relation, o[part.object + 1] FROM t
"""
# What the regions name, and how often the training set does. The regions' atoms and compounds are few beside those of a training
# set, so they are looked up the other way round: the seen ones stream past the wanted ones and are never held as a whole.
NAMED = """
    CREATE TEMP TABLE named AS
    WITH wanted AS (SELECT DISTINCT kind, first, second, third FROM parts),
    seen AS (
        SELECT wanted.*, count FROM seen_atoms AS s JOIN wanted ON s.kind = wanted.kind AND atom = first WHERE second = ''
        UNION ALL
        SELECT wanted.*, count FROM seen_compounds AS s
        JOIN wanted ON s.kind = wanted.kind AND s.first = wanted.first AND s.second = wanted.second AND s.third = wanted.third
    )
    SELECT row_number() OVER (ORDER BY kind, first, second, third) AS key, kind, first, second, third, second <> '' AS compound,
        CASE WHEN second = '' THEN first ELSE concat_ws(' | ', first, second, nullif(third, '')) END AS name,
        CASE WHEN count >= $least THEN count ELSE 0 END AS count
    FROM wanted LEFT JOIN seen USING (kind, first, second, third)
"""
KNOWN = """
    CREATE TEMP TABLE known AS
    SELECT DISTINCT region_id, key, compound, count FROM parts JOIN named USING (kind, first, second, third)
"""
SPLITS = """
    CREATE TEMP TABLE splits AS
    WITH unseen AS (
        SELECT region_id, coalesce(list(name ORDER BY key) FILTER (NOT named.compound), []) AS unseen_atoms,
            coalesce(list(name ORDER BY key) FILTER (named.compound), []) AS unseen_compounds
        FROM known JOIN named USING (key) WHERE known.count = 0 GROUP BY region_id
    ), rarest AS (
        SELECT region_id, min(count) AS min_atom_count FROM known WHERE NOT compound GROUP BY region_id
    )
    SELECT region_id, image_id,
        CASE WHEN len(unseen_atoms) > 0 THEN 'UA' WHEN len(unseen_compounds) > 0 THEN 'UC' ELSE 'SC' END AS split,
        (len(attributes) + len(relations))::INTEGER AS n_compounds,
        coalesce(unseen_atoms, []) AS unseen_atoms, coalesce(unseen_compounds, []) AS unseen_compounds, min_atom_count
    FROM regions LEFT JOIN unseen USING (region_id) LEFT JOIN rarest USING (region_id)
"""
# A hard negative is made for regions of one compound (section 4.1), so the tables are given for those too.
FIGURES = """
    SELECT split, count(DISTINCT region_id), count(DISTINCT image_id),
        count(DISTINCT key) FILTER (NOT compound), count(DISTINCT key) FILTER (NOT compound AND count > 0),
        count(DISTINCT key) FILTER (compound), count(DISTINCT key) FILTER (compound AND count > 0)
    FROM splits JOIN known USING (region_id) WHERE n_compounds <= ? GROUP BY split
"""
COLUMNS = ("pairs", "images", "atoms", "atoms_seen", "compounds", "compounds_seen")
PLOT = """
    SELECT split, kind, name AS atom, any_value(named.count) AS training_count, count(*) AS test_count
    FROM splits JOIN known USING (region_id) JOIN named USING (key) WHERE NOT named.compound GROUP BY ALL ORDER BY split, kind, atom
"""


def figures(db: duckdb.DuckDBPyConnection, most_compounds: int) -> dict[str, dict[str, int]]:
    """The figures of each split, of the regions with at most so many compounds; each split is there, if only with zeros."""
    found = {split: numbers for split, *numbers in db.execute(FIGURES, [most_compounds]).fetchall()}
    return {split: dict(zip(COLUMNS, found.get(split, [0] * len(COLUMNS)), strict=True)) for split in ("SC", "UC", "UA")}


def split(db: duckdb.DuckDBPyConnection, regions: Path, atoms: Path, compounds: Path, least: int) -> None:
    """Make the tables ``named``, ``known`` and ``splits`` from the three tables at these paths.

    Args:
        least: how many captions must name what counts as seen.

    Raises:
        InputError: a table is missing, or was made by another version.
    """
    for name, path in (("regions", regions), ("seen_atoms", atoms), ("seen_compounds", compounds)):
        tables.verify(name, path)
        db.read_parquet(str(path)).create_view(name)
    db.execute(PARTS)
    db.execute(NAMED, {"least": least})
    db.execute(KNOWN)
    db.execute(SPLITS)


def main() -> None:
    paths = command.parse(Paths, __doc__)
    running, least = params.load(Run), params.load(Split).min_count
    with scratch(paths.out) as folder, database(running.memory, running.workers, folder) as db:
        split(db, paths.regions, paths.atoms, paths.compounds, least)
        every, one_compound = figures(db, 1 << 30), figures(db, 1)
        with tables.writer("splits", paths.out, tables.lineage({"regions": paths.regions})) as write:
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
