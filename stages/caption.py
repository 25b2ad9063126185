"""Write a caption for each subgraph, with the place of each atom in it (paper, appendix A.3).

Reads the walks' subgraphs; writes the table of captions, and the rejects with their reasons. Subgraphs of up to
``caption.template_up_to`` atoms get the paper's template, longer ones the project's own realiser or a language model. A language
model's caption that leaves an atom out, or adds to the subgraph, is dropped, because negatives depend on its graph. The metrics
give the fraction dropped by complexity, as Table 4 does for faithfulness.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stages.console import command
from stages.console.progress import progress
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.files import shared
from stages.contract.ledger import Ledger
from stages.contract.workers import Running, at_most, each, in_order
from stages.graphs.graph import SceneGraph
from stages.parameters import params
from stages.parameters.sections import Caption, Language, Run
from stages.parsing import parser
from stages.writing import template
from stages.writing.agreement import Failure, agree
from stages.writing.phrase import Realised
from stages.writing.realiser import realise
from stages.writing.writer import Answers, Writer


class Paths(NamedTuple):
    """The command line."""

    subgraphs: Path
    answers: Path
    out: command.Output
    rejects: command.Output
    metrics: command.Output


Result = tuple[Mapping[str, Any], str, Realised | Failure]
ROWS = 1000
"""Number of subgraphs of a worker's task."""


class Batch(NamedTuple):
    """Subgraphs, the seed, and the maximum complexity of the template: a worker's task."""

    rows: list[Mapping[str, Any]]
    seed: int
    template_up_to: int


def captions(
    rows: Sequence[Mapping[str, Any]], settings: Caption, language: Language, answers: Path, running: Running
) -> Iterator[Result]:
    """Yield each subgraph with the name of its writer, and its caption or why it has none; ``answers`` is the folder of answers."""
    by_model = [row["n"] > settings.template_up_to and settings.writer != "realiser" for row in rows]
    ours = [row for row, model in zip(rows, by_model, strict=True) if not model]
    batches = [Batch(ours[i : i + ROWS], settings.seed, settings.template_up_to) for i in range(0, len(ours), ROWS)]
    for batch, written in zip(batches, in_order(each(write, batches, at_most(running, len(batches)))), strict=True):
        yield from ((row, *result) for row, result in zip(batch.rows, written, strict=True))
    asked = [(row, SceneGraph.from_columns(row)) for row, model in zip(rows, by_model, strict=True) if model]
    if asked:
        texts = Writer(settings.llm, Answers(answers)).write([graph for _, graph in asked])
        given = list(progress(texts, settings.llm.model, "answers", total=len(asked)))
        parsed = parser.make(language).parse(text for text in given if isinstance(text, str))
        for (row, graph), text in zip(asked, given, strict=True):
            yield row, settings.llm.model, agree(graph, next(parsed)) if isinstance(text, str) else text


def write(batch: Batch) -> list[tuple[str, Realised | Failure]]:
    """Return the writer and the caption of each of a task's subgraphs."""
    written = []
    for row in batch.rows:
        graph = SceneGraph.from_columns(row)
        if graph.n <= batch.template_up_to:
            written.append(("template", _whole(graph, template.fill(graph, row["plurals"]))))
        else:
            written.append(("realiser", _whole(graph, realise(graph, f"{batch.seed}:{row['subgraph_id']}", row["plurals"]))))
    return written


def _whole(graph: SceneGraph, realised: Realised) -> Realised | Failure:
    """Return the caption, if each atom has a place in it."""
    missing = next((atom for atom in graph.atoms() if realised.spans.of(atom) is None), None)
    return realised if missing is None else Failure("atom left out", f"{missing.kind} {missing.text}")


def by_complexity(counts: Mapping[int, Counter[str]]) -> dict[str, Any]:
    """Return by complexity the number of subgraphs, and the fractions dropped, in all and by reason."""
    return {
        f"n{n:02d}": {
            "in": counter.total(),
            "dropped_share": round(1 - counter["kept"] / counter.total(), 4),
            "dropped": {reason: k for reason, k in sorted(counter.items()) if reason != "kept"},
        }
        for n, counter in sorted(counts.items())
    }


def main() -> None:
    paths = command.parse(Paths, __doc__)
    rows = list(tables.read("subgraphs", paths.subgraphs))
    ledger, counts = Ledger("subgraphs"), defaultdict[int, Counter[str]](Counter)
    made_from = tables.lineage({"subgraphs": paths.subgraphs})
    with tables.writer("captions", paths.out, made_from) as keep, tables.writer("rejects", paths.rejects) as reject:
        written = captions(rows, params.load(Caption), params.load(Language), shared(paths.answers), params.load(Run))
        for row, name, result in written:
            ledger.read()
            counts[row["n"]][result.reason if isinstance(result, Failure) else "kept"] += 1
            if isinstance(result, Failure):
                ledger.drop(result.reason)
                reject([{"image_id": row["image_id"], "item": row["subgraph_id"], **result._asdict()}])
                continue
            ledger.keep()
            mentions = [{"kind": kind, "index": index, "span": {"start": a, "end": b}} for kind, index, (a, b) in result.mentions]
            keep([{**row, "caption": result.caption, "writer": name, "mentions": mentions, **result.spans.columns()}])
    ledger.write(paths.metrics, by_complexity=by_complexity(counts))
    print(f"caption: {ledger}")


if __name__ == "__main__":
    run(main)
