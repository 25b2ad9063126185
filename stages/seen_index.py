"""Sums the counts of every atom and compound that a training set has seen (paper, section 4.1).

Reads ``occurrences``, where a key comes once for every shard that has it. Writes ``seen_atoms`` and ``seen_compounds``, a row a
key, in the order of their keys. DuckDB does the sums within the memory that the parameters allow.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from stages.contract import params, tables
from stages.contract.duck import database, stream
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.ledger import Ledger

ATOMS = """
    SELECT kind, first AS atom, sum(count)::BIGINT AS count FROM read_parquet(?)
    WHERE kind IN ('object', 'attribute', 'relation') GROUP BY ALL ORDER BY kind, atom
"""
COMPOUNDS = """
    SELECT kind, first, second, third, sum(count)::BIGINT AS count FROM read_parquet(?)
    WHERE kind IN ('attribute_object', 'object_relation_object') GROUP BY ALL ORDER BY kind, first, second, third
"""


def seen_index(
    occurrences: Path, atoms: Path, compounds: Path, min_count: int, running: dict[str, Any]
) -> tuple[Ledger, Counter[str]]:
    """Write the two tables of what at least ``min_count`` captions name.

    Returns:
        The ledger of the distinct atoms and compounds, and how many of each kind were kept.

    Raises:
        InputError: ``occurrences`` is missing or no such table.
    """
    tables.check("occurrences", occurrences).close()
    ledger, kinds = Ledger("atoms and compounds"), Counter[str]()
    with scratch(atoms) as spill, database(running["memory"], running["workers"], spill) as connection:
        for name, path, query in (("seen_atoms", atoms, ATOMS), ("seen_compounds", compounds, COMPOUNDS)):
            with tables.writer(name, path) as write:
                for sums in stream(connection, query, [str(occurrences)]):
                    seen = sums.filter(pc.greater_equal(sums["count"], min_count))
                    write(seen)
                    ledger.read(len(sums))
                    ledger.keep(len(seen))
                    if len(seen) < len(sums):
                        ledger.drop("too_rare", len(sums) - len(seen))
                    kinds.update({entry["values"]: entry["counts"] for entry in seen["kind"].value_counts().to_pylist()})
    return ledger, kinds


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    for name in ("occurrences", "atoms", "compounds", "metrics"):
        arguments.add_argument(f"--{name}", type=Path, required=True)
    paths = arguments.parse_args()
    min_count = params.load("seen_index")["min_count"]
    ledger, kinds = seen_index(paths.occurrences, paths.atoms, paths.compounds, min_count, params.load("run"))
    ledger.write(paths.metrics, kinds=kinds)
    print(f"seen_index: {ledger}")


if __name__ == "__main__":
    run(main)
