"""What the queries of HN-Atom name, and how much of it each training set has seen (paper, Table 8 and Figure 12).

Counted over the queries that models are tested on: regions without negatives are not included.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stages.contract import tables
from stages.contract.errors import InputError
from stages.graphs.graph import Compound, SceneGraph
from stages.page.display_names import SPLITS

AtomCounts = dict[str, list[tuple[int, int]]]
"""By split, for each atom how often training captions name it, and the number of queries."""
TrainingCounts = Mapping[tuple[str, str], int]
"""By kind and atom, how often training captions name it."""
COLUMNS = ["protocol", "image_id", "objects", "attributes", "relations", "splits"]


class Named(NamedTuple):
    """What a query's caption names, each thing once; it has one compound."""

    protocol: str
    image_id: int
    splits: Mapping[str, str]
    """SC, UC or UA by training set."""
    atoms: frozenset[tuple[str, str]]
    compounds: frozenset[Compound]


def read(queries: Path) -> list[Named]:
    """Return the queries of both protocols in the table ``queries`` of HN-Atom."""
    return [
        Named(
            row["protocol"],
            row["image_id"],
            {label["training_set"]: label["split"] for label in row["splits"]},
            frozenset((atom.kind, atom.text) for atom in graph.atoms()),
            frozenset(graph.compounds()),
        )
        for row in tables.read("queries", queries, COLUMNS)
        for graph in [SceneGraph.from_columns(row)]
    ]


def read_training_counts(path: Path, queries: Iterable[Named]) -> dict[tuple[str, str], int]:
    """Return how often a training set names each atom of the queries, as ``split`` wrote it.

    Raises:
        InputError: there is no such file, or it was made from other regions than the queries.
    """
    if not path.is_file():
        raise InputError(path, "there is no such file; it has the counts of the queries' atoms", "run dvc repro")
    with path.open(newline="", encoding="utf-8") as file:
        counts = {(row["kind"], row["atom"]): int(row["training_count"]) for row in csv.DictReader(file)}
    if unknown := min((atom for query in queries for atom in query.atoms - counts.keys()), default=None):
        raise InputError(path, f"does not have the {unknown[0]} {unknown[1]!r}, which a query names", "run dvc repro")
    return counts


def atom_counts(queries: Sequence[Named], training_set: str, counts: TrainingCounts) -> AtomCounts:
    """Return how often training captions name the atoms, by split, in the paper's order (Figure 12)."""
    by_split: AtomCounts = {}
    for split, names in _by_split(queries, training_set).items():
        named = Counter(atom for query in names for atom in query.atoms)
        by_split[split] = [(counts[atom], named[atom]) for atom in sorted(named)]
    return by_split


def table(queries: Sequence[Named], training_set: str, counts: TrainingCounts, least: int) -> dict[str, dict[str, int]]:
    """Return by split the numbers of queries, images, atoms and compounds, and of those seen in training (Table 8).

    An atom is seen if at least ``least`` captions name it.
    """
    by_split: dict[str, dict[str, int]] = {}
    for split, names in _by_split(queries, training_set).items():
        atoms = frozenset[tuple[str, str]]().union(*(query.atoms for query in names))
        compounds = len(frozenset[Compound]().union(*(query.compounds for query in names)))
        by_split[split] = {
            "queries": len(names),
            "images": len({query.image_id for query in names}),
            "atoms": len(atoms),
            "atoms_seen": sum(counts[atom] >= least for atom in atoms),
            "compounds": compounds,
            # A query's only compound is seen exactly where the query is SC.
            "compounds_seen": compounds if split == "SC" else 0,
        }
    return by_split


def _by_split(queries: Sequence[Named], training_set: str) -> dict[str, list[Named]]:
    by_split = {split: [query for query in queries if query.splits.get(training_set) == split] for split in SPLITS}
    return {split: names for split, names in by_split.items() if names}
