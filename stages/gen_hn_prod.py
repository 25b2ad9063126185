"""Makes the productivity negatives: five each of HN-Atom, HN-Swap and HN-Neg a caption (paper, section 4.2 and appendix A.4).

Reads the captions and all that is known of their images; writes every candidate with its reason, the retrieval sets, and the
captions that have too few negatives of a type. HN-Swaps that the truth entails are dropped where a model of inference is named. In
the way ``balanced`` the truth of an HN-Neg set denies something, too, so that the negation word tells nothing.
"""

import stages.contract  # noqa: F401  # first, so that Ctrl-C ends with one line while the others are imported

# isort: split
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from stages.blind.pretrained import Entailment
from stages.console import command
from stages.console.progress import progress
from stages.contract import schemas, tables
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.ledger import Ledger
from stages.contract.workers import each, in_order
from stages.foils import balancing, image_context, knowledge
from stages.foils.scoring import CandidateSet, Selector, valid_rows
from stages.parameters import params
from stages.parameters.sections import Foils, GenHnProd, Run, Split, TrainingSets
from stages.productivity import productivity
from stages.productivity.productivity import TYPES, Answer, Row, Task, compared_within

CROP = [name for name, *_ in schemas.CROP]


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


class Set(NamedTuple):
    """One caption and type: how many valid candidates there are, the truth where it is not the plain caption, why there is none."""

    valid: int
    truth: Row | None
    reason: str | None


def candidates(
    captions: list[Row], paths: Paths, training_sets: list[Path], foils: Foils, settings: GenHnProd
) -> Iterator[list[Answer]]:
    """The candidates of each caption and type, in the captions' order, by the piece that a worker does."""
    running = params.load(Run)
    with scratch(paths.candidates) as folder:
        least = params.load(Split).min_count
        knowledge.prepare(folder, training_sets, paths.scene_graphs, paths.facts, foils, least, running)
        images = image_context.images(progress(captions, "negatives", "captions"), paths.scene_graphs, paths.facts)
        balanced = foils.selection == "balanced"
        ways = balanced, balanced or settings.entailment.model != "none"
        shared = (folder, settings.max_foils, settings.negatives, *ways, settings.rejects_per_set, foils.seed)
        tasks = (Task(piece, *shared) for piece in image_context.pieces(images, foils.piece))
        yield from in_order(each(productivity.work, tasks, running.workers))


def drop_entailed(questions: list[CandidateSet], entailment: Entailment, threshold: float) -> None:
    """Give the valid swaps that the truth entails their reason."""
    rows = [(question.truth, row) for question in questions for row in question.valid()]
    scores = entailment.score([(truth, row["caption"]) for truth, row in rows])
    for (_, row), probability in zip(rows, scores, strict=True):
        row["reason"] = "entailed" if probability >= threshold else None


def queries(paths: Paths, captions: Mapping[str, Row], sets: Mapping[tuple[str, str], Set], chosen: dict) -> Iterator[Row]:
    """The retrieval sets, from the candidates' table and the places that were chosen."""
    for (query_id, kind), rows in groupby(valid_rows(paths.candidates), key=lambda row: (row["query_id"], row["type"])):
        if query_id in chosen[kind]:
            caption, truth = captions[query_id], sets[query_id, kind].truth
            source = truth or caption
            graph = {name: source[name] for name in ("objects", "attributes", "relations")}
            crop = {name: caption[name] for name in (*CROP, "n")}
            places = set(chosen[kind][query_id])
            negatives = [{name: row[name] for name, *_ in schemas.EDIT} for place, row in enumerate(rows) if place in places]
            yield {
                "query_id": query_id,
                "type": kind,
                **crop,
                "truth": source["caption"],
                **graph,
                "splits": [],
                "negatives": negatives,
            }


def figures(captions: Mapping[str, Row], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """How many captions of each complexity there are, and have negatives of each type and of all."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for query_id, caption in captions.items():
        types = [kind for kind in TYPES if query_id in chosen[kind]]
        counts[f"n{caption['n']:02d}"].update({"captions": 1, "all_types": len(types) == len(TYPES), **dict.fromkeys(types, 1)})
    shares = {kind: round(len(chosen[kind]) / max(len(captions), 1), 4) for kind in TYPES}
    return {
        "kept_share": shares,
        "by_complexity": {n: {k: int(v) for k, v in sorted(c.items())} for n, c in sorted(counts.items())},
    }


def main() -> None:
    paths = command.parse(Paths, __doc__)
    foils, settings = params.load(Foils), params.load(GenHnProd)
    size, asked = settings.negatives, settings.entailment
    training_sets = params.load(TrainingSets).folders(paths.training_captions)
    inputs = {"captions": paths.captions, "region_facts": paths.facts, "scene_graphs": paths.scene_graphs}
    made_from = tables.lineage(inputs | {f"captions of {folder.name}": folder / "graphs.parquet" for folder in training_sets})
    rows = sorted(tables.read("captions", paths.captions), key=lambda row: (row["image_id"], row["subgraph_id"]))
    captions = {f"walk-{row['subgraph_id']}": row for row in rows}
    selectors = {"HN-Atom": (first := Selector(foils, training_sets, size, balancing.FEW))}
    selectors |= {"HN-Swap": first.another(balancing.SAME_WORDS), "HN-Neg": first.another(balancing.DENYING)}
    entailment = None if asked.model == "none" else Entailment(asked.model, asked.device, asked.batch_tokens)
    sets: dict[tuple[str, str], Set] = {}
    with tables.writer("candidates", paths.candidates, made_from) as write:
        for answers in candidates(rows, paths, training_sets, foils, settings):
            questions: dict[str, list[CandidateSet]] = {kind: [] for kind in TYPES}
            for a in answers:
                questions[a.type].append(CandidateSet(a.query_id, (a.truth or captions[a.query_id])["caption"], a.rows))
            if entailment:
                drop_entailed(questions["HN-Swap"], entailment, asked.threshold)
            for kind, selector in selectors.items():
                selector.add(questions[kind])
            for answer in answers:
                valid = sum(row["reason"] is None for row in answer.rows)
                sets[answer.query_id, answer.type] = Set(valid, answer.truth, answer.reason)
                write(answer.rows)
    groups = {query_id: compared_within(row["n"]) for query_id, row in captions.items()}
    chosen = {kind: selector.choose(groups).places for kind, selector in selectors.items()}
    tables.write("queries", paths.queries, queries(paths, captions, sets, chosen), made_from)
    ledger = Ledger("sets")
    with tables.writer("rejects", paths.rejects) as reject:
        for (query_id, kind), outcome in sets.items():
            ledger.read()
            if query_id in chosen[kind]:
                ledger.keep()
                continue
            why = outcome.reason or (f"fewer_than_{size}" if outcome.valid < size else "no_balanced_set")
            ledger.drop(f"{kind} {why}")
            row = captions[query_id]
            detail = f"{kind}: {outcome.valid} valid candidates"
            reject([{"image_id": row["image_id"], "item": query_id, "text": row["caption"], "reason": why, "detail": detail}])
    ledger.write(paths.metrics, way=foils.selection, **figures(captions, chosen))
    print(f"gen_hn_prod: {ledger}")


if __name__ == "__main__":
    run(main)
