"""``python -m tests.definitions DATA``: check that negatives are what the paper defines.

DATA is the pipeline's data folder (``data``). Only tables are read; the rules (:mod:`tests.definition_rules`) share no code with
the stages. Each negative is checked by its graph, independently by its words, and by its spans. Each set is checked by its
complexity n and its labels SC, UC and UA (from ``seen_index``; ``--min-count`` as ``split.min_count``).

It prints the violations by protocol and type, with up to three examples each; the exit status is 1 if there are any. The last line
is JSON, ``{"paper": {"HN-Atom": [violations, negatives], …}, "cleared": {…}}``. Tables without a column ``protocol`` are one
protocol, "balanced", with the HN-Neg rules of ``cleared``.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tests import definition_rules as rules
from tests.definition_rules import Graph, Named, Seen

STAGES = ("gen_hn_atom", "gen_hn_comp", "gen_hn_prod")
UNNAMED = "balanced"
EXAMPLES = 3
Query = dict[str, Any]


@dataclass
class Found:
    """Numbers of checks and violations, with examples, by protocol and rule."""

    checked: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    wrong: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    examples: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, query: Query, rule: str, faults: Iterable[str], text: str | None = None) -> None:
        """Count one negative or set, with its faults."""
        place, faults = (query["protocol"], rule), list(faults)
        self.checked[place] += 1
        if faults:
            self.wrong[place] += 1
            if len(self.examples[place]) < EXAMPLES:
                said = "" if text is None else f"\n      negative: {text}"
                self.examples[place].append(f"{query['query_id']}: {'; '.join(faults)}\n      truth:    {query['truth']}{said}")

    def json(self) -> dict[str, dict[str, list[int]]]:
        """Return [violations, checked] by protocol and rule."""
        said: dict[str, dict[str, list[int]]] = defaultdict(dict)
        for protocol, rule in sorted(self.checked):
            said[protocol][rule] = [self.wrong[protocol, rule], self.checked[protocol, rule]]
        return dict(said)


# --- Tables ----


def queries(data: Path) -> Iterator[Query]:
    """Yield all retrieval sets of the three stages, each with its protocol."""
    for stage in STAGES:
        path = data / stage / "queries.parquet"
        if path.is_file():
            for batch in pq.ParquetFile(path).iter_batches(batch_size=1000):
                yield from ({"protocol": UNNAMED, **row} for row in batch.to_pylist())


def named(data: Path) -> dict[int, Named]:
    """Return the annotated names by image: objects with their aliases, and the objects of described regions."""
    found: dict[int, Named] = defaultdict(Named)
    for row in _rows(data / "scene_graphs" / "scene_graphs.parquet", ["image_id", "objects", "boxes", "aliases"]):
        for name, box, aliases in zip(row["objects"], row["boxes"], row["aliases"], strict=True):
            found[row["image_id"]].things += [(text, _box(box)) for text in (name, *aliases)]
    for row in _rows(data / "filter_vg" / "facts.parquet", ["image_id", "box", "objects"]):
        found[row["image_id"]].things += [(name, _box(row["box"])) for name in row["objects"]]
    return found


def _box(row: dict[str, int]) -> tuple[float, float, float, float]:
    return row["x"], row["y"], row["width"], row["height"]


def compounds(data: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the id of each query about a region with exactly one compound, with this compound, which is the labelled one."""
    for row in _rows(data / "filter_vg" / "regions.parquet", ["region_id", "objects", "attributes", "relations"]):
        own = Graph.of(row).compounds()
        if len(own) == 1:
            yield f"region-{row['region_id']}", own[0]


def seen(data: Path, asked: list[Query]) -> dict[str, Seen]:
    """Return, by training set, the counts of the atoms and compounds in the ``asked`` truths."""
    names = sorted({label["training_set"] for query in asked for label in query["splits"]})
    graphs = [Graph.of(query) for query in asked if query["splits"]]
    atoms = {(kind, rules.squeezed(text)) for graph in graphs for kind, text in graph.atoms()}
    compounds = {tuple(map(rules.squeezed, compound)) for graph in graphs for compound in graph.compounds()}
    found = {}
    for name in names:
        own = Seen(defaultdict(int), defaultdict(int))
        for row in _rows(data / "seen_index" / name / "atoms.parquet"):
            if (place := (row["kind"], rules.squeezed(row["atom"]))) in atoms:
                own.atoms[place] += row["count"]
        for row in _rows(data / "seen_index" / name / "compounds.parquet"):
            parts = tuple(rules.squeezed(row[part]) for part in ("first", "second", "third") if row[part])
            if parts in compounds:
                own.compounds[parts] += row["count"]
        found[name] = own
    return found


def _rows(path: Path, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    for batch in pq.ParquetFile(path).iter_batches(batch_size=50_000, columns=columns):
        yield from batch.to_pylist()


# --- Checks ----


def check(query: Query, found: Found, known: dict[int, Named], compound: tuple[str, ...] | None) -> None:
    """Check the negatives of one set by the rules of their type."""
    kind, protocol, negatives = query["type"], query["protocol"], query["negatives"]
    faults: list[list[str]] = [[] for _ in negatives]
    if kind == "HN-Atom":
        faults = [list(rules.hn_atom(query, negative)) for negative in negatives]
    elif kind == "HN-Swap":
        faults = [list(rules.hn_swap(query, negative)) for negative in negatives]
    elif kind == "HN-Comp":
        faults = rules.hn_comp(query, negatives, compound)
    elif kind == "HN-Neg" and protocol == "paper":
        faults = [list(rules.hn_neg_paper(query, negative)) for negative in negatives]
    elif kind == "HN-Neg":
        for number, fault in rules.hn_neg_cleared(query, known[query["image_id"]]):
            for own in faults if number is None else [faults[number]]:
                own.append(fault)
    else:
        return
    for negative, own in zip(negatives, faults, strict=True):
        found.add(query, kind, own, negative["caption"])
        found.add(query, "spans", rules.spans(query, negative), negative["caption"])


def check_all(data: Path, least: int) -> Found:
    """Check every set of a data folder; ``least`` is the number of captions that must mention what counts as seen."""
    asked = list(queries(data))
    if not asked:
        raise SystemExit(
            f"error: {data} has no queries.parquet of {', '.join(STAGES)}. Remedy: run dvc repro, or name its data folder."
        )
    known, counts = named(data), seen(data, asked)
    labelled = dict(compounds(data))
    found = Found()
    for query in asked:
        check(query, found, known, labelled.get(query["query_id"]))
        found.add(query, "n", rules.complexity(query))
        if query["splits"]:
            found.add(query, "labels", rules.labels(query, counts, least))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("--min-count", type=int, default=1)
    arguments = parser.parse_args()
    found = check_all(arguments.data, arguments.min_count)
    for (protocol, rule), checked in sorted(found.checked.items()):
        print(f"{protocol} {rule}: {found.wrong[protocol, rule]:,} violations in {checked:,}")
        for example in found.examples[protocol, rule]:
            print(f"    {example}")
    print(json.dumps(found.json()))
    sys.exit(any(found.wrong.values()))


if __name__ == "__main__":
    main()
