"""Parsing a training set's distinct captions, shard by shard; finished shards stay in the work folder.

Parsing a shard is a plain function of a small task, so that it runs in this process, in others, or on other machines.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from threadpoolctl import threadpool_limits

from stages.console.progress import progress_bar
from stages.contract import patches, tables
from stages.contract.files import complete
from stages.contract.resume import load_done, mark_done
from stages.contract.schemas import ATTRIBUTE, RELATION, TABLES
from stages.contract.workers import at_most, each
from stages.graphs.graph import SceneGraph
from stages.parameters.sections import Language, ParseTrain, Run

if TYPE_CHECKING:
    from stages.parsing.parser import CaptionParser


PACKAGES = ("contract", "graphs", "parsing", "text")
"""The packages whose code the graphs depend on."""


class Parsing(NamedTuple):
    """Distinct captions with their counts, the parameters' section ``language``, and the fraction of graphs to keep."""

    captions: Sequence[str]
    counts: Sequence[int]
    language: Language
    share: float


class Result(NamedTuple):
    """The tables ``occurrences`` and ``training_graphs`` of a shard as Parquet, and its statistics."""

    occurrences: bytes
    graphs: bytes
    figures: dict[str, int]


@cache
def shared_parser(language: str) -> CaptionParser:
    """Return one parser a process, with one thread: many workers with many threads each would block one another.

    Args:
        language: the parameters' section ``language`` as JSON.
    """
    # Imported here: the process that only distributes the work does not need its word lists.
    from stages.parsing import parser

    made = parser.make(Language.model_validate_json(language))
    threadpool_limits(1)
    patches.freeze()
    return made


def parse_shard(task: Parsing) -> Result:
    """Parse the captions, and count for each atom and compound the captions that name it, repetitions included."""
    occurrences: Counter[tuple[str, str, str, str]] = Counter()
    graphs: list[tuple[str, int, SceneGraph]] = []
    figures = Counter(captions=0, atoms=0, compounds=0, without_atoms=0)
    parsed = shared_parser(task.language.model_dump_json()).parse(task.captions)
    for caption, count, (_, graph, _spans) in zip(task.captions, task.counts, parsed, strict=True):
        keys = named(graph)
        for key in keys:
            occurrences[key] += count
        figures["captions"] += 1
        figures["atoms"] += graph.n
        figures["compounds"] += len(graph.attributes) + len(graph.relations)
        figures["without_atoms"] += not graph.objects
        if task.share >= 1 or _draw(caption) < task.share:
            graphs.append((caption, count, graph))
    return Result(_parquet(_occurrences(occurrences)), _parquet(_graphs(graphs)), dict(figures))


def named(graph: SceneGraph) -> set[tuple[str, str, str, str]]:
    """Return the keys of a graph's atoms and compounds in the table ``occurrences``: kind, first, second, third."""
    objects = graph.objects
    keys = {("object", name, "", "") for name in objects}
    for o, attribute in graph.attributes:
        keys.add(("attribute", attribute, "", ""))
        keys.add(("attribute_object", attribute, objects[o], ""))
    for s, relation, o in graph.relations:
        keys.add(("relation", relation, "", ""))
        keys.add(("object_relation_object", objects[s], relation, objects[o]))
    return keys


def _draw(caption: str) -> float:
    """Return a number in [0, 1) that depends only on the caption: the same captions are kept in every run."""
    return int.from_bytes(hashlib.sha256(caption.encode()).digest()[:6], "big") / 2**48


# --- Tables from columns: a tenth of the time of a dictionary for each row ----


def _occurrences(occurrences: Counter[tuple[str, str, str, str]]) -> pa.Table:
    keys = sorted(occurrences)
    columns = [[key[i] for key in keys] for i in range(4)]
    return pa.table([*columns, [occurrences[key] for key in keys]], schema=TABLES["occurrences"].schema)


def _graphs(rows: list[tuple[str, int, SceneGraph]]) -> pa.Table:
    graphs = [graph for _, _, graph in rows]
    columns = [
        [caption for caption, _, _ in rows],
        [count for _, count, _ in rows],
        [graph.objects for graph in graphs],
        _lists([graph.attributes for graph in graphs], ATTRIBUTE),
        _lists([graph.relations for graph in graphs], RELATION),
    ]
    return pa.table(columns, schema=TABLES["training_graphs"].schema)


def _lists(rows: list[tuple[tuple[Any, ...], ...]], kind: pa.StructType) -> pa.ListArray:
    """Return a column of lists of structs, with the tuples' elements as fields."""
    flat = list(chain.from_iterable(rows))
    fields = [pa.array([item[i] for item in flat], kind.field(i).type) for i in range(kind.num_fields)]
    ends = [*accumulate(map(len, rows), initial=0)]
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.StructArray.from_arrays(fields, fields=list(kind)))


def _parquet(table: pa.Table) -> bytes:
    out = BytesIO()
    pq.write_table(table, out, compression="zstd")
    return out.getvalue()


# --- Shards, in the process that distributes them ----


def parse_shards(
    captions: Path, language: Language, settings: ParseTrain, running: Run, work: Path
) -> tuple[list[Path], Counter[str]]:
    """Parse the shards of the table ``distinct_captions`` that are not parsed yet.

    Returns:
        The shards, each as its path in ``work`` without an ending, in order; and the sums of their statistics.
    """
    total = tables.count("distinct_captions", captions)
    keep, n = settings.keep_graphs, -(-total // settings.shard)
    shards = [work / f"parsed-{i:06d}" for i in range(n)]
    figures = {i: load_done(shard.with_suffix(".json")) for i, shard in enumerate(shards)}
    missing = [i for i in figures if figures[i] is None]
    share = float(keep) if isinstance(keep, bool) else keep / max(total, 1)

    def tasks() -> Iterator[Parsing]:
        for i, piece in enumerate(tables.batches("distinct_captions", captions, size=settings.shard)):
            if figures[i] is None:
                yield Parsing(piece["caption"].to_pylist(), piece["count"].to_pylist(), language, share)

    done = sum(figure["captions"] for figure in figures.values() if figure)
    with progress_bar("parsing", "captions", total, done) as bar:
        for number, result in each(parse_shard, tasks(), at_most(running, len(missing))):
            i = missing[number]
            _keep(shards[i], result)
            figures[i] = result.figures
            bar.update(result.figures["captions"])
    return shards, sum((Counter(figure) for figure in figures.values()), Counter())


def _keep(shard: Path, result: Result) -> None:
    files = shard.with_suffix(".occurrences"), shard.with_suffix(".graphs")
    for path, content in zip(files, (result.occurrences, result.graphs), strict=True):
        with complete(path) as partial:
            partial.write_bytes(content)
    mark_done(shard.with_suffix(".json"), result.figures, *files)
