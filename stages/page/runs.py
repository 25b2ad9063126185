"""Evaluated runs from git's and DVC's history: the workspace, a revision, or an experiment."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stages.contract import tables
from stages.contract.errors import CrepeError, InputError
from stages.evaluation import metrics as metrics_file
from stages.evaluation.ranks import Ranks
from stages.evaluation.summary import ON_CLEARED
from stages.page.display_names import SPLITS, all_sets, in_order, is_complexity

WORKSPACE = "workspace"
MAKE = "run dvc repro, which makes it"
CAPTIONS = ["truth", "negatives", "scores"]
COLUMNS = ["protocol", "suite", "set", "query_id", "cluster", "split", "rank", "ties", *CAPTIONS]


@dataclass(frozen=True)
class Run:
    """A run's retrieval sets: one entry each in all arrays."""

    name: str
    model: str
    trained_on: str | None
    judged_by: str | None
    """The training set whose seen and unseen compounds ``split`` uses."""
    protocol: np.ndarray
    """``paper`` or ``cleared``; empty for suites without protocols."""
    suite: np.ndarray
    set: np.ndarray
    query: np.ndarray
    cluster: np.ndarray
    """The number of each set's cluster (:func:`stages.evaluation.cases.clusters`)."""
    split: np.ndarray
    ranks: Ranks
    captions: pa.Table
    """The captions that each set ranks, and their scores: the columns :data:`CAPTIONS`."""
    metrics: Mapping[str, Any] = field(default_factory=dict)
    """All figures, as ``metrics/evaluate.json`` has them."""

    @property
    def raw(self) -> Mapping[str, Any]:
        """Return the RAW sets' figures, by suite and group."""
        return self.metrics.get("raw") or {}

    def label(self, compared: Sequence[Run]) -> str:
        """Return the model's name, with the run's where another one of ``compared`` has the same model."""
        return self.model if sum(other.model == self.model for other in compared) == 1 else f"{self.model} ({self.name})"

    def where(self, protocol: str, suite: str, name: str, split: str = "") -> np.ndarray:
        """Return a mask of the retrieval sets of one kind: all, or those of one split."""
        mask = (self.protocol == protocol) & (self.suite == suite) & (self.set == name)
        return mask & (self.split == split) if split else mask

    def right(self, which: np.ndarray) -> np.ndarray:
        """Return the probability that the truth comes first, for each retrieval set of ``which``, a mask or indices."""
        return self.ranks.take(which).recall(1)


def groups(compared: Sequence[Run], suite: str) -> list[str]:
    """Return the splits of the runs' sets of systematicity, ``sys``, or the complexities of those of productivity."""
    found = {group for one in compared for of in all_sets(one.metrics) if of.suite == suite for group in of.figures}
    return in_order(group for group in found if (group in SPLITS if suite == "sys" else is_complexity(group)))


def ids(one: Run) -> dict[str, str]:
    """Return the id of each protocol's and type's sets, by their names in ``metrics/summary.json`` (``sets``)."""
    sets = [found for found in all_sets(one.metrics) if found.protocol != ON_CLEARED and "id" in found.figures]
    return {".".join(filter(None, found.key)): found.figures["id"] for found in sets}


def common(first: Run, second: Run, first_mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return indices into ``first`` and ``second`` of the same retrieval sets, for those of ``first_mask`` that both runs have.

    A query with another truth or other negatives, because of other parameters, does not count as the same.
    """
    places = {key: i for i, key in enumerate(zip(second.protocol, second.suite, second.set, second.query, strict=True))}
    pairs = [
        (int(i), places[key])
        for i in np.flatnonzero(first_mask)
        if (key := (first.protocol[i], first.suite[i], first.set[i], first.query[i])) in places
    ]
    here, there = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    asked = zip(first.captions.take(here).to_pylist(), second.captions.take(there).to_pylist(), strict=True)
    same = [a["truth"] == b["truth"] and sorted(a["negatives"]) == sorted(b["negatives"]) for a, b in asked]
    return here[same], there[same]


def read(name: str, repo: Path, ranks: str, metrics: str) -> Run:
    """Return the run ``name`` of the repository at ``repo``: ``workspace``, a git revision, or a DVC experiment.

    Args:
        ranks, metrics: paths of the table of ranks and of the metrics, from the repository's root.

    Raises:
        CrepeError: there is no such revision, or its data is neither in DVC's cache nor in its remote.
        InputError: it has no ranks, or they have another version.
    """
    if name == WORKSPACE:
        return _run(name, repo / ranks, metrics_file.read(repo / metrics, MAKE))
    import dvc.api
    from dvc.exceptions import DvcException
    from dvc.scm import SCMError

    try:
        files = dvc.api.DVCFileSystem(str(repo), rev=name)
        with TemporaryDirectory() as folder:
            table = Path(folder) / "ranks.parquet"
            files.get_file(ranks, str(table))
            return _run(name, table, metrics_file.parse(files.read_text(metrics), f"{name}:{metrics}", MAKE))
    except FileNotFoundError:
        if (repo / ranks).is_file() and _same_making(files, repo):
            note = f"note: {name} has a table of another machine; the workspace's, made from the same inputs, is used instead"
            print(note, file=sys.stderr)
            return _run(name, repo / ranks, metrics_file.read(repo / metrics, MAKE))
        remedy = (
            "run dvc pull if a remote has it; where it was made on another machine, whose weights differ, make it here: "
            "check it out, run dvc repro, commit dvc.lock and metrics, and name that commit "
            "(it stays in the workspace if experiments are run with dvc exp run --temp)"
        )
        raise InputError(f"{name}:{ranks}", "is not in DVC's cache", remedy) from None
    except SCMError as error:
        remedy = "Remedy: name the workspace, a git revision, or an experiment that `dvc exp list` shows."
        raise CrepeError(f"there is no run {name}: {error}. {remedy}") from None
    except DvcException as error:
        raise CrepeError(f"run {name}: {error}. Remedy: run dvc pull or dvc exp pull.") from None


def _same_making(files: Any, repo: Path) -> bool:
    """Return whether the workspace has the code and the parameters of a revision, so that only the machine can differ."""
    paths = [path.lstrip("/") for path in ("dvc.yaml", "params.yaml", *(files.find("stages") if files.exists("stages") else ()))]
    return all((repo / path).is_file() and (repo / path).read_bytes() == files.read_bytes(path) for path in paths)


def _run(name: str, path: Path, metrics: dict[str, Any]) -> Run:
    table = tables.read_arrow("ranks", path, COLUMNS)

    def column(key: str, null: Any = None) -> np.ndarray:
        values = table[key] if null is None else table[key].fill_null(null)
        return values.to_numpy(zero_copy_only=False)

    ties = column("ties").astype(np.int64)
    size = 1 + pc.list_value_length(table["negatives"]).to_numpy(zero_copy_only=False).astype(np.int64)
    # The expected rank is 1 + above + ties / 2.
    above = np.rint(column("rank") - 1 - ties / 2).astype(np.int64)
    model, ranks = metrics["model"], Ranks(above, ties, size)
    return Run(
        name=name,
        model=model["name"],
        trained_on=model["trained_on"],
        judged_by=metrics["judged_by"],
        protocol=column("protocol", ""),
        suite=column("suite"),
        set=column("set"),
        query=column("query_id"),
        cluster=column("cluster"),
        split=column("split", ""),
        ranks=ranks,
        metrics=metrics,
        captions=table.select(CAPTIONS),
    )
