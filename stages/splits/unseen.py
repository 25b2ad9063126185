"""Whether a training set has seen the words that negatives put in the place of others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.database.duck import database
from stages.parameters.sections import Run
from stages.splits.splits import seen_atoms

KINDS = {"object", "attribute", "relation"}
Atom = tuple[str, str]
"""Its kind and its name."""
Query = dict[str, Any]
"""A row of the table ``queries``."""


def unseen(
    sets: Mapping[str, list[Query]], seen: Sequence[Path], least: int, running: Run, spill: Path
) -> dict[str, dict[str, dict[str, Any]]]:
    """By SET and training set the share of negatives with an unseen foil: to know them may take the vocabulary alone.

    Of the queries whose truths name something unseen (UA) none are counted: there a foil may, too. The share of none is ``None``.

    Args:
        seen: the folders of seen_index.
        least: captions that must name an atom, so that it is seen.
        running: section ``run`` of the parameters.
        spill: a folder for what does not fit into the memory.
    """
    foils = {
        name: [(_atoms(query), of) for query in queries for negative in query["negatives"] if (of := _foils(negative))]
        for name, queries in sets.items()
    }
    asked = {atom for own in foils.values() for truth, named in own for atom in (*truth, *named)}
    shares: dict[str, dict[str, dict[str, Any]]] = {name: {} for name, own in foils.items() if own}
    for folder in seen:
        with database(running.memory, running.workers, spill) as db:
            known = seen_atoms(db, asked, folder / "atoms.parquet", least)
        for name, by_set in shares.items():
            own = [not known.issuperset(named) for truth, named in foils[name] if known.issuperset(truth)]
            by_set[folder.name] = {"share": round(sum(own) / len(own), 5) if own else None, "n": len(own)}
    return shares


def _atoms(query: Query) -> frozenset[Atom]:
    """What a query's truth names."""
    said = {"object": query["objects"]}
    said |= {kind: [one[kind] for one in query[f"{kind}s"]] for kind in ("attribute", "relation")}
    return frozenset((kind, name) for kind, names in said.items() for name in names)


def _foils(negative: Mapping[str, Any]) -> list[Atom]:
    """The foils of a negative, each with the kind of what it replaces; none where nothing is replaced by a word."""
    kinds = negative["edit"].split("+")
    foils = (negative["foil"] or "").split(" | ")
    return [*zip(kinds, foils, strict=True)] if all(foils) and len(kinds) == len(foils) and KINDS.issuperset(kinds) else []
