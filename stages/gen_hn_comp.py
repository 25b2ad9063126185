"""Makes the HN-Comp queries of systematicity (paper, section 4.1): two compounds, each with one foil, joined by "and".

Reads the HN-Atom ``candidates`` of ``regions``, what is known of their images, the training captions, and what the training sets
have seen. Writes its own ``candidates``, ``queries`` and ``rejects``. In the way ``balanced`` the truth is a pair of compounds,
too, and whether it is seen is told of them both.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from stages.console import command
from stages.console.progress import progress
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.ledger import Ledger
from stages.contract.workers import each, in_order
from stages.foils import image_context, knowledge
from stages.foils.choosing import CandidateSet, Choice, Chooser
from stages.parameters import params
from stages.parameters.sections import Foils, GenHnComp, Run, Split, TrainingSets
from stages.splits import splits
from stages.splits.splits import Label
from stages.systematicity.queries import assign_negatives, write_candidates
from stages.systematicity.second_compound import Truth
from stages.systematicity.systematic import CompoundTask, compounds_of, eligible, query_row, reject_row, with_atoms


class Paths(NamedTuple):
    """The command line."""

    candidates: Path
    regions: Path
    facts: Path
    scene_graphs: Path
    seen: Path
    captions: Path
    queries: command.Output
    candidates_out: command.Output
    rejects: command.Output
    metrics: command.Output


Truths = dict[str, Truth | None]


def make_candidates(
    paths: Paths,
    training_sets: list[Path],
    foils: Foils,
    asked: GenHnComp,
    running: Run,
    selector: Chooser,
    made_from: dict[str, str],
) -> Truths:
    """Write the table ``candidates``, and show the valid ones to ``selector``; returns what each query's negatives stand beside."""
    truths: Truths = {}
    balanced = foils.selection == "balanced"
    with scratch(paths.candidates_out) as folder:
        if balanced:
            least = params.load(Split).min_count
            knowledge.prepare(folder, training_sets, paths.scene_graphs, paths.facts, foils, least, running)
        rows = progress(with_atoms(paths.regions, paths.candidates), "pairs of foils", "regions")
        pieces = image_context.pieces(image_context.images(rows, paths.scene_graphs, paths.facts), foils.piece)
        numbers = asked.max_pairs, foils.max_foils, asked.negatives, foils.seed
        tasks = (CompoundTask(piece, folder, *numbers, balanced) for piece in pieces)

        def answers() -> Iterator[list[CandidateSet]]:
            for answer in in_order(each(compounds_of, tasks, running.workers)):
                truths.update((asked.query_id, truth) for asked, truth in answer)
                yield [asked for asked, _ in answer]

        write_candidates(paths.candidates_out, answers(), selector, made_from)
    return truths


def label(truths: Truths, seen: list[Path], least: int, running: Run, beside: Path) -> dict[str, list[Label]]:
    """What the training sets have seen of each truth as a whole; what does not fit into the memory lies ``beside`` a file."""
    asked = [(query_id, truth.whole[1]) for query_id, truth in truths.items() if truth]
    with scratch(beside) as folder:
        labels = splits.of_graphs(dict(enumerate(graph for _, graph in asked)), seen, least, running, folder)
    return {query_id: labels[i] for i, (query_id, _) in enumerate(asked)}


def write_queries(
    paths: Paths, truths: Truths, labels: Mapping[str, list[Label]], choice: Choice, size: int, made_from: dict[str, str]
) -> Ledger:
    """Write ``queries`` and ``rejects``."""
    ledger = Ledger("regions")
    ids = (f"region-{row['region_id']}" for row in eligible(paths.regions))
    settled = assign_negatives(ids, paths.candidates_out, choice, size)
    with tables.writer("queries", paths.queries, made_from) as write, tables.writer("rejects", paths.rejects) as reject:
        for row, query in zip(eligible(paths.regions), settled, strict=True):
            ledger.read()
            truth = truths[query.query_id]
            if truth is None or query.reason is not None:
                reason = query.reason if truth and query.reason else "no_second_compound"
                ledger.drop(reason)
                reject([reject_row(row, query.query_id, reason, f"{query.found} valid candidates")])
                continue
            ledger.keep()
            caption, graph = truth.whole
            write([query_row(row, query.query_id, "HN-Comp", caption, labels[query.query_id], query.negatives, graph)])
    return ledger


def main() -> None:
    paths = command.parse(Paths, __doc__)
    foils, settings, running, asked = params.load(Foils), params.load(GenHnComp), params.load(Run), params.load(TrainingSets)
    training_sets, seen = asked.folders(paths.captions), asked.folders(paths.seen)
    inputs = {"regions": paths.regions, "region_facts": paths.facts, "scene_graphs": paths.scene_graphs}
    inputs |= {"candidates of HN-Atom": paths.candidates}
    inputs |= {f"{kind} that {f.name} has seen": f / f"{kind}.parquet" for f in seen for kind in ("atoms", "compounds")}
    made_from = tables.lineage(inputs | {f"captions of {folder.name}": folder / "graphs.parquet" for folder in training_sets})
    selector = Chooser(foils, training_sets, settings.negatives)
    truths = make_candidates(paths, training_sets, foils, settings, running, selector, made_from)
    labels = label(truths, seen, params.load(Split).min_count, running, paths.queries)
    choice = selector.choose({query_id: splits.groups(own) for query_id, own in labels.items()})
    ledger = write_queries(paths, truths, labels, choice, settings.negatives, made_from)
    kept_share = ledger.kept / ledger.rows_in if ledger.rows_in else 0.0
    figures = {"way": foils.selection, "eligible": ledger.rows_in, "kept_share": round(kept_share, 4)}
    ledger.write(paths.metrics, **figures)
    print(f"gen_hn_comp: {ledger}; {kept_share:.1%} of the eligible regions have {settings.negatives} negatives")


if __name__ == "__main__":
    run(main)
