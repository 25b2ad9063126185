"""Sum the counts of every atom and compound that a training set has seen (paper, section 4.1).

Reads ``occurrences``, which has a key once for every shard with it. Writes ``seen_atoms`` and ``seen_compounds``, a row a
key, in the order of their keys. DuckDB computes the sums within the memory that the parameters allow.
"""

from pathlib import Path
from typing import NamedTuple

from stages.console import command
from stages.contract import tables
from stages.contract.duck import database, stream
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.ledger import Ledger
from stages.parameters import params
from stages.parameters.sections import Run


class Paths(NamedTuple):
    """The command line."""

    occurrences: Path
    atoms: command.Output
    compounds: command.Output
    metrics: command.Output


# A query for each kind: its keys are grouped and sorted by as many columns as it has, which halves the work.
SUMS = """
    SELECT $kind AS kind, {columns}, sum(count)::BIGINT AS count FROM read_parquet($path)
    WHERE kind = $kind GROUP BY {keys} ORDER BY {keys}
"""
ATOM = SUMS.format(columns="first AS atom", keys="first")
PAIR = SUMS.format(columns="first, second, '' AS third", keys="first, second")
TRIPLE = SUMS.format(columns="first, second, third", keys="first, second, third")
ATOMS = {"attribute": ATOM, "object": ATOM, "relation": ATOM}
COMPOUNDS = {"attribute_object": PAIR, "object_relation_object": TRIPLE}


def seen_index(occurrences: Path, atoms: Path, compounds: Path, running: Run) -> tuple[Ledger, dict[str, int]]:
    """Write the two tables of what captions name; ``split`` decides how often a thing must be named to count as seen.

    Returns:
        The ledger of the distinct atoms and compounds, and how many of each kind were kept.

    Raises:
        InputError: ``occurrences`` is missing or not such a table.
    """
    tables.verify("occurrences", occurrences)
    ledger, kinds = Ledger("atoms and compounds"), {}
    with scratch(atoms) as spill, database(running.memory, running.workers, spill) as connection:
        for name, path, queries in (("seen_atoms", atoms, ATOMS), ("seen_compounds", compounds, COMPOUNDS)):
            with tables.writer(name, path) as write:
                for kind, query in queries.items():
                    before = ledger.kept
                    for sums in stream(connection, query, {"kind": kind, "path": str(occurrences)}):
                        write(sums)
                        ledger.read(len(sums))
                        ledger.keep(len(sums))
                    kinds[kind] = ledger.kept - before
    return ledger, kinds


def main() -> None:
    paths = command.parse(Paths, __doc__)
    ledger, kinds = seen_index(paths.occurrences, paths.atoms, paths.compounds, params.load(Run))
    ledger.write(paths.metrics, kinds=kinds)
    print(f"seen_index: {ledger}")


if __name__ == "__main__":
    run(main)
