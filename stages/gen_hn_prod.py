"""Make the productivity queries: HN-Atom, HN-Swap and HN-Neg of each caption (paper, section 4.2 and appendix A.4).

Reads the captions and the facts of their images. Writes ``candidates`` of both protocols with the reason where one is
refused, ``queries``, those with a full set, and ``rejects``, those without. HN-Swaps that the truth entails are dropped where a
model of inference is named.
"""

import stages.contract  # noqa: F401  # first, so that Ctrl-C ends with one line while the others are imported

# isort: split
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stages.console import command
from stages.console.progress import progress
from stages.contract import schemas, tables
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.workers import each, in_order
from stages.negatives import knowledge, making
from stages.negatives.candidate import Truth
from stages.negatives.knowledge import Sources
from stages.negatives.making import ATOM, NEG, SWAP, Alternative, Made
from stages.negatives.sets import Key, Sets
from stages.parameters import params
from stages.parameters.sections import Cleared, Foils, GenHnProd, Run, Split, TrainingSets
from stages.selection.selector import Selector
from stages.shortcuts.pretrained import Entailment

Row = dict[str, Any]
TYPES = (ATOM, SWAP, NEG)


class Paths(NamedTuple):
    """The command line."""

    captions: Path
    facts: Path
    scene_graphs: Path
    training_captions: Path
    queries: command.Output
    candidates: command.Output
    rejects: command.Output
    metrics: command.Output


def groups(captions: dict[str, Row]) -> dict[str, tuple[str, str]]:
    """Return the groups in which each caption is compared: its complexity, and the short or the long ones.

    >>> groups({"a": {"n": 4}, "b": {"n": 12}})
    {'a': ('n04', 'short'), 'b': ('n12', 'long')}
    """
    complexities = {row["n"] for row in captions.values()}
    middle = (min(complexities) + max(complexities)) / 2 if complexities else 0
    return {query_id: (f"n{row['n']:02d}", "long" if row["n"] >= middle else "short") for query_id, row in captions.items()}


def without_entailed(batch: Sequence[Made], entailment: Entailment, threshold: float) -> list[Made]:
    """Return the results with the swaps refused that their truth entails (appendix A.4)."""
    every = (
        (truth.caption, candidate.caption)
        for made in batch
        if made.type == SWAP
        for truth, candidates in made.alternatives
        for candidate in candidates
        if candidate.reason is None
    )
    pairs = list(dict.fromkeys(every))
    entailed = {pair for pair, p in zip(pairs, entailment.score(pairs), strict=True) if p >= threshold}

    def settled(made: Made) -> Made:
        refused, alternatives = 0, []
        for truth, candidates in made.alternatives:
            out = [c.reason is None and (truth.caption, c.caption) in entailed for c in candidates]
            refused += sum(out)
            found = [c.refused("entailed") if is_out else c for c, is_out in zip(candidates, out, strict=True)]
            alternatives.append(Alternative(truth, found))
        return made._replace(alternatives=alternatives, refused=(*made.refused, ("entailed", refused)))

    return [settled(made) if made.type == SWAP else made for made in batch]


def figures(within: dict[str, tuple[str, str]], sets: Sets) -> dict[str, Any]:
    """Return by complexity the number of captions, and by protocol and type the number with a set."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for n, _ in within.values():
        counts[n].update(["captions"])
    for protocol, query_id, kind in sets.picked:
        counts[within[query_id][0]].update([f"{protocol} {kind}"])
    return {n: dict(sorted(by_protocol.items())) for n, by_protocol in sorted(counts.items())}


def main() -> None:
    paths = command.parse(Paths, __doc__)
    foils, settings, running = params.load(Foils), params.load(GenHnProd), params.load(Run)
    training_sets = params.load(TrainingSets).folders(paths.training_captions)
    sources = Sources(training_sets, paths.scene_graphs, paths.facts)
    inputs = {"captions": paths.captions, "region_facts": paths.facts, "scene_graphs": paths.scene_graphs}
    made_from = tables.lineage(inputs | {f"captions of {folder.name}": folder / "graphs.parquet" for folder in training_sets})
    rows = sorted(tables.read("captions", paths.captions), key=lambda row: (row["image_id"], row["subgraph_id"]))
    captions = {f"walk-{row['subgraph_id']}": row for row in rows}
    first = Selector(params.load(Cleared), foils.plausibility, training_sets, settings.negatives)
    sets = Sets({ATOM: first, SWAP: first.another(), NEG: first.another()}, settings.negatives, foils.seed)
    asked = settings.entailment
    entailment = None if asked.model == "none" else Entailment(asked.model, asked.device, asked.batch_tokens)
    with scratch(paths.candidates) as folder, tables.writer("candidates", paths.candidates, made_from) as write:
        knowledge.prepare(folder, sources, foils, params.load(Split).min_count, running)
        tasks = making.pieces_of(progress(rows, "negatives", "captions"), sources, folder, foils)
        for batch in in_order(each(making.negatives_of_captions, tasks, running)):
            sets.add(without_entailed(batch, entailment, asked.threshold) if entailment else batch, write)
    within = groups(captions)
    sets.choose(dict.fromkeys(TYPES, within))

    def row_of(key: Key, truth: Truth) -> Row:
        return {name: captions[key[1]][name] for name in (*(name for name, *_ in schemas.CROP), "n")} | {"splits": []}

    sets.write(paths, captions, row_of, made_from, "gen_hn_prod", by_complexity=figures(within, sets))


if __name__ == "__main__":
    run(main)
