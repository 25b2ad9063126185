"""Whether a training set has seen the words that negatives put in the place of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.contract import tables

KINDS = {"object", "attribute", "relation"}
Query = dict[str, Any]
"""A row of the table ``queries``."""


def unseen(sets: Mapping[str, list[Query]], seen: Sequence[Path], least: int) -> dict[str, dict[str, dict[str, Any]]]:
    """By SET and training set the share of negatives with an unseen foil: to know them may take the vocabulary alone.

    Args:
        seen: the folders of seen_index.
        least: captions that must name an atom, so that it is seen.
    """
    foils = {name: [_foils(n) for query in queries for n in query["negatives"] if n["foil"]] for name, queries in sets.items()}
    asked = pa.array(sorted({foil for own in foils.values() for named in own for _, foil in named}), pa.string())
    shares: dict[str, dict[str, dict[str, Any]]] = {name: {} for name, own in foils.items() if any(own)}
    for folder in seen:
        known: set[tuple[str, str]] = set()
        for batch in tables.batches("seen_atoms", folder / "atoms.parquet"):
            here = batch.filter(pc.and_(pc.is_in(batch["atom"], asked), pc.greater_equal(batch["count"], least)))
            known.update(zip(here["kind"].to_pylist(), here["atom"].to_pylist(), strict=True))
        for name, by_set in shares.items():
            own = [not known.issuperset(named) for named in foils[name] if named]
            by_set[folder.name] = {"share": round(sum(own) / len(own), 5), "n": len(own)}
    return shares


def _foils(negative: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The kinds of the atoms that a negative replaces, and their foils; none where nothing is replaced by a word."""
    kinds, foils = negative["edit"].split("+"), negative["foil"].split(" | ")
    return [*zip(kinds, foils, strict=True)] if len(kinds) == len(foils) and KINDS.issuperset(kinds) else []
