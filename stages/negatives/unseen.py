"""The fraction of negatives with foils that a training set has not seen."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.contract.duck import database
from stages.graphs.graph import SceneGraph
from stages.negatives.candidate import KINDS
from stages.negatives.splits import seen_atoms
from stages.parameters.sections import Run

Atom = tuple[str, str]
"""An atom's kind and name."""
Query = dict[str, Any]
"""A row of the table ``queries``."""


def unseen(
    sets: Mapping[str, list[Query]], seen: Sequence[Path], least: int, running: Run, spill: Path
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return by SET and training set the fraction of negatives with an unseen foil, which vocabulary alone may reject.

    Queries whose truths have something unseen (UA) are not counted: there a foil may be unseen too. Without queries it is ``None``.

    Args:
        seen: the folders of seen_index.
        least: minimum number of captions that name an atom, for it to be seen.
        running: section ``run`` of the parameters.
        spill: a folder for data that exceeds the memory.
    """
    foils = {
        name: [
            (_atoms(query), named_foils)
            for query in queries
            for negative in query["negatives"]
            if (named_foils := _foils(negative))
        ]
        for name, queries in sets.items()
    }
    asked = {atom for foils_of_set in foils.values() for truth, named in foils_of_set for atom in (*truth, *named)}
    shares: dict[str, dict[str, dict[str, Any]]] = {name: {} for name, foils_of_set in foils.items() if foils_of_set}
    for folder in seen:
        with database(running.memory, running.workers, spill) as db:
            known = seen_atoms(db, asked, folder / "atoms.parquet", least)
        for name, by_set in shares.items():
            foils_of_set = [not known.issuperset(named) for truth, named in foils[name] if known.issuperset(truth)]
            by_set[folder.name] = {
                "share": round(sum(foils_of_set) / len(foils_of_set), 5) if foils_of_set else None,
                "n": len(foils_of_set),
            }
    return shares


def _atoms(query: Query) -> frozenset[Atom]:
    """Return the atoms of a query's truth."""
    return frozenset((atom.kind, atom.text) for atom in SceneGraph.from_columns(query).atoms())


def _foils(negative: Mapping[str, Any]) -> list[Atom]:
    """Return the foils of a negative, each with the kind of the replaced atom; none where no word is replaced."""
    kinds = negative["edit"].split("+")
    foils = (negative["foil"] or "").split(" | ")
    return [*zip(kinds, foils, strict=True)] if all(foils) and len(kinds) == len(foils) and set(kinds) <= set(KINDS) else []
