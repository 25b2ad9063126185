"""Whether a training set has seen the words that negatives put in the place of others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.database.duck import database
from stages.parameters.sections import Run
from stages.splits.splits import seen_atoms

KINDS = {"object", "attribute", "relation"}
Query = dict[str, Any]
"""A row of the table ``queries``."""


def unseen(
    sets: Mapping[str, list[Query]], seen: Sequence[Path], least: int, running: Run, spill: Path
) -> dict[str, dict[str, dict[str, Any]]]:
    """By SET and training set the share of negatives with an unseen foil: to know them may take the vocabulary alone.

    Of the queries whose truths name something unseen (UA) none are counted: there a foil may, too.

    Args:
        seen: the folders of seen_index.
        least: captions that must name an atom, so that it is seen.
        running: section ``run`` of the parameters.
        spill: a folder for what does not fit into the memory.
    """
    foils = {
        name: [(_novel(query), _foils(n)) for query in queries for n in query["negatives"] if n["foil"]]
        for name, queries in sets.items()
    }
    asked = {foil for own in foils.values() for _, named in own for foil in named}
    shares: dict[str, dict[str, dict[str, Any]]] = {name: {} for name, own in foils.items() if any(own)}
    for folder in seen:
        with database(running.memory, running.workers, spill) as db:
            known = seen_atoms(db, asked, folder / "atoms.parquet", least)
        for name, by_set in shares.items():
            own = [not known.issuperset(named) for novel, named in foils[name] if named and folder.name not in novel]
            by_set[folder.name] = {"share": round(sum(own) / max(len(own), 1), 5), "n": len(own)}
    return shares


def _novel(query: Query) -> set[str]:
    """The training sets that have not seen all that a query's truth names."""
    return {label["training_set"] for label in query["splits"] if label["split"] == "UA"}


def _foils(negative: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The kinds of the atoms that a negative replaces, and their foils; none where nothing is replaced by a word."""
    kinds, foils = negative["edit"].split("+"), negative["foil"].split(" | ")
    return [*zip(kinds, foils, strict=True)] if len(kinds) == len(foils) and KINDS.issuperset(kinds) else []
