"""Compositional splits (paper, section 3.2): what a training set has seen of a graph. Only this module defines SC, UC and UA.

UA if an atom is unseen, else UC if a compound is unseen, else SC. Graphs are those of regions, or of the queries' truths.
Names are compared without spaces and hyphens: a training set with "cell phone" has seen "cellphone".
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa

from stages.contract import tables
from stages.contract.duck import database
from stages.contract.schemas import TABLES
from stages.graphs.graph import SceneGraph
from stages.parameters.sections import Run

SPLITS = ("SC", "UC", "UA")

# Each atom and compound of a region, at least once.
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
WANTED = "CREATE TEMP TABLE wanted AS SELECT DISTINCT kind, first, second, third FROM parts"
# The training set's spellings of each atom in the regions, with counts: "cell phone", "cellphone", "cell-phone".
ATOMS = """
    CREATE TEMP TABLE atoms AS
    SELECT w.kind, first, coalesce(atom, first) AS spelling, coalesce(count, 0) AS count
    FROM (FROM wanted WHERE second = '') AS w
    LEFT JOIN seen_atoms AS s ON s.kind = w.kind AND translate(atom, ' -', '') = translate(first, ' -', '')
"""
# The spellings of each compound, from those of its atoms.
COMPOUNDS = """
    CREATE TEMP TABLE compounds AS
    SELECT w.*, a.spelling AS seen_first, o.spelling AS seen_second, '' AS seen_third FROM wanted AS w
    JOIN atoms AS a ON a.kind = 'attribute' AND a.first = w.first JOIN atoms AS o ON o.kind = 'object' AND o.first = second
    WHERE w.kind = 'attribute_object'
    UNION ALL
    SELECT w.*, s.spelling, r.spelling, o.spelling FROM wanted AS w
    JOIN atoms AS s ON s.kind = 'object' AND s.first = w.first JOIN atoms AS r ON r.kind = 'relation' AND r.first = second
    JOIN atoms AS o ON o.kind = 'object' AND o.first = third WHERE w.kind = 'object_relation_object'
"""
# The regions' atoms and compounds, with their counts in the training set over all spellings. They are few compared with
# those of a training set, so the lookup is reversed: the seen ones stream past the wanted ones and are never in memory
# as a whole.
NAMED = """
    CREATE TEMP TABLE named AS
    WITH found AS MATERIALIZED (  -- else DuckDB sums what the training set has seen before it looks for what is wanted
        SELECT c.kind, c.first, c.second, c.third, count FROM seen_compounds AS s
        JOIN compounds AS c ON s.kind = c.kind AND s.first = seen_first AND s.second = seen_second AND s.third = seen_third
        UNION ALL
        SELECT kind, first, '', '', count FROM atoms
    ),
    seen AS (SELECT kind, first, second, third, sum(count)::BIGINT AS count FROM found GROUP BY ALL)
    SELECT row_number() OVER (ORDER BY kind, first, second, third) AS key, kind, first, second, third, second <> '' AS compound,
        CASE WHEN second = '' THEN first ELSE concat_ws(' | ', first, second, nullif(third, '')) END AS name,
        coalesce(count, 0) AS count, coalesce(count >= $least, false) AS is_seen
    FROM wanted LEFT JOIN seen USING (kind, first, second, third)
"""
KNOWN = """
    CREATE TEMP TABLE known AS
    SELECT DISTINCT region_id, key, compound, count, is_seen FROM parts JOIN named USING (kind, first, second, third)
"""
SPLIT = """
    CREATE TEMP TABLE splits AS
    WITH unseen AS (
        SELECT region_id, coalesce(list(name ORDER BY key) FILTER (NOT named.compound), []) AS unseen_atoms,
            coalesce(list(name ORDER BY key) FILTER (named.compound), []) AS unseen_compounds
        FROM known JOIN named USING (key) WHERE NOT known.is_seen GROUP BY region_id
    ), rarest AS (
        SELECT region_id, min(count) AS min_atom_count FROM known WHERE NOT compound GROUP BY region_id
    )
    SELECT region_id, image_id,
        CASE WHEN len(unseen_atoms) > 0 THEN 'UA' WHEN len(unseen_compounds) > 0 THEN 'UC' ELSE 'SC' END AS split,
        (len(attributes) + len(relations))::INTEGER AS n_compounds,
        coalesce(unseen_atoms, []) AS unseen_atoms, coalesce(unseen_compounds, []) AS unseen_compounds, min_atom_count
    FROM regions LEFT JOIN unseen USING (region_id) LEFT JOIN rarest USING (region_id)
"""


class Label(NamedTuple):
    """The split of a caption by a training set, SC, UC or UA, and the count of the caption's rarest atom."""

    training_set: str
    split: str
    min_atom_count: int


def split(db: duckdb.DuckDBPyConnection, regions: Path | pa.Table, atoms: Path, compounds: Path, least: int) -> None:
    """Make the tables ``named``, ``known`` and ``splits`` from these three.

    Args:
        least: minimum number of captions with an atom or compound, for it to be seen.

    Raises:
        InputError: a table is missing, or was made by another version.
    """
    for name, table in (("regions", regions), ("seen_atoms", atoms), ("seen_compounds", compounds)):
        _view(db, name, table)
    db.execute(PARTS)
    db.execute(WANTED)
    db.execute(ATOMS)
    db.execute(COMPOUNDS)
    db.execute(NAMED, {"least": least})
    db.execute(KNOWN)
    db.execute(SPLIT)


def seen_atoms(db: duckdb.DuckDBPyConnection, asked: Iterable[tuple[str, str]], atoms: Path, least: int) -> set[tuple[str, str]]:
    """Return the ``asked`` atoms (kind and name) that a training set has seen; parameters and errors as :func:`split`."""
    rows = [{"kind": kind, "first": name, "second": ""} for kind, name in asked]
    db.register(
        "wanted", pa.Table.from_pylist(rows, schema=pa.schema([(name, pa.string()) for name in ("kind", "first", "second")]))
    )
    _view(db, "seen_atoms", atoms)
    db.execute(ATOMS)
    return set(db.execute("SELECT kind, first FROM atoms GROUP BY ALL HAVING sum(count) >= ?", [least]).fetchall())


def _view(db: duckdb.DuckDBPyConnection, name: str, table: Path | pa.Table) -> None:
    if isinstance(table, Path):
        tables.verify(name, table)
        db.read_parquet(str(table)).create_view(name)
    else:
        db.register(name, table)


def of_regions(paths: Iterable[Path]) -> dict[int, list[Label]]:
    """Return the labels of every region of one compound, from the stage ``split``'s tables ``NAME.parquet``."""
    labels: dict[int, list[Label]] = {}
    for path in paths:
        for row in tables.read("splits", path, ["region_id", "split", "n_compounds", "min_atom_count"]):
            if row["n_compounds"] == 1:
                labels.setdefault(row["region_id"], []).append(Label(path.stem, row["split"], row["min_atom_count"]))
    return labels


def of_graphs(
    graphs: Mapping[int, SceneGraph], seen: Iterable[Path], least: int, running: Run, spill: Path
) -> dict[int, list[Label]]:
    """Return the labels of ``graphs``, by their numbers, for every training set.

    Args:
        seen: each training set's folder, with its seen atoms and compounds.
        least: minimum number of captions with an atom or compound, for it to be seen.
        running: section ``run`` of the parameters.
        spill: a folder for data that exceeds the memory.
    """
    columns = [{"region_id": number, **graph.columns()} for number, graph in graphs.items()]
    asked = pa.Table.from_pylist(columns, schema=TABLES["region_facts"].schema)  # whose other columns are empty
    labels: dict[int, list[Label]] = {number: [] for number in graphs}
    for folder in seen:
        with database(running.memory, running.workers, spill) as db:
            split(db, asked, folder / "atoms.parquet", folder / "compounds.parquet", least)
            for number, name, count in db.execute("SELECT region_id, split, min_atom_count FROM splits").fetchall():
                labels[number].append(Label(folder.name, name, count))
    return labels


def groups(labels: Iterable[Label]) -> tuple[str, ...]:
    """Return the groups in which a query is compared: ``cc12m SC``, and so on for every training set."""
    return tuple(f"{label.training_set} {label.split}" for label in labels)
