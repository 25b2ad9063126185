"""The official CREPE release as a suite: ``official_prod`` by complexity, ``official_sys`` by split."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from stages.evaluation.sets import Query, RetrievalSet, Split
from stages.suites import release
from stages.suites.release import OfficialRow
from stages.suites.suite_files import Images

TOGETHER = {"prod": ("all", ("atom", "swap", "neg")), "sys": ("both", ("atom", "comp"))}


def sets(folder: Path, _images: Images | None = None) -> Iterator[RetrievalSet]:
    """Yield one retrieval set for each row and type, and one of all types where a crop and its caption have them all."""
    negatives: dict[str, dict[str, list[str]]] = {}
    queries: dict[str, tuple[Query, str, str]] = {}
    sources: dict[tuple[str, str], tuple[str, str]] = {}
    for row in release.read(folder):
        # A few rows appear twice; both are evaluated, as in the official script.
        names = (_name(row) if number == 1 else f"{_name(row)}-{number}" for number in count(1))
        name = next(name for name in names if not row.negatives.keys() & negatives.get(name, {}).keys())
        splits = {row.training_set: Split(row.split)} if row.training_set and row.split else {}
        queries[name] = (Query(name, row.crop, n=row.n, splits=splits), row.caption, row.suite)
        negatives.setdefault(name, {}).update(row.negatives)
        sources.update({(name, kind): row.source for kind in row.negatives})
    for name, (query, caption, suite) in queries.items():
        of_all, types = TOGETHER[suite]
        for kind, captions in negatives[name].items():
            if captions:
                yield replace(_set(suite, kind, query, caption, captions), source=sources[name, kind])
        if all(negatives[name].get(kind) for kind in types):
            yield _set(suite, of_all, query, caption, [text for kind in types for text in negatives[name][kind]])


def _set(suite: str, name: str, query: Query, caption: str, captions: list[str]) -> RetrievalSet:
    return RetrievalSet(f"official_{suite}", name, query, caption, tuple(captions), ("",) * len(captions))


def _name(row: OfficialRow) -> str:
    """Return a common name for the rows of several files with the same crop and caption."""
    content = hashlib.blake2b(repr((row.crop, row.caption)).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    if row.suite == "prod":
        return f"official-{row.crop.image_id}-{row.n}-{content}"
    return f"official-{row.training_set}-{row.region}-{content}"
