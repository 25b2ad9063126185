"""CREPE as this pipeline makes it: systematicity and productivity, with hard negatives and RAW (paper, sections 4.1 to 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from stages.contract import tables
from stages.contract.errors import CrepeError, ParameterError
from stages.evaluation.sets import Pair, Query, RetrievalSet, Split, complexity, crop_of
from stages.images.crops import Crop
from stages.parameters.references import no_splits
from stages.parameters.sections import Evaluate, TrainingSets

SETS = {"HN-Atom": "atom", "HN-Comp": "comp", "HN-Swap": "swap", "HN-Neg": "neg"}
COLUMNS = ["protocol", "query_id", "type", *Crop._fields, "n", "truth", "splits"]
COLUMNS += ["attributes.list.element.attribute", "relations.list.element.relation"]
COLUMNS += ["negatives.list.element.caption", "negatives.list.element.edit"]


class Tables(NamedTuple):
    """CREPE's tables as this pipeline makes them."""

    regions: Path
    atom: Path
    comp: Path
    splits: list[Path]
    captions: Path
    prod: Path

    @classmethod
    def of(cls, paths: Any, training_sets: TrainingSets) -> Tables | None:
        """Return the tables at the ``paths`` of their names, where ``splits`` is a folder; ``None`` without paths.

        Raises:
            CrepeError: some are given, but not all.
        """
        given = {name: getattr(paths, name) for name in cls._fields}
        if not any(given.values()):
            return None
        if not all(given.values()):
            raise CrepeError("some of CREPE's tables are not named. Remedy: name all (--help), or none of them.")
        return cls(**given | {"splits": training_sets.tables(paths.splits)})

    def lineage(self, training_sets: Sequence[Path], aro: Path | None = None) -> dict[str, str]:
        """Return the versions that the ranks of these tables are made from, including the captions of the ``training_sets``.

        Args:
            aro: the queries of ``gen_aro``.

        Raises:
            InputError: a table is missing, or they have different versions.
        """
        inputs = {"regions": self.regions, "queries of HN-Atom": self.atom, "queries of HN-Comp": self.comp}
        inputs |= {"captions": self.captions, "queries of productivity": self.prod}
        inputs |= {f"splits of {path.stem}": path for path in self.splits} | ({"queries of ARO": aro} if aro else {})
        return tables.lineage(inputs | {f"captions of {folder.name}": folder / "graphs.parquet" for folder in training_sets})


def read_splits(paths: Sequence[Path]) -> dict[str, dict[int, Split]]:
    """Return the splits of every training set, from its table ``NAME.parquet``."""
    columns = ["region_id", "split", "min_atom_count"]
    return {
        path.stem: {row["region_id"]: Split(row["split"], row["min_atom_count"]) for row in tables.read("splits", path, columns)}
        for path in paths
    }


def image_sizes(regions: Path) -> dict[int, tuple[int, int]]:
    """Return width and height of each image with a region that is fit to be a query, as annotated, in pixels."""
    columns = ["image_id", "image_width", "image_height"]
    return {row["image_id"]: (row["image_width"], row["image_height"]) for row in tables.read("regions", regions, columns)}


def judged_by(settings: Evaluate, trained_on: str | None, known: Sequence[str]) -> str | None:
    """Return the training set whose splits systematicity uses; ``None`` to leave it out.

    Args:
        known: training sets with splits.

    Raises:
        ParameterError: it has no splits: another training set has seen other compounds.
    """
    asked = settings.training_set
    training_set = {"none": None, "own": trained_on}.get(asked, asked)
    if asked == "none" or training_set in known:
        return training_set
    raise ParameterError(*no_splits(settings, trained_on, known))


def systematicity(atom: Path, comp: Path) -> Iterator[RetrievalSet]:
    """Yield the sets ``atom`` (5 captions), ``comp`` (7) and, for queries with both, ``both`` (11), by protocol."""
    yield from _suite("sys", [*_rows(atom), *_rows(comp)], ("HN-Atom", "HN-Comp"), "both")


def productivity(queries: Path) -> Iterator[RetrievalSet]:
    """Yield the sets ``atom``, ``swap`` and ``neg`` (6 captions), and ``all`` (16) for queries with all three, by protocol."""
    yield from _suite("prod", list(_rows(queries)), ("HN-Atom", "HN-Swap", "HN-Neg"), "all")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return tables.read("queries", path, COLUMNS)


def _suite(suite: str, rows: list[dict[str, Any]], types: tuple[str, ...], together: str) -> Iterator[RetrievalSet]:
    rows.sort(key=lambda row: (row["protocol"], row["query_id"], row["type"]))
    for _, group in groupby(rows, key=lambda row: (row["protocol"], row["query_id"])):
        by_type = {row["type"]: row for row in group}
        yield from (_set(suite, SETS[name], [row]) for name, row in by_type.items())
        # Another truth (such as a caption with a negation) would give a set two truths.
        if set(types) <= by_type.keys() and len({by_type[name]["truth"] for name in types}) == 1:
            yield _set(suite, together, [by_type[name] for name in types])


def _query(suite: str, row: Mapping[str, Any]) -> Query:
    if suite == "prod":
        return Query(row["query_id"], crop_of(row), n=row["n"])
    kinds = ["attribute_object"] * len(row["attributes"]) + ["object_relation_object"] * len(row["relations"])
    splits = {label["training_set"]: Split(label["split"], label["min_atom_count"]) for label in row["splits"]}
    return Query(row["query_id"], crop_of(row), None, " ".join(kinds), splits)


def _set(suite: str, name: str, rows: Sequence[Mapping[str, Any]]) -> RetrievalSet:
    negatives = [negative for row in rows for negative in row["negatives"]]
    captions, edits = (tuple(negative[column] for negative in negatives) for column in ("caption", "edit"))
    query = _query(suite, rows[0])
    return RetrievalSet(suite, name, query, rows[0]["truth"], captions, edits, protocol=rows[0]["protocol"])


def raw_systematicity(regions: Path, split: Mapping[int, Split]) -> Iterator[Pair]:
    """Yield every region with its caption, by split."""
    for row in tables.read("regions", regions, ["region_id", *Crop._fields, "caption"]):
        if row["region_id"] in split:
            yield Pair(split[row["region_id"]].name, f"region-{row['region_id']}", crop_of(row), row["caption"])


def raw_productivity(captions: Path) -> Iterator[Pair]:
    """Yield every subgraph's crop with its caption, by complexity."""
    for row in tables.read("captions", captions, ["subgraph_id", *Crop._fields, "n", "caption"]):
        yield Pair(complexity(row["n"]), f"walk-{row['subgraph_id']}", crop_of(row), row["caption"])
