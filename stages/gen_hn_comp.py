"""Makes the HN-Comp queries of systematicity (paper, section 4.1): two compounds, each with one foil, joined by "and".

Reads the HN-Atom ``candidates`` and ``queries`` of ``regions``, what is known of their images, and the training captions.
Writes its own ``candidates``, ``queries`` and ``rejects``. In the way ``balanced`` the truth is a pair of compounds, too; as it
is then not the truth of the HN-Atom set, a set of both types beside this truth (``HN-Both``) is written as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stages.contract import command, params, tables
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.ledger import Ledger
from stages.contract.param_schema import Foils, GenHnComp, Run, TrainingSets
from stages.contract.progress import progress
from stages.contract.workers import each, in_order
from stages.foils import image_context, vocabulary
from stages.foils.hn_comp import atom_negative
from stages.foils.scoring import CandidateSet, Choice, Selector, assign_negatives, write_candidates
from stages.foils.second_compound import Truth
from stages.foils.systematic import CompoundTask, compounds_of, eligible, query_row, reject_row, with_atoms


class Paths(NamedTuple):
    """The command line."""

    candidates: Path
    atoms: Path
    regions: Path
    facts: Path
    scene_graphs: Path
    captions: Path
    queries: Path
    candidates_out: Path
    rejects: Path
    metrics: Path


Truths = dict[str, Truth | None]


def make_candidates(
    paths: Paths, training_sets: list[Path], foils: Foils, most: int, running: Run, selector: Selector, made_from: dict[str, str]
) -> Truths:
    """Write the table ``candidates``, and show the valid ones to ``selector``; returns what each query's negatives stand beside."""
    truths: Truths = {}
    with scratch(paths.candidates_out) as folder:
        words = vocabulary.read(training_sets, foils.min_training_count, foils.min_zipf, running, folder)
        words.save(folder / "vocabulary.json")
        rows = progress(with_atoms(paths.regions, paths.candidates), "pairs of foils", "regions")
        pieces = image_context.pieces(image_context.images(rows, paths.scene_graphs, paths.facts), foils.piece)
        balanced = foils.selection == "balanced"
        tasks = (CompoundTask(piece, folder / "vocabulary.json", most, foils.seed, balanced) for piece in pieces)

        def answers() -> Iterator[list[CandidateSet]]:
            for answer in in_order(each(compounds_of, tasks, running.workers)):
                truths.update((asked.query_id, truth) for asked, truth in answer)
                yield [asked for asked, _ in answer]

        write_candidates(paths.candidates_out, answers(), selector, made_from)
    return truths


def write_queries(paths: Paths, truths: Truths, choice: Choice, size: int, made_from: dict[str, str]) -> tuple[Ledger, int]:
    """Write ``queries`` and ``rejects``; returns the ledger and how many sets of both types there are."""
    ledger, both = Ledger("regions"), 0
    atoms = {row["query_id"]: row["negatives"] for row in tables.read("queries", paths.atoms, ["query_id", "negatives"])}
    settled = assign_negatives(
        (f"region-{row['region_id']}" for row in eligible(paths.regions)), paths.candidates_out, choice, size
    )
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
            write([query_row(row, query.query_id, "HN-Comp", caption, query.negatives, graph)])
            if truth.second and query.query_id in atoms:
                both += 1
                all_negatives = [*(atom_negative(truth, negative) for negative in atoms[query.query_id]), *query.negatives]
                write([query_row(row, query.query_id, "HN-Both", caption, all_negatives, graph)])
    return ledger, both


def main() -> None:
    paths = command.parse(Paths, __doc__)
    foils, settings = params.load(Foils), params.load(GenHnComp)
    tables.verify("queries", paths.atoms)  # it is read last
    training_sets = params.load(TrainingSets).folders(paths.captions)
    inputs = {"regions": paths.regions, "region_facts": paths.facts, "scene_graphs": paths.scene_graphs}
    inputs |= {"candidates of HN-Atom": paths.candidates, "queries of HN-Atom": paths.atoms}
    made_from = tables.lineage(inputs | {f"captions of {folder.name}": folder / "graphs.parquet" for folder in training_sets})
    selector = Selector(foils, training_sets, settings.negatives, foils=2)
    truths = make_candidates(paths, training_sets, foils, settings.max_pairs, params.load(Run), selector, made_from)
    choice = selector.choose()
    ledger, both = write_queries(paths, truths, choice, settings.negatives, made_from)
    kept = ledger.kept / ledger.rows_in if ledger.rows_in else 0.0
    figures = {"way": foils.selection, "eligible": ledger.rows_in, "kept_share": round(kept, 4), "both": both}
    ledger.write(paths.metrics, **figures, targets=choice.targets, selecting=choice.selecting)
    print(f"gen_hn_comp: {ledger}; {kept:.1%} of the eligible regions have {settings.negatives} negatives")


if __name__ == "__main__":
    run(main)
